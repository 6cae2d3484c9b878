// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/overview/spendtables.h"

#include "app/reports/months/decisions.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>
#include <QLocale>

namespace gpuledger::ui {

using insight::HiddenCost;
using insight::Spend;
using insight::UnitPrice;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

class HiddenCosts : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::HiddenCosts)
public:
    enum Column { Category, Service, Amount };

    explicit HiddenCosts(std::shared_ptr<const Spend> spend)
        : m_spend(std::move(spend))
    {
    }

    static std::vector<TableColumn> columns(base::Currency currency)
    {
        TableColumn category = words(QStringLiteral("category"), tr("Other than GPU time"));
        category.isEmphasized = true;
        TableColumn service = words(QStringLiteral("service"), tr("Service"));
        service.stretch = 1;
        return {
            category, service,
            figure(QStringLiteral("amount"), tr("Cost, %1").arg(codeOf(currency)), tr("Effective cost from bills"))};
    }

    int rowCount() const override { return static_cast<int>(m_spend->hidden.size()); }
    QString id(int row) const override { return hiddenCostId(at(row)); }
    TableValue value(int row, int column) const override
    {
        if (column == Amount)
            return at(row).amount.toDouble();
        return text(row, column);
    }
    QString text(int row, int column) const override
    {
        switch (column) {
        case Category:
            return statementCategory(at(row).category);
        case Service:
            return at(row).service.empty() ? QStringLiteral("–") : QString::fromStdString(at(row).service);
        default:
            return statementAmount(at(row).amount);
        }
    }

private:
    const HiddenCost &at(int row) const { return m_spend->hidden[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const Spend> m_spend;
};

class UnitPrices : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::UnitPrices)
public:
    enum Column { Model, Billed, Listed, Difference };

    explicit UnitPrices(std::shared_ptr<const Spend> spend)
        : m_spend(std::move(spend))
    {
    }

    static std::vector<TableColumn> columns(base::Currency currency)
    {
        TableColumn model = words(QStringLiteral("model"), tr("GPU"));
        model.isEmphasized = true;
        model.stretch = 1;
        const QString code = codeOf(currency);
        return {model,
                figure(QStringLiteral("billed"), tr("Billed, %1/h").arg(code),
                       tr("Effective cost of a GPU-hour from bills, for time that the price book covers too")),
                figure(QStringLiteral("listed"), tr("List, %1/h").arg(code), tr("The same hours by the price book")),
                figure(QStringLiteral("difference"), tr("Difference"),
                       tr("A warning where it is above 10 %: the price book, the contract or the matching is wrong"))};
    }

    int rowCount() const override { return static_cast<int>(m_spend->prices.size()); }
    QString id(int row) const override { return QString::fromStdString(at(row).gpuModel); }
    TableValue value(int row, int column) const override
    {
        switch (column) {
        case Billed:
            return at(row).billed.toDouble();
        case Listed:
            return at(row).listed.toDouble();
        case Difference:
            return at(row).difference;
        default:
            return text(row, column);
        }
    }
    QString text(int row, int column) const override
    {
        const UnitPrice &price = at(row);
        switch (column) {
        case Billed:
            return statementAmount(price.billed);
        case Listed:
            return statementAmount(price.listed);
        case Difference:
            return (price.isFarOff ? QStringLiteral("⚠ ") : QString())
                + (price.difference > 0 ? QStringLiteral("+") : QString()) + LocalText::percent(price.difference);
        default:
            return QString::fromStdString(price.gpuModel);
        }
    }
    QVariant extra(int row, int column, int role) const override
    {
        if (column == Difference && role == widgets::kToneRole && at(row).isFarOff)
            return QVariant::fromValue(widgets::Tone::Warning);
        return {};
    }

private:
    const UnitPrice &at(int row) const { return m_spend->prices[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const Spend> m_spend;
};

} // namespace

QString hiddenCostId(const HiddenCost &row)
{
    return QString::fromStdString(row.category + '/' + row.service);
}

std::vector<TableColumn> hiddenCostColumns(base::Currency currency)
{
    return HiddenCosts::columns(currency);
}

std::shared_ptr<const TableSnapshot> hiddenCosts(std::shared_ptr<const Spend> spend)
{
    return std::make_shared<HiddenCosts>(std::move(spend));
}

std::vector<TableColumn> unitPriceColumns(base::Currency currency)
{
    return UnitPrices::columns(currency);
}

std::shared_ptr<const TableSnapshot> unitPrices(std::shared_ptr<const Spend> spend)
{
    return std::make_shared<UnitPrices>(std::move(spend));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idlerulereplay.h"
#include "ui/viewmodels/idle/idletext.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

using insight::IdleReplay;
using insight::ReplayStop;
using insight::ReplaySum;

namespace {

constexpr int kFigureWidth = 92; // pixels: six digits and a decimal
constexpr int kCountWidth = 64, kTimeWidth = 108;
constexpr double kNanos = static_cast<double>(base::Money::kNanosPerUnit);

QString kindText(model::WorkloadKind kind)
{
    const QString name = IdleText::kindName(kind);
    return name.isEmpty() ? QStringLiteral("–") : name;
}

TableColumn textColumn(const char *key, const QString &title, int stretch)
{
    return tablecolumns::words(QLatin1String(key), title, {}, stretch);
}

TableColumn figureColumn(const char *key, const QString &title, const QString &tip, int width = kFigureWidth,
                         TableValueType type = TableValueType::Number)
{
    TableColumn column = tablecolumns::column(key, title, type, tip);
    column.isFigure = true;
    column.width = width;
    return column;
}

class PartTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdleRuleParts)
public:
    enum Column { Owner, Kind, Stops, False, Back, Money, Lost };

    explicit PartTable(std::shared_ptr<const IdleRuleReplay> trial)
        : m_trial(std::move(trial))
    {
        for (const auto &part : m_trial->tried->parts)
            m_rows.push_back(&part);
    }
    static std::vector<TableColumn> columns(base::Currency currency)
    {
        const QString code = QString::fromStdString(std::string(currency.code()));
        TableColumn owner = textColumn("owner", tr("Owner"), 1);
        owner.isEmphasized = true;
        return {owner,
                textColumn("kind", tr("Type", "of a workload"), 0),
                figureColumn("stops", tr("Stops"), tr("How often it would have stopped something"), kCountWidth),
                figureColumn("false", tr("False"), tr("Stops after which work resumed soon"), kCountWidth),
                figureColumn("back", tr("Recovered, GPU-h"), tr("Idle GPU-hours after the stops")),
                figureColumn("money", tr("Recovered, %1", "currency").arg(code), tr("What these hours cost")),
                figureColumn("lost", tr("Interrupted, GPU-h"), tr("At most: active time after false stops"))};
    }
    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return ownerOf(row) + QLatin1Char('/') + kindText(at(row).first.first); }
    TableValue value(int row, int column) const override
    {
        const ReplaySum &sum = at(row).second;
        switch (column) {
        case Owner:
            return ownerOf(row);
        case Kind:
            return kindText(at(row).first.first);
        case Stops:
            return static_cast<qint64>(sum.stops);
        case False:
            return static_cast<qint64>(sum.falseStops);
        case Back:
            return sum.back.hours();
        case Money:
            return isPriced(sum) ? TableValue(static_cast<double>(sum.money) / kNanos) : TableValue();
        default:
            return sum.lost.hours();
        }
    }
    QString text(int row, int column) const override
    {
        const TableValue shown = value(row, column);
        if (const auto *text = std::get_if<QString>(&shown))
            return *text;
        if (const auto *count = std::get_if<qint64>(&shown))
            return QLocale().toString(*count);
        if (const auto *figure = std::get_if<double>(&shown))
            return decimal(*figure, column == Money ? 0 : 1);
        return tr("no price");
    }

private:
    using Part = std::pair<const std::pair<model::WorkloadKind, std::string>, ReplaySum>;
    const Part &at(int row) const { return *m_rows[static_cast<std::size_t>(row)]; }
    QString ownerOf(int row) const { return QString::fromStdString(at(row).first.second); }
    static bool isPriced(const ReplaySum &sum) { return sum.back.ticks == 0 || !(sum.unpriced == sum.back); }

    std::shared_ptr<const IdleRuleReplay> m_trial;
    std::vector<const Part *> m_rows;
};

class FalseStopTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::FalseStops)
public:
    enum Column { Name, Owner, Kind, At, After, Lost };

    explicit FalseStopTable(std::shared_ptr<const IdleRuleReplay> trial)
        : m_trial(std::move(trial))
    {
        for (const ReplayStop &stop : m_trial->tried->stops) {
            if (stop.falseStop)
                m_rows.push_back(&stop);
        }
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [](const ReplayStop *a, const ReplayStop *b) { return b->lost < a->lost; });
    }
    static std::vector<TableColumn> columns()
    {
        TableColumn name = textColumn("name", tr("Workload"), 1);
        name.isEmphasized = true;
        return {name,
                textColumn("owner", tr("Owner"), 0),
                textColumn("kind", tr("Type", "of a workload"), 0),
                figureColumn("at", tr("Stopped"), tr("When the rule would have stopped it"), kTimeWidth,
                             TableValueType::Time),
                figureColumn("after", tr("Resumed after"), tr("How long after the stop work resumed"), kTimeWidth,
                             TableValueType::Duration),
                figureColumn("lost", tr("Interrupted, GPU-h"), tr("At most: active time from then on"))};
    }
    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override
    {
        return QString::fromStdString(at(row).id) + QLatin1Char('@')
            + QString::number(at(row).at.time_since_epoch().count());
    }
    TableValue value(int row, int column) const override
    {
        const ReplayStop &stop = at(row);
        switch (column) {
        case At:
            return static_cast<qint64>(stop.at.time_since_epoch().count());
        case After:
            return stop.resumed ? TableValue(static_cast<qint64>((*stop.resumed - stop.at).count())) : TableValue();
        case Lost:
            return stop.lost.hours();
        default:
            return text(row, column);
        }
    }
    QString text(int row, int column) const override
    {
        const ReplayStop &stop = at(row);
        switch (column) {
        case Name:
            return QString::fromStdString(stop.name);
        case Owner:
            return QString::fromStdString(stop.owner);
        case Kind:
            return kindText(stop.kind);
        case At:
            return IdleText::instant(stop.at, m_trial->zone);
        case After:
            return stop.resumed ? IdleText::duration(*stop.resumed - stop.at) : QStringLiteral("–");
        default:
            return decimal(stop.lost.hours(), 1);
        }
    }

private:
    const ReplayStop &at(int row) const { return *m_rows[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const IdleRuleReplay> m_trial;
    std::vector<const ReplayStop *> m_rows;
};

} // namespace

std::vector<TableColumn> idleRulePartColumns(base::Currency currency)
{
    return PartTable::columns(currency);
}

std::shared_ptr<const TableSnapshot> idleRulePartTable(std::shared_ptr<const IdleRuleReplay> trial)
{
    return std::make_shared<PartTable>(std::move(trial));
}

std::vector<TableColumn> falseStopColumns()
{
    return FalseStopTable::columns();
}

std::shared_ptr<const TableSnapshot> falseStopTable(std::shared_ptr<const IdleRuleReplay> trial)
{
    return std::make_shared<FalseStopTable>(std::move(trial));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/sharingtable.h"

#include "ui/viewmodels/showback/statementtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace gpuledger::ui {

using base::Money;
using reports::CurrencyStatement;
using reports::TeamStatement;

namespace {

constexpr int kAmountWidth = 116; // pixels: seven digits with two decimals and a sign
constexpr double kMostWeight = 1e9; // as in the configuration

class SharingTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::Sharing)
public:
    enum Column { Team, Own, Moved, Charged };

    explicit SharingTable(std::shared_ptr<const reports::Statement> statement)
        : m_statement(std::move(statement))
    {
        const bool many = m_statement->currencies.size() > 1;
        for (const CurrencyStatement &currency : m_statement->currencies) {
            const QString code = QString::fromStdString(std::string(currency.currency.code()));
            const auto add = [&](const QString &id, const QString &name, const Money &own, const Money &moved) {
                m_rows.push_back({code + QLatin1Char(':') + id,
                                  many ? tr("%1, %2", "team, currency").arg(name, code) : name, own, moved});
            };
            for (const TeamStatement &team : currency.teams)
                add(QStringLiteral("team:") + QString::fromStdString(team.team), // no-tr: key
                    statementTeamName(team.team), team.totalWithAdjustments(), team.moved);
            if (currency.sharing && !currency.sharing->ownLine.isZero())
                add(QStringLiteral("own-line"), tr("Idle, not paid by any team"),
                    Money(0, currency.currency), // no-tr: key
                    currency.sharing->ownLine);
        }
    }

    static std::vector<TableColumn> columns()
    {
        TableColumn team;
        team.key = QStringLiteral("team");
        team.title = tr("Team");
        team.isEmphasized = team.isSearched = true;
        team.stretch = 1;
        const auto figure = [](const QString &key, const QString &title, const QString &tip) {
            TableColumn column = tablecolumns::figure(key, title, tip);
            column.width = kAmountWidth;
            return column;
        };
        return {team, figure(QStringLiteral("own"), tr("Own cost"), tr("As in the statement, with adjustments")),
                figure(QStringLiteral("moved"), tr("Shared out"), tr("What the rules move to the team, or from it")),
                figure(QStringLiteral("charged"), tr("Charged"), tr("Sum of both"))};
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return at(row).id; }
    TableValue value(int row, int column) const override
    {
        return column == Team ? TableValue(at(row).name) : TableValue(amount(row, column).toDouble());
    }
    QString text(int row, int column) const override
    {
        return column == Team ? at(row).name
            : column == Moved ? statementChange(amount(row, column))
                              : statementAmount(amount(row, column));
    }

private:
    struct Row {
        QString id, name;
        Money own, moved;
    };
    const Row &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    Money amount(int row, int column) const
    {
        const Row &one = at(row);
        return column == Own  ? one.own
            : column == Moved ? one.moved
                              : Money(one.own.nanos() + one.moved.nanos(), one.own.currency());
    }

    std::shared_ptr<const reports::Statement> m_statement;
    std::vector<Row> m_rows;
};

} // namespace

std::vector<TableColumn> sharingColumns()
{
    return SharingTable::columns();
}

std::shared_ptr<const TableSnapshot> sharingTable(std::shared_ptr<const reports::Statement> statement)
{
    return std::make_shared<SharingTable>(std::move(statement));
}

std::optional<std::map<std::string, double>> sharingWeights(const QString &text)
{
    std::map<std::string, double> weights;
    for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString one = part.trimmed();
        const auto at = one.lastIndexOf(QLatin1Char(' '));
        bool isNumber = false;
        const double weight = QLocale::c().toDouble(one.mid(at + 1), &isNumber);
        if (at <= 0 || !isNumber || weight < 0 || weight > kMostWeight)
            return std::nullopt;
        weights[one.left(at).trimmed().toStdString()] = weight;
    }
    return weights;
}

QString sharingWeightsText(const std::map<std::string, double> &weights)
{
    QStringList parts;
    for (const auto &[team, weight] : weights)
        parts << QString::fromStdString(team) + QLatin1Char(' ')
                + QLocale::c().toString(weight, 'g', QLocale::FloatingPointShortest);
    return parts.join(QStringLiteral(", "));
}

} // namespace gpuledger::ui

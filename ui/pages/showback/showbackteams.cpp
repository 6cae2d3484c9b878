// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/showback/showbackteams.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace gpuledger::ui {

using reports::CurrencyStatement;
using reports::TeamStatement;

namespace {

class TeamList : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ShowbackTeams)
public:
    explicit TeamList(std::shared_ptr<const ShowbackSnapshot> snapshot)
        : m_snapshot(std::move(snapshot))
        , m_currencies(m_snapshot->statement.currencies.size())
    {
        for (std::size_t c = 0; c < m_currencies; ++c) {
            for (const TeamStatement &team : m_snapshot->statement.currencies[c].teams) {
                const auto [at, isNew] = m_places.try_emplace(team.team, m_rows.size());
                if (isNew)
                    m_rows.push_back({team.team, std::vector<const TeamStatement *>(m_currencies, nullptr)});
                m_rows[at->second].in[c] = &team;
            }
        }
    }

    static std::vector<TableColumn> columns(const reports::Statement &statement)
    {
        TableColumn team;
        team.key = QStringLiteral("team");
        team.title = tr("Team");
        team.isEmphasized = team.isSearched = true;
        team.stretch = 1;
        std::vector<TableColumn> all{team};
        for (const CurrencyStatement &currency : statement.currencies) {
            TableColumn cost;
            cost.key = QStringLiteral("cost-") + codeOf(currency.currency);
            cost.title = tr("Cost, %1").arg(codeOf(currency.currency));
            cost.tip = tr("Bills and estimate together");
            cost.type = TableValueType::Number;
            cost.isFigure = true;
            all.push_back(cost);
        }
        TableColumn change;
        change.key = QStringLiteral("change");
        change.title = tr("Change");
        change.tip = tr("Against the month before");
        change.type = TableValueType::Number;
        change.isFigure = true;
        change.priority = 1;
        if (statement.currencies.size() == 1)
            all.push_back(change);
        TableColumn status;
        status.key = QStringLiteral("status");
        status.title = tr("Status");
        status.tip = tr("How far its statement is signed off");
        status.isWhole = true;
        all.push_back(status);
        return all;
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return showbackRowId(rowAt(row).team); }

    TableValue value(int row, int column) const override
    {
        if (column == 0)
            return statementTeamName(rowAt(row).team);
        if (isStatus(column))
            return standingWord(reports::ofTeam(m_snapshot->status, rowAt(row).team));
        if (const auto *team = figure(row, column))
            return isCost(column) ? TableValue(units(team->total().nanos())) : changeOf(*team);
        return std::monostate();
    }

    QString text(int row, int column) const override
    {
        const TableValue v = value(row, column);
        if (const auto *name = std::get_if<QString>(&v))
            return *name;
        const auto *number = std::get_if<double>(&v);
        if (!number)
            return QStringLiteral("–");
        if (isCost(column))
            return LocalText::number(*number, 0); // to the cent in the statement beside it
        return LocalText::signedPercent(*number);
    }

    QVariant extra(int row, int column, int role) const override
    {
        if (role != widgets::kToneRole || !isStatus(column))
            return {};
        return QVariant::fromValue(toneOf(reports::ofTeam(m_snapshot->status, rowAt(row).team).state));
    }

private:
    static widgets::Tone toneOf(reports::MonthState state)
    {
        return state == reports::MonthState::Closed  ? widgets::Tone::Good
            : state == reports::MonthState::Reviewed ? widgets::Tone::Info
                                                     : widgets::Tone::Muted;
    }

    struct Row {
        std::string team;
        std::vector<const TeamStatement *> in; // parallel to the currencies; null: none
    };

    const Row &rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    bool isStatus(int column) const
    {
        return static_cast<std::size_t>(column) == m_currencies + (m_currencies == 1 ? 2 : 1);
    }
    bool isCost(int column) const { return static_cast<std::size_t>(column) <= m_currencies; }
    const TeamStatement *figure(int row, int column) const
    {
        const std::size_t currency = isCost(column) ? static_cast<std::size_t>(column) - 1 : 0;
        return rowAt(row).in[currency];
    }
    static TableValue changeOf(const TeamStatement &team)
    {
        if (!team.change || team.change->before.nanos() <= 0)
            return std::monostate();
        return units(team.total().nanos() - team.change->before.nanos()) / units(team.change->before.nanos());
    }

    std::shared_ptr<const ShowbackSnapshot> m_snapshot;
    std::size_t m_currencies;
    std::vector<Row> m_rows;
    std::map<std::string, std::size_t> m_places;
};

constexpr QLatin1String kRow("team:"); // no-tr: before the name in a row's id

} // namespace

std::vector<TableColumn> showbackTeamColumns(const reports::Statement &statement)
{
    return TeamList::columns(statement);
}

std::shared_ptr<const TableSnapshot> showbackTeams(std::shared_ptr<const ShowbackSnapshot> snapshot)
{
    return std::make_shared<TeamList>(std::move(snapshot));
}

QString showbackRowId(const std::string &team)
{
    return kRow + QString::fromStdString(team);
}

std::string showbackTeam(const QString &rowId)
{
    return rowId.mid(kRow.size()).toStdString();
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/overview/overviewadapter.h"
#include "ui/pages/overview/overviewbudgets.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuledger::ui {

using insight::OverviewTeam;

namespace {

enum class Column {
    Team,
    Spend,
    Change,
    Utilization,
    IdleShare,
    BudgetShare,
    Forecast,
    IdleCost,
    Hours,
    Coverage,
    Days
};

class TeamTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::TeamTable)
public:
    TeamTable(std::shared_ptr<const OverviewSnapshot> snapshot, OverviewMoney money,
              std::shared_ptr<const OverviewForecast> forecast)
        : m_snapshot(std::move(snapshot))
        , m_forecast(std::move(forecast))
        , m_bills(money == OverviewMoney::Bills && m_snapshot->spend)
    {
        for (std::size_t i = 0; i < m_snapshot->overview.teams.size(); ++i) {
            const OverviewTeam &team = m_snapshot->overview.teams[i];
            if (m_bills || team.before || team.now.time.paid().ticks > 0) // the others only have a bill
                m_rows.push_back(i);
        }
        if (m_bills)
            std::stable_sort(m_rows.begin(), m_rows.end(), [&](std::size_t a, std::size_t b) {
                return billed(a).value_or(0) > billed(b).value_or(0);
            });
    }

    static std::vector<TableColumn> columns(base::Currency currency, bool hasBudgets)
    {
        const QString code = QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
        const auto column = [](const QString &key, const QString &title, const QString &tip, int width, int stretch) {
            TableColumn c = tablecolumns::figure(key, title, tip);
            c.width = width;
            c.stretch = stretch;
            c.priority = 1;
            return c;
        };
        std::vector<TableColumn> all{
            column(QStringLiteral("team"), tr("Team"), tr("Owner of the GPU time"), 0, 2),
            column(QStringLiteral("spend"), tr("Spend, %1").arg(code), tr("Cost of all states in the range"), 0, 0),
            column(QStringLiteral("change"), tr("Change"), tr("Against the previous period of the same length"), 0, 0),
            column(QStringLiteral("utilization"), tr("Utilization"), tr("Mean activity while held"), 190, 2),
            column(QStringLiteral("idle-share"), tr("Idle share"), tr("Idle cost as a share of all cost"), 190, 2),
            column(QStringLiteral("budget-share"), tr("Forecast of budget"),
                   tr("Cost of GPU time expected at the end of the period, as a share of the budget"), 190, 2),
            column(QStringLiteral("forecast"), tr("Forecast, %1").arg(code),
                   tr("Cost of GPU time expected at the end of this month (UTC days)"), 0, 0),
            column(QStringLiteral("idle-cost"), tr("Idle cost, %1").arg(code), tr("Cost of held and idle time"), 0, 0),
            column(QStringLiteral("hours"), tr("Paid, GPU-h"), tr("Paid GPU-hours in all states"), 0, 0),
            column(QStringLiteral("coverage"), tr("Observed"),
                   tr("Observed share of paid time, including time not fetched yet"), 0, 0),
            column(QStringLiteral("days"), tr("Per day"), tr("Cost of each day"), 150, 1)};
        TableColumn &team = all.front();
        team.type = TableValueType::Text;
        team.isFigure = false;
        team.isEmphasized = team.isSearched = true;
        for (const Column hidden : {Column::IdleCost, Column::Hours, Column::Coverage})
            all[static_cast<std::size_t>(hidden)].isVisible = false;
        all[static_cast<std::size_t>(Column::BudgetShare)].isVisible = hasBudgets;
        all[static_cast<std::size_t>(Column::Forecast)].isVisible = !hasBudgets;
        for (const Column wide : {Column::Utilization, Column::IdleShare, Column::BudgetShare, Column::Days})
            all[static_cast<std::size_t>(wide)].isFigure = false;
        for (const Column bars : {Column::Utilization, Column::IdleShare, Column::BudgetShare}) {
            all[static_cast<std::size_t>(bars)].least = kLeastBar;
            all[static_cast<std::size_t>(bars)].widest = kWidestBar;
            all[static_cast<std::size_t>(bars)].priority = 4;
        }
        all[static_cast<std::size_t>(Column::Days)].priority = 2;
        all[static_cast<std::size_t>(Column::Days)].widest = kWidestTrend;
        all[static_cast<std::size_t>(Column::Change)].priority = 3;
        all[static_cast<std::size_t>(Column::Spend)].priority = 0;
        team.priority = 0;
        return all;
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()); }
    QString id(int row) const override { return QString::fromStdString(team(row).now.key); }

    TableValue value(int row, int column) const override
    {
        const OverviewTeam &t = team(row);
        const auto known = [](std::optional<double> v) -> TableValue {
            return v ? TableValue(*v) : TableValue(std::monostate());
        };
        switch (static_cast<Column>(column)) {
        case Column::Team:
            return LocalText::teamName(t.now.key);
        case Column::Spend:
            if (const auto cost = spend(row))
                return units(*cost);
            return std::monostate();
        case Column::Change:
            return known(change(row));
        case Column::Utilization:
            return known(t.now.utilization);
        case Column::IdleShare:
            return known(idleShare(t.now));
        case Column::BudgetShare:
            return known(budgetShare(forecast(row)));
        case Column::Forecast: {
            const services::ScopeForecast *scope = forecast(row);
            return scope && scope->forecast.expected ? TableValue(units(scope->forecast.expected->nanos()))
                                                     : TableValue(std::monostate());
        }
        case Column::IdleCost:
            return t.now.hasKnownCost() ? TableValue(units(t.now.cost.idle)) : TableValue(std::monostate());
        case Column::Hours:
            return t.now.time.paid().hours();
        case Column::Coverage:
            return known(t.now.coverage);
        case Column::Days:
            return units(t.now.cost.total());
        }
        return {};
    }

    QString text(int row, int column) const override
    {
        const OverviewTeam &t = team(row);
        const auto percent = [](std::optional<double> v) { return v ? LocalText::percent(*v, 0) : dash(); };
        switch (static_cast<Column>(column)) {
        case Column::Team:
            return LocalText::teamName(t.now.key);
        case Column::Spend: {
            const auto cost = spend(row);
            return cost ? whole(*cost) : tr("no price");
        }
        case Column::Change: {
            const auto c = change(row);
            if (!c)
                return !m_bills && m_snapshot->overview.before && !t.before ? tr("new") : dash();
            return changeText(c);
        }
        case Column::Utilization:
            return percent(t.now.utilization);
        case Column::IdleShare:
            return percent(idleShare(t.now));
        case Column::BudgetShare:
            return budgetShareText(forecast(row));
        case Column::Forecast:
            return forecastText(forecast(row));
        case Column::IdleCost:
            return t.now.hasKnownCost() ? whole(t.now.cost.idle) : tr("no price");
        case Column::Hours:
            return QLocale().toString(t.now.time.paid().hours(), 'f', 0);
        case Column::Coverage:
            return percent(t.now.coverage);
        case Column::Days:
            return {};
        }
        return {};
    }

    // As the key figures say it: of everything in the range.
    bool hasTotal() const override { return true; }
    QString totalText(int column) const override
    {
        const insight::SummaryRow &all = m_snapshot->overview.total;
        const auto percent = [](std::optional<double> v) { return v ? LocalText::percent(*v, 0) : dash(); };
        switch (static_cast<Column>(column)) {
        case Column::Team:
            return tr("Total");
        case Column::Spend: {
            const auto cost = totalSpend();
            return cost ? whole(*cost) : tr("no price");
        }
        case Column::Change:
            return changeText(change(totalBefore(), totalSpend()));
        case Column::Utilization:
            return percent(all.utilization);
        case Column::IdleShare:
            return percent(idleShare(all));
        case Column::BudgetShare:
            return percent(totalBudgetShare());
        case Column::Forecast:
            return forecastText(m_forecast ? &m_forecast->answer.total : nullptr);
        case Column::IdleCost:
            return all.hasKnownCost() ? whole(all.cost.idle) : tr("no price");
        case Column::Hours:
            return QLocale().toString(all.time.paid().hours(), 'f', 0);
        case Column::Coverage:
            return percent(all.coverage);
        case Column::Days:
            return {};
        }
        return {};
    }
    QVariant totalExtra(int column, int role) const override
    {
        const insight::SummaryRow &all = m_snapshot->overview.total;
        switch (static_cast<Column>(column)) {
        case Column::Utilization:
            return role == widgets::kBarShareRole ? shareOrNone(all.utilization) : QVariant();
        case Column::IdleShare:
            return idleBar(idleShare(all), role);
        case Column::BudgetShare:
            return budgetBar(totalBudgetShare(), role);
        default:
            return {};
        }
    }

    QString sourceLine(int row, int column) const override
    {
        const QString source = LocalText::sourceLine(m_snapshot->sources, m_snapshot->age());
        const auto c = static_cast<Column>(column);
        if (c != Column::BudgetShare && c != Column::Forecast)
            return source;
        const QString details = forecastDetails(forecast(row), m_snapshot->overview.currency);
        return details.isEmpty() ? source : details + QLatin1Char('\n') + source;
    }

    QVariant extra(int row, int column, int role) const override
    {
        const OverviewTeam &t = team(row);
        const auto c = static_cast<Column>(column);
        if (role == widgets::kBarShareRole && c == Column::Utilization && t.now.utilization)
            return *t.now.utilization;
        if (c == Column::IdleShare)
            return idleBar(idleShare(t.now), role);
        if (c == Column::BudgetShare)
            return budgetBar(budgetShare(forecast(row)), role);
        if (role == widgets::kSparklineRole && c == Column::Days)
            return QVariant::fromValue(line(t));
        if (role == widgets::kToneRole && c == Column::Change)
            return QVariant::fromValue(tone(change(row)));
        if (role == Qt::AccessibleTextRole && c == Column::Days)
            return widgets::sparklineText(line(t), [](double v) { return LocalText::shortMoney(v); });
        return {};
    }

private:
    static constexpr double kNotable = 0.1; // from this change on, a colour is used
    static constexpr int kLeastBar = 110, kWidestBar = 320, kWidestTrend = 840; // pixels

    static QVariant shareOrNone(std::optional<double> share) { return share ? QVariant(*share) : QVariant(); }
    static QVariant idleBar(std::optional<double> share, int role)
    {
        if (role == widgets::kBarColorRole)
            return static_cast<int>(widgets::Color::Idle);
        return role == widgets::kBarShareRole ? shareOrNone(share) : QVariant();
    }
    // Over the budget, bar and figure have a colour of their own.
    static QVariant budgetBar(std::optional<double> share, int role)
    {
        if (role == widgets::kBarShareRole)
            return shareOrNone(share);
        if (share && role == widgets::kBarColorRole)
            return static_cast<int>(budgetColor(*share));
        return share && role == widgets::kToneRole ? QVariant::fromValue(budgetTone(*share)) : QVariant();
    }
    // Null: not known yet, or the team has no cost in the data.
    const services::ScopeForecast *forecast(int row) const
    {
        return m_forecast ? m_forecast->of(team(row).now.key) : nullptr;
    }
    std::optional<double> totalBudgetShare() const
    {
        const auto sum = m_forecast ? budgetSum(*m_forecast) : std::nullopt;
        return sum ? sum->share() : std::nullopt;
    }

    static QString dash() { return QStringLiteral("–"); }
    static QString whole(std::int64_t nanos) { return LocalText::number(units(nanos), 0); }
    static std::optional<std::int64_t> amountIn(const insight::Spend &spend, const std::string &team)
    {
        const auto it = spend.teams.find(team);
        return it == spend.teams.end() ? std::nullopt : std::optional(it->second.nanos());
    }
    std::optional<std::int64_t> billed(std::size_t index) const
    {
        return amountIn(*m_snapshot->spend, m_snapshot->overview.teams[index].now.key);
    }
    std::optional<std::int64_t> spend(int row) const
    {
        if (m_bills)
            return billed(m_rows[static_cast<std::size_t>(row)]).value_or(0);
        const OverviewTeam &t = team(row);
        return t.now.hasKnownCost() ? std::optional(t.now.cost.total()) : std::nullopt;
    }
    std::optional<std::int64_t> spendBefore(int row) const
    {
        const OverviewTeam &t = team(row);
        if (m_bills)
            return m_snapshot->spendBefore ? amountIn(*m_snapshot->spendBefore, t.now.key) : std::nullopt;
        return t.before ? std::optional(t.before->cost.total()) : std::nullopt;
    }
    std::optional<std::int64_t> totalSpend() const
    {
        const insight::SummaryRow &all = m_snapshot->overview.total;
        if (m_bills)
            return m_snapshot->spend->total().nanos();
        return all.hasKnownCost() ? std::optional(all.cost.total()) : std::nullopt;
    }
    std::optional<std::int64_t> totalBefore() const
    {
        if (m_bills)
            return m_snapshot->spendBefore ? std::optional(m_snapshot->spendBefore->total().nanos()) : std::nullopt;
        const auto &before = m_snapshot->overview.before;
        return before && before->hasKnownCost() ? std::optional(before->cost.total()) : std::nullopt;
    }
    static QString changeText(std::optional<double> change)
    {
        if (!change)
            return dash();
        return (*change < 0 ? QStringLiteral("−") : QStringLiteral("+")) + LocalText::percent(std::abs(*change));
    }
    std::optional<double> change(int row) const { return change(spendBefore(row), spend(row)); }
    static std::optional<double> change(std::optional<std::int64_t> before, std::optional<std::int64_t> now)
    {
        if (!before || *before <= 0 || !now)
            return std::nullopt;
        return static_cast<double>(*now) / static_cast<double>(*before) - 1;
    }
    static std::optional<double> idleShare(const insight::SummaryRow &sums)
    {
        if (sums.cost.total() <= 0 || sums.coverage.value_or(1) == 0) // nothing was observed: it may all be idle
            return std::nullopt;
        return static_cast<double>(sums.cost.idle) / static_cast<double>(sums.cost.total());
    }
    static widgets::Tone tone(std::optional<double> change)
    {
        if (!change || std::abs(*change) < kNotable)
            return widgets::Tone::Neutral;
        return *change > 0 ? widgets::Tone::Critical : widgets::Tone::Good;
    }
    QList<double> line(const OverviewTeam &t) const
    {
        QList<double> values;
        for (std::size_t d = 0; d < t.daily.size(); ++d) {
            if (m_snapshot->overview.days[d].whole) // an incomplete day is not a decrease
                values.append(t.daily[d] ? units(*t.daily[d]) : std::numeric_limits<double>::quiet_NaN());
        }
        return values;
    }
    const OverviewTeam &team(int row) const
    {
        return m_snapshot->overview.teams[m_rows[static_cast<std::size_t>(row)]];
    }

    std::shared_ptr<const OverviewSnapshot> m_snapshot;
    std::shared_ptr<const OverviewForecast> m_forecast; // null: not known
    bool m_bills;
    std::vector<std::size_t> m_rows; // indices into the overview's teams
};

} // namespace

std::vector<TableColumn> overviewTeamColumns(base::Currency currency, bool hasBudgets)
{
    return TeamTable::columns(currency, hasBudgets);
}

std::shared_ptr<const TableSnapshot> overviewTeams(std::shared_ptr<const OverviewSnapshot> snapshot,
                                                   OverviewMoney money,
                                                   std::shared_ptr<const OverviewForecast> forecast)
{
    return std::make_shared<TeamTable>(std::move(snapshot), money, std::move(forecast));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/localtext.h"
#include "ui/pages/overviewadapter.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace gpuledger::ui {

using insight::OverviewTeam;

namespace {

enum class Column { Team, Spend, Change, Utilization, IdleShare, IdleCost, Hours, Coverage, Days };

double units(std::int64_t nanos)
{
    return static_cast<double>(nanos) / base::Money::kNanosPerUnit;
}

class TeamTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::TeamTable)
public:
    explicit TeamTable(std::shared_ptr<const OverviewSnapshot> snapshot)
        : m_snapshot(std::move(snapshot))
    {
    }

    static std::vector<TableColumn> columns(base::Currency currency)
    {
        const QString code = QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
        const auto column = [](const QString &key, const QString &title, const QString &tip, int width, int stretch) {
            TableColumn c;
            c.key = key;
            c.title = title;
            c.tip = tip;
            c.type = TableValueType::Number;
            c.isFigure = true;
            c.width = width;
            c.stretch = stretch;
            return c;
        };
        std::vector<TableColumn> all{
            column(QStringLiteral("team"), tr("Team"), tr("Owner of the GPU time"), 0, 2),
            column(QStringLiteral("spend"), tr("Spend, %1").arg(code), tr("Cost of all states in the range"), 0, 0),
            column(QStringLiteral("change"), tr("Change"), tr("Against the equal period before"), 0, 0),
            column(QStringLiteral("utilization"), tr("Utilization"), tr("Mean activity of what was held"), 190, 2),
            column(QStringLiteral("idle-share"), tr("Idle share"), tr("Idle cost of all cost"), 190, 2),
            column(QStringLiteral("idle-cost"), tr("Idle cost, %1").arg(code), tr("Cost of held and idle time"), 0, 0),
            column(QStringLiteral("hours"), tr("Paid, GPU-h"), tr("Paid GPU-hours in all states"), 0, 0),
            column(QStringLiteral("coverage"), tr("Observed"), tr("Observed of paid time"), 0, 0),
            column(QStringLiteral("days"), tr("Per day"), tr("Cost of each day"), 150, 1)};
        TableColumn &team = all.front();
        team.type = TableValueType::Text;
        team.isFigure = false;
        team.isEmphasized = team.isSearched = true;
        for (const Column hidden : {Column::IdleCost, Column::Hours, Column::Coverage})
            all[static_cast<std::size_t>(hidden)].isVisible = false;
        for (const Column wide : {Column::Utilization, Column::IdleShare, Column::Days})
            all[static_cast<std::size_t>(wide)].isFigure = false;
        return all;
    }

    int rowCount() const override { return static_cast<int>(m_snapshot->overview.teams.size()); }
    QString id(int row) const override { return QString::fromStdString(team(row).now.key); }

    TableValue value(int row, int column) const override
    {
        const OverviewTeam &t = team(row);
        const auto known = [](std::optional<double> v) -> TableValue {
            return v ? TableValue(*v) : TableValue(std::monostate());
        };
        switch (static_cast<Column>(column)) {
        case Column::Team:
            return QString::fromStdString(t.now.key);
        case Column::Spend:
            return priced(t.now) ? TableValue(units(t.now.cost.total())) : TableValue(std::monostate());
        case Column::Change:
            return known(change(t));
        case Column::Utilization:
            return known(t.now.utilization);
        case Column::IdleShare:
            return known(idleShare(t));
        case Column::IdleCost:
            return priced(t.now) ? TableValue(units(t.now.cost.idle)) : TableValue(std::monostate());
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
            return QString::fromStdString(t.now.key);
        case Column::Spend:
            return priced(t.now) ? whole(t.now.cost.total()) : tr("no price");
        case Column::Change: {
            const auto c = change(t);
            if (!c)
                return m_snapshot->overview.before && !t.before ? tr("new") : dash();
            return (*c < 0 ? QStringLiteral("−") : QStringLiteral("+")) + LocalText::percent(std::abs(*c));
        }
        case Column::Utilization:
            return percent(t.now.utilization);
        case Column::IdleShare:
            return percent(idleShare(t));
        case Column::IdleCost:
            return priced(t.now) ? whole(t.now.cost.idle) : tr("no price");
        case Column::Hours:
            return QLocale().toString(t.now.time.paid().hours(), 'f', 0);
        case Column::Coverage:
            return percent(t.now.coverage);
        case Column::Days:
            return {};
        }
        return {};
    }

    QString sourceLine(int, int) const override
    {
        return LocalText::sourceLine(m_snapshot->sources, m_snapshot->age());
    }

    QVariant extra(int row, int column, int role) const override
    {
        const OverviewTeam &t = team(row);
        const auto c = static_cast<Column>(column);
        if (role == widgets::kBarShareRole && c == Column::Utilization && t.now.utilization)
            return *t.now.utilization;
        if (role == widgets::kBarShareRole && c == Column::IdleShare) {
            const auto share = idleShare(t);
            return share ? QVariant(*share) : QVariant();
        }
        if (role == widgets::kBarColorRole && c == Column::IdleShare)
            return static_cast<int>(widgets::Color::Idle);
        if (role == widgets::kSparklineRole && c == Column::Days)
            return QVariant::fromValue(line(t));
        if (role == widgets::kToneRole && c == Column::Change)
            return QVariant::fromValue(tone(change(t)));
        if (role == Qt::AccessibleTextRole && c == Column::Days)
            return widgets::sparklineText(line(t), [](double v) { return LocalText::shortMoney(v); });
        return {};
    }

private:
    static constexpr double kNotable = 0.1; // a change that is worth a colour

    static QString dash() { return QStringLiteral("–"); }
    static QString whole(std::int64_t nanos) { return QLocale().toString(std::round(units(nanos)), 'f', 0); }
    static bool priced(const insight::SummaryRow &row)
    {
        return row.time.paid().ticks == 0 || row.cost.unpriced < row.time.paid();
    }
    static std::optional<double> change(const OverviewTeam &t)
    {
        if (!t.before || t.before->cost.total() <= 0 || !priced(t.now))
            return std::nullopt;
        return static_cast<double>(t.now.cost.total()) / static_cast<double>(t.before->cost.total()) - 1;
    }
    static std::optional<double> idleShare(const OverviewTeam &t)
    {
        if (t.now.cost.total() <= 0)
            return std::nullopt;
        return static_cast<double>(t.now.cost.idle) / static_cast<double>(t.now.cost.total());
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
            if (m_snapshot->overview.days[d].whole) // part of a day is not a fall
                values.append(t.daily[d] ? units(*t.daily[d]) : std::numeric_limits<double>::quiet_NaN());
        }
        return values;
    }
    const OverviewTeam &team(int row) const { return m_snapshot->overview.teams[static_cast<std::size_t>(row)]; }

    std::shared_ptr<const OverviewSnapshot> m_snapshot;
};

} // namespace

std::vector<TableColumn> overviewTeamColumns(base::Currency currency)
{
    return TeamTable::columns(currency);
}

std::shared_ptr<const TableSnapshot> overviewTeams(std::shared_ptr<const OverviewSnapshot> snapshot)
{
    return std::make_shared<TeamTable>(std::move(snapshot));
}

} // namespace gpuledger::ui

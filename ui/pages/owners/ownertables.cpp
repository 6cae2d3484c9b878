// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/owners/ownertables.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/delegates/roles.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace gpuledger::ui {

using ledger::Claimed;
using ledger::RulePreview;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

class OwnerRuleTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OwnerRuleTable)
public:
    enum class Column { Place, Rule, Team, Valid, Hours, Cost, Share };

    OwnerRuleTable(std::vector<OwnerRulesViewModel::Row> rows, std::map<int, RulePreview::Rule> claims,
                   const Claimed &all)
        : m_rows(std::move(rows))
        , m_claims(std::move(claims))
        , m_all(all)
    {
    }

    static std::vector<TableColumn> columns(const QString &currency)
    {
        TableColumn place =
            figure(QStringLiteral("place"), tr("No.", "place of a rule"), tr("The first rule that matches counts"));
        TableColumn rule = words(QStringLiteral("rule"), tr("Rule"), tr("What it checks"), 3);
        rule.isEmphasized = true;
        TableColumn share = figure(QStringLiteral("share"), tr("Share of cost"),
                                   tr("Of all cost in the range; of the time where no price is known"));
        share.isFigure = false;
        share.width = 170;
        TableColumn valid = words(QStringLiteral("valid"), tr("Valid"), tr("Days (UTC) on which the rule applies"), 1);
        TableColumn hours = figure(QStringLiteral("hours"), tr("GPU-h"), tr("GPU-hours that it claims"));
        hours.priority = 1;
        valid.priority = 2;
        return {place,
                rule,
                words(QStringLiteral("team"), tr("Team"), tr("Who owns what the rule matches"), 2),
                valid,
                hours,
                figure(QStringLiteral("cost"), currency.isEmpty() ? tr("Cost") : tr("Cost, %1").arg(currency),
                       tr("Cost of what it claims")),
                share};
    }

    int rowCount() const override { return static_cast<int>(m_rows.size()) + 1; }
    QString id(int row) const override { return ownerRuleRowId(isRest(row) ? 0 : at(row).id); }

    TableValue value(int row, int column) const override
    {
        const Claimed *claimed = claimOf(row);
        switch (static_cast<Column>(column)) {
        case Column::Place:
            return static_cast<qint64>(row + 1);
        case Column::Rule:
        case Column::Team:
        case Column::Valid:
            return text(row, column);
        case Column::Hours:
            return claimed ? TableValue(claimed->time.hours()) : TableValue(std::monostate());
        case Column::Cost:
            return claimed ? TableValue(units(claimed->nanos)) : TableValue(std::monostate());
        case Column::Share:
            return claimed ? TableValue(shareOf(*claimed, m_all)) : TableValue(std::monostate());
        }
        return {};
    }

    QString text(int row, int column) const override
    {
        const Claimed *claimed = claimOf(row);
        switch (static_cast<Column>(column)) {
        case Column::Place:
            return isRest(row) ? QString() : QLocale().toString(row + 1);
        case Column::Rule:
            return isRest(row) ? tr("No rule matches") : OwnerRuleText::what(at(row).rule);
        case Column::Team:
            return isRest(row) ? tr("unowned") : OwnerRuleText::team(at(row).rule);
        case Column::Valid:
            return isRest(row) ? QString() : OwnerRuleText::valid(at(row).rule);
        case Column::Hours:
            return claimed ? hoursOf(claimed->time) : dash();
        case Column::Cost:
            return claimed ? wholeMoney(claimed->nanos) : dash();
        case Column::Share:
            return claimed ? LocalText::percent(shareOf(*claimed, m_all)) : dash();
        }
        return {};
    }

    QString sourceLine(int row, int column) const override
    {
        if (!isRest(row) && static_cast<Column>(column) == Column::Rule)
            return OwnerRuleText::remark(at(row).rule.kind);
        const auto claim = m_claims.find(isRest(row) ? 0 : at(row).id);
        if (static_cast<Column>(column) != Column::Team || claim == m_claims.end() || claim->second.teams.empty())
            return {};
        QStringList teams;
        for (const std::string &team : claim->second.teams)
            teams << ui::text(team);
        constexpr int kShown = 12;
        const int more = static_cast<int>(teams.size()) - kShown;
        const QString list = teams.mid(0, kShown).join(QStringLiteral(", "));
        return more > 0 ? tr("%1 and %2 more", "teams").arg(list).arg(more) : list;
    }

    QVariant extra(int row, int column, int role) const override
    {
        const Claimed *claimed = claimOf(row);
        if (role == widgets::kBarShareRole && static_cast<Column>(column) == Column::Share && claimed)
            return shareOf(*claimed, m_all);
        if (role == widgets::kBarColorRole)
            return static_cast<int>(isRest(row) ? widgets::Color::Idle : widgets::Color::Active);
        return {};
    }

private:
    bool isRest(int row) const { return row == static_cast<int>(m_rows.size()); }
    const OwnerRulesViewModel::Row &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    const Claimed *claimOf(int row) const
    {
        const auto claim = m_claims.find(isRest(row) ? 0 : at(row).id);
        return claim == m_claims.end() ? nullptr : &claim->second.all;
    }

    const std::vector<OwnerRulesViewModel::Row> m_rows;
    const std::map<int, RulePreview::Rule> m_claims;
    const Claimed m_all;
};

class TeamChangeTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::TeamChangeTable)
public:
    enum class Column { Team, Before, After, Change, Hours };
    explicit TeamChangeTable(std::shared_ptr<const RulePreview> preview)
        : m_preview(std::move(preview))
        , m_count(static_cast<int>(m_preview->teams.size()))
    {
    }
    static std::vector<TableColumn> columns(const QString &currency)
    {
        TableColumn team = words(QStringLiteral("team"), tr("Team"), {}, 1);
        team.isEmphasized = true;
        return {team, figure(QStringLiteral("before"), tr("Now, %1").arg(currency), tr("By the current rules")),
                figure(QStringLiteral("after"), tr("Then, %1").arg(currency), tr("By the rules above")),
                figure(QStringLiteral("change"), tr("Change, %1").arg(currency), tr("What the team gains or loses")),
                figure(QStringLiteral("hours"), tr("Change, GPU-h"), tr("The same in GPU-hours"))};
    }

    int rowCount() const override { return m_count; }
    QString id(int row) const override { return ui::text(at(row).team); }
    TableValue value(int row, int column) const override
    {
        switch (static_cast<Column>(column)) {
        case Column::Team:
            return ui::text(at(row).team);
        case Column::Before:
            return units(at(row).before.nanos);
        case Column::After:
            return units(at(row).after.nanos);
        case Column::Change:
            return units(change(row));
        case Column::Hours:
            return hours(row);
        }
        return {};
    }
    QString text(int row, int column) const override
    {
        switch (static_cast<Column>(column)) {
        case Column::Team:
            return ui::text(at(row).team);
        case Column::Before:
            return wholeMoney(at(row).before.nanos);
        case Column::After:
            return wholeMoney(at(row).after.nanos);
        case Column::Change:
            return LocalText::signedNumber(units(change(row)), 0);
        case Column::Hours:
            return LocalText::signedNumber(hours(row), 1);
        }
        return {};
    }

private:
    const RulePreview::Team &at(int row) const { return m_preview->teams[static_cast<std::size_t>(row)]; }
    std::int64_t change(int row) const { return at(row).after.nanos - at(row).before.nanos; }
    double hours(int row) const { return (at(row).after.time - at(row).before.time).hours(); }

    const std::shared_ptr<const RulePreview> m_preview;
    const int m_count;
};

class UnownedTable : public TableSnapshot {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::UnownedTable)
public:
    enum class Column { Workload, Cluster, Labels, Hours, Cost };
    explicit UnownedTable(std::shared_ptr<const RulePreview> preview)
        : m_preview(std::move(preview))
    {
    }
    static std::vector<TableColumn> columns(const QString &currency)
    {
        TableColumn workload = words(QStringLiteral("workload"), tr("Workload"), {}, 3);
        workload.isEmphasized = true;
        TableColumn cluster = words(QStringLiteral("cluster"), tr("Cluster"), {}, 0);
        cluster.isVisible = false;
        return {workload, cluster, words(QStringLiteral("labels"), tr("Labels"), tr("Its own and its namespace's"), 2),
                figure(QStringLiteral("hours"), tr("GPU-h"), {}),
                figure(QStringLiteral("cost"), tr("Cost, %1").arg(currency), {})};
    }

    int rowCount() const override { return static_cast<int>(m_preview->examples.size()); }
    QString id(int row) const override { return ui::text(at(row).cluster) + QLatin1Char('/') + name(row); }
    TableValue value(int row, int column) const override
    {
        switch (static_cast<Column>(column)) {
        case Column::Workload:
        case Column::Cluster:
        case Column::Labels:
            return text(row, column);
        case Column::Hours:
            return at(row).claimed.time.hours();
        case Column::Cost:
            return units(at(row).claimed.nanos);
        }
        return {};
    }
    QString text(int row, int column) const override
    {
        switch (static_cast<Column>(column)) {
        case Column::Workload:
            return name(row);
        case Column::Cluster:
            return ui::text(at(row).cluster);
        case Column::Labels:
            return labels(at(row));
        case Column::Hours:
            return hoursOf(at(row).claimed.time);
        case Column::Cost:
            return wholeMoney(at(row).claimed.nanos);
        }
        return {};
    }

private:
    const RulePreview::Workload &at(int row) const { return m_preview->examples[static_cast<std::size_t>(row)]; }
    QString name(int row) const { return OwnerRuleText::workload(at(row)); }
    static QString labels(const RulePreview::Workload &workload)
    {
        QStringList all;
        for (const auto *part : {&workload.labels, &workload.namespaceLabels}) {
            for (const auto &[key, value] : *part)
                all << QStringLiteral("%1=%2").arg(ui::text(key), ui::text(value));
        }
        return all.isEmpty() ? dash() : all.join(QStringLiteral(", "));
    }

    const std::shared_ptr<const RulePreview> m_preview;
};

} // namespace

QString currencyText(const RulePreview &preview)
{
    const auto code = preview.currency.code();
    return QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
}

double shareOf(const Claimed &part, const Claimed &all)
{
    if (all.nanos > 0)
        return static_cast<double>(part.nanos) / static_cast<double>(all.nanos);
    return all.time.ticks > 0 ? part.time.seconds() / all.time.seconds() : 0;
}

QString wholeMoney(std::int64_t nanos)
{
    return LocalText::number(units(nanos), 0);
}

QString hoursOf(base::GpuTime time)
{
    return QLocale().toString(time.hours(), 'f', 1);
}

QString ownerRuleRowId(int id)
{
    return QString::number(id);
}

std::vector<TableColumn> ownerRuleColumns(const QString &currency)
{
    return OwnerRuleTable::columns(currency);
}

std::shared_ptr<const TableSnapshot> ownerRuleTable(const std::vector<OwnerRulesViewModel::Row> &rows,
                                                    const std::map<int, RulePreview::Rule> &claims, const Claimed &all)
{
    return std::make_shared<OwnerRuleTable>(rows, claims, all);
}

std::vector<TableColumn> teamChangeColumns(const QString &currency)
{
    return TeamChangeTable::columns(currency);
}

int changedTeams(const RulePreview &preview)
{
    return static_cast<int>(std::count_if(preview.teams.begin(), preview.teams.end(),
                                          [](const RulePreview::Team &team) { return !(team.before == team.after); }));
}

std::shared_ptr<const TableSnapshot> teamChangeTable(std::shared_ptr<const RulePreview> preview)
{
    return std::make_shared<TeamChangeTable>(std::move(preview));
}

std::vector<TableColumn> unownedColumns(const QString &currency)
{
    return UnownedTable::columns(currency);
}

std::shared_ptr<const TableSnapshot> unownedTable(std::shared_ptr<const RulePreview> preview)
{
    return std::make_shared<UnownedTable>(std::move(preview));
}

} // namespace gpuledger::ui

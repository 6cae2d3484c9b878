// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/alerts/alerttables.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/alerts/alertcells.h"
#include "ui/viewmodels/alerts/alerttext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/spansdelegate.h"

#include <algorithm>

namespace gpuledger::ui {

using alertcells::countCell;
using alertcells::scopesText;
using alertcells::stateCell;
using alertcells::timeCell;
using alertcells::valueCell;
using services::RuleResult;
using tablecolumns::column;
using widgets::Tone;

namespace {

constexpr int kRuleNameWidth = 150;
constexpr int kTrialScopeWidth = 180; // a node pool has the name of its cluster before its own

AlertCell severityCell(const std::string &severity)
{
    return {AlertText::severity(severity),
            {},
            severity == "critical"      ? Tone::Critical
                : severity == "warning" ? Tone::Warning
                                        : Tone::Info};
}

void emphasizeFirst(std::vector<TableColumn> &columns)
{
    columns.front().isEmphasized = true;
    columns.front().width = kRuleNameWidth;
}

} // namespace

TableValue AlertRows::value(int row, int column) const
{
    const AlertCell &one = cell(row, column);
    return one.value.index() != 0 ? one.value : alertcells::textValue(one.text);
}

QVariant AlertRows::extra(int row, int column, int role) const
{
    const AlertCell &one = cell(row, column);
    if (role == widgets::kToneRole && one.tone)
        return QVariant::fromValue(*one.tone);
    if (role == widgets::kSpansRole && !one.spans.isEmpty())
        return QVariant::fromValue(one.spans);
    return {};
}

QString AlertTables::newRule()
{
    return QStringLiteral("+"); // no-tr: key; no rule can have this name
}

std::vector<TableColumn> AlertTables::ruleColumns()
{
    std::vector<TableColumn> all{
        column("rule", tr("Rule"), TableValueType::Text, {}),
        column("state", tr("State"), TableValueType::Text, tr("The most serious state of its scopes")),
        column("firing", tr("Firing"), TableValueType::Number, tr("Teams, clusters or other scopes that it fires for")),
        column("severity", tr("Severity"), TableValueType::Text, {}),
        column("unknown", tr("Unknown"), TableValueType::Number,
               tr("Scopes whose value is not known now; they neither fire nor resolve"))};
    emphasizeFirst(all);
    all[0].stretch = 1;
    all[0].isSearched = true;
    all[3].priority = 2;
    all[4].priority = 1;
    return all;
}

AlertTables::Snapshot AlertTables::rules(const AlertsSnapshot &now, const Drafts &drafts)
{
    std::vector<AlertRows::Row> rows;
    const auto add = [&](const QString &id, const model::AlertRule &rule, const RuleResult *result) {
        const bool isChanged = drafts.contains(id);
        const QString name = rule.name.empty() ? tr("New rule") : textOf(rule.name);
        AlertRows::Row row{id, {}};
        row.cells.push_back({isChanged ? tr("%1 (not saved)", "a rule").arg(name) : name});
        row.cells.push_back(result ? stateCell(result->state) : AlertCell{dash()});
        row.cells.push_back(result ? countCell(result->firing.size()) : AlertCell{dash()});
        row.cells.push_back(severityCell(rule.severity));
        row.cells.push_back(result ? countCell(result->unknown) : AlertCell{dash()});
        rows.push_back(std::move(row));
    };
    for (const model::AlertRule &rule : now.configured) {
        const QString id = textOf(rule.name);
        const auto draft = drafts.find(id);
        add(id, draft == drafts.end() ? rule : draft->second, now.resultOf(rule.name));
    }
    if (const auto draft = drafts.find(newRule()); draft != drafts.end())
        add(newRule(), draft->second, nullptr);
    return std::make_shared<const AlertRows>(std::move(rows));
}

std::vector<TableColumn> AlertTables::firingColumns()
{
    std::vector<TableColumn> all{
        column("scope", tr("Firing for"), TableValueType::Text, {}),
        column("rule", tr("Rule"), TableValueType::Text, {}),
        column("since", tr("Since"), TableValueType::Time, {}),
        column("value", tr("Value"), TableValueType::Number, tr("Now; a dash: it is not known")),
        column("threshold", tr("Threshold"), TableValueType::Number, {}),
        column("note", tr("Note"), TableValueType::Text, tr("Silenced or acknowledged"))};
    all[0].isEmphasized = true;
    all[0].isSearched = all[1].isSearched = true;
    all[0].stretch = all[1].stretch = 1;
    all[2].priority = 3; // the value says more
    all[4].priority = 2;
    all[5].priority = 1;
    return all;
}

std::vector<TableColumn> AlertTables::messageColumns()
{
    std::vector<TableColumn> all{column("target", tr("Target"), TableValueType::Text, {}),
                                 column("state", tr("State"), TableValueType::Text, {}),
                                 column("about", tr("About"), TableValueType::Text, {}),
                                 column("notice", tr("Notice"), TableValueType::Text, tr("That it fires or is over")),
                                 column("attempts", tr("Attempts"), TableValueType::Number, {}),
                                 column("created", tr("Created"), TableValueType::Time, {}),
                                 column("detail", tr("Last attempt"), TableValueType::Text, {})};
    emphasizeFirst(all);
    all[0].isSearched = all[2].isSearched = all[6].isSearched = true;
    all[2].stretch = 1;
    all[6].stretch = 2;
    all[3].priority = 1;
    all[4].priority = 2;
    return all;
}

std::vector<TableColumn> AlertTables::targetColumns()
{
    std::vector<TableColumn> all{column("target", tr("Target"), TableValueType::Text, {}),
                                 column("kind", tr("Kind"), TableValueType::Text, {}),
                                 column("rules", tr("Rules"), TableValueType::Text, tr("That send to it"))};
    emphasizeFirst(all);
    all[2].stretch = 1;
    return all;
}

AlertTables::Snapshot AlertTables::targets(const AlertsSnapshot &now)
{
    std::vector<AlertRows::Row> rows;
    for (const AlertsSnapshot::Target &target : now.targets) {
        std::vector<std::string> users;
        for (const model::AlertRule &rule : now.configured) {
            if (std::find(rule.send.begin(), rule.send.end(), target.name) != rule.send.end())
                users.push_back(rule.name);
        }
        rows.push_back({textOf(target.name), {{textOf(target.name)}, {textOf(target.kind)}, {scopesText(users)}}});
    }
    return std::make_shared<const AlertRows>(std::move(rows));
}

std::vector<TableColumn> AlertTables::changeColumns()
{
    std::vector<TableColumn> all{
        column("at", tr("Time"), TableValueType::Time, {}),     column("rule", tr("Rule"), TableValueType::Text, {}),
        column("scope", tr("Scope"), TableValueType::Text, {}), column("from", tr("Was"), TableValueType::Text, {}),
        column("to", tr("Became"), TableValueType::Text, {}),   column("value", tr("Value"), TableValueType::Text, {})};
    all[1].isEmphasized = true;
    all[1].isSearched = all[2].isSearched = true;
    all[1].stretch = all[2].stretch = 1;
    all[3].priority = 1;
    return all;
}

std::vector<TableColumn> AlertTables::silenceColumns()
{
    std::vector<TableColumn> all{column("what", tr("Silenced"), TableValueType::Text, {}),
                                 column("until", tr("Until"), TableValueType::Time, {}),
                                 column("by", tr("By"), TableValueType::Text, {}),
                                 column("reason", tr("Reason"), TableValueType::Text, {})};
    emphasizeFirst(all);
    all[0].stretch = all[3].stretch = 1;
    all[2].priority = 1;
    return all;
}

AlertTables::Snapshot AlertTables::silences(const AlertsSnapshot &now)
{
    std::vector<AlertRows::Row> rows;
    for (const services::Silence &one : now.history.silences) {
        const QString rule = one.rule.empty() ? tr("every rule") : textOf(one.rule);
        rows.push_back({QString::number(one.id),
                        {{one.scope.empty() ? rule : tr("%1: %2", "rule, teams").arg(rule, textOf(one.scope))},
                         timeCell(one.until, now.zone),
                         {one.by.empty() ? dash() : textOf(one.by)},
                         {one.reason.empty() ? dash() : textOf(one.reason)}}});
    }
    return std::make_shared<const AlertRows>(std::move(rows));
}

std::vector<TableColumn> AlertTables::trialColumns(const QString &range)
{
    std::vector<TableColumn> all{
        column("scope", tr("Scope"), TableValueType::Text, {}),
        column("when", range.isEmpty() ? tr("When it would have fired") : range, TableValueType::Number,
               tr("When it would have fired; sorted and exported as hours in all")),
        column("notices", tr("Notices"), TableValueType::Number, {}),
        column("short", tr("Short"), TableValueType::Number, tr("Over within an hour: nobody could have acted on it")),
        column("worst", tr("Worst value"), TableValueType::Number, {})};
    emphasizeFirst(all);
    all[0].width = kTrialScopeWidth;
    all[0].isSearched = true;
    all[1].isFigure = false;
    all[1].stretch = 3;
    all[2].priority = 2;
    all[3].priority = 1;
    return all;
}

AlertTables::Snapshot AlertTables::trial(const services::AlertReplay &replay)
{
    struct Sum {
        std::vector<const alerts::Firing *> firings;
        base::Seconds length{0};
        std::size_t notices = 0;
        std::size_t brief = 0;
        std::int64_t worst = 0;
    };
    std::map<std::string, Sum> sums;
    const double whole = static_cast<double>((replay.range.end - replay.range.start).count());
    for (const services::FiredScope &one : replay.fired) {
        Sum &sum = sums[one.scope];
        sum.worst = sum.firings.empty() ? one.firing.peak : replay.rule.worse(sum.worst, one.firing.peak);
        sum.firings.push_back(&one.firing);
        sum.length += one.firing.to.value_or(replay.range.end) - std::max(one.firing.from, replay.range.start);
        sum.notices += one.before ? 0 : 1;
        sum.brief += !one.before && alerts::isUnactionable(one.firing) ? 1 : 0;
    }
    std::vector<AlertRows::Row> rows;
    const std::string per(alerts::toString(replay.rule.scope));
    for (const auto &[scope, sum] : sums) {
        QList<double> spans;
        for (const alerts::Firing *one : sum.firings) {
            const auto share = [&](base::UtcTime t) {
                return static_cast<double>((t - replay.range.start).count()) / whole;
            };
            if (whole > 0)
                spans << share(std::max(one->from, replay.range.start)) << share(one->to.value_or(replay.range.end));
        }
        rows.push_back(
            {textOf(scope),
             {{AlertText::scope(per, scope)},
              {tr("%1, %2 in all", "how often it fired, for how long")
                   .arg(AlertText::times(static_cast<int>(sum.firings.size())), LocalText::hours(sum.length)),
               TableValue(static_cast<double>(sum.length.count()) / 3600), Tone::Critical, spans},
              countCell(sum.notices),
              countCell(sum.brief),
              valueCell(sum.worst, replay.rule, replay.currency)}});
    }
    return std::make_shared<const AlertRows>(std::move(rows));
}

} // namespace gpuledger::ui

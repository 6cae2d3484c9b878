// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/actcommand.h"

#include "app/actions/plan/evidence.h"
#include "app/base/text/text.h"
#include "app/insight/proof/figure.h"
#include "app/model/fleet/kindname.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/cli/idle/actprint.h"
#include "ui/cli/idle/idlename.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/resultphrase.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Result;
using model::ActionRecord;
using model::ActionState;
using services::ActionService;
using services::Workspace;

namespace {

constexpr std::int64_t kMostNumber = 1'000'000'000'000'000; // of an action or a hold

// What a stop frees per month, and what each of its workloads costs, as the log has it. `explain` recomputes them from
// the facts of that time, so that no idle list is read here. None of an entry that does not name its workloads.
void addIds(Json &json, const std::vector<ActionRecord> &records)
{
    const auto idOf = [](const ActionRecord &record, const std::string &item) {
        return toString(insight::actionFigure(record.id, item, "per-month"));
    };
    for (std::size_t i = 0; i < records.size(); ++i) {
        Json &one = json["actions"][i];
        one["figures"] = Json::object();
        one["items"] = Json::array();
        const auto listed = actions::itemsIn(records[i].intent.evidence);
        if (records[i].intent.kind != model::ActionKind::Stop || !listed)
            continue;
        if (records[i].intent.perMonth)
            one["figures"]["per_month"] = idOf(records[i], {});
        for (const actions::ListedItem &item : listed->items) {
            Json row{{"id", item.id}, {"per_month", cli::toJson(item.perMonth)}, {"figures", Json::object()}};
            if (item.perMonth)
                row["figures"]["per_month"] = idOf(records[i], item.id);
            one["items"].push_back(std::move(row));
        }
    }
}

// Resolves what the user typed: an id of the idle list, or a name that only one of its workloads has.
Result<std::string> idOf(const insight::IdleList &list, const std::string &typed)
{
    const std::vector<std::string> found = idsCalled(list, typed);
    if (found.size() == 1)
        return found.front();
    if (found.empty() && list.reach.stale)
        return base::fail(ErrorCode::Refused,
                          '"' + base::printable(typed, 200) + "\" is not in the idle list, and its data end before now",
                          "run: gpuledger-cli sync");
    if (found.empty())
        return base::fail(ErrorCode::NotFound,
                          '"' + base::printable(typed, 200)
                              + "\" is not in the idle list: only what is idle is stopped",
                          "see the list with: idle");
    return base::fail(ErrorCode::InvalidArgument,
                      std::to_string(found.size()) + " idle workloads are called \"" + base::printable(typed, 200)
                          + '"',
                      "name it by its id, as in: idle --json");
}

bool isUnlisted(const base::Error &error)
{
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Refused;
}

// Items that are not in the list stay as typed, so that the plan reports them as refused and continues with the others.
// Fails if none of them is in the list, or if a name is ambiguous.
Result<std::vector<std::string>> idsOf(Session &session, Workspace &workspace, const std::vector<std::string> &typed)
{
    const auto covered = workspace.fleet().coveredRange();
    GPULEDGER_TRY(covered);
    const base::UtcTime now = session.clock().now();
    auto reach = workspace.fleet().reach({now, now});
    GPULEDGER_TRY(reach);
    auto list = workspace.fleet().idle(covered->empty() ? now : std::min(now, covered->end), {});
    GPULEDGER_TRY(list);
    list->reach = std::move(*reach);
    std::vector<std::string> ids;
    std::optional<base::Error> unlisted; // the first one
    std::size_t listed = 0;
    for (const std::string &one : typed) {
        auto id = idOf(*list, one);
        // Text that is displayed differently from what was typed could be mistaken for another name.
        const bool isPlain = !one.empty() && base::printable(one, 200) == one;
        if (!id && (!isUnlisted(id.error()) || !isPlain))
            return base::fail(id.error());
        if (!id && !unlisted)
            unlisted = id.error();
        listed += id ? 1U : 0U;
        ids.push_back(id ? std::move(*id) : one);
    }
    if (listed == 0 && unlisted)
        return base::fail(std::move(*unlisted));
    return ids;
}

Result<void> printed(Session &session, const actions::Plan &plan, const base::TimeZone &zone)
{
    Output &out = session.out();
    return out.json() ? out.print(toJson(plan)) : out.print(textOf(plan, zone, out.bold()));
}

Result<int> printed(Session &session, const std::vector<ActionRecord> &records)
{
    Output &out = session.out();
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    if (out.json())
        GPULEDGER_TRY(out.print(toJson(records)));
    else if (out.csv())
        GPULEDGER_TRY(out.print(csvOf(records)));
    else
        GPULEDGER_TRY(out.print(textOf(records, (*workspace)->timeZone(), out.bold())));
    const bool all = std::all_of(records.begin(), records.end(),
                                 [](const ActionRecord &record) { return record.state == ActionState::Verified; });
    return all ? kDone : kRefused;
}

actions::RunProgress progressLines(Session &session)
{
    return [&session](const ActionRecord &record) {
        const std::string result = ui::plainText(record);
        session.out().note(base::printable(ui::targetText(record.intent.target), 200) + ": "
                           + std::string(toString(record.state))
                           + (result.empty() ? "" : " (" + base::printable(result, 500) + ')'));
    };
}

// The object count typed as confirmation; fails if it is required but missing.
Result<std::optional<int>> counted(Session &session, const actions::Plan &plan, int given,
                                   const model::ActionLimits &limits)
{
    if (given > 0 || !plan.blast.needsTypedCount())
        return given > 0 ? std::optional(given) : std::nullopt;
    const std::string why = ui::textOf(plan.blast, limits).english();
    return base::fail(ErrorCode::Refused, why.substr(0, why.size() - 1) + ": nothing was stopped",
                      "say how many there are: --count " + std::to_string(plan.blast.objects));
}

// The names that have to be typed: those already given; missing ones are requested if there is an interactive terminal.
Result<std::vector<std::string>> named(Session &session, const actions::Plan &plan, std::vector<std::string> given)
{
    const Output &out = session.out();
    for (const std::string &name : plan.blast.untyped(given)) {
        const std::string shown = base::printable(name, 600);
        if (!out.canAsk())
            return base::fail(ErrorCode::Refused, shown + " can't be brought back as it was: nothing was stopped",
                              "type its full name: --type-name " + shown);
        auto line =
            out.askLine(shown + " can't be brought back as it was. Type its full name to stop it: ", session.stop());
        GPULEDGER_TRY(line);
        if (*line != name)
            return base::fail(ErrorCode::Refused, "that is not its full name: nothing was stopped");
        given.push_back(std::move(*line));
    }
    return given;
}

// Each object once, in the order of its last action.
std::vector<ObjectNow> objectsNow(ActionService &desk, const ActionService::Records &records,
                                  const std::stop_token &stop)
{
    std::vector<ObjectNow> objects;
    std::set<std::pair<std::string, std::string>> seen; // source and uid
    for (auto record = records.rbegin(); record != records.rend() && !stop.stop_requested(); ++record) {
        const model::TargetRef &target = record->intent.target;
        if (seen.emplace(target.source, target.uid).second)
            objects.push_back({target, desk.standing(target, stop)});
    }
    return objects;
}

} // namespace

void ActCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "act", "Stops idle workloads and undoes the stops",
                     "gpuledger-cli act stop research/notebook-7-0 --reason \"idle for two days\"");
    m_verb->require_subcommand(1);
    const auto ids = [&](CLI::App *verb, bool several) {
        verb->add_option("ID", m_ids, "Id from the idle list, or a name that only one of its workloads has")
            ->required()
            ->expected(several ? -1 : 1);
    };
    m_plan = addVerb(*m_verb, "plan", "Shows what a stop would do, with every check; changes nothing",
                     "gpuledger-cli act plan research/notebook-7-0");
    ids(m_plan, true);
    m_stop = addVerb(*m_verb, "stop", "Stops workloads after every check, and waits until their GPUs are free",
                     "gpuledger-cli act stop research/notebook-7-0 --yes");
    ids(m_stop, true);
    m_stop->add_flag("--yes", m_yes, "Do not ask for confirmation");
    m_stop->add_flag("--dry-run", m_dryRun, "Run only the platform's own dry run");
    m_stop->add_option("--count", m_count, "The number of objects, if the plan requires it to be confirmed")
        ->check(CLI::Range(1, 1'000'000));
    m_stop->add_option("--type-name", m_names, "Full name of each object that can't be restored; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    for (CLI::App *verb : {m_plan, m_stop})
        verb->add_option("--despite", m_despite,
                         "Stop it despite this other controller that manages it, named as in the plan")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    m_mark = addVerb(*m_verb, "mark", "Schedules a stop by the watch, unless someone objects",
                     "gpuledger-cli act mark research/notebook-7-0 --after 24h --reason \"idle for two days\"");
    ids(m_mark, true);
    m_mark->add_option("--after", m_after, "Time to object: 10m to 30d")->required();
    m_undo = addVerb(*m_verb, "undo", "Undoes stops: restores what actions stopped", "gpuledger-cli act undo 12");
    m_undo->add_option("ACTION", m_actions, "Number of the action, as shown by: act log")
        ->required()
        ->expected(-1)
        ->check(CLI::Range(std::int64_t{1}, kMostNumber));
    m_undo->add_flag("--yes", m_yes, "Do not ask for confirmation");
    for (CLI::App *verb : {m_stop, m_mark, m_undo})
        verb->add_option("--reason", m_reason, "Why; kept in the audit log");
    m_log = addVerb(*m_verb, "log", "Lists stops and undos, by whom and why", "gpuledger-cli act log --json");
    m_log->add_flag("--live", m_live,
                    "Also queries the platforms for the current state of these objects and who stopped them");
    m_keep = addVerb(*m_verb, "keep", "Keeps a workload from being stopped",
                     "gpuledger-cli act keep research/notebook-7-0 --until 2026-12-01 --reason \"demo on Monday\"");
    ids(m_keep, false);
    m_keep->add_option("--as", m_kind, "snooze, keep-until or protect")
        ->check(CLI::IsMember({"snooze", "keep-until", "protect"}));
    m_keep->add_option("--until", m_until, "RFC 3339 or YYYY-MM-DD; not needed for protect");
    m_keep->add_option("--reason", m_reason, "Why; kept in the audit log");
    m_release = addVerb(*m_verb, "release", "Releases a kept workload or cancels a scheduled stop",
                        "gpuledger-cli act release 3");
    m_release->add_option("LEASE", m_actions, "Its number, as shown by: act log --json")
        ->required()
        ->expected(1)
        ->check(CLI::Range(std::int64_t{1}, kMostNumber));
}

Result<int> ActCommand::run(Session &session)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    ActionService &desk = (*workspace)->actions();
    // Actions left open by a crash are settled first.
    const auto settled = desk.settle(session.stop());
    GPULEDGER_TRY(settled);
    if (parsed(m_plan))
        return plan(session, **workspace);
    if (parsed(m_stop))
        return stop(session, **workspace);
    if (parsed(m_mark))
        return mark(session, **workspace);
    if (parsed(m_undo))
        return undo(session, desk);
    if (parsed(m_keep))
        return keep(session, **workspace);
    if (parsed(m_release))
        return release(session, desk);
    return log(session, **workspace);
}

Result<actions::Plan> ActCommand::planned(Session &session, Workspace &workspace, bool rehearse)
{
    auto ids = idsOf(session, workspace, m_ids);
    GPULEDGER_TRY(ids);
    return workspace.actions().plan({std::move(*ids), rehearse, m_despite}, session.stop());
}

Result<int> ActCommand::plan(Session &session, Workspace &workspace)
{
    const auto made = planned(session, workspace, true);
    GPULEDGER_TRY(made);
    GPULEDGER_TRY(printed(session, *made, workspace.timeZone()));
    const bool all = std::all_of(made->stops.begin(), made->stops.end(),
                                 [](const actions::PlannedStop &stop) { return stop.isStoppable(); });
    return all ? kDone : kRefused;
}

Result<int> ActCommand::stop(Session &session, Workspace &workspace)
{
    if (m_dryRun)
        return plan(session, workspace);
    const auto made = planned(session, workspace, true);
    GPULEDGER_TRY(made);
    Output &out = session.out();
    if (made->blast.objects == 0) {
        GPULEDGER_TRY(printed(session, *made, workspace.timeZone()));
        return kRefused;
    }
    const auto count = counted(session, *made, m_count, workspace.settings().actions);
    GPULEDGER_TRY(count);
    if (!m_yes) {
        if (!out.canAsk())
            return base::fail(ErrorCode::Refused, "nothing was stopped: it was not confirmed",
                              "add --yes when it may be stopped without a question");
        out.notice(textOf(*made, workspace.timeZone(), false));
        const int n = made->blast.objects;
        const auto yes = out.ask("Stop " + std::to_string(n) + (n == 1 ? " workload? [y/N] " : " workloads? [y/N] "),
                                 session.stop());
        GPULEDGER_TRY(yes);
        if (!*yes)
            return base::fail(ErrorCode::Refused, "nothing was stopped");
    }
    auto names = named(session, *made, m_names);
    GPULEDGER_TRY(names);
    auto records = workspace.actions().stop(*made, {hashOf(made->stops), m_reason, *count, {}, std::move(*names)},
                                            session.stop(), progressLines(session));
    GPULEDGER_TRY(records);
    for (const actions::PlannedStop &stop : made->stops) {
        if (stop.isStoppable())
            continue;
        records->push_back(refusedOf(stop, m_reason));
        out.note("not stopped: " + base::printable(shownName(stop), 200) + ": "
                 + base::printable(ui::plainText(records->back()), 500));
    }
    return printed(session, *records);
}

Result<int> ActCommand::mark(Session &session, Workspace &workspace)
{
    const auto after = base::parseDuration(m_after);
    if (!after)
        return base::fail(ErrorCode::InvalidArgument, "--after can't be \"" + base::printable(m_after, 64) + '"',
                          "give a time such as 24h or 90m");
    auto ids = idsOf(session, workspace, m_ids);
    GPULEDGER_TRY(ids);
    ActionService &desk = workspace.actions();
    const auto marked = desk.mark({std::move(*ids), *after, m_reason}, session.stop());
    GPULEDGER_TRY(marked);
    Output &out = session.out();
    GPULEDGER_TRY(out.json() ? out.print(toJson(*marked))
                             : out.print(textOf(*marked, workspace.timeZone(), out.bold())));
    const auto watched = desk.watchedAt();
    if (!marked->leases.empty() && (!watched || session.clock().now() - *watched > actions::kLongestRound))
        out.note("note: no watch runs on this data; nothing is stopped until \"gpuledger-cli watch\" does");
    const bool all = std::all_of(marked->plan.stops.begin(), marked->plan.stops.end(),
                                 [](const actions::PlannedStop &stop) { return stop.isStoppable(); });
    return all ? kDone : kRefused;
}

Result<int> ActCommand::undo(Session &session, ActionService &desk)
{
    Output &out = session.out();
    if (!m_yes) {
        if (!out.canAsk())
            return base::fail(ErrorCode::Refused, "nothing was brought back: it was not confirmed",
                              "add --yes when it may be done without a question");
        const auto yes = out.ask("Bring back what " + std::to_string(m_actions.size()) + " action(s) stopped? [y/N] ",
                                 session.stop());
        GPULEDGER_TRY(yes);
        if (!*yes)
            return base::fail(ErrorCode::Refused, "nothing was brought back");
    }
    const auto records = desk.undo(m_actions, m_reason, session.stop(), progressLines(session));
    GPULEDGER_TRY(records);
    return printed(session, *records);
}

Result<int> ActCommand::log(Session &session, Workspace &workspace)
{
    const auto records = workspace.actions().log();
    GPULEDGER_TRY(records);
    const auto leases = workspace.actions().leases();
    GPULEDGER_TRY(leases);
    const std::vector<ObjectNow> objects =
        m_live ? objectsNow(workspace.actions(), *records, session.stop()) : std::vector<ObjectNow>();
    Output &out = session.out();
    if (out.json()) {
        Json json = toJson(*records);
        const auto entries = workspace.auditLog();
        GPULEDGER_TRY(entries);
        addRecorded(json, *entries);
        addIds(json, *records);
        if (m_live)
            json["objects"] = toJson(objects);
        json["leases"] = Json::array();
        for (const model::Lease &lease : *leases)
            json["leases"].push_back(toJson(lease));
        GPULEDGER_TRY(out.print(json));
    } else {
        const base::TimeZone &zone = workspace.timeZone();
        GPULEDGER_TRY(out.print(out.csv() ? csvOf(*records)
                                          : textOf(*records, zone, out.bold()) + textOf(objects, zone, out.bold())
                                        + marksText(*leases, zone, out.bold())));
    }
    return kDone;
}

Result<int> ActCommand::keep(Session &session, Workspace &workspace)
{
    const auto ids = idsOf(session, workspace, m_ids);
    GPULEDGER_TRY(ids);
    std::optional<base::UtcTime> until;
    if (!m_until.empty()) {
        const auto time = session.instant(m_until, workspace.timeZone(), "--until", session.clock().now());
        GPULEDGER_TRY(time);
        until = *time;
    }
    const auto kind = model::leaseKindFrom(m_kind).value_or(model::Lease::Kind::KeepUntil);
    const auto lease = workspace.actions().grant(kind, ids->front(), until, m_reason);
    GPULEDGER_TRY(lease);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(toJson(*lease)));
    else
        GPULEDGER_TRY(out.print("lease " + std::to_string(lease->id) + ": " + base::printable(ids->front(), 400)
                                + " is " + ui::textOf(lease->kind).english()
                                + (until ? " until " + base::toRfc3339(*until) : "") + '\n'));
    return kDone;
}

Result<int> ActCommand::release(Session &session, ActionService &desk)
{
    GPULEDGER_TRY(desk.endLease(m_actions.front()));
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(Json{{"released", m_actions.front()}}));
    else
        GPULEDGER_TRY(out.print("lease " + std::to_string(m_actions.front()) + " is taken back\n"));
    return kDone;
}

} // namespace gpuledger::cli

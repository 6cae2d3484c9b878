// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/idlecommand.h"

#include "app/insight/queue/blocked.h"
#include "app/model/fleet/kindname.h"
#include "app/services/actions/actionservice.h"
#include "app/services/actions/queueservice.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/cli/idle/actprint.h"
#include "ui/cli/idle/blockedprint.h"
#include "ui/cli/idle/idlecsv.h"
#include "ui/cli/idle/idlename.h"
#include "ui/cli/idle/idleprint.h"
#include "ui/cli/idle/ruleprint.h"
#include "ui/cli/idle/waitingprint.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/program/reachprint.h"
#include "ui/cli/proof/figureids.h"
#include "ui/format/phrases/chance.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/phrase.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gpuledger::cli {

namespace {

using insight::IdleItem;
using insight::IdleList;

std::string signalName(model::ActivitySignal signal)
{
    switch (signal) {
    case model::ActivitySignal::SmActive:
        return "sm-active";
    case model::ActivitySignal::GraphicsEngineActive:
        return "graphics-engine-active";
    case model::ActivitySignal::GpuUtilization:
        return "gpu-utilization";
    case model::ActivitySignal::DutyCycle:
        return "duty-cycle";
    case model::ActivitySignal::None:
        break;
    }
    return {};
}

Json idleJson(const IdleItem &item)
{
    Json json;
    json["id"] = item.id;
    json["kind"] = model::toString(item.kind);
    json["name"] = item.name;
    json["owner"] = item.owner;
    json["cluster"] = item.cluster;
    json["namespace"] = textOrNull(item.nameSpace);
    json["node"] = textOrNull(item.node);
    json["devices"] = item.devices;
    json["gpu_model"] = item.gpuModel;
    json["gpus"] = nineDecimals(item.gpus);
    json["since"] = cli::toJson(item.since);
    json["idle_hours"] = cli::toJson(std::optional(item.idleHours));
    json["rate_per_hour"] = cli::toJson(item.ratePerHour);
    json["wasted"] = cli::toJson(item.wasted);
    json["per_month"] = cli::toJson(item.perMonth);
    json["observed"] = cli::toJson(std::optional(item.observed));
    json["confidence"] = cli::toJson(std::optional(item.chance.hour));
    json["stays_idle"] = {{"hour", cli::toJson(std::optional(item.chance.hour))},
                          {"day", cli::toJson(std::optional(item.chance.day))},
                          {"from", std::string(insight::toString(item.chance.from))},
                          {"gaps", item.chance.gaps}};
    json["expected_back"] = cli::toJson(item.expectedBack);
    json["expected_lost"] = cli::toJson(item.expectedLost);
    json["protection"] = textOrNull(item.protection);
    json["workload_type"] = std::string(model::toString(item.workloadKind));
    json["action"] = nullptr; // see addActions()
    json["workload"] = textOrNull(item.workload);
    json["since_is_lower_bound"] = item.sinceIsLowerBound;
    json["signal"] = textOrNull(signalName(item.signal));
    json["cause"] = textOrNull(std::string(insight::toString(item.cause)));
    json["recoverable"] = textOrNull(std::string(model::toString(item.recoverable)));
    json["avoidable_per_month"] = cli::toJson(item.avoidablePerMonth);
    json["sunk_per_month"] = cli::toJson(item.sunkPerMonth);
    json["avoidable_why"] = ui::recoveryOf(item).english();
    json["stop_with"] = item.stopWith;
    json["signals"] = Json::array();
    for (const insight::IdleSignal &signal : item.signals)
        json["signals"].push_back({{"for_idle", signal.speaksForIdle}, {"text", ui::phraseOf(signal).english()}});
    return json;
}

Json idleJson(const IdleList &list, model::CostView view)
{
    Json json;
    json["at"] = cli::toJson(list.at);
    json["data"] = cli::toJson(list.reach);
    json["threshold"] = cli::toJson(std::optional(list.threshold));
    json["cost"] = std::string(model::toString(view));
    json["grace"] = graceJson(list.grace);
    json["items"] = Json::array();
    for (const IdleItem &item : list.items)
        json["items"].push_back(idleJson(item));
    json["partly"] = partlyJson(list);
    json["unknown"] = Json::array();
    for (const insight::UnknownItem &item : list.unknown)
        json["unknown"].push_back({{"id", item.id},
                                   {"reason", ui::phraseOf(item).english()},
                                   {"kind", model::toString(item.kind)},
                                   {"name", item.name},
                                   {"owner", item.owner},
                                   {"cluster", item.cluster},
                                   {"namespace", textOrNull(item.nameSpace)},
                                   {"node", textOrNull(item.node)},
                                   {"devices", item.devices},
                                   {"observed", cli::toJson(std::optional(item.observed))}});
    return json;
}

// The scheduled stop of each, otherwise its last stop, unless it was undone.
base::Result<void> addActions(Json &json, services::Workspace &workspace)
{
    if (workspace.isReport())
        return {};
    const auto log = workspace.actions().log();
    if (!log && log.error().code == base::ErrorCode::StorageCorrupt)
        return {}; // "act log" reports it; the idle list is valid nevertheless
    GPULEDGER_TRY(log);
    for (Json &item : json["items"]) {
        const std::string line = item["id"].get<std::string>() + '\n';
        for (const model::ActionRecord &record : *log) {
            const std::string lines = '\n' + record.intent.holders;
            if (record.intent.kind == model::ActionKind::Stop && lines.find('\n' + line) != std::string::npos)
                item["action"] = Json{{"id", record.id}, {"state", std::string(toString(record.state))}};
        }
    }
    const auto leases = workspace.actions().leases();
    GPULEDGER_TRY(leases);
    for (const model::Lease &lease : *leases) {
        for (Json &item : json["items"]) {
            if (lease.kind == model::Lease::Kind::StopAfter && lease.until && item["id"] == lease.holder)
                item["action"] = Json{{"id", nullptr},
                                      {"state", "marked"},
                                      {"lease", lease.id},
                                      {"until", cli::toJson(*lease.until)},
                                      {"actor", textOrNull(lease.actor)},
                                      {"reason", textOrNull(lease.reason)}};
        }
    }
    return {};
}

base::Result<IdleStates> statesOf(const IdleList &list, services::Workspace &workspace, base::UtcTime at)
{
    if (workspace.isReport())
        return IdleStates();
    auto log = workspace.actions().log();
    if (!log && log.error().code == base::ErrorCode::StorageCorrupt)
        log = services::ActionService::Records();
    GPULEDGER_TRY(log);
    const auto leases = workspace.actions().leases();
    GPULEDGER_TRY(leases);
    return idleStatesOf(list, at, *log, *leases);
}

// The scheduled stops of the listed workloads.
base::Result<std::string> marksOf(const IdleList &list, services::Workspace &workspace, bool bold)
{
    if (workspace.isReport())
        return std::string();
    auto leases = workspace.actions().leases();
    GPULEDGER_TRY(leases);
    leases->erase(std::remove_if(leases->begin(), leases->end(),
                                 [&](const model::Lease &lease) {
                                     return std::none_of(list.items.begin(), list.items.end(),
                                                         [&](const IdleItem &i) { return i.id == lease.holder; });
                                 }),
                  leases->end());
    return marksText(*leases, workspace.timeZone(), bold);
}

std::string placeOf(const std::string &cluster, const std::string &nameSpace)
{
    return nameSpace.empty() ? cluster : cluster + '/' + nameSpace;
}

// Part of the cost of a month; with a price, a missing part is not the same as none.
std::string partText(const IdleItem &item, const std::optional<base::Money> &part)
{
    return item.perMonth && !part ? "not known" : ui::moneyText(part);
}

// The first column is what `act` takes.
std::string peopleText(const IdleList &list, const IdleStates &states, model::CostView view, const base::TimeZone &zone,
                       base::Currency currency, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable idle({{"id"},
                        {"owner"},
                        {"where"},
                        {"type"},
                        {"gpu"},
                        {"gpus", Align::Right},
                        {"idle since"},
                        {"wasted", Align::Right},
                        {"per month", Align::Right},
                        {"avoidable", Align::Right},
                        {"sunk", Align::Right},
                        {"why"},
                        {"stays 1 h", Align::Right},
                        {"1 d", Align::Right},
                        {"protected"},
                        {"state"}});
    for (const IdleItem &i : list.items) {
        const auto state = states.find(i.id);
        idle.add({shortIdOf(list, i), i.owner, placeOf(i.cluster, i.nameSpace),
                  std::string(model::toString(i.workloadKind)), i.gpuModel,
                  ui::fixed(i.gpus, i.gpus == static_cast<int>(i.gpus) ? 0 : 2),
                  ui::timeText(i.since, zone) + " (" + ui::durationText(list.at - i.since) + ')',
                  ui::moneyText(i.wasted), ui::moneyText(i.perMonth), partText(i, i.avoidablePerMonth),
                  partText(i, i.sunkPerMonth), std::string(insight::toString(i.cause)), ui::chanceText(i.chance.hour),
                  ui::chanceText(i.chance.day), i.protection, state == states.end() ? "" : state->second});
    }
    const bool old = list.reach.stale && list.reach.to;
    std::string text = "Idle at " + ui::timeText(list.at, zone) + " (" + zone.name() + ')'
        + (old ? ", which is " + ui::durationText(list.reach.asked.end - list.at) + " before what was asked" : "")
        + ", activity below " + ui::percentText(list.threshold) + viewText(view)
        + "\nidle for at least: " + graceText(list.grace) + "\n";
    if (!list.items.empty())
        text += idle.toText(bold);
    else if (!list.reach.stale)
        text += "nothing is idle\n";
    else
        text += old ? "nothing was idle then; what is idle now is not known\n" : "what is idle is not known\n";
    text += sumsText(list, states, currency, bold);
    text += partlyText(list, zone, currency, bold);
    if (list.unknown.empty())
        return text;
    ui::TextTable unknown({{"name"}, {"owner"}, {"where"}, {"why it can't be judged"}});
    for (const insight::UnknownItem &u : list.unknown)
        unknown.add(
            {model::shownName(u.kind, u.name), u.owner, placeOf(u.cluster, u.nameSpace), ui::phraseOf(u).english()});
    return text + "\nUnknown: too little was seen\n" + unknown.toText(bold);
}

// An answer about the present from old data returns kLook.
int told(Output &out, const insight::Reach &reach, const base::TimeZone &zone)
{
    if (!reach.stale)
        return kDone;
    out.notice(staleText(reach, zone));
    return kLook;
}

} // namespace

void IdleCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "idle", "Idle resources: what costs money without doing work",
                     "gpuledger-cli idle --team research --json");
    m_verb->add_option("--at", m_at, "Point in time (default: now): RFC 3339, YYYY-MM-DD or -2h");
    m_verb->add_flag("--waiting", m_waiting,
                     "Jobs waiting for GPUs, which idle GPUs would serve them, and what blocks them");
    addCostOption(*m_verb, m_cost);
}

base::Result<int> IdleCommand::printWaiting(Session &session, services::Workspace &workspace, base::UtcTime at)
{
    const auto reach = workspace.fleet().reach({at, at});
    GPULEDGER_TRY(reach);
    const auto list = workspace.actions().waiting().waitingAt(at, session.filter(), session.stop(), costViewOf(m_cost));
    GPULEDGER_TRY(list);
    Output &out = session.out();
    if (out.json()) {
        Json json = cli::toJson(*list);
        if (costViewOf(m_cost) == model::CostView::Effective) { // only effective figures can be proved
            const auto idle = workspace.fleet().idle(at, {});
            GPULEDGER_TRY(idle);
            addFigures(json, *list, *idle);
        }
        json["data"] = cli::toJson(*reach);
        json["cost"] = std::string(model::toString(costViewOf(m_cost)));
        GPULEDGER_TRY(out.print(json));
    } else {
        GPULEDGER_TRY(out.print(out.csv() ? cli::csvText(*list)
                                          : cli::peopleText(*list, costViewOf(m_cost), workspace.timeZone(),
                                                            workspace.settings().currency, out.bold())));
    }
    return told(out, *reach, workspace.timeZone());
}

base::Result<int> IdleCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const base::TimeZone &zone = (*workspace)->timeZone();
    const auto at = session.past(m_at.empty() ? "now" : m_at, zone, "--at");
    GPULEDGER_TRY(at);
    if (m_waiting) // a team may wait without having had a GPU
        return printWaiting(session, **workspace, *at);
    GPULEDGER_TRY(session.checkFilter(**workspace));
    const model::CostView view = costViewOf(m_cost);
    const auto list = (*workspace)->fleet().idle(*at, session.filter(), view);
    GPULEDGER_TRY(list);
    const auto blocked = (*workspace)->fleet().blocked(*at, session.filter(), view);
    GPULEDGER_TRY(blocked);
    const auto states = statesOf(*list, **workspace, *at);
    GPULEDGER_TRY(states);
    const base::Currency currency = (*workspace)->settings().currency;
    Output &out = session.out();
    if (out.json()) {
        Json json = idleJson(*list, view);
        if (view == model::CostView::Effective) // only that can be explained
            addFigures(json, *list);
        // A filter would make them figures of other ids.
        const bool isProvable = view == model::CostView::Effective && session.filter().empty();
        json["blocked"] = blockedJson(*blocked, currency, isProvable);
        addSums(json, *list, *states, currency, blocked->sum);
        GPULEDGER_TRY(addActions(json, **workspace));
        GPULEDGER_TRY(out.print(json));
    } else {
        const auto marks = marksOf(*list, **workspace, out.bold());
        GPULEDGER_TRY(marks);
        const auto text = [&] {
            return peopleText(*list, *states, view, zone, currency, out.bold())
                + blockedText(*blocked, zone, currency, out.bold()) + *marks;
        };
        GPULEDGER_TRY(out.print(out.csv() ? idleCsv(*list, *blocked) : text()));
    }
    return told(out, list->reach, zone);
}

} // namespace gpuledger::cli

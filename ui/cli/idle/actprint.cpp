// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/actprint.h"

#include "app/actions/plan/evidence.h"
#include "app/actions/run/undo.h"
#include "app/base/text/text.h"
#include "app/model/fleet/kindname.h"
#include "app/store/actions/actionstore.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/actions/markphrase.h"
#include "ui/format/actions/resultphrase.h"
#include "ui/format/phrases/figures.h"

#include <map>
#include <sstream>

namespace gpuledger::cli {

using actions::Check;
using actions::Outcome;
using actions::PlannedStop;
using model::ActionRecord;

namespace {

Json actJson(const model::TargetRef &target)
{
    return {{"source", target.source},
            {"cluster", target.cluster},
            {"api_version", textOrNull(target.apiVersion)},
            {"kind", target.kind},
            {"namespace", textOrNull(target.nameSpace)},
            {"name", target.name},
            {"uid", target.uid}};
}

Json actJson(const Check &check)
{
    Json json{{"name", std::string(toString(check.name))}};
    json["passed"] = check.outcome == Outcome::NotAsked ? Json(nullptr) : Json(check.outcome == Outcome::Passed);
    json["detail"] = ui::textOf(check).english();
    json["reason"] = check.why == actions::Why::None ? Json(nullptr) : Json(std::string(toString(check.why)));
    return json;
}

Json actJson(const PlannedStop &stop)
{
    const bool found = !stop.target.ref.uid.empty();
    Json json{{"id", nullptr}};
    json["target"] = found ? actJson(stop.target.ref) : Json(nullptr);
    json["state"] = stop.isStoppable() ? "checked" : "refused";
    json["checks"] = Json::array();
    for (const Check &check : stop.checks)
        json["checks"].push_back(actJson(check));
    json["undo"] = found ? textOrNull(ui::undoOf(stop.target).english()) : Json(nullptr);
    json["holders"] = Json::array();
    for (const insight::IdleItem &item : stop.items)
        json["holders"].push_back(item.id);
    json["owner"] = textOrNull(stop.owner);
    json["gpus"] = nineDecimals(stop.gpus);
    json["per_month"] = cli::toJson(stop.perMonth);
    json["verb"] = found ? Json(std::string(toString(stop.target.verb))) : Json(nullptr);
    json["effect"] = found ? textOrNull(ui::effectOf(stop.target).english()) : Json(nullptr);
    json["lost"] = Json::array();
    for (const model::Loss loss : stop.target.losses)
        json["lost"].push_back(ui::textOf(loss).english());
    json["cautions"] = Json::array();
    for (const model::Caution &caution : stop.target.cautions)
        json["cautions"].push_back(ui::textOf(caution).english());
    json["simulated"] = stop.isSimulated;
    json["reversible"] = found ? Json(stop.target.isReversible) : Json(nullptr);
    json["type_name"] = found && !stop.target.isReversible ? Json(model::fullNameOf(stop.target.ref)) : Json(nullptr);
    json["managers"] = stop.target.managers;
    json["despite"] = stop.despite;
    return json;
}

std::string whyNot(const PlannedStop &stop)
{
    std::string text;
    for (const Check &check : stop.checks) {
        if (check.outcome == Outcome::Failed)
            text += (text.empty() ? "" : "; ") + ui::textOf(check).english();
    }
    return text;
}

std::string losses(const PlannedStop &stop)
{
    std::string text;
    for (const model::Loss loss : stop.target.losses)
        text += (text.empty() ? "" : ", ") + ui::textOf(loss).english();
    for (const model::Caution &caution : stop.target.cautions)
        text += (text.empty() ? "" : "; ") + ui::textOf(caution).english();
    return text;
}

// In the current format of the audit log, whichever version wrote the record.
Json outcomeOf(const ActionRecord &record)
{
    const std::string data = actions::dataOf(actions::resultOf(record));
    return data.empty() ? Json(nullptr) : Json::parse(data);
}

Json linesOf(const std::string &text)
{
    Json lines = Json::array();
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string nameOf(const model::TargetRef &target)
{
    return target.uid.empty() ? target.name : ui::targetText(target);
}

std::string nameOf(const PlannedStop &stop)
{
    return stop.target.ref.uid.empty() ? shownName(stop) : ui::targetText(stop.target.ref);
}

} // namespace

std::string shownName(const PlannedStop &stop)
{
    return model::shownName(stop.items.front().kind, stop.items.front().name);
}

Json toJson(const actions::Plan &plan)
{
    Json json{{"actions", Json::array()}};
    for (const PlannedStop &stop : plan.stops)
        json["actions"].push_back(actJson(stop));
    json["plan"] = hashOf(plan.stops);
    json["at"] = cli::toJson(plan.at);
    json["needs_count"] = plan.blast.needsTypedCount();
    return json;
}

ActionRecord refusedOf(const PlannedStop &stop, const std::string &reason)
{
    ActionRecord one;
    one.state = model::ActionState::Refused;
    one.result = actions::dataOf(actions::ActionResult{actions::ResultCode::Said, whyNot(stop)});
    one.changedAt = one.intent.at = stop.checkedAt;
    one.intent.target = stop.target.ref;
    if (stop.target.ref.uid.empty())
        one.intent.target.name = shownName(stop);
    one.intent.field = stop.target.field;
    one.intent.oldValue = stop.target.value;
    one.intent.newValue = stop.target.stoppedValue;
    one.intent.owner = stop.owner;
    one.intent.gpus = stop.gpus;
    one.intent.perMonth = stop.perMonth;
    one.intent.reason = reason;
    one.intent.isSimulated = stop.isSimulated;
    one.intent.evidence = actions::evidenceOf(stop);
    for (const insight::IdleItem &item : stop.items)
        one.intent.holders += item.id + '\n';
    return one;
}

Json toJson(const std::vector<ActionRecord> &records)
{
    Json json{{"actions", Json::array()}};
    for (const ActionRecord &record : records) {
        const model::ActionIntent &intent = record.intent;
        Json one{{"id", record.id == 0 ? Json(nullptr) : Json(record.id)}};
        one["target"] = intent.target.uid.empty() ? Json(nullptr) : actJson(intent.target);
        one["state"] = std::string(toString(record.state));
        one["checks"] = Json::array();
        for (const Check &check : actions::checksIn(intent.evidence))
            one["checks"].push_back(actJson(check));
        const actions::Undoable undo = actions::undoable(record);
        one["undo"] = undo.can ? Json("act undo " + std::to_string(record.id)) : Json(nullptr);
        one["kind"] = std::string(toString(intent.kind));
        one["undoes"] = intent.undoes == 0 ? Json(nullptr) : Json(intent.undoes);
        one["result"] = textOrNull(ui::plainText(record));
        one["outcome"] = outcomeOf(record);
        one["receipt"] = textOrNull(record.receipt);
        one["field"] = intent.field;
        one["before"] = intent.oldValue;
        one["after"] = intent.newValue;
        one["owner"] = textOrNull(intent.owner);
        one["gpus"] = nineDecimals(intent.gpus);
        one["per_month"] = cli::toJson(intent.perMonth);
        one["actor"] = textOrNull(intent.actor);
        one["reason"] = textOrNull(intent.reason);
        one["confirmed_at"] = record.id == 0 ? Json(nullptr) : cli::toJson(intent.at);
        one["changed_at"] = cli::toJson(record.changedAt);
        one["simulated"] = intent.isSimulated;
        one["holders"] = linesOf(intent.holders);
        json["actions"].push_back(std::move(one));
    }
    return json;
}

void addRecorded(Json &actions, const std::vector<store::AuditEntry> &log)
{
    const std::string prefix = store::kActionPrefix;
    std::map<std::int64_t, Json> steps;
    for (const store::AuditEntry &entry : log) {
        const Json details = Json::parse(entry.event.details, nullptr, false);
        if (!entry.event.action.starts_with(prefix) || !details.is_object() || !details.contains("id")
            || !details["id"].is_number_integer() || !entry.recorded)
            continue;
        steps[details["id"].get<std::int64_t>()].push_back({{"state", entry.event.action.substr(prefix.size())},
                                                            {"at", cli::toJson(entry.event.at)},
                                                            {"recorded_at", cli::toJson(entry.recorded->real)},
                                                            {"steady_ns", entry.recorded->steady},
                                                            {"boot", entry.recorded->boot}});
    }
    for (Json &action : actions["actions"]) {
        const auto found = steps.find(action["id"].get<std::int64_t>());
        action["recorded"] = found == steps.end() ? Json::array() : found->second;
    }
}

Json toJson(const model::Lease &lease)
{
    return {{"id", lease.id},
            {"kind", std::string(toString(lease.kind))},
            {"holder", lease.holder},
            {"until", lease.until ? cli::toJson(*lease.until) : Json(nullptr)},
            {"actor", textOrNull(lease.actor)},
            {"reason", textOrNull(lease.reason)},
            {"at", cli::toJson(lease.at)}};
}

Json toJson(const actions::Marked &marked)
{
    Json json = toJson(marked.plan);
    json["marks"] = Json::array();
    for (const model::Lease &lease : marked.leases)
        json["marks"].push_back(toJson(lease));
    json["notices"] = Json::array();
    for (const ui::MarkNotice &notice : ui::noticesOf(marked))
        json["notices"].push_back(
            {{"owner", textOrNull(notice.owner)}, {"leases", notice.leases}, {"text", notice.english()}});
    return json;
}

Json toJson(const actions::MarkEvent &event, base::UtcTime at)
{
    using Kind = actions::MarkEvent::Kind;
    Json json{{"at", cli::toJson(at)}, {"event", "mark"}, {"lease", event.lease.id}, {"holder", event.lease.holder}};
    json["state"] = event.kind == Kind::Over ? "over" : event.kind == Kind::Postponed ? "postponed" : "waits";
    json["reason"] = event.kind == Kind::Over ? Json(std::string(toString(event.end)))
        : event.kind == Kind::Postponed       ? Json(std::string(toString(event.delay)))
                                              : Json(nullptr);
    json["detail"] = ui::textOf(event).english();
    json["until"] = event.lease.until && event.kind != Kind::Over ? cli::toJson(*event.lease.until) : Json(nullptr);
    json["action"] = event.action == 0 ? Json(nullptr) : Json(event.action);
    return json;
}

std::string marksText(const std::vector<model::Lease> &leases, const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"mark", Align::Right}, {"stopped after"}, {"who"}, {"what"}, {"reason"}});
    bool any = false;
    for (const model::Lease &lease : leases) {
        if (lease.kind != model::Lease::Kind::StopAfter || !lease.until)
            continue;
        any = true;
        table.add(
            {std::to_string(lease.id), ui::timeText(*lease.until, zone), lease.actor, lease.holder, lease.reason});
    }
    return any ? "\nStopped by the watch unless someone objects (act release MARK)\n" + table.toText(bold)
               : std::string();
}

std::string textOf(const actions::Marked &marked, const base::TimeZone &zone, bool bold)
{
    if (marked.leases.empty())
        return textOf(marked.plan, zone, bold);
    std::string text = marksText(marked.leases, zone, bold);
    ui::TextTable refused({{"what"}, {"owner"}, {"why it is not marked"}});
    bool any = false;
    for (const PlannedStop &stop : marked.plan.stops) {
        if (stop.isStoppable())
            continue;
        any = true;
        refused.add({nameOf(stop), stop.owner, whyNot(stop)});
    }
    if (any)
        text += "\nRefused\n" + refused.toText(bold);
    for (const ui::MarkNotice &notice : ui::noticesOf(marked)) {
        text += "\nFor " + base::printable(notice.owner, 200) + " (nothing was sent)\n";
        for (const ui::Phrase &sentence : notice.sentences)
            text += "  " + base::printable(sentence.english(), 2500) + '\n';
    }
    return text.substr(text.front() == '\n' ? 1 : 0);
}

std::string textOf(const actions::Plan &plan, const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable can(
        {{"what"}, {"owner"}, {"gpus", Align::Right}, {"per month", Align::Right}, {"does"}, {"lost"}, {"undo"}});
    ui::TextTable not_({{"what"}, {"owner"}, {"why it is not stopped"}});
    bool simulated = false, any = false, refused = false;
    for (const PlannedStop &stop : plan.stops) {
        simulated = simulated || stop.isSimulated;
        if (stop.isStoppable()) {
            any = true;
            can.add({nameOf(stop), stop.owner, ui::fixed(stop.gpus, 2), ui::moneyText(stop.perMonth),
                     ui::effectOf(stop.target).english(), losses(stop), ui::undoOf(stop.target).english()});
        } else {
            refused = true;
            not_.add({nameOf(stop), stop.owner, whyNot(stop)});
        }
    }
    std::string text = "Checked at " + ui::timeText(plan.at, zone) + " (" + zone.name() + ")\n";
    if (simulated)
        text += "Simulated platform: nothing real is stopped.\n";
    text += any ? can.toText(bold) : "nothing of this can be stopped\n";
    for (const std::string &name : plan.blast.irreversible)
        text += "Can't be brought back: " + base::printable(name, 600) + " (act stop --type-name NAME)\n";
    if (refused)
        text += "\nRefused\n" + not_.toText(bold);
    return text;
}

std::string textOf(const std::vector<ActionRecord> &records, const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"action", Align::Right}, {"when"}, {"who"}, {"kind"}, {"what"}, {"state"}, {"result"}});
    bool simulated = false;
    for (const ActionRecord &record : records) {
        simulated = simulated || record.intent.isSimulated;
        table.add({record.id == 0 ? "-" : std::to_string(record.id), ui::timeText(record.intent.at, zone),
                   record.intent.actor, std::string(toString(record.intent.kind)), nameOf(record.intent.target),
                   std::string(toString(record.state)), ui::plainText(record)});
    }
    std::string text = records.empty() ? "nothing has been stopped yet\n" : table.toText(bold);
    if (simulated)
        text += "Simulated platform: nothing real was stopped.\n";
    return text;
}

Json toJson(const std::vector<ObjectNow> &objects)
{
    Json json = Json::array();
    for (const ObjectNow &object : objects) {
        using Kind = actions::Standing::Kind;
        const auto &now = object.standing;
        const auto *mark = now && now->mark ? &*now->mark : nullptr;
        json.push_back({{"target", actJson(object.target)},
                        {"state",
                         !now                             ? "unknown"
                             : now->kind == Kind::Gone    ? "gone"
                             : now->kind == Kind::Stopped ? "stopped"
                                                          : "running"},
                        {"field", now ? textOrNull(now->field) : Json(nullptr)},
                        {"value", now ? textOrNull(now->value) : Json(nullptr)},
                        {"actor", mark ? textOrNull(mark->actor) : Json(nullptr)},
                        {"reason", mark ? textOrNull(mark->reason) : Json(nullptr)},
                        {"stopped_at", mark ? cli::toJson(mark->at) : Json(nullptr)},
                        {"action", now && now->action ? Json(*now->action) : Json(nullptr)},
                        {"error", now ? Json(nullptr) : textOrNull(now.error().text)}});
    }
    return json;
}

std::string textOf(const std::vector<ObjectNow> &objects, const base::TimeZone &zone, bool bold)
{
    if (objects.empty())
        return {};
    ui::TextTable table({{"object"}, {"now"}, {"since"}, {"reason"}});
    for (const ObjectNow &object : objects) {
        const auto &now = object.standing;
        const auto *mark = now && now->mark ? &*now->mark : nullptr;
        table.add({ui::targetText(object.target), now ? ui::textOf(*now).english() : "not known: " + now.error().text,
                   mark ? ui::timeText(mark->at, zone) : "", mark ? mark->reason : ""});
    }
    return '\n' + table.toText(bold);
}

std::string csvOf(const std::vector<ActionRecord> &records)
{
    ui::TextTable table({{"action"},    {"kind"},     {"undoes"},  {"confirmed_at"}, {"changed_at"}, {"actor"},
                         {"reason"},    {"source"},   {"cluster"}, {"object_kind"},  {"namespace"},  {"name"},
                         {"uid"},       {"field"},    {"before"},  {"after"},        {"owner"},      {"gpus"},
                         {"per_month"}, {"currency"}, {"state"},   {"result"},       {"receipt"}});
    for (const ActionRecord &record : records) {
        const model::ActionIntent &i = record.intent;
        table.add({record.id == 0 ? std::string() : std::to_string(record.id),
                   std::string(toString(i.kind)),
                   i.undoes == 0 ? "" : std::to_string(i.undoes),
                   base::toRfc3339(i.at),
                   base::toRfc3339(record.changedAt),
                   i.actor,
                   i.reason,
                   i.target.source,
                   i.target.cluster,
                   i.target.kind,
                   i.target.nameSpace,
                   i.target.name,
                   i.target.uid,
                   i.field,
                   i.oldValue,
                   i.newValue,
                   i.owner,
                   ui::fixed(i.gpus, 3),
                   i.perMonth ? i.perMonth->toDecimal() : std::string(),
                   i.perMonth ? std::string(i.perMonth->currency().code()) : std::string(),
                   std::string(toString(record.state)),
                   ui::plainText(record),
                   record.receipt});
    }
    return table.toCsv();
}

} // namespace gpuledger::cli

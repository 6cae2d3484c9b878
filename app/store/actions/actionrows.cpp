// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/actions/actionrows.h"

#include "app/base/remedy.h"
#include "app/store/actions/actionstore.h"
#include "app/store/sqlite/checksum.h"

#include <cmath>
#include <map>

namespace gpuledger::store {

using base::Result;
using model::ActionIntent;
using model::ActionRecord;
using model::ActionState;

namespace {

constexpr double kMillis = 1000;

tl::unexpected<base::Error> damaged(std::int64_t action)
{
    return base::fail(base::ErrorCode::StorageCorrupt,
                      "action " + std::to_string(action) + " was changed after it was written; it was not used",
                      base::Remedy::SeeDamage);
}

std::int64_t gpuMillis(const ActionIntent &intent)
{
    return std::llround(intent.gpus * kMillis);
}

// Every column of an intent as one unambiguous text.
std::string joined(const ActionIntent &intent)
{
    std::string text;
    const auto add = [&](const std::string &part) { text += std::to_string(part.size()) + ':' + part + ','; };
    for (const std::string *part :
         {&intent.key, &intent.plan, &intent.target.source, &intent.target.cluster, &intent.target.apiVersion,
          &intent.target.kind, &intent.target.nameSpace, &intent.target.name, &intent.target.uid, &intent.version,
          &intent.field, &intent.oldValue, &intent.newValue, &intent.manifest, &intent.holders, &intent.owner,
          &intent.actor, &intent.reason, &intent.evidence})
        add(*part);
    add(std::string(toString(intent.kind)));
    add(std::string(toString(intent.verb)));
    add(intent.isSimulated ? "simulated" : "");
    add(std::to_string(intent.undoes));
    add(std::to_string(gpuMillis(intent)));
    add(intent.perMonth ? std::to_string(intent.perMonth->nanos()) : "");
    add(intent.perMonth ? std::string(intent.perMonth->currency().code()) : "");
    add(std::to_string(base::toUnix(intent.at)));
    return text;
}

std::int64_t checksumOfStep(std::int64_t action, std::int64_t number, const std::string &state, const ActionStep &step)
{
    std::string text = state + '\n' + std::to_string(base::toUnix(step.at)) + '\n';
    for (const std::string *part : {&step.result, &step.receipt, &step.versionAfter})
        text += std::to_string(part->size()) + ':' + *part + ',';
    return checksum(text, action * 64 + number);
}

// Whether the row has exactly the values that this program writes; intentAt() would accept others as the same intent.
bool isExact(const Statement &s)
{
    const std::string kind = s.text(3);
    const auto undoes = s.optionalInteger(4);
    const std::int64_t simulated = s.integer(12);
    return (kind == "stop" || kind == "undo") && undoes != std::optional<std::int64_t>(0)
        && (simulated == 0 || simulated == 1) && model::stopVerbFrom(s.text(13))
        && s.optionalInteger(22).has_value() != s.text(23).empty();
}

ActionIntent intentAt(const Statement &s)
{
    ActionIntent intent;
    intent.key = s.text(1);
    intent.plan = s.text(2);
    intent.kind = s.text(3) == "undo" ? model::ActionKind::Undo : model::ActionKind::Stop;
    intent.undoes = s.optionalInteger(4).value_or(0);
    intent.target = {s.text(5), s.text(6), s.text(7), s.text(8), s.text(9), s.text(10), s.text(11)};
    intent.isSimulated = s.integer(12) != 0;
    intent.verb = model::stopVerbFrom(s.text(13)).value_or(model::StopVerb::None);
    intent.version = s.text(14);
    intent.field = s.text(15);
    intent.oldValue = s.text(16);
    intent.newValue = s.text(17);
    intent.manifest = s.text(18);
    intent.holders = s.text(19);
    intent.owner = s.text(20);
    intent.gpus = static_cast<double>(s.integer(21)) / kMillis;
    if (const auto nanos = s.optionalInteger(22)) {
        if (const auto currency = base::Currency::parse(s.text(23)))
            intent.perMonth = base::Money(*nanos, *currency);
    }
    intent.actor = s.text(24);
    intent.reason = s.text(25);
    intent.at = base::fromUnix(s.integer(26));
    intent.evidence = s.text(27);
    return intent;
}

constexpr std::string_view kActions =
    "SELECT id, key, plan, kind, undoes, source, cluster, api_version, object_kind, namespace, name, uid, simulated,"
    " verb, version, field, old_value, new_value, manifest, holders, owner, gpu_millis, per_month, currency, actor,"
    " reason, at, evidence, checksum FROM action WHERE ?1 IS NULL OR id = ?1 ORDER BY id";
constexpr std::string_view kSteps = "SELECT action, number, state, at, result, receipt, version_after, checksum FROM"
                                    " action_step WHERE ?1 IS NULL OR action = ?1 ORDER BY action, number";

// Applies a step to the record; false if it is not a valid step of the action.
bool apply(ActionRecord &record, std::int64_t number, const std::string &name, const ActionStep &step)
{
    const auto state = model::actionStateFrom(name);
    if (!state || (number == 0 ? *state != ActionState::Confirmed : !mayFollow(record.state, *state)))
        return false;
    record.state = *state;
    record.changedAt = step.at;
    record.result = step.result.empty() ? record.result : step.result;
    record.receipt = step.receipt.empty() ? record.receipt : step.receipt;
    record.versionAfter = step.versionAfter.empty() ? record.versionAfter : step.versionAfter;
    return true;
}

} // namespace

std::int64_t checksumOf(const ActionIntent &intent)
{
    return checksum(joined(intent), 0);
}

Result<std::int64_t> insertAction(Database &database, const ActionIntent &intent)
{
    Statement s = database.statement(
        "INSERT INTO action (key, plan, kind, undoes, source, cluster, api_version, object_kind, namespace, name, uid,"
        " simulated, verb, version, field, old_value, new_value, manifest, holders, owner, gpu_millis, per_month,"
        " currency, actor, reason, at, evidence, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
        " ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28)");
    const auto some = [](std::int64_t value) { return value == 0 ? std::nullopt : std::optional(value); };
    s.bind(1, intent.key).bind(2, intent.plan).bind(3, std::string(toString(intent.kind)));
    s.bind(4, some(intent.undoes)).bind(5, intent.target.source).bind(6, intent.target.cluster);
    s.bind(7, intent.target.apiVersion).bind(8, intent.target.kind).bind(9, intent.target.nameSpace);
    s.bind(10, intent.target.name).bind(11, intent.target.uid).bind(12, std::int64_t{intent.isSimulated ? 1 : 0});
    s.bind(13, std::string(toString(intent.verb))).bind(14, intent.version).bind(15, intent.field);
    s.bind(16, intent.oldValue).bind(17, intent.newValue).bind(18, intent.manifest).bind(19, intent.holders);
    s.bind(20, intent.owner).bind(21, gpuMillis(intent));
    s.bind(22, intent.perMonth ? std::optional(intent.perMonth->nanos()) : std::nullopt);
    s.bind(23, intent.perMonth ? std::string(intent.perMonth->currency().code()) : std::string());
    s.bind(24, intent.actor).bind(25, intent.reason).bind(26, base::toUnix(intent.at)).bind(27, intent.evidence);
    GPULEDGER_TRY(s.bind(28, checksumOf(intent)).run());
    return database.lastInsertId();
}

Result<void> insertStep(Database &database, std::int64_t action, std::int64_t number, ActionState state,
                        const ActionStep &step)
{
    Statement s = database.statement("INSERT INTO action_step (action, number, state, at, result, receipt,"
                                     " version_after, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    const std::string name(toString(state));
    s.bind(1, action).bind(2, number).bind(3, name).bind(4, base::toUnix(step.at)).bind(5, step.result);
    s.bind(6, step.receipt).bind(7, step.versionAfter);
    return s.bind(8, checksumOfStep(action, number, name, step)).run();
}

Result<std::vector<ActionRecord>> readActions(Database &database, std::optional<std::int64_t> id)
{
    std::vector<ActionRecord> records;
    std::map<std::int64_t, std::size_t> places;
    Statement actions = database.statement(kActions);
    GPULEDGER_TRY(actions.bind(1, id).each([&]() -> Result<void> {
        ActionRecord record;
        record.id = actions.integer(0);
        record.intent = intentAt(actions);
        if (!isExact(actions) || checksumOf(record.intent) != actions.integer(28))
            return damaged(record.id);
        places[record.id] = records.size();
        records.push_back(std::move(record));
        return {};
    }));
    std::map<std::int64_t, std::int64_t> counts;
    Statement steps = database.statement(kSteps);
    GPULEDGER_TRY(steps.bind(1, id).each([&]() -> Result<void> {
        const std::int64_t action = steps.integer(0), number = steps.integer(1);
        const ActionStep step{base::fromUnix(steps.integer(3)), steps.text(4), steps.text(5), steps.text(6)};
        const auto place = places.find(action);
        if (place == places.end() || number != counts[action]++
            || checksumOfStep(action, number, steps.text(2), step) != steps.integer(7)
            || !apply(records[place->second], number, steps.text(2), step))
            return damaged(action);
        return {};
    }));
    for (const ActionRecord &record : records) {
        if (counts[record.id] == 0)
            return damaged(record.id);
    }
    return records;
}

nlohmann::ordered_json embedded(const std::string &data)
{
    auto json = nlohmann::ordered_json::parse(data, nullptr, false);
    return json.is_discarded() ? nlohmann::ordered_json(data) : json;
}

AuditEvent auditEvent(const ActionIntent &intent, std::int64_t id, ActionState state, const ActionStep &step)
{
    const model::TargetRef &target = intent.target;
    nlohmann::ordered_json details{{"id", id}, {"key", intent.key}, {"kind", toString(intent.kind)}};
    if (state == ActionState::Confirmed) {
        details["verb"] = toString(intent.verb);
        details["uid"] = target.uid;
        details["version"] = intent.version;
        details["field"] = intent.field;
        details["before"] = intent.oldValue;
        details["after"] = intent.newValue;
        details["owner"] = intent.owner;
        details["reason"] = intent.reason;
        details["plan"] = intent.plan;
        details["simulated"] = intent.isSimulated;
        details["checksum"] = checksumOf(intent);
    }
    if (!step.result.empty())
        details["outcome"] = embedded(step.result);
    if (!step.receipt.empty())
        details["receipt"] = step.receipt;
    std::string object = target.cluster;
    for (const std::string *part : {&target.nameSpace, &target.kind, &target.name}) {
        if (!part->empty())
            object += '/' + *part;
    }
    using Json = nlohmann::json;
    return {step.at, intent.actor, kActionPrefix + std::string(toString(state)), object,
            details.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

} // namespace gpuledger::store

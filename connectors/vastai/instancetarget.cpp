// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/instancetarget.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/vastai/vastaiapi.h"

#include <algorithm>

namespace gpuledger::vastai {

using base::ErrorCode;
using base::Result;
using model::Caution;
using model::Loss;
using model::Obstacle;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestFact = 200; // bytes
constexpr std::int64_t kMostGpusOfInstance = 1'024;
constexpr base::Seconds kNearEnd{7 * 86'400};

std::string factOf(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestFact);
}

// Seconds since 1970, possibly with a fraction.
std::optional<base::UtcTime> instantOf(const std::string &text)
{
    constexpr std::int64_t kLatest = 253'402'300'799; // year 9999
    const auto seconds = base::parseInt(text.substr(0, text.find('.')));
    return seconds && *seconds > 0 && *seconds <= kLatest ? std::optional(base::fromUnix(*seconds)) : std::nullopt;
}

struct Facts {
    std::string id, label, model, machine, place, started, ends;
    std::string actual, intended, current; // states as Vast.ai calls them
    std::optional<std::int64_t> gpus;
    std::optional<bool> isBid; // interruptible
    std::optional<base::UtcTime> startedAt, endsAt;
    bool isRunning = false, isStopped = false;
};

Facts factsOf(const Json &instance)
{
    Facts facts;
    facts.id = factOf(instance, "id");
    facts.label = factOf(instance, "label");
    facts.model = factOf(instance, "gpu_name");
    facts.machine = factOf(instance, "machine_id");
    facts.place = factOf(instance, "geolocation");
    facts.started = factOf(instance, "start_date");
    facts.ends = factOf(instance, "end_date");
    facts.startedAt = instantOf(facts.started);
    facts.endsAt = instantOf(facts.ends);
    facts.actual = factOf(instance, "actual_status");
    facts.intended = factOf(instance, "intended_status");
    facts.current = factOf(instance, "cur_state");
    const auto gpus = base::parseInt(format::textOf(instance, "num_gpus"));
    if (gpus && *gpus >= 0 && *gpus <= kMostGpusOfInstance)
        facts.gpus = *gpus;
    if (const Json &bid = format::memberOf(instance, "is_bid"); bid.is_boolean())
        facts.isBid = bid.get<bool>();
    facts.isRunning = facts.actual == "running" && facts.intended == "running";
    // "frozen" still pays for its GPUs, "offline" and "unknown" tell nothing, and a container that exited by itself
    // keeps them.
    facts.isStopped = facts.intended == "stopped" && facts.current == "stopped"
        && (facts.actual == "exited" || facts.actual == "stopped" || facts.actual.empty());
    return facts;
}

std::string valueOf(const Facts &facts)
{
    if (facts.isRunning && facts.gpus)
        return auth::runningValue(*facts.gpus, facts.model.empty() ? "unknown GPU" : facts.model);
    if (facts.isStopped)
        return auth::stateValue("stopped");
    return auth::stateValue("status " + facts.actual + ", wanted " + facts.intended);
}

std::optional<Obstacle> obstacleOf(const Facts &facts)
{
    if (facts.isStopped)
        return Obstacle{Obstacle::Kind::AlreadyStopped, "it is stopped"};
    if (facts.actual == "frozen")
        return Obstacle{Obstacle::Kind::Other,
                        "it is frozen, and still pays for its GPUs: it can't be brought back so"};
    if (!facts.isRunning)
        return Obstacle{Obstacle::Kind::Other,
                        "it is not running: its status is "
                            + (facts.actual.empty() ? std::string("unknown") : facts.actual)};
    if (!facts.gpus || *facts.gpus == 0 || facts.model.empty())
        return Obstacle{Obstacle::Kind::Other, "Vast.ai does not say which GPUs it has"};
    if (!facts.startedAt)
        return Obstacle{Obstacle::Kind::Other, "Vast.ai does not say when it was rented"};
    return std::nullopt;
}

std::vector<Caution> cautionsOf(const Facts &facts, base::UtcTime now)
{
    std::vector<Caution> all;
    all.push_back({Caution::Kind::Unguarded,
                   "Vast.ai has no precondition: the instance is compared right before it is stopped, and read back"});
    all.push_back({Caution::Kind::StaysBilled, "its disk is kept and stays billed until it is destroyed"});
    all.push_back({Caution::Kind::Other, "its GPUs may be rented to somebody else: a start can wait for them forever"});
    if (!facts.isBid)
        all.push_back({Caution::Kind::Other, "Vast.ai does not say whether it is interruptible"});
    else if (*facts.isBid)
        all.push_back({Caution::Kind::Other, "it is interruptible: it may be out-bid and not start again"});
    if (!facts.endsAt)
        all.push_back({Caution::Kind::Other, "Vast.ai does not say when its rental ends"});
    else if (*facts.endsAt <= now)
        all.push_back({Caution::Kind::Other, "its rental is over: it won't start again, and its data will be deleted"});
    else if (*facts.endsAt <= now + kNearEnd)
        all.push_back({Caution::Kind::Other,
                       "its rental ends at " + base::toRfc3339(*facts.endsAt)
                           + ": after that it won't start again, and its data will be deleted"});
    return all;
}

bool isInstanceId(const std::string &text)
{
    constexpr std::size_t kMostDigits = 18;
    const bool isNumber = text.find_first_not_of("0123456789") == std::string::npos;
    return !text.empty() && text.size() <= kMostDigits && isNumber && text.front() != '0';
}

// "C.123", as its container is labelled, or "instance-123", as in the bill. A number alone could be anything.
std::optional<std::string> instanceIdIn(const std::string &name)
{
    for (const std::string_view prefix : {"C.", "instance-"}) {
        if (!name.starts_with(prefix))
            continue;
        std::string id = name.substr(prefix.size());
        return isInstanceId(id) ? std::optional(std::move(id)) : std::nullopt;
    }
    return std::nullopt;
}

std::string instancePath(const std::string &id)
{
    return "/api/v0/instances/" + http::percentEncoded(id, http::Slashes::Encode) + '/';
}

auth::KeyedCall instanceQuestion(const std::string &id)
{
    return {.path = instancePath(id), .parameters = {{"owner", "me"}}};
}

auth::KeyedCall instanceChange(const std::string &id, bool starts)
{
    return {.method = "PUT",
            .path = instancePath(id),
            .body = starts ? R"({"state":"running"})" : R"({"state":"stopped"})"};
}

auth::KeyedCall instanceList()
{
    return {.path = "/api/v1/instances/",
            .parameters = {{"select_filters", "{}"}, {"select_cols", R"(["id"])"}, {"limit", "1"}}};
}

// {"success":true}, or {"success":false,"msg":"…"}.
ports::WriteOutcome instanceMeaning(const http::Response &response)
{
    using Kind = ports::WriteOutcome::Kind;
    ports::WriteOutcome out;
    const auto json = format::parseJson(response.body);
    if (json && format::memberOf(*json, "success") == true) {
        out.kind = Kind::Done;
        return out;
    }
    const bool isRefused = json && format::memberOf(*json, "success") == false;
    out.kind = isRefused ? Kind::Refused : Kind::Unknown;
    const std::string words =
        json ? base::printableLine(base::log::redacted(format::textOf(*json, "msg")), 300) : std::string();
    out.text = (isRefused ? "Vast.ai did nothing" : "Vast.ai's answer does not say what was done")
        + (words.empty() ? std::string() : ": " + words);
    return out;
}

} // namespace

Result<auth::KeyedMachine> instanceIn(const std::string &body, const std::string &id, base::UtcTime now)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree || !tree->is_object() || !tree->contains("instances"))
        return base::fail(ErrorCode::Parse, "Vast.ai's description of an instance can't be read");
    const Json &instance = tree->at("instances");
    if (instance.is_null())
        return base::fail(ErrorCode::NotFound, "the instance was destroyed");
    const Facts facts = factsOf(instance);
    if (facts.id != id)
        return base::fail(ErrorCode::Parse, "Vast.ai described another instance than was asked for");
    auth::KeyedMachine out;
    model::TargetState &state = out.state;
    state.ref.cluster = "Vast.ai";
    state.ref.kind = "VastaiInstance";
    state.ref.name = id;
    state.ref.uid = "vastai/" + id;
    state.version =
        auth::versionOf({id, facts.label, facts.model, facts.gpus ? std::to_string(*facts.gpus) : "", facts.machine,
                         facts.started, valueOf(facts), facts.isBid ? (*facts.isBid ? "bid" : "on demand") : ""});
    state.created = facts.startedAt.value_or(base::UtcTime{});
    state.readAt = now;
    state.verb = model::StopVerb::StopInstance;
    state.field = "state";
    state.value = valueOf(facts);
    state.stoppedValue = auth::stateValue("stopped");
    state.isStopped = facts.isStopped;
    state.annotations = {{"label", facts.label}, {"gpu", facts.model}, {"geolocation", facts.place}};
    state.isReversible = facts.isBid == false && facts.endsAt && *facts.endsAt > now;
    state.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::Capacity};
    state.cautions = cautionsOf(facts, now);
    state.obstacle = obstacleOf(facts);
    if (facts.endsAt && *facts.endsAt <= now)
        out.notStartable = "its rental is over";
    return out;
}

const auth::KeyedService &instanceService()
{
    static constexpr auth::KeyedService kService{.product = "Vast.ai",
                                                 .what = "instance",
                                                 .right = "the permission instance_write",
                                                 .isId = isInstanceId,
                                                 .idIn = instanceIdIn,
                                                 .description = instanceQuestion,
                                                 .machineIn = instanceIn,
                                                 .change = instanceChange,
                                                 .meaning = instanceMeaning,
                                                 .list = instanceList,
                                                 .refusal = refusalOf};
    return kService;
}

Result<std::unique_ptr<ports::ActionTarget>> makeVastaiTarget(const model::SourceSettings &settings,
                                                              ports::SecretStore &secrets, const base::Clock &clock,
                                                              std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    auth::KeyedTuning tuning = auth::actionTuning();
    tuning.pace = standardTuning().pace;
    return std::make_unique<auth::KeyedTarget>(instanceService(), settings, *keyed, secrets, clock, std::move(client),
                                               std::move(tuning));
}

} // namespace gpuledger::vastai

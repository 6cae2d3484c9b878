// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/podtarget.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/runpod/runpodapi.h"

#include <algorithm>

namespace gpuledger::runpod {

using base::ErrorCode;
using base::Result;
using model::Caution;
using model::Loss;
using model::Obstacle;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestWord = 200; // bytes
constexpr std::int64_t kMostPodGpus = 1'024;

std::string wordOf(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestWord);
}

struct Facts {
    std::string id, name, status, model, cloud, place, created, started;
    std::optional<std::int64_t> gpus; // that it has now
    std::optional<bool> isLocked;
    bool isUnclear = false; // two numbers of GPUs
    bool isMember = false; // of a cluster
    bool mayStop = false, mayStart = false; // RunPod offers it
    std::string volume; // size of its volume disk in GB; empty: unknown or none
    bool hasMounts = false, hasVolume = false, hasNetworkVolume = false;
};

// The GPUs that it rents and, while it runs, those that it really has.
void readGpus(const Json &pod, Facts &facts)
{
    const Json &gpu = format::memberOf(pod, "gpu");
    facts.model = wordOf(gpu, "id");
    const auto rented = base::parseInt(format::textOf(gpu, "count"));
    if (!rented || *rented < 0 || *rented > kMostPodGpus)
        return;
    if (facts.status != "RUNNING") {
        facts.gpus = *rented;
        return;
    }
    const Json &seen = format::memberOf(format::memberOf(pod, "runtime"), "gpus");
    if (!seen.is_array())
        return; // a pod that was started may have fewer than it rents
    const auto has = static_cast<std::int64_t>(seen.size());
    facts.isUnclear = has != *rented;
    facts.gpus = std::min(has, *rented);
}

Facts factsOf(const Json &pod)
{
    Facts facts;
    facts.id = wordOf(pod, "id");
    facts.name = wordOf(pod, "name");
    facts.status = wordOf(pod, "status");
    facts.cloud = wordOf(pod, "cloud");
    facts.place = wordOf(pod, "dataCenterId");
    facts.created = wordOf(pod, "createdAt");
    facts.started = wordOf(pod, "startedAt");
    readGpus(pod, facts);
    if (const Json &locked = format::memberOf(pod, "locked"); locked.is_boolean())
        facts.isLocked = locked.get<bool>();
    facts.isMember = !format::memberOf(pod, "cluster").is_null();
    for (const Json &action : format::memberOf(pod, "actions")) {
        facts.mayStop |= action == "stop";
        facts.mayStart |= action == "start";
    }
    const Json &mounts = format::memberOf(pod, "mounts");
    facts.hasMounts = mounts.is_object();
    const Json &volume = format::memberOf(mounts, "persistent");
    facts.hasVolume = !volume.is_null();
    facts.hasNetworkVolume = !format::memberOf(mounts, "network").empty();
    const auto size = base::parseInt(format::textOf(volume, "size"));
    facts.volume = size && *size > 0 ? std::to_string(*size) + " GB" : "its size is unknown";
    return facts;
}

std::string valueOf(const Facts &facts)
{
    if (facts.status == "RUNNING" && facts.gpus)
        return auth::runningValue(*facts.gpus, facts.model.empty() ? "unknown GPU" : facts.model);
    if (facts.status == "EXITED")
        return auth::stateValue("stopped");
    return auth::stateValue("status " + facts.status + (facts.status == "RUNNING" ? ", unknown GPUs" : ""));
}

std::optional<Obstacle> obstacleOf(const Facts &facts)
{
    if (facts.status == "EXITED")
        return Obstacle{Obstacle::Kind::AlreadyStopped, "it is stopped"};
    if (facts.isMember)
        return Obstacle{Obstacle::Kind::ManagedElsewhere, "it is a member of a cluster of RunPod: stop it there"};
    if (facts.status != "RUNNING")
        return Obstacle{Obstacle::Kind::Other, "it is not running: its status is " + facts.status};
    if (!facts.isLocked)
        return Obstacle{Obstacle::Kind::Other, "RunPod does not say whether it is locked"};
    if (*facts.isLocked)
        return Obstacle{Obstacle::Kind::StopProtection, "it is locked at RunPod"};
    if (!facts.gpus || facts.model.empty())
        return Obstacle{Obstacle::Kind::Other, "RunPod does not say which GPUs it has"};
    if (facts.isUnclear)
        return Obstacle{Obstacle::Kind::Other, "RunPod tells two different numbers of its GPUs"};
    if (!facts.mayStop)
        return Obstacle{Obstacle::Kind::NeverStopped, "RunPod does not offer to stop it: it could only be terminated"};
    return std::nullopt;
}

std::vector<Caution> cautionsOf(const Facts &facts)
{
    std::vector<Caution> all;
    all.push_back({Caution::Kind::Unguarded,
                   "RunPod has no precondition: the pod is compared right before it is stopped, and read back"});
    all.push_back({Caution::Kind::Other, "its container disk is wiped: all that is not on a volume is lost"});
    if (facts.hasVolume)
        all.push_back({Caution::Kind::StaysBilled,
                       "its volume disk (" + facts.volume
                           + ") is kept and stays billed, at twice the price of a running pod's; without credit RunPod "
                             "terminates the pod"});
    else if (facts.hasNetworkVolume)
        all.push_back({Caution::Kind::StaysBilled, "its network volume is kept and stays billed"});
    else
        all.push_back({Caution::Kind::Other,
                       facts.hasMounts ? "it has no volume disk: none of its files are kept"
                                       : "whether it has a volume disk could not be read"});
    all.push_back({Caution::Kind::Other,
                   "its GPUs are free for others: it may start again with fewer, with none or not "
                   "at all, and RunPod does not say whether it is a spot pod"});
    return all;
}

bool isPodId(const std::string &text)
{
    constexpr std::size_t kLongestPodId = 64;
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !text.empty() && text.size() <= kLongestPodId && std::all_of(text.begin(), text.end(), isPart);
}

std::optional<std::string> podIdIn(const std::string &name)
{
    return isPodId(name) ? std::optional(name) : std::nullopt;
}

auth::KeyedCall podQuestion(const std::string &id)
{
    return {.path = "/v2/pods/" + http::percentEncoded(id, http::Slashes::Encode)};
}

auth::KeyedCall podChange(const std::string &id, bool starts)
{
    auth::KeyedCall call = podQuestion(id);
    call.method = "POST";
    call.path += "/action";
    call.body = starts ? R"({"action":"start"})" : R"({"action":"stop"})";
    return call;
}

auth::KeyedCall podList()
{
    return {.path = "/v2/pods"};
}

// It holds the pod, which is read again in any case.
ports::WriteOutcome podMeaning(const http::Response &)
{
    ports::WriteOutcome out;
    out.kind = ports::WriteOutcome::Kind::Done;
    return out;
}

} // namespace

Result<auth::KeyedMachine> podIn(const std::string &body, const std::string &id, base::UtcTime now)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return base::fail(ErrorCode::Parse, "RunPod's description of a pod can't be read");
    const Facts facts = factsOf(*tree);
    const auto created = base::parseTime(facts.created);
    if (facts.id != id || facts.status.empty() || !created)
        return base::fail(ErrorCode::Parse, "RunPod described a pod without its id, status or time of creation");
    if (facts.status == "TERMINATED")
        return base::fail(ErrorCode::NotFound, "the pod was terminated");
    auth::KeyedMachine out;
    model::TargetState &state = out.state;
    state.ref.cluster = "RunPod";
    state.ref.kind = "RunpodPod";
    state.ref.name = id;
    state.ref.uid = "runpod/" + id + '@' + facts.created;
    state.version = auth::versionOf({id, facts.name, facts.status, facts.model, facts.cloud, facts.place, facts.created,
                                     facts.started, valueOf(facts), facts.isMember ? "member" : ""});
    state.created = *created;
    state.readAt = now;
    state.verb = model::StopVerb::StopInstance;
    state.field = "status";
    state.value = valueOf(facts);
    state.stoppedValue = auth::stateValue("stopped");
    state.isStopped = facts.status == "EXITED";
    state.isChanging = facts.status == "PROVISIONING" || facts.status == "STARTING";
    state.annotations = {{"name", facts.name}, {"gpu", facts.model}, {"data-center", facts.place}};
    state.isReversible = false; // its container disk is lost, and nothing tells spot pods
    state.losses = {Loss::ProcessMemory, Loss::ProgressSinceCheckpoint, Loss::LocalDisk, Loss::Capacity};
    state.cautions = cautionsOf(facts);
    state.obstacle = obstacleOf(facts);
    if (facts.isMember)
        out.notStartable = "it is a member of a cluster of RunPod: start it there";
    else if (!facts.mayStart)
        out.notStartable = "RunPod does not offer to start it";
    if (const auto started = base::parseTime(facts.started))
        out.started = *started;
    return out;
}

const auth::KeyedService &podService()
{
    static constexpr auth::KeyedService kService{.product = "RunPod",
                                                 .what = "pod",
                                                 .right = "the permission to write pods",
                                                 .isId = isPodId,
                                                 .idIn = podIdIn,
                                                 .description = podQuestion,
                                                 .machineIn = podIn,
                                                 .change = podChange,
                                                 .meaning = podMeaning,
                                                 .list = podList,
                                                 .refusal = refusalOf};
    return kService;
}

Result<std::unique_ptr<ports::ActionTarget>> makeRunpodTarget(const model::SourceSettings &settings,
                                                              ports::SecretStore &secrets, const base::Clock &clock,
                                                              std::shared_ptr<http::HttpClient> client)
{
    const auto keyed = settingsOf(settings);
    GPULEDGER_TRY(keyed);
    return std::make_unique<auth::KeyedTarget>(podService(), settings, *keyed, secrets, clock, std::move(client));
}

} // namespace gpuledger::runpod

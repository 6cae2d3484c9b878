// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/learning/computeview.h"

#include "app/base/remedy.h"
#include "connectors/auth/keyedtarget.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;
using model::Caution;
using model::Obstacle;

namespace {

constexpr const char *kStoppedInstance = "stopped";
// In lower case. A start script runs on the machine before it is told to be running.
constexpr std::array<std::string_view, 5> kInstanceChanges{"starting", "stopping", "restarting", "settingup",
                                                           "usersettingup"};
constexpr std::array<std::string_view, 3> kOngoing{"creating", "updating", "deleting"};

// In lower case. An instance runs, whether or not a job runs on it.
std::string wordOf(const LearningCompute &compute)
{
    const std::string state = lowerCase(compute.state);
    return state == "jobrunning" ? "running" : state;
}

std::optional<Obstacle> instanceObstacle(const ComputeView &view)
{
    const std::string state = lowerCase(view.compute.state);
    if (state == "running")
        return std::nullopt;
    if (state == "jobrunning")
        return Obstacle{Obstacle::Kind::Other, "a job runs on it"};
    if (state == kStoppedInstance || state == "stopping")
        return Obstacle{Obstacle::Kind::AlreadyStopped, "it is " + state};
    return Obstacle{Obstacle::Kind::Other,
                    state.empty() ? "its state is unknown" : "its state is " + shownWord(view.compute.state)};
}

std::optional<Obstacle> provisioningObstacle(const ComputeView &view)
{
    const std::string state = lowerCase(view.provisioning);
    if (state == "succeeded")
        return std::nullopt;
    if (state.empty())
        return Obstacle{Obstacle::Kind::Other, "whether an operation on it goes on is unknown"};
    const bool goesOn = std::find(kOngoing.begin(), kOngoing.end(), state) != kOngoing.end();
    return Obstacle{Obstacle::Kind::Other,
                    (goesOn ? "an operation on it goes on: " : "the last operation on it did not succeed: ")
                        + shownWord(view.provisioning)};
}

std::optional<Obstacle> computeObstacle(const ComputeView &view, const Locks &locks)
{
    if (view.compute.kind == LearningCompute::Kind::Cluster)
        return Obstacle{Obstacle::Kind::ManagedElsewhere, kStoppedByCluster};
    if (auto obstacle = instanceObstacle(view))
        return obstacle;
    if (auto obstacle = provisioningObstacle(view))
        return obstacle;
    return lockObstacle(locks);
}

std::vector<Caution> computeCautions(const ComputeView &view, const Locks &locks)
{
    std::vector<Caution> own{
        {Caution::Kind::StaysBilled, "its disk, its load balancer and any public IP address stay billed"}};
    for (const std::string &name : view.starts)
        own.push_back({Caution::Kind::FutureRuns, name.empty() ? "one without a name" : shownWord(name)});
    return cautionsWith(std::move(own), locks);
}

// The enabled schedules that start an instance.
std::vector<std::string> startsIn(const Json &details)
{
    std::vector<std::string> names;
    const Json &all = format::memberOf(format::memberOf(details, "schedules"), "computeStartStop");
    for (std::size_t i = 0; all.is_array() && i < all.size(); ++i) {
        if (lowerCase(format::textOf(all[i], "action")) == "start"
            && lowerCase(format::textOf(all[i], "status")) != "disabled")
            names.push_back(format::textOf(all[i], "id"));
    }
    return names;
}

tl::unexpected<base::Error> unreadableCompute(const char *what)
{
    return base::fail(ErrorCode::Parse, std::string("Azure Machine Learning described a compute ") + what,
                      base::Remedy::NextSyncTriesAgain);
}

} // namespace

Result<ComputeView> computeViewIn(const Json &description, const LearningWorkspace &workspace)
{
    if (isAttached(description))
        return base::fail(ErrorCode::NotFound, "the compute of this name is neither an instance nor a cluster");
    auto compute = computeIn(description, workspace);
    ComputeView view;
    view.id = lowerCase(format::textOf(description, "id"));
    if (!compute || !view.id.starts_with('/'))
        return unreadableCompute("without an id, a name, a type or a size");
    if (!compute->created)
        return unreadableCompute("without the time of its creation, which tells it from a later one of its name");
    const Json &properties = format::memberOf(description, "properties");
    const Json &details = format::memberOf(properties, "properties");
    const Json &operation = format::memberOf(details, "lastOperation");
    view.compute = std::move(*compute);
    view.uid = view.id + '@' + base::toRfc3339(*view.compute.created);
    view.provisioning = format::textOf(properties, "provisioningState");
    for (const char *key : {"operationName", "operationTime", "operationStatus"})
        view.lastOperation.push_back(format::textOf(operation, key));
    view.starts = startsIn(details);
    return view;
}

std::string versionOf(const ComputeView &view)
{
    std::vector<std::string> parts{view.uid, lowerCase(view.compute.size), view.compute.state, view.provisioning};
    parts.insert(parts.end(), view.lastOperation.begin(), view.lastOperation.end());
    for (const auto &[key, value] : view.compute.tags) {
        parts.push_back(key);
        parts.push_back(value);
    }
    return auth::versionOf(parts);
}

model::TargetState stateOf(const ComputeView &view, const Locks &locks)
{
    const LearningCompute &compute = view.compute;
    const std::string state = wordOf(compute);
    model::TargetRef ref;
    ref.cluster = subscriptionOf(view.id);
    ref.kind = compute.kind == LearningCompute::Kind::Instance ? "ComputeInstance" : "AmlCompute";
    ref.nameSpace = lowerCase(compute.workspace.group + '/' + compute.workspace.name);
    ref.name = lowerCase(compute.name);
    ref.uid = view.uid;
    model::TargetState out = stoppableState(std::move(ref), state, kStoppedInstance, compute.tags);
    out.version = versionOf(view);
    out.created = compute.created.value_or(base::UtcTime{});
    out.isChanging = std::find(kInstanceChanges.begin(), kInstanceChanges.end(), state) != kInstanceChanges.end();
    out.annotations = {{"instance-type", compute.size}, {"region", compute.location}};
    out.cautions = computeCautions(view, locks);
    out.obstacle = computeObstacle(view, locks);
    return out;
}

} // namespace gpuledger::azure

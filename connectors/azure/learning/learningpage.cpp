// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/learning/learningpage.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/azure/compute/machinepage.h"
#include "connectors/azure/resourcemanager.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestPart = 360; // bytes: the name of a resource group has at most 90 characters
constexpr std::size_t kLongestSize = 100; // bytes
constexpr std::size_t kLongestCreator = 200; // bytes
constexpr std::string_view kOfWorkspace = "/providers/microsoft.machinelearningservices/workspaces/";
constexpr const char *kCreatorTag = "created_by";
constexpr std::string_view kInstanceType = "ComputeInstance", kClusterType = "AmlCompute";
constexpr std::string_view kUnreadableWorkspace = "workspace that can't be read",
                           kUnreadableCompute = "compute of Machine Learning that can't be read",
                           kUnreadableNode = "node of Machine Learning that can't be read";

// In lower case. The setup of an instance runs on its machine; a creation has none yet.
constexpr std::array<std::string_view, 7> kInstanceOn{"running",   "restarting",    "jobrunning", "starting",
                                                      "settingup", "usersettingup", "resizing"};
constexpr std::array<std::string_view, 6> kInstanceOff{"creating", "createfailed", "stopped",
                                                       "stopping", "deleting",     "deleted"};
constexpr std::array<std::string_view, 5> kNodeOn{"idle", "running", "preparing", "unusable", "leaving"};
constexpr std::array<std::string_view, 3> kBeginsOfRun{"start", "restart", "create"};

template <std::size_t N> bool isStateOf(const std::array<std::string_view, N> &states, std::string_view state)
{
    return std::find(states.begin(), states.end(), state) != states.end();
}

// The elements of a list that has to be there.
Result<const Json *> listIn(const Json &page, const char *member)
{
    const Json &values = format::memberOf(page, member);
    if (!values.is_array())
        return base::fail(ErrorCode::Parse,
                          std::string("the list of Azure Machine Learning can't be read: it has no ") + member,
                          base::Remedy::NextSyncTriesAgain);
    return &values;
}

// "eastus"; empty: not reported, or not a location.
std::string locationIn(const Json &object, const char *key)
{
    std::string location = lowerCase(format::textOf(object, key));
    return location.size() <= kLongestSize && consistsOf(location, "") ? location : std::string();
}

// Of "/subscriptions/S/resourceGroups/GROUP/providers/Microsoft.MachineLearningServices/workspaces/NAME".
std::optional<LearningWorkspace> workspaceOf(const std::string &id, const std::string &subscription)
{
    const std::string whole = lowerCase(id), begin = lowerCase(subscription) + "/resourcegroups/";
    const std::size_t end = whole.find(kOfWorkspace);
    if (!whole.starts_with(begin) || end == std::string::npos || end < begin.size())
        return std::nullopt;
    LearningWorkspace workspace{id.substr(begin.size(), end - begin.size()), id.substr(end + kOfWorkspace.size()), {}};
    if (!isNamePart(workspace.group) || !isNamePart(workspace.name))
        return std::nullopt;
    return workspace;
}

// The end of the operation that put the machine where it is. It certainly ran from then on.
std::optional<base::UtcTime> runBegin(const Json &properties, const Json &details)
{
    const Json &operation = format::memberOf(details, "lastOperation");
    if (!isStateOf(kBeginsOfRun, lowerCase(format::textOf(operation, "operationName")))
        || lowerCase(format::textOf(operation, "operationStatus")) != "succeeded")
        return std::nullopt;
    const auto done = instantIn(operation, "operationTime"), created = instantIn(properties, "createdOn");
    return done && created ? std::max(*done, *created) : done;
}

std::string typeOf(const Json &compute)
{
    return format::textOf(format::memberOf(compute, "properties"), "computeType");
}

// Its own tags, and who created it unless one of them is called so.
model::Labels computeTags(const Json &compute, const Json &details)
{
    model::Labels tags = tagsIn(compute);
    std::string creator =
        base::printableLine(format::textOf(format::memberOf(details, "createdBy"), "userName"), kLongestCreator);
    if (!creator.empty())
        tags.emplace(kCreatorTag, std::move(creator));
    return tags;
}

// A compute of which the kind and the name are known; std::nullopt: its size is not.
std::optional<LearningCompute> detailsOf(LearningCompute compute, const Json &object)
{
    const Json &properties = format::memberOf(object, "properties");
    const Json &details = format::memberOf(properties, "properties");
    compute.size = format::textOf(details, "vmSize");
    if (compute.size.size() > kLongestSize || compute.size.empty() || !consistsOf(compute.size, "_-"))
        return std::nullopt;
    for (const std::string &location :
         {locationIn(properties, "computeLocation"), locationIn(object, "location"), compute.workspace.location}) {
        if (compute.location.empty())
            compute.location = location;
    }
    compute.tags = computeTags(object, details);
    compute.created = instantIn(properties, "createdOn");
    if (compute.kind == LearningCompute::Kind::Instance) {
        compute.state = format::textOf(details, "state");
        compute.since = runBegin(properties, details);
        return compute;
    }
    const Json &nodes = format::memberOf(details, "currentNodeCount");
    compute.hasNodes = !nodes.is_number_integer() || nodes.get<std::int64_t>() != 0;
    compute.isSpot = lowerCase(format::textOf(details, "vmPriority")) == "lowpriority";
    return compute;
}

} // namespace

bool isNamePart(const std::string &text)
{
    return !text.empty() && text.size() <= kLongestPart && text != "." && text != ".."
        && text.find_first_of("/\\") == std::string::npos && base::printable(text) == text;
}

Result<std::vector<LearningWorkspace>> workspacesIn(const Json &page, const std::string &subscription,
                                                    ports::Inventory &out)
{
    const auto values = listIn(page, "value");
    GPULEDGER_TRY(values);
    std::vector<LearningWorkspace> workspaces;
    for (const Json &one : **values) {
        auto workspace = workspaceOf(format::textOf(one, "id"), subscription);
        if (!workspace) {
            out.leaveOut(kUnreadableWorkspace);
            continue;
        }
        workspace->location = locationIn(one, "location");
        workspaces.push_back(std::move(*workspace));
    }
    return workspaces;
}

bool isAttached(const Json &compute)
{
    const std::string type = typeOf(compute);
    return !type.empty() && type != kInstanceType && type != kClusterType;
}

std::optional<LearningCompute> computeIn(const Json &compute, const LearningWorkspace &workspace)
{
    LearningCompute one;
    const std::string type = typeOf(compute);
    one.kind = type == kInstanceType ? LearningCompute::Kind::Instance : LearningCompute::Kind::Cluster;
    one.workspace = workspace;
    one.name = format::textOf(compute, "name");
    return !type.empty() && isNamePart(one.name) ? detailsOf(std::move(one), compute) : std::nullopt;
}

Result<std::vector<LearningCompute>> computesIn(const Json &page, const LearningWorkspace &workspace,
                                                ports::Inventory &out)
{
    const auto values = listIn(page, "value");
    GPULEDGER_TRY(values);
    std::vector<LearningCompute> computes;
    for (const Json &one : **values) {
        if (isAttached(one))
            continue;
        auto whole = computeIn(one, workspace);
        if (whole)
            computes.push_back(std::move(*whole));
        else
            out.leaveOut(kUnreadableCompute);
    }
    return computes;
}

Result<std::vector<ComputeNode>> nodesIn(const Json &page, ports::Inventory &out)
{
    const auto values = listIn(page, "nodes");
    GPULEDGER_TRY(values);
    std::vector<ComputeNode> nodes;
    for (const Json &one : **values) {
        ComputeNode node{format::textOf(one, "nodeId"), format::textOf(one, "nodeState")};
        if (isNamePart(node.id))
            nodes.push_back(std::move(node));
        else
            out.leaveOut(kUnreadableNode);
    }
    return nodes;
}

ComputeRun instanceRun(std::string_view state)
{
    const std::string lower = lowerCase(std::string(state));
    if (isStateOf(kInstanceOn, lower))
        return ComputeRun::On;
    return isStateOf(kInstanceOff, lower) ? ComputeRun::Off : ComputeRun::Unknown;
}

ComputeRun nodeRun(std::string_view state)
{
    const std::string lower = lowerCase(std::string(state));
    if (isStateOf(kNodeOn, lower))
        return ComputeRun::On;
    return lower == "preempted" ? ComputeRun::Off : ComputeRun::Unknown;
}

} // namespace gpuledger::azure

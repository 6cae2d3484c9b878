// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/learning/learninginstances.h"

#include "app/base/text/text.h"
#include "connectors/auth/changes.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/azure/compute/machinecalls.h"
#include "connectors/azure/learning/computeview.h"
#include "connectors/azure/learning/learningmachines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using model::TargetRef;

namespace {

constexpr const char *kStopInstanceRight = "Microsoft.MachineLearningServices/workspaces/computes/stop/action";
constexpr const char *kStartInstanceRight = "Microsoft.MachineLearningServices/workspaces/computes/start/action";

std::string workspaceName(const LearningWorkspace &workspace)
{
    return lowerCase(workspace.group + '/' + workspace.name);
}

TargetRef instanceRef(const LearningWorkspace &workspace, const std::string &name)
{
    TargetRef ref;
    ref.nameSpace = workspaceName(workspace);
    ref.name = lowerCase(name);
    return ref;
}

} // namespace

LearningInstances::LearningInstances(ComputeApi &api)
    : m_api(api)
{
}

bool LearningInstances::has(const TargetRef &target)
{
    return target.nameSpace.find('/') != std::string::npos;
}

// In lower case, as all ids here.
std::string LearningInstances::idOf(const TargetRef &target) const
{
    const std::size_t slash = target.nameSpace.find('/');
    return lowerCase(m_api.subscription() + "/resourceGroups/" + target.nameSpace.substr(0, slash) + kLearningProvider
                     + target.nameSpace.substr(slash) + "/computes/" + target.name);
}

Result<TargetRef> LearningInstances::named(const std::string &name, const std::stop_token &stop)
{
    return name.find('/') == std::string::npos ? byOwnName(name, stop) : byFullName(name, stop);
}

// The workspace is looked for in the list, because asking for one of another subscription may be forbidden instead of
// not found.
Result<TargetRef> LearningInstances::byFullName(const std::string &name, const std::stop_token &stop)
{
    ports::Inventory unread;
    const auto workspaces = LearningMachines(m_api).workspaces(unread, stop);
    GPULEDGER_TRY(workspaces);
    const std::string wanted = lowerCase(name);
    const auto one = std::find_if(workspaces->begin(), workspaces->end(), [&](const LearningWorkspace &some) {
        return wanted.starts_with(workspaceName(some) + '/');
    });
    if (one == workspaces->end() && !unread.warnings.empty())
        return base::fail(unread.isPartial ? ErrorCode::Server : ErrorCode::Forbidden, unread.warnings.back());
    if (one == workspaces->end())
        return auth::noneOrSeveral(0, name);
    const std::string rest = wanted.substr(workspaceName(*one).size() + 1);
    if (isNamePart(rest))
        return instanceRef(*one, rest);
    if (std::count(rest.begin(), rest.end(), '/') == 1)
        return base::fail(ErrorCode::Refused, kStoppedByCluster);
    return auth::noneOrSeveral(0, name);
}

Result<TargetRef> LearningInstances::byOwnName(const std::string &name, const std::stop_token &stop)
{
    ports::Inventory unread;
    const auto computes = LearningMachines(m_api).computes(unread, stop);
    GPULEDGER_TRY(computes);
    if (unread.isPartial)
        return base::fail(ErrorCode::Server, unread.warnings.back());
    const std::string wanted = lowerCase(name);
    std::map<std::string, TargetRef> found; // by full name: pages shift while they are read
    for (const LearningCompute &one : *computes) {
        if (one.kind != LearningCompute::Kind::Instance || lowerCase(one.name) != wanted)
            continue;
        const TargetRef ref = instanceRef(one.workspace, one.name);
        found.emplace(model::fullNameOf(ref), ref);
    }
    if (found.size() == 1 && !unread.warnings.empty())
        return base::fail(ErrorCode::Refused,
                          "not all workspaces may be read: another machine may have the name "
                              + base::printable(name, 100));
    if (found.size() == 1)
        return found.begin()->second;
    return auth::noneOrSeveral(found.size(), name);
}

Result<model::TargetState> LearningInstances::describe(const TargetRef &target, bool withLocks,
                                                       const std::stop_token &stop)
{
    const std::string id = idOf(target);
    const auto description = m_api.ask({urlOfId(m_api, id) + kLearningVersion, kComputesRight}, stop);
    GPULEDGER_TRY(description);
    const std::size_t slash = target.nameSpace.find('/');
    const auto view =
        computeViewIn(*description, {target.nameSpace.substr(0, slash), target.nameSpace.substr(slash + 1)});
    GPULEDGER_TRY(view);
    if (view->id != id || lowerCase(view->compute.name) != target.name)
        return anotherMachine();
    return stateOf(*view, withLocks ? locksOf(m_api, id, stop) : Locks());
}

Result<ports::Permission> LearningInstances::permission(const TargetRef &target, bool undo, const std::stop_token &stop)
{
    return permissionOn(m_api, idOf(target), target, undo ? kStartInstanceRight : kStopInstanceRight, stop);
}

ports::WriteOutcome LearningInstances::change(const TargetRef &target, bool starts, const std::stop_token &stop)
{
    return sendChange(m_api, urlOfId(m_api, idOf(target)) + (starts ? "/start" : "/stop") + kLearningVersion, stop);
}

} // namespace gpuledger::azure

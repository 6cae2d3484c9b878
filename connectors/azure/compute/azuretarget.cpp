// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/azuretarget.h"

#include "app/base/text/text.h"
#include "connectors/auth/changes.h"
#include "connectors/azure/compute/machinecalls.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <set>

namespace gpuledger::azure {

using base::Result;
using Json = nlohmann::json;
using model::TargetState;

namespace {

constexpr const char *kStopRight = "Microsoft.Compute/virtualMachines/deallocate/action";
constexpr const char *kStartRight = "Microsoft.Compute/virtualMachines/start/action";

model::TargetRef refOf(const std::string &fullName)
{
    model::TargetRef ref;
    const std::size_t slash = fullName.find('/');
    ref.nameSpace = fullName.substr(0, slash);
    ref.name = fullName.substr(slash + 1);
    return ref;
}

} // namespace

Tuning actionTuning()
{
    Tuning tuning;
    tuning.throttled = {.maxTries = 4,
                        .firstDelay = http::Milliseconds{1'000},
                        .maxDelay = http::Milliseconds{20'000},
                        .budget = http::Milliseconds{40'000}};
    return tuning;
}

AzureTarget::AzureTarget(const model::SourceSettings &settings, std::unique_ptr<ComputeApi> api,
                         const base::Clock &clock, std::shared_ptr<http::Pause> pause)
    : MachineTarget(settings, "Azure", clock, std::move(pause))
    , m_api(std::move(api))
    , m_instances(*m_api)
{
}

// In lower case, as all ids here.
std::string AzureTarget::idOf(const model::TargetRef &target) const
{
    return lowerCase(m_api->subscription() + "/resourceGroups/" + target.nameSpace
                     + "/providers/Microsoft.Compute/virtualMachines/" + target.name);
}

Result<void> AzureTarget::askList(const std::stop_token &stop)
{
    const auto page = m_api->ask({m_api->urlOf("virtualMachines"), kMachinesRight}, stop);
    GPULEDGER_TRY(page);
    return {};
}

// The machine that telemetry or the list calls so, by its group and name, its name, or its computer name; a compute
// instance by its group, workspace and name, or by its name alone if no virtual machine has it.
Result<model::TargetRef> AzureTarget::named(const std::string &name, const std::stop_token &stop)
{
    const auto slashes = std::count(name.begin(), name.end(), '/');
    if (slashes > 1)
        return m_instances.named(name, stop);
    const std::string wanted = lowerCase(name);
    std::set<std::string> found;
    GPULEDGER_TRY(m_api->eachPage(
        {m_api->urlOf("virtualMachines"), kMachinesRight},
        [&](const Json &page) -> Result<void> {
            const auto machines = machinesIn(page);
            GPULEDGER_TRY(machines);
            for (const MachineFacts &one : *machines) {
                const std::string full = machineName(one.id), last = full.substr(full.find('/') + 1);
                if (full == wanted || last == wanted || lowerCase(one.computerName) == wanted)
                    found.insert(full);
            }
            return {};
        },
        stop));
    if (found.size() == 1)
        return refOf(*found.begin());
    if (found.empty() && slashes == 0)
        return m_instances.named(name, stop);
    return auth::noneOrSeveral(found.size(), name);
}

Result<TargetState> AzureTarget::describe(const model::TargetRef &target, Detail detail, const std::stop_token &stop)
{
    if (LearningInstances::has(target))
        return m_instances.describe(target, detail == Detail::Whole, stop);
    const std::string id = idOf(target);
    const auto machine = m_api->ask({urlOfId(*m_api, id) + kComputeVersion, kMachinesRight}, stop);
    GPULEDGER_TRY(machine);
    const auto instance = m_api->ask({urlOfId(*m_api, id) + "/instanceView" + kComputeVersion,
                                      "Microsoft.Compute/virtualMachines/instanceView/read"},
                                     stop);
    GPULEDGER_TRY(instance);
    const auto view = viewIn(*machine, *instance);
    GPULEDGER_TRY(view);
    if (lowerCase(view->facts.id) != id)
        return anotherMachine();
    return stateOf(*view, detail == Detail::Whole ? locksOf(*m_api, id, stop) : Locks());
}

Result<ports::Permission> AzureTarget::permission(const TargetState &target, bool undo, std::stop_token stop)
{
    if (LearningInstances::has(target.ref))
        return m_instances.permission(target.ref, undo, stop);
    return permissionOn(*m_api, idOf(target.ref), target.ref, undo ? kStartRight : kStopRight, stop);
}

ports::WriteOutcome AzureTarget::change(const TargetState &target, bool starts, const std::stop_token &stop)
{
    if (LearningInstances::has(target.ref))
        return m_instances.change(target.ref, starts, stop);
    const std::string url = urlOfId(*m_api, idOf(target.ref)) + (starts ? "/start" : "/deallocate") + kComputeVersion;
    return sendChange(*m_api, url, stop);
}

Result<std::unique_ptr<ports::ActionTarget>> makeAzureTarget(const model::SourceSettings &settings,
                                                             ports::SecretStore &secrets, const base::Clock &realClock,
                                                             std::shared_ptr<http::HttpClient> client)
{
    Tuning tuning = actionTuning();
    tuning.realClock = &realClock;
    auto api = makeComputeApi(settings, secrets, std::move(client), tuning);
    GPULEDGER_TRY(api);
    return std::make_unique<AzureTarget>(settings, std::move(*api), realClock, tuning.pause);
}

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/azuretarget.h"

#include "app/base/text/text.h"
#include "connectors/auth/changes.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <set>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;
using model::TargetState;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

namespace {

constexpr const char *kLocksUrl = "/providers/Microsoft.Authorization/locks?api-version=2016-09-01";
constexpr const char *kPermissionsUrl = "/providers/Microsoft.Authorization/permissions?api-version=2022-04-01";
constexpr const char *kStopRight = "Microsoft.Compute/virtualMachines/deallocate/action";
constexpr const char *kStartRight = "Microsoft.Compute/virtualMachines/start/action";

// A lock is a refusal; else something else is being done to it.
Ended endedBy(const http::Response &response, const std::string &words)
{
    const bool isLocked = response.status == 409 && words.find("ScopeLocked") != std::string::npos;
    return isLocked ? Ended::Refused : auth::endedBy(response.status);
}

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
{
}

// In lower case, as all ids here.
std::string AzureTarget::idOf(const model::TargetRef &target) const
{
    return lowerCase(m_api->subscription() + "/resourceGroups/" + target.nameSpace
                     + "/providers/Microsoft.Compute/virtualMachines/" + target.name);
}

std::string AzureTarget::urlOf(const std::string &id) const
{
    return m_api->address() + http::percentEncoded(id, http::Slashes::Keep);
}

Result<void> AzureTarget::askList(const std::stop_token &stop)
{
    const auto page = m_api->ask({m_api->urlOf("virtualMachines"), kMachinesRight}, stop);
    GPULEDGER_TRY(page);
    return {};
}

// The machine that telemetry or the list calls so, by its group and name, its name, or its computer name.
Result<model::TargetRef> AzureTarget::named(const std::string &name, const std::stop_token &stop)
{
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
    return auth::noneOrSeveral(found.size(), name);
}

Result<TargetState> AzureTarget::describe(const model::TargetRef &target, Detail detail, const std::stop_token &stop)
{
    const std::string id = idOf(target);
    const auto machine = m_api->ask({urlOf(id) + kComputeVersion, kMachinesRight}, stop);
    GPULEDGER_TRY(machine);
    const auto instance = m_api->ask(
        {urlOf(id) + "/instanceView" + kComputeVersion, "Microsoft.Compute/virtualMachines/instanceView/read"}, stop);
    GPULEDGER_TRY(instance);
    const auto view = viewIn(*machine, *instance);
    GPULEDGER_TRY(view);
    if (lowerCase(view->facts.id) != id)
        return base::fail(ErrorCode::Parse,
                          "the Resource Manager described another machine than the one that was asked");
    return stateOf(*view, detail == Detail::Whole ? locksOf(id, stop) : Locks());
}

Locks AzureTarget::locksOf(const std::string &id, const std::stop_token &stop)
{
    std::vector<std::string> all;
    const auto read = m_api->eachPage(
        {urlOf(id) + kLocksUrl, "Microsoft.Authorization/locks/read"},
        [&](const Json &page) -> Result<void> {
            const auto some = readOnlyLocksIn(page);
            GPULEDGER_TRY(some);
            all.insert(all.end(), some->begin(), some->end());
            return {};
        },
        stop);
    return read ? Locks(std::move(all)) : std::nullopt;
}

Result<ports::Permission> AzureTarget::permission(const TargetState &target, bool undo, std::stop_token stop)
{
    const std::string right = undo ? kStartRight : kStopRight;
    ports::Permission out;
    GPULEDGER_TRY(m_api->eachPage(
        {urlOf(idOf(target.ref)) + kPermissionsUrl, "Microsoft.Authorization/permissions/read"},
        [&](const Json &page) -> Result<void> {
            out.isAllowed = out.isAllowed || allows(page, right);
            return {};
        },
        stop));
    if (!out.isAllowed)
        out.missing = right + " on " + target.ref.nameSpace + '/' + target.ref.name;
    return out;
}

WriteOutcome AzureTarget::change(const TargetState &target, bool starts, const std::stop_token &stop)
{
    const auto response =
        m_api->change(urlOf(idOf(target.ref)) + (starts ? "/start" : "/deallocate") + kComputeVersion, stop);
    if (!response)
        return auth::unanswered(response.error());
    WriteOutcome out;
    out.retryAfter = response->retryAfter;
    if (response->status == 200 || response->status == 202 || response->status == 204) {
        out.kind = Ended::Done;
        return out;
    }
    const auto error = managerErrorOf(*response, m_api->address());
    out.text = error ? error->text : "Azure gave no answer";
    out.kind = endedBy(*response, out.text);
    return out;
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

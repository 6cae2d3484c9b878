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

constexpr int kMostLooks = 3; // at a machine before a change, if answers are slow
constexpr http::Milliseconds kFreshLook{2'000}; // for so long it may be acted on
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

std::string difference(const TargetState &target, const MachineView &now)
{
    const TargetState state = stateOf(now, {});
    return state.value == target.value ? "the machine was changed since it was checked"
                                       : "the machine is " + base::printable(now.status.power, 60) + " now";
}

tl::unexpected<base::Error> noneOf(const std::string &name)
{
    return base::fail(ErrorCode::NotFound, "no virtual machine has the name " + base::printable(name, 100));
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
    : m_source(settings.name)
    , m_cluster(settings.cluster)
    , m_mayStop(settings.mayStop)
    , m_api(std::move(api))
    , m_clock(clock)
    , m_pause(std::move(pause))
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

model::HolderKey AzureTarget::holderOf(const TargetState &state) const
{
    model::HolderKey holder;
    holder.cluster = m_cluster;
    holder.name = holder.instanceId = state.ref.nameSpace + '/' + state.ref.name;
    holder.kind = model::SubjectKind::Machine;
    return holder;
}

// The machine that telemetry or the list calls so, by its group and name, its name, or its computer name.
Result<std::string> AzureTarget::named(const std::string &name, const std::stop_token &stop)
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
                    found.insert(lowerCase(one.id));
            }
            return {};
        },
        stop));
    if (found.empty())
        return noneOf(name);
    if (found.size() > 1)
        return base::fail(ErrorCode::Refused,
                          "several machines have the name " + base::printable(name, 100)
                              + "; it is not clear which one is meant");
    return *found.begin();
}

Result<MachineView> AzureTarget::look(const std::string &id, const std::stop_token &stop)
{
    const auto machine = m_api->ask({urlOf(id) + kComputeVersion, kMachinesRight}, stop);
    GPULEDGER_TRY(machine);
    const auto view = m_api->ask(
        {urlOf(id) + "/instanceView" + kComputeVersion, "Microsoft.Compute/virtualMachines/instanceView/read"}, stop);
    GPULEDGER_TRY(view);
    auto out = viewIn(*machine, *view);
    GPULEDGER_TRY(out);
    if (lowerCase(out->facts.id) != id)
        return base::fail(ErrorCode::Parse,
                          "the Resource Manager described another machine than the one that was asked");
    return out;
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

Result<TargetState> AzureTarget::complete(const std::string &id, const std::stop_token &stop)
{
    const auto view = look(id, stop);
    if (!view)
        return base::fail(base::Error(view.error()).withSource(m_source));
    const Locks locks = locksOf(id, stop);
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "cancelled");
    TargetState state = stateOf(*view, locks);
    state.ref.source = m_source;
    state.readAt = m_clock.now();
    return state;
}

Result<ports::ProbeReport> AzureTarget::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto page = m_api->ask({m_api->urlOf("virtualMachines"), kMachinesRight}, stop);
    if (!page && page.error().code != ErrorCode::Forbidden)
        return base::fail(page.error());
    ports::ProbeReport report;
    report.product = "Azure";
    report.usable = page.has_value();
    report.findings.push_back({Level::Good, ports::FindingText::PlatformAnswers, {report.product}, {}, {}});
    if (!page)
        report.findings.push_back(
            {Level::Missing, ports::FindingText::RightMissing, {kMachinesRight}, ports::FindingRemedy::GiveRight, {}});
    report.findings.push_back({Level::Good, ports::FindingText::RightsPerMachine, {}, {}, {}});
    if (!m_mayStop)
        report.findings.push_back(
            {Level::Missing, ports::FindingText::ReadsOnly, {}, ports::FindingRemedy::AllowStop, {}});
    return report;
}

Result<TargetState> AzureTarget::find(const model::HolderKey &holder, std::stop_token stop)
{
    const std::string &name = holder.instanceId.empty() ? holder.node : holder.instanceId;
    if (name.empty())
        return noneOf(holder.name);
    const auto id = named(name, stop);
    if (!id)
        return base::fail(base::Error(id.error()).withSource(m_source));
    auto state = complete(*id, stop);
    GPULEDGER_TRY(state);
    if (!state->isStopped) {
        state->holders = {holder};
        state->holders.front().instanceId = holderOf(*state).instanceId;
    }
    if (!state->obstacle && holder.kind != model::SubjectKind::Machine)
        state->obstacle = auth::heldElsewhere(holder.kind);
    return state;
}

Result<TargetState> AzureTarget::read(const model::TargetRef &target, std::stop_token stop)
{
    auto state = complete(idOf(target), stop);
    GPULEDGER_TRY(state);
    if (state->ref.uid != target.uid)
        return base::fail(ErrorCode::NotFound,
                          "another machine has this name now: " + base::printable(target.name, 100));
    if (!state->isStopped)
        state->holders = {holderOf(*state)};
    return state;
}

Result<TargetState> AzureTarget::standing(const model::TargetRef &target, std::stop_token stop)
{
    const auto view = look(idOf(target), stop);
    GPULEDGER_TRY(view);
    if (view->uid != target.uid)
        return base::fail(ErrorCode::NotFound,
                          "another machine has this name now: " + base::printable(target.name, 100));
    TargetState state = stateOf(*view, {});
    state.ref.source = m_source;
    state.readAt = m_clock.now();
    if (!state.isStopped)
        state.holders = {holderOf(state)};
    return state;
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

Result<ports::Rehearsal> AzureTarget::rehearse(const TargetState &target, const model::StopMark &, std::stop_token stop)
{
    const auto now = look(idOf(target.ref), stop);
    GPULEDGER_TRY(now);
    ports::Rehearsal out;
    out.kind = ports::Rehearsal::Kind::Refused;
    if (target.obstacle) {
        out.text = target.obstacle->text;
    } else if (now->uid != target.ref.uid || versionOf(*now) != target.version) {
        out.text = difference(target, *now);
    } else {
        out.kind = ports::Rehearsal::Kind::Impossible;
        out.text = "Azure has no dry run; only the stop itself shows whether it is accepted";
    }
    return out;
}

tl::expected<MachineView, WriteOutcome> AzureTarget::unchanged(const TargetState &target, const std::stop_token &stop)
{
    for (int tried = 0; tried < kMostLooks; ++tried) {
        const http::Milliseconds begin = m_pause->steadyNow();
        auto now = look(idOf(target.ref), stop);
        if (!now)
            return tl::unexpected(auth::notSent(now.error()));
        if (now->uid != target.ref.uid)
            return tl::unexpected(auth::notSent(Ended::Changed, "another machine has this name now"));
        if (versionOf(*now) != target.version)
            return tl::unexpected(auth::notSent(Ended::Changed, difference(target, *now)));
        if (stop.stop_requested())
            return tl::unexpected(auth::notSent(Ended::TryLater, "cancelled before anything was sent"));
        if (m_pause->steadyNow() - begin <= kFreshLook)
            return std::move(*now);
    }
    return tl::unexpected(
        auth::notSent(Ended::TryLater, "Azure responds too slowly to be sure of what would be stopped or started"));
}

WriteOutcome AzureTarget::send(const TargetState &target, const char *change, const std::stop_token &stop)
{
    WriteOutcome out;
    const auto response = m_api->change(urlOf(idOf(target.ref)) + '/' + change + kComputeVersion, stop);
    if (!response) {
        // Without a trusted connection nothing is sent; anything else may have happened after it was sent.
        out.kind = response.error().code == ErrorCode::Tls ? Ended::Refused : Ended::Unknown;
        out.text = response.error().text;
        return out;
    }
    out.retryAfter = response->retryAfter;
    const bool isDone = response->status == 200 || response->status == 202 || response->status == 204;
    if (!isDone) {
        const auto error = managerErrorOf(*response, m_api->address());
        out.text = error ? error->text : "Azure gave no answer";
        out.kind = endedBy(*response, out.text);
        return out;
    }
    out.kind = Ended::Done;
    const auto now = look(idOf(target.ref), stop);
    if (now)
        out.version = versionOf(*now);
    else
        out.warnings.push_back("the machine could not be read back: " + now.error().text);
    return out;
}

WriteOutcome AzureTarget::stop(const TargetState &target, const model::StopMark &, std::stop_token stop)
{
    if (target.obstacle)
        return auth::notSent(Ended::Refused, target.obstacle->text);
    const auto before = unchanged(target, stop);
    return before ? send(target, "deallocate", stop) : before.error();
}

WriteOutcome AzureTarget::undo(const TargetState &target, const model::StopMark &mark, const std::string &,
                               std::stop_token stop)
{
    if (mark.oldValue != "\"running\"")
        return auth::notSent(Ended::Refused, "the machine was not running before: there is nothing to set back");
    const auto before = unchanged(target, stop);
    if (!before)
        return before.error();
    if (!isDeallocated(*before))
        return auth::notSent(Ended::Changed, difference(target, *before));
    return send(target, "start", stop);
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

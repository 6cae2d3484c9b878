// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/machinetarget.h"

#include "app/base/text/text.h"
#include "connectors/auth/changes.h"

namespace gpuledger::auth {

using base::ErrorCode;
using base::Result;
using model::TargetState;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

namespace {

constexpr int kMostTries = 3; // to look at a machine before a change, if answers are slow
constexpr http::Milliseconds kFreshLook{2'000}; // for so long it may be acted on

model::HolderKey machineHolder(const std::string &cluster, const model::TargetRef &ref)
{
    model::HolderKey holder;
    holder.cluster = cluster;
    holder.name = holder.instanceId = model::fullNameOf(ref);
    holder.kind = model::SubjectKind::Machine;
    return holder;
}

std::string difference(const TargetState &target, const TargetState &now)
{
    return now.value == target.value ? "the machine was changed since it was checked"
                                     : "the machine is " + now.value + " now";
}

} // namespace

MachineTarget::MachineTarget(const model::SourceSettings &settings, std::string product, const base::Clock &clock,
                             std::shared_ptr<http::Pause> pause)
    : m_source(settings.name)
    , m_cluster(settings.cluster)
    , m_product(std::move(product))
    , m_mayStop(settings.mayStop)
    , m_clock(clock)
    , m_pause(std::move(pause))
{
}

Result<ports::ProbeReport> MachineTarget::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using Text = ports::FindingText;
    const auto list = askList(stop);
    if (!list && list.error().code != ErrorCode::Forbidden)
        return base::fail(list.error());
    ports::ProbeReport report;
    report.product = m_product;
    report.usable = list.has_value();
    report.findings.push_back({Level::Good, Text::PlatformAnswers, {m_product}, {}, {}});
    if (!list)
        report.findings.push_back(
            {Level::Missing, Text::RightMissing, {listRight()}, ports::FindingRemedy::GiveRight, {}});
    report.findings.push_back({Level::Good, Text::RightsPerMachine, {}, {}, {}});
    if (!m_mayStop)
        report.findings.push_back({Level::Missing, Text::ReadsOnly, {}, ports::FindingRemedy::AllowStop, {}});
    return report;
}

Result<TargetState> MachineTarget::look(const model::TargetRef &target, Detail detail, const std::stop_token &stop)
{
    auto state = describe(target, detail, stop);
    if (!state)
        return base::fail(std::move(state).error().withSource(m_source));
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "cancelled");
    state->ref.source = m_source;
    state->readAt = m_clock.now();
    return state;
}

Result<TargetState> MachineTarget::lookAtSame(const model::TargetRef &target, Detail detail,
                                              const std::stop_token &stop)
{
    auto state = look(target, detail, stop);
    GPULEDGER_TRY(state);
    if (state->ref.uid != target.uid)
        return base::fail(ErrorCode::NotFound,
                          "another machine has this name now: " + base::printable(target.name, 100));
    if (!state->isStopped)
        state->holders = {machineHolder(m_cluster, state->ref)};
    return state;
}

Result<TargetState> MachineTarget::find(const model::HolderKey &holder, std::stop_token stop)
{
    const std::string &name = holder.instanceId.empty() ? holder.node : holder.instanceId;
    if (name.empty())
        return base::fail(ErrorCode::NotFound, "no machine has the name " + base::printable(holder.name, 100));
    const auto ref = named(name, stop);
    if (!ref)
        return base::fail(base::Error(ref.error()).withSource(m_source));
    auto state = look(*ref, Detail::Whole, stop);
    GPULEDGER_TRY(state);
    if (!state->isStopped) {
        state->holders = {holder};
        state->holders.front().instanceId = model::fullNameOf(state->ref);
    }
    if (!state->obstacle && holder.kind != model::SubjectKind::Machine)
        state->obstacle = heldElsewhere(holder.kind);
    return state;
}

Result<TargetState> MachineTarget::read(const model::TargetRef &target, std::stop_token stop)
{
    return lookAtSame(target, Detail::Whole, stop);
}

Result<TargetState> MachineTarget::standing(const model::TargetRef &target, std::stop_token stop)
{
    return lookAtSame(target, Detail::Standing, stop);
}

Result<ports::Rehearsal> MachineTarget::rehearse(const TargetState &target, const model::StopMark &,
                                                 std::stop_token stop)
{
    const auto now = look(target.ref, Detail::Standing, stop);
    GPULEDGER_TRY(now);
    ports::Rehearsal out;
    out.kind = ports::Rehearsal::Kind::Refused;
    if (target.obstacle) {
        out.text = target.obstacle->text;
    } else if (now->ref.uid != target.ref.uid || now->version != target.version) {
        out.text = difference(target, *now);
    } else {
        out.kind = ports::Rehearsal::Kind::Impossible;
        out.text = m_product + " has no dry run; only the stop itself shows whether it is accepted";
    }
    return out;
}

std::optional<WriteOutcome> MachineTarget::hindrance(const TargetState &target, const std::stop_token &stop)
{
    for (int tried = 0; tried < kMostTries; ++tried) {
        const http::Milliseconds begin = m_pause->steadyNow();
        const auto now = look(target.ref, Detail::Standing, stop);
        if (!now && now.error().code == ErrorCode::Cancelled)
            return notSent(Ended::TryLater, "cancelled before anything was sent");
        if (!now)
            return notSent(now.error());
        if (now->ref.uid != target.ref.uid)
            return notSent(Ended::Changed, "another machine has this name now");
        if (now->version != target.version)
            return notSent(Ended::Changed, difference(target, *now));
        if (m_pause->steadyNow() - begin <= kFreshLook)
            return std::nullopt;
    }
    return notSent(Ended::TryLater, m_product + " responds too slowly to be sure of what would be stopped or started");
}

WriteOutcome MachineTarget::send(const TargetState &target, bool starts, const std::stop_token &stop)
{
    WriteOutcome out = change(target, starts, stop);
    if (out.kind != Ended::Done)
        return out;
    const auto now = look(target.ref, Detail::Standing, stop);
    if (now)
        out.version = now->version;
    else
        out.warnings.push_back("the machine could not be read back: " + now.error().text);
    return out;
}

WriteOutcome MachineTarget::stop(const TargetState &target, const model::StopMark &, std::stop_token stop)
{
    if (target.obstacle)
        return notSent(Ended::Refused, target.obstacle->text);
    auto hindered = hindrance(target, stop);
    return hindered ? std::move(*hindered) : send(target, false, stop);
}

WriteOutcome MachineTarget::undo(const TargetState &target, const model::StopMark &mark, const std::string &,
                                 std::stop_token stop)
{
    if (mark.oldValue != kRunningState)
        return notSent(Ended::Refused, "the machine was not running before: there is nothing to set back");
    if (!target.isStopped)
        return notSent(Ended::Changed, "the machine is " + target.value + " now");
    auto hindered = hindrance(target, stop);
    return hindered ? std::move(*hindered) : send(target, true, stop);
}

} // namespace gpuledger::auth

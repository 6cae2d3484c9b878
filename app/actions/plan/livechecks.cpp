// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/livechecks.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/model/fleet/kindname.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::actions {

using base::ErrorCode;
using insight::IdleItem;
using model::TargetState;
using Steady = std::chrono::steady_clock;

namespace {

constexpr double kWritingBytes = 1 << 20; // per second; more is a checkpoint or real work

// Other controllers of the object that were not named in the request.
std::string unnamed(const TargetState &target, const std::vector<std::string> &despite)
{
    std::string names;
    for (const std::string &manager : target.managers) {
        if (std::find(despite.begin(), despite.end(), manager) == despite.end())
            names += (names.empty() ? "" : ", ") + manager;
    }
    return names;
}

} // namespace

Check failedCheck(CheckName name, Why why, const std::string &subject)
{
    return {name, Outcome::Failed, why, base::log::redacted(subject)}; // a server's message may echo what it was sent
}

Check passedCheck(CheckName name)
{
    return {name, Outcome::Passed, Why::None, {}};
}

Check unreachableCheck(CheckName name, const base::Error &error)
{
    const bool gone = error.code == ErrorCode::NotFound;
    return failedCheck(name, gone ? Why::Gone : Why::Unreachable, error.text);
}

Check stoppableCheck(const TargetState &target, const std::vector<std::string> &despite)
{
    if (target.obstacle) {
        std::string why = target.obstacle->text;
        if (target.obstacle->kind == model::Obstacle::Kind::AlreadyStopped && target.mark)
            why = (why.empty() ? "it is already stopped" : why) + " (by " + target.mark->actor + ')';
        return failedCheck(CheckName::Stoppable, Why::Obstacle, why);
    }
    if (target.verb == model::StopVerb::None)
        return failedCheck(CheckName::Stoppable, Why::Obstacle, {});
    if (const std::string others = unnamed(target, despite); !others.empty())
        return failedCheck(CheckName::Stoppable, Why::Managed, others);
    return passedCheck(CheckName::Stoppable);
}

QuietCheck quietCheck(const PlannedStop &planned, ActionEnvironment &environment, Steady::time_point notBefore,
                      const std::stop_token &stop)
{
    const Steady::time_point asking = Steady::now();
    const auto now = environment.liveness(planned.items, {planned.listedAt, notBefore}, stop);
    if (!now)
        return {failedCheck(CheckName::StillIdle, Why::Unreachable, now.error().text), {}, asking};
    QuietCheck out{passedCheck(CheckName::StillIdle), now->newest, now->askedAt.value_or(Steady::now())};
    const auto refuse = [&](Why why, const IdleItem &item, const Liveness::Seen &seen) {
        out.check = failedCheck(CheckName::StillIdle, why, model::shownName(item.kind, item.name));
        if (seen.at != base::UtcTime{})
            out.check.sampleAt = seen.at;
        if (why == Why::Active)
            out.check.share = seen.share;
        return out;
    };
    for (const IdleItem &item : planned.items) {
        const auto it = now->holders.find(item.id);
        const Liveness::Seen seen = it == now->holders.end() ? Liveness::Seen{} : it->second;
        if (seen.kind == Liveness::Kind::Active)
            return refuse(Why::Active, item, seen);
        if (seen.kind == Liveness::Kind::Unseen)
            return refuse(Why::Stale, item, seen);
        out.check.sampleAt = std::min(out.check.sampleAt.value_or(seen.at), seen.at);
    }
    return out;
}

Check writesCheck(const PlannedStop &planned, ActionEnvironment &environment, const std::stop_token &stop)
{
    bool told = false;
    for (const IdleItem &item : planned.items) {
        const auto bytes = environment.writesOf(item, stop);
        told = told || bytes;
        if (bytes && *bytes > kWritingBytes)
            return failedCheck(CheckName::NoWrites, Why::Writing, std::to_string(std::llround(*bytes)));
    }
    return told ? passedCheck(CheckName::NoWrites) : Check{CheckName::NoWrites, Outcome::NotAsked, Why::NoSignal, {}};
}

std::optional<Check> reversibleCheck(const TargetState &target, const ActionEnvironment &environment)
{
    if (target.isReversible || target.obstacle || environment.settings().actions.permitsIrreversible)
        return std::nullopt;
    return failedCheck(CheckName::Allowed, Why::Irreversible, model::fullNameOf(target.ref));
}

Check permissionCheck(const PlannedStop &planned, const Platform &platform, const std::stop_token &stop)
{
    if (!platform.mayStop)
        return failedCheck(CheckName::Allowed, Why::NoRight, platform.target->source());
    const auto answer = platform.target->permission(planned.target, false, stop);
    if (!answer)
        return unreachableCheck(CheckName::Allowed, answer.error());
    return answer->isAllowed ? passedCheck(CheckName::Allowed)
                             : failedCheck(CheckName::Allowed, Why::Forbidden, answer->missing);
}

Check rehearsalCheck(const PlannedStop &planned, const Platform &platform, ActionEnvironment &environment,
                     const std::stop_token &stop)
{
    const model::StopMark mark{"rehearsal", environment.actor(), {}, environment.clock().now(), planned.target.value};
    const auto answer = platform.target->rehearse(planned.target, mark, stop);
    if (!answer)
        return unreachableCheck(CheckName::DryRun, answer.error());
    if (answer->kind == ports::Rehearsal::Kind::Impossible)
        return {CheckName::DryRun, Outcome::NotAsked, Why::NoRehearsal, answer->text};
    return answer->kind == ports::Rehearsal::Kind::Accepted
        ? passedCheck(CheckName::DryRun)
        : failedCheck(CheckName::DryRun, Why::Rejected, answer->text);
}

Check clockCheck(ClockWatch &clock, ActionEnvironment &environment, base::UtcTime newest)
{
    const auto by = clock.jumped(environment.clock().now(), environment.steady(), newest, base::kBucket);
    return by ? failedCheck(CheckName::Clock, Why::Jumped, std::to_string(by->count())) : passedCheck(CheckName::Clock);
}

} // namespace gpuledger::actions

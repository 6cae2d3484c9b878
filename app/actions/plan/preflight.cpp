// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/preflight.h"

#include "app/actions/plan/livechecks.h"
#include "app/actions/plan/protection.h"

#include <algorithm>

namespace gpuledger::actions {

using insight::IdleItem;
using model::TargetState;
using Steady = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds kActivityAge{2}; // older activity data is queried again before a call

// Whether the object is still as shown. Comparing its version is not enough, because other controllers influence how it
// is stopped.
bool isAsShown(const TargetState &now, const TargetState &shown)
{
    return now.version == shown.version && now.value == shown.value && now.verb == shown.verb
        && now.field == shown.field && now.stoppedValue == shown.stoppedValue
        && (now.isReversible || !shown.isReversible);
}

// Whether two keys mean the same machine: telemetry may name a machine differently from its platform.
bool isSameMachine(const model::HolderKey &holder, const std::vector<model::HolderKey> &known)
{
    return !holder.instanceId.empty() && std::any_of(known.begin(), known.end(), [&](const model::HolderKey &one) {
        return one.instanceId == holder.instanceId;
    });
}

} // namespace

PreflightResult revalidate(const PlannedStop &planned, ActionEnvironment &environment, store::ActionStore &store,
                           ClockWatch &clock, std::chrono::steady_clock::time_point notBefore,
                           const std::stop_token &stop)
{
    PreflightResult look;
    const auto platform = environment.platformNamed(planned.target.ref.source);
    if (!platform || !platform->mayStop) {
        look.against = failedCheck(CheckName::Allowed, Why::NoRight, planned.target.ref.source);
        return look;
    }
    // Check the activity first and the object last, so that the state to act on is the newest of all.
    PlannedStop again = planned;
    QuietCheck quietNow = quietCheck(planned, environment, notBefore, stop);
    auto fresh = platform->target->read(planned.target.ref, stop);
    if (!fresh) {
        look.against = unreachableCheck(CheckName::SameObject, fresh.error());
        return look;
    }
    // A wish to keep it may have arrived while the other checks ran.
    const auto leases = store.leases(environment.clock().now());
    if (!leases) {
        look.against = failedCheck(CheckName::NotProtected, Why::Unreachable, leases.error().text);
        return look;
    }
    again.target = *fresh;
    // The platform rejects calls on a changed object, but nothing guards against new activity. Query it again if the
    // other checks took long.
    if (const auto now = Steady::now(); now - quietNow.askedAt > kActivityAge)
        quietNow = quietCheck(planned, environment, now, stop);
    const Check clockNow = clockCheck(clock, environment, quietNow.newest);
    if (fresh->ref.uid != planned.target.ref.uid)
        look.against = failedCheck(CheckName::SameObject, Why::AnotherObject, fresh->ref.uid);
    else if (!isAsShown(*fresh, planned.target))
        look.against = failedCheck(CheckName::SameObject, Why::Changed, fresh->value);
    else if (quietNow.check.outcome == Outcome::Failed)
        look.against = quietNow.check;
    else if (clockNow.outcome == Outcome::Failed)
        look.against = clockNow;
    else if (const Check kept = protection(again, *leases, environment.settings(), environment.clock().now());
             kept.outcome == Outcome::Failed)
        look.against = kept;
    else if (const Check can = stoppableCheck(*fresh, planned.despite); can.outcome == Outcome::Failed)
        look.against = can;
    else if (const auto forbids = reversibleCheck(*fresh, environment))
        look.against = *forbids;
    else if (fresh->labels != planned.target.labels || fresh->nameSpaceLabels != planned.target.nameSpaceLabels)
        look.against = failedCheck(CheckName::SameObject, Why::Changed, "labels"); // the owner may differ now
    else if (fresh->holders != planned.target.holders) {
        std::optional<Check> others;
        for (const model::HolderKey &holder : fresh->holders) {
            const std::string id = idOf(holder);
            const bool isListed = std::any_of(planned.items.begin(), planned.items.end(),
                                              [&](const IdleItem &item) { return item.id == id; });
            if (!isListed && !isSameMachine(holder, planned.target.holders))
                look.against = failedCheck(CheckName::StillIdle, Why::NotInList, id);
        }
    }
    look.fresh = std::move(*fresh);
    return look;
}

} // namespace gpuledger::actions

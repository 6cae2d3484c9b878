// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumedrules.h"

#include "app/savings/schedule/offhours.h"

#include <tuple>

namespace gpuledger::savings {

namespace {

// Within the limits of its spec, so it fits.
int assumedInt(const Assumptions &assumed, std::string_view name)
{
    return static_cast<int>(assumed.number(name));
}

} // namespace

CapacityPolicy capacityPolicy(const Assumptions &assumed)
{
    constexpr std::int64_t kHour = 3600;
    CapacityPolicy policy;
    policy.delayHours = static_cast<int>((assumed.number("scale-down-delay") + kHour - 1) / kHour);
    policy.headroom = static_cast<double>(assumed.number("headroom-quantile")) / 100;
    policy.minimum = assumedInt(assumed, "minimum-nodes");
    policy.startUp = base::Seconds{assumed.number("start-up")};
    return policy;
}

ScheduleRules scheduleRules(const Assumptions &assumed)
{
    ScheduleRules rules;
    const std::string hours = assumed.text("off-hours");
    if (const auto off = offHoursFrom(hours)) // not "best"
        rules.policies = {ownSchedulePolicy(*off)};
    rules.mostCutPercent = assumedInt(assumed, "most-real-work");
    rules.mostUnobservedPercent = assumedInt(assumed, "most-unobserved");
    rules.scaleDownDelay = base::Seconds{assumed.number("schedule-scale-down-delay")};
    return rules;
}

RightSizeRules rightSizeRules(const Assumptions &assumed)
{
    constexpr int kPermille = 10; // of a percent
    RightSizeRules rules;
    rules.headroom = {assumedInt(assumed, "memory-headroom"), assumedInt(assumed, "activity-headroom")};
    rules.mostMemoryPercent = assumedInt(assumed, "most-memory");
    rules.mostTooSmallProduction = kPermille * assumedInt(assumed, "most-too-small-production");
    rules.mostTooSmallOther = kPermille * assumedInt(assumed, "most-too-small-other");
    return rules;
}

void assumeDemand(CommitmentInput &input, const Assumptions &assumed)
{
    input.demandPercent = 100 + assumedInt(assumed, "demand-change");
    input.leastDays = assumed.number("least-days");
}

Assumptions assumptionsOf(Kind kind, const Assumptions &assumed)
{
    Assumptions own;
    own.useDefaultsOf(assumed);
    for (const auto &[name, value] : assumed.changed()) {
        const AssumptionSpec *const spec = assumptionSpec(name);
        if (spec && spec->kind == kind)
            std::ignore = own.set(name, value); // it was accepted once
    }
    return own;
}

} // namespace gpuledger::savings

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedule.h"
#include "app/savings/schedule/schedulerun.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpuledger::savings {

using base::Result;

namespace {

Result<std::vector<std::int64_t>> basisNanos(const std::vector<ScheduleWide> &amounts)
{
    std::vector<std::int64_t> out;
    for (const ScheduleWide amount : amounts) {
        if (amount > std::numeric_limits<std::int64_t>::max() || amount < std::numeric_limits<std::int64_t>::min())
            return base::fail(base::ErrorCode::Overflow, "an amount of a schedule is too large");
        out.push_back(static_cast<std::int64_t>(amount));
    }
    return out;
}

} // namespace

Result<std::optional<ProposalBasis>> scheduleBasis(const SchedulePast &past, const std::string &id,
                                                   const ScheduleRules &rules, const std::stop_token &stop)
{
    const auto one = std::find_if(past.workloads.begin(), past.workloads.end(),
                                  [&](const ScheduleWorkload &workload) { return workload.id == id; });
    if (one == past.workloads.end())
        return std::optional<ProposalBasis>();
    const auto index = static_cast<std::size_t>(one - past.workloads.begin());
    const auto fates = scheduleFates(past, rules, stop, index);
    GPULEDGER_TRY(fates);
    const ScheduleFate &fate = (*fates)[index];
    if (!fate.perMonth)
        return std::optional<ProposalBasis>();
    auto saved = basisNanos(fate.savedByHour), spend = basisNanos(fate.endingByHour);
    GPULEDGER_TRY(saved);
    GPULEDGER_TRY(spend);
    const auto count = static_cast<std::size_t>(past.hours);
    BasisHours off(count), cut(count);
    off.saved = std::move(*saved);
    off.spend = std::move(*spend);
    for (const ScheduleHour &h : one->hours) {
        const auto hour = static_cast<std::size_t>(h.hour);
        if (fate.off[hour] == 0)
            continue;
        const base::GpuTime work = scheduleCut(h, fate.off[hour]);
        BasisHours &to = work.ticks > 0 ? cut : off;
        to.paid[hour] = static_cast<std::int64_t>(quartersOfAmount(h.cost, fate.off[hour]));
        to.time[hour] = work.ticks > 0 ? work : base::GpuTime{h.held.ticks * fate.off[hour] / kScheduleHourQuarters};
    }
    ProposalBasis out;
    out.currency = past.currency;
    out.hours = past.hours;
    out.inputs = {{"off hours held", static_cast<double>(fate.count.held), "h"},
                  {"off hours cut", static_cast<double>(fate.count.cut), "h"},
                  {"off hours not observed", static_cast<double>(fate.count.unobserved), "h"}};
    GPULEDGER_TRY(addDays(out, past.start, off, "off"));
    GPULEDGER_TRY(addDays(out, past.start, cut, "cut"));
    GPULEDGER_TRY(addWeeks(out, off.saved, kScheduleFewestWeeks));
    return std::optional(std::move(out));
}

} // namespace gpuledger::savings

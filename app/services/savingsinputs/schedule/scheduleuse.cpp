// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/schedule/scheduleuse.h"

namespace gpuledger::services {

using model::Recovery;

bool addUseNanos(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

bool addScheduledPart(HourUse &use, const model::UsagePart &part, Recovery terms)
{
    const base::GpuTime time{part.ticks};
    use.held += time;
    if (part.state == model::GpuState::Active)
        use.active += time;
    if (part.state == model::GpuState::UnobservedHeld)
        use.unobserved += time;
    if (!part.priced)
        use.unpriced += time;
    (terms == Recovery::Now ? use.ends : terms == Recovery::Unknown ? use.unknown : use.sunk) += time;
    const std::int64_t nanos = part.priced ? part.costNanos : 0;
    bool fits = addUseNanos(use.cost, nanos);
    if (terms == Recovery::Now) {
        fits = addUseNanos(use.endingCost, nanos) && fits;
        if (part.state == model::GpuState::Idle)
            fits = addUseNanos(use.endingIdle, nanos) && fits;
    }
    return fits;
}

bool addScheduledHold(HourUse &use, const HourHold &hold, Recovery terms)
{
    const base::GpuTime time{hold.ticks};
    use.held += time;
    use.active += base::GpuTime{hold.active};
    use.unobserved += base::GpuTime{hold.unobserved};
    if (!hold.priced)
        use.unpriced += time;
    (terms == Recovery::Now ? use.ends : terms == Recovery::Unknown ? use.unknown : use.sunk) += time;
    bool fits = addUseNanos(use.cost, hold.cost);
    if (terms == Recovery::Now) {
        fits = addUseNanos(use.endingCost, hold.cost) && fits;
        fits = addUseNanos(use.endingIdle, hold.idleCost) && fits;
    }
    return fits;
}

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/rightsizeuse.h"

#include "app/services/savingsinputs/rightsizefacts.h"

namespace gpuledger::services {

using base::GpuTime;

namespace {

std::int32_t sharePercent(std::uint16_t share)
{
    constexpr int kPerPercent = model::kShareScale / 100;
    return (share + kPerPercent - 1) / kPerPercent;
}

std::uint16_t sizedActivity(const model::UsagePart &part)
{
    return part.smActive != model::kNoShare ? part.smActive : part.activity;
}

std::uint32_t sizedMemory(const model::UsagePart &part)
{
    return part.memoryMaxMib != model::kNoMemory ? part.memoryMaxMib : part.memoryMeanMib;
}

} // namespace

bool addSizedUse(savings::RightSizeWorkload &one, const model::UsagePart &part)
{
    const GpuTime time{part.ticks};
    one.held += time;
    one.sliced = one.sliced || part.slice >= 0;
    const std::uint16_t activity = sizedActivity(part);
    if (part.state == model::GpuState::UnobservedHeld || activity == model::kNoShare) {
        one.unobserved += time;
        return true;
    }
    if (part.smActive == model::kNoShare && part.signal != model::ActivitySignal::SmActive)
        one.coarse += time;
    const std::uint32_t memory = sizedMemory(part);
    if (memory == model::kNoMemory) {
        one.memoryUnknown += time;
        return true;
    }
    if (part.state != model::GpuState::Active && memory < kRightSizeIdleMib)
        return false;
    const auto units = (std::int64_t{memory} + savings::kRightSizeMemoryUnit - 1) / savings::kRightSizeMemoryUnit;
    one.loads[{static_cast<std::int32_t>(units), sharePercent(activity)}] += part.ticks;
    return true;
}

bool isUsedByOthers(const model::UsagePart &part, std::uint16_t threshold)
{
    const std::uint16_t activity = sizedActivity(part);
    const std::uint32_t memory = sizedMemory(part);
    return part.state == model::GpuState::UnobservedFree || (activity != model::kNoShare && activity >= threshold)
        || (memory != model::kNoMemory && memory >= kRightSizeIdleMib);
}

} // namespace gpuledger::services

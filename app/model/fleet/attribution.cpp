// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/fleet/attribution.h"

namespace gpuledger::model {

std::string_view toString(GpuState state)
{
    switch (state) {
    case GpuState::Active:
        return "active";
    case GpuState::Idle:
        return "idle";
    case GpuState::Unallocated:
        return "unallocated";
    case GpuState::UnobservedHeld:
    case GpuState::UnobservedFree:
        return "unobserved";
    }
    return "unobserved";
}

} // namespace gpuledger::model

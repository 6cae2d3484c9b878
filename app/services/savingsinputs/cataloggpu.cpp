// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/cataloggpu.h"

namespace gpuledger::services {

savings::RightSizeGpu catalogGpu(const ledger::GpuFacts &facts)
{
    return {facts.model,
            facts.vendor,
            facts.memoryGib * 1024,
            facts.fp16DenseTflops,
            facts.fp8DenseTflops,
            facts.memoryBandwidthGbs,
            facts.nvlinkGbs,
            facts.computeCapability,
            facts.computeSlices,
            facts.migProfiles};
}

} // namespace gpuledger::services

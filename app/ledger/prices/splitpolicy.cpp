// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/splitpolicy.h"

namespace gpuledger::ledger {

std::optional<SplitWeights> splitWeights(model::SplitPolicy policy, const MachineShape &shape)
{
    const auto weighed = [&](const SplitWeights &each) -> std::optional<SplitWeights> {
        if (!shape.isKnown())
            return std::nullopt;
        return SplitWeights{each[GpuPart] * shape.gpus, each[CpuPart] * shape.vcpus, each[MemoryPart] * shape.memory};
    };
    switch (policy) {
    case model::SplitPolicy::GpuFirst:
        return SplitWeights{1, 0, 0};
    case model::SplitPolicy::Fixed:
        return SplitWeights{95, 3, 2};
    case model::SplitPolicy::Aws:
        return weighed({90, 9, 1}); // tenths
    case model::SplitPolicy::OpenCost:
        return weighed({950'000, 31'611, 4'237}); // millionths
    }
    return std::nullopt;
}

} // namespace gpuledger::ledger

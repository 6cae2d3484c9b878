// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/ledgerline.h"

#include <array>
#include <cstdint>
#include <optional>

// Split policies: how a machine's price divides between its GPUs, CPU and memory. Pure functions; any thread.
namespace gpuledger::ledger {

// The size of a machine in thousandths: GPUs, vCPUs, GiB of memory.
struct MachineShape {
    std::int64_t gpus = 0, vcpus = 0, memory = 0;
    bool isKnown() const { return gpus > 0 && vcpus > 0 && memory > 0; }
};

enum SplitPart { GpuPart, CpuPart, MemoryPart, SplitParts };

// Integers in the ratio of the parts, with the source of each policy:
//   gpu-first  1 : 0 : 0
//   aws        9 a GPU, 0.9 a vCPU, 0.1 a GiB (AWS split cost allocation)
//   opencost   0.95 a GPU, 0.031611 a vCPU, 0.004237 a GiB (OpenCost's default hourly prices)
//   fixed      95 : 3 : 2 (Datadog)
// std::nullopt if the policy needs the shape of the machine and it is unknown.
using SplitWeights = std::array<std::int64_t, SplitParts>;
std::optional<SplitWeights> splitWeights(model::SplitPolicy policy, const MachineShape &shape);

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "app/ports/inventorysource.h"

#include <cstdint>
#include <string>

// Records of the machines that a cloud's list told: each has a node in a cluster named like the source and, if it is
// no member of a cluster or group, itself as the holder of its GPUs. Pure.
namespace gpuledger::ingest {

// Where a batch has the records of a machine; `subject` is FactBatch::kNone of one that is a member.
struct MachineNumbers {
    std::uint32_t node = 0, subject = 0;
};
MachineNumbers addMachine(ports::FactBatch &batch, const ports::ListedMachine &machine, const std::string &source,
                          const std::string &cloud);
// The GPU's number in the batch. `gpu`: its position in the machine.
std::uint32_t addGpu(ports::FactBatch &batch, const ports::ListedMachine &machine, std::int64_t gpu,
                     const std::string &source);
// By which the GPU is known; no other one has it.
std::string uuidOf(const ports::ListedMachine &machine, std::int64_t gpu);

} // namespace gpuledger::ingest

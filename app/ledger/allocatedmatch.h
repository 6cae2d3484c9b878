// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/billmatch.h"
#include "app/model/allocation.h"

#include <optional>
#include <vector>

namespace gpuledger::ledger {

struct AllocatedPlace {
    std::optional<std::size_t> node; // of telemetry's
    bool ambiguous = false; // several machines could be meant: which one can't be told
};

// Finds the machine of telemetry that an allocator speaks of: by provider id, else by name and cluster, else by a name
// that only one machine has and no id contradicts. Allocators call clusters by names of their own.
AllocatedPlace placeOf(const model::AllocatedNode &told, const std::vector<NodeDay> &nodes, const BillMatch &match);

// "aws", "azure", "gcp" or "oci"; empty for anything else that an allocator calls a provider.
std::string cloudOf(const model::AllocatedNode &told);

} // namespace gpuledger::ledger

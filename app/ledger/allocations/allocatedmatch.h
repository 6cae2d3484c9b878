// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/bills/billmatch.h"
#include "app/model/money/allocation.h"

#include <optional>
#include <vector>

namespace gpuledger::ledger {

// The result of matching an allocator's machine with telemetry.
struct AllocatedPlace {
    std::optional<std::size_t> node; // index of the telemetry node
    bool ambiguous = false; // several machines match, and nothing decides between them
};

// Finds the telemetry node that an allocator's machine refers to: by provider id, else by name and cluster, else by a
// name that only one machine has and that no id contradicts. Allocators use cluster names of their own.
AllocatedPlace placeOf(const model::AllocatedNode &told, const std::vector<NodeDay> &nodes, const BillMatch &match);

// "aws", "azure", "gcp" or "oci"; empty for any other provider name that an allocator reports.
std::string cloudOf(const model::AllocatedNode &told);

} // namespace gpuledger::ledger

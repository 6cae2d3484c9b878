// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// For each machine that a cloud's list told: the nodes under which telemetry knows the same machine. In order of
// preference: both have the same provider id, in upper or lower case; the node's provider id ends with the machine's
// id; telemetry names the machine's id as the holder of GPUs on the node; the node has no provider id and bears the
// machine's id or host name, with or without its domain, or such a holder does, and no other machine and no other node
// has it. Pure.
struct KnownNode {
    const model::Node *node = nullptr;
    bool isListed = false; // a list told it, and nothing else did
    std::set<std::string> heldBy{}; // machines that telemetry names as holders of its GPUs
};
// The result is parallel to `nodes`, with ascending indexes; empty for all that no list told.
std::vector<std::vector<std::size_t>> twinsOf(const std::vector<KnownNode> &nodes);

} // namespace gpuledger::ledger

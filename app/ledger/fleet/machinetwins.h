// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"

#include <cstddef>
#include <vector>

namespace gpuledger::ledger {

// For each machine that a cloud's list told: the nodes under which telemetry knows the same machine. In order of
// preference: the node's provider id ends with the machine's id; the node has no provider id and bears the machine's id
// or host name, which no other machine and no other node has. Pure. `isListed` is parallel to `nodes`: whether a list
// told it, and nothing else did. The result is parallel to it, too, with ascending indexes; empty for all others.
std::vector<std::vector<std::size_t>> twinsOf(const std::vector<model::Node> &nodes, const std::vector<char> &isListed);

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::actions {

// The facts at the time of confirmation as a JSON object: the checks and the figures of the idle list.
std::string evidenceOf(const PlannedStop &stop);
// Reads the checks from such an object; empty if it has none.
std::vector<Check> checksIn(const std::string &evidence);

// The idle workload that a stop was about, and the instant of the idle list that named it.
struct OnlyItem {
    std::string id; // insight::IdleItem::id
    base::UtcTime listedAt{};
};
// std::nullopt: several workloads, or written by a version that did not note the instant.
std::optional<OnlyItem> onlyItemIn(const std::string &evidence);

} // namespace gpuledger::actions

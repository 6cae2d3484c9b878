// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::actions {

// The facts at the time of confirmation as a JSON object: the checks and the figures of the idle list.
std::string evidenceOf(const PlannedStop &stop);
// Reads the checks from such an object; empty if it has none.
std::vector<Check> checksIn(const std::string &evidence);

// The idle workloads that a stop was about, with what each costs per month, and the instant of the idle list that named
// them.
struct ListedItem {
    std::string id; // insight::IdleItem::id
    std::optional<base::Money> perMonth; // std::nullopt: it had no price
};
struct ListedItems {
    std::vector<ListedItem> items; // at least one
    base::UtcTime listedAt{};
};
// std::nullopt: it was written by a version that did not note the instant, or is not such an object.
std::optional<ListedItems> itemsIn(const std::string &evidence);

} // namespace gpuledger::actions

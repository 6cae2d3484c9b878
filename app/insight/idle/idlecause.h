// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/model/costterms.h"
#include "app/store/values/idlekept.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

// Why something is idle, and whether stopping it ends its cost (definitions.md, Idle). Pure; any thread.
namespace gpuledger::insight {

struct IdleItem;

// Starved is never claimed: no source tells of busy CPUs, networks or disks. Blocked is a cause of unallocated time,
// which is no item of the idle list.
enum class IdleCause : std::uint8_t {
    Unknown = 0, // the memory of one of its devices is not reported
    Empty, // at most kEmptyMib held on each of its devices, and nothing ran in the grace window
    Loaded, // more memory is held: a model or a notebook left open
    Oversized, // something ran below the threshold, and all memory held would fit into kSlice of each whole device
};
inline constexpr std::size_t kIdleCauses = 4;
// A choice: what a bare context of the driver holds is some hundred MiB, and a model that is worth keeping is more.
inline constexpr std::int64_t kEmptyMib = 1024;
// The smallest MIG profile (1g) of A100 and H100 has one eighth of the device's memory.
inline constexpr std::int64_t kSlice = 8;

std::string_view toString(IdleCause cause); // "empty", "loaded", "oversized"; empty: unknown

// Whether its cause depends on the memory that its devices have.
bool dependsOnSize(const store::IdleCandidate &candidate);
// `memoryMib`: of whole devices; one that is not in it is never oversized.
IdleCause causeOf(const store::IdleCandidate &candidate, const std::map<base::DeviceId, std::int64_t> &memoryMib);

// definitions.md, Idle.
inline constexpr std::int64_t kIdleHoursPerMonth = 730;
// What one hour of what is held of the unit costs; nothing: unpriced.
std::optional<std::int64_t> hourlyNanos(const store::IdleUnit &unit);

// Sets `recoverable`, `avoidablePerMonth` and `sunkPerMonth` of a priced item, whose amounts add up to its `perMonth`:
// each device's rate x 730 h goes to avoidable when its terms are Now and to sunk when they are AtDate or Never. With
// terms of one device unknown both stay empty. The item's word is the least favourable one of its devices.
void addTerms(IdleItem &item, const store::IdleCandidate &candidate, const model::CostTerms &terms);

// Nano-units of the list's currency; empty: does not fit.
struct IdleSum {
    std::size_t items = 0, unpriced = 0;
    double gpus = 0;
    std::optional<std::int64_t> perMonth{0}, avoidable{0}, sunk{0};
    std::optional<std::int64_t> undecided{0}; // of items whose recoverability is not known
};

// perMonth = avoidable + sunk + undecided in each; the causes add up to all.
struct IdleTotals {
    IdleSum all;
    std::array<IdleSum, kIdleCauses> byCause; // by the enumeration's number
};
IdleTotals totalsOf(const std::vector<IdleItem> &items);

} // namespace gpuledger::insight

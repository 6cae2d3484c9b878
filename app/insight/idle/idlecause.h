// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/insight/idle/idlesignals.h"
#include "app/model/money/costterms.h"
#include "app/store/values/idlekept.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

// Determines why something is idle, and whether stopping it ends its cost. Pure; any thread.
namespace gpuledger::insight {

struct IdleItem;

// Blocked is a cause of unallocated time, which is not an item of the idle list: see app/insight/queue.
enum class IdleCause : std::uint8_t {
    Unknown = 0, // the memory of one of its devices is not reported
    Empty, // at most kEmptyMib in use on each of its devices, and nothing ran in the grace window
    Loaded, // more memory is in use: a model or a notebook left open
    Oversized, // something ran below the threshold, and all memory in use would fit into kSlice of each whole device
    Starved, // something is loaded or ran, and it waits for input: InputSignals::showsWaiting()
};
inline constexpr std::size_t kIdleCauses = 5;
// A policy choice: a bare driver context uses a few hundred MiB, and a model worth keeping uses more.
inline constexpr std::int64_t kEmptyMib = 1024;
// The smallest MIG profile (1g) of A100 and H100 has one eighth of the device's memory.
inline constexpr std::int64_t kSlice = 8;

std::string_view toString(IdleCause cause); // "empty", "loaded", "oversized", "starved"; empty: unknown

// True if its cause depends on the memory size of its devices.
bool dependsOnSize(const store::IdleCandidate &candidate);
// `memoryMib`: of whole devices; a device missing from it is never oversized.
IdleCause causeOf(const store::IdleCandidate &candidate, const std::map<base::DeviceId, std::int64_t> &memoryMib,
                  const InputSignals &input = {});

// Average hours of a month: 8760 / 12.
inline constexpr std::int64_t kIdleHoursPerMonth = 730;
// Cost per hour of the held part of the unit; std::nullopt if it has no price.
std::optional<std::int64_t> hourlyNanos(const store::IdleUnit &unit);

// Sets `recoverable`, `avoidablePerMonth` and `sunkPerMonth` of an item with a price, whose amounts add up to its
// `perMonth`: each device's rate x 730 h counts as avoidable if its terms are Now, and as sunk if they are
// WithMachine, AtDate or Never. If the terms of one device are unknown, both stay empty. `recoverable` is the least
// favourable value of its devices.
void addTerms(IdleItem &item, const store::IdleCandidate &candidate, const model::CostTerms &terms);

// Nano-units of the list's currency; std::nullopt on overflow.
struct IdleSum {
    std::size_t items = 0, unpriced = 0;
    double gpus = 0;
    std::optional<std::int64_t> perMonth{0}, avoidable{0}, sunk{0};
    std::optional<std::int64_t> undecided{0}; // of items whose recoverability is unknown
};

// perMonth = avoidable + sunk + undecided in each; the causes add up to `all`.
struct IdleTotals {
    IdleSum all;
    std::array<IdleSum, kIdleCauses> byCause; // indexed by the enumeration's value
};
IdleTotals totalsOf(const std::vector<IdleItem> &items);

} // namespace gpuledger::insight

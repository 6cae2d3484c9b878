// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/ledgerline.h"
#include "app/store/values/allocated.h"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

// The roll-up: per filter group and UTC day, 96 quarter-hour cells of each measure. Every time-zone offset in use is a
// multiple of a quarter hour, so hours and days of any zone are exact sums of cells.
namespace gpuledger::store {

// Units: …Ticks are base::GpuTime ticks; Cost… are nano-units of the configured currency.
enum class Measure : std::uint8_t {
    ActiveTicks = 0,
    IdleTicks,
    UnallocatedTicks,
    UnobservedHeldTicks, // held according to the scheduler, no telemetry
    UnobservedFreeTicks, // not known to be held, no telemetry
    ActivityTicks, // sum of activity x held observed ticks
    SmActivityTicks,
    SmObservedTicks,
    TensorActivityTicks,
    TensorObservedTicks,
    MemoryShareTicks, // sum of used share of the device's (or slice's) memory x ticks
    MemoryObservedTicks,
    PowerWattTicks, // sum of W x ticks
    PowerObservedTicks,
    CostActive,
    CostIdle,
    CostUnallocated,
    CostUnobservedHeld,
    CostUnobservedFree,
    UnpricedTicks, // paid time without a price; its cost is unknown, not zero
};
inline constexpr int kMeasureCount = 20;

using CellRow = std::array<std::int64_t, base::kCellsPerDay>;

// A combination of filter dimensions that occurs.
struct GroupKey {
    std::string team;
    std::string cluster;
    std::string cloud;
    std::string region;
    std::string gpuModel;
    std::string workloadKind; // empty: unallocated
    std::string environment;
    std::string nodePool; // empty: none
    auto operator<=>(const GroupKey &) const = default;
};

// A group's day in the roll-up.
struct GroupDay {
    std::array<CellRow, kMeasureCount> cells{}; // index = Measure
};

// The cost ledger's lines of a day.
using LedgerDay = std::map<model::LedgerKey, model::LedgerAmounts>;
using LedgerVisitor =
    std::function<base::Result<void>(base::Day, const model::LedgerKey &, const model::LedgerAmounts &)>;

struct IdleUnitDay; // app/store/values/idlekept.h
struct GapDay; // app/store/values/gapkept.h

// Part of the store's write transaction.
class CubeWriter {
public:
    virtual ~CubeWriter() = default;
    // Replaces all groups of that day.
    [[nodiscard]] virtual base::Result<void> replaceDay(base::Day day, const std::map<GroupKey, GroupDay> &groups) = 0;
    // Replaces the idle data stored for that day.
    [[nodiscard]] virtual base::Result<void> replaceIdleDay(base::Day, const std::vector<IdleUnitDay> &) { return {}; }
    // Replaces the idle runs stored for that day.
    [[nodiscard]] virtual base::Result<void> replaceGapDay(base::Day, const GapDay &) { return {}; }
    // Replaces the ledger of that day; lines that are all zero are left out.
    [[nodiscard]] virtual base::Result<void> replaceLedgerDay(base::Day, const LedgerDay &) { return {}; }
    // Replaces what that day's ledger found about allocators.
    [[nodiscard]] virtual base::Result<void> replaceFindings(base::Day, const AllocationFindings &) { return {}; }
};

// Reads the roll-up and the ledger lines from one state of the cache.
class CubeReader {
public:
    virtual ~CubeReader() = default;
    // All groups with their ids, ascending by id.
    [[nodiscard]] virtual base::Result<std::vector<std::pair<base::GroupId, GroupKey>>> groups() = 0;
    using RowVisitor = std::function<void(base::GroupId, base::Day, Measure, const CellRow &)>;
    // Visits rows of the wanted measures for days first..last (inclusive) of the wanted groups (wanted[id] != 0; ids
    // past the end are not wanted). A row of all zeros may be left out.
    [[nodiscard]] virtual base::Result<void> rows(base::Day first, base::Day last, const std::vector<Measure> &measures,
                                                  const std::vector<char> &wanted, const RowVisitor &visit) = 0;
    // The ledger lines of days first..last, by day.
    [[nodiscard]] virtual base::Result<void> ledger(base::Day, base::Day, const LedgerVisitor &) { return {}; }
};

} // namespace gpuledger::store

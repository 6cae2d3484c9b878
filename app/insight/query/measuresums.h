// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/labels.h"
#include "app/insight/query/query.h"
#include "app/model/fleet/attribution.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/cube.h"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::insight {

// Sums of all measures over some cells. Plain value.
struct MeasureSums {
    std::array<std::int64_t, store::kMeasureCount> values{};

    std::int64_t operator[](store::Measure m) const { return values[static_cast<std::size_t>(m)]; }
    std::int64_t &operator[](store::Measure m) { return values[static_cast<std::size_t>(m)]; }
    MeasureSums &operator+=(const MeasureSums &o);
    TimeByState time() const;
    CostByState cost() const;
    // Null if there is nothing to divide by.
    std::optional<double> utilization() const;
    std::optional<double> allocation() const;
    std::optional<double> coverage() const;
    std::optional<double> ratio(store::Measure sum, store::Measure over) const;
};

// The whole quarter hours of a range.
base::TimeRange wholeCells(base::TimeRange range);
// The value that a group has for a dimension (dimensions of the roll-up only).
const std::string &valueOf(const store::GroupKey &key, const Dimension &dimension);
// The name of a workload: namespace, kind and name of the topmost known controller, else the holder's own: "ml/Job/x",
// "ml/Pod/x", "SlurmJob/17", "Machine/i-0123".
std::string workloadName(std::string_view nameSpace, std::string_view ownerKind, std::string_view ownerName,
                         std::string_view name, model::SubjectKind kind);
// The value of any dimension for a holder's time on a device, or for unallocated time, which has the workload "" and so
// on.
std::string valueOf(const model::DeviceAttribution &device, std::int32_t holder, const Dimension &dimension,
                    const LabelLookup &labels);
bool matches(const Filter &filter, const store::GroupKey &key);
bool matches(const Filter &filter, const model::DeviceAttribution &device, std::int32_t holder,
             const LabelLookup &labels);
// True if the query can be answered from the roll-up alone, which has the effective cost.
bool answeredByRollup(const Filter &filter, const std::vector<Dimension> &by);

// Visits (key, cell start, measure, amount) of everything in the range that passes the filter, from the roll-up or from
// the facts. A key has one value per dimension of `by`; `keyIndex` is its position in `keys`, which grows as keys
// appear.
using CellKey = std::vector<std::string>;
using CellVisitor =
    std::function<void(std::size_t keyIndex, base::Day day, int cell, store::Measure measure, std::int64_t amount)>;
[[nodiscard]] base::Result<void> visitCells(store::CubeReader &cube, store::AttributionReader &facts,
                                            const Query &query, const std::vector<Dimension> &by,
                                            const std::vector<store::Measure> &measures, std::vector<CellKey> &keys,
                                            const CellVisitor &visit);
// The same with consecutive cells of a day at once, of which the first is `cell`: several times as fast for the
// roll-up.
using RowVisitor = std::function<void(std::size_t keyIndex, base::Day day, int cell, store::Measure measure,
                                      std::span<const std::int64_t> amounts)>;
[[nodiscard]] base::Result<void> visitRows(store::CubeReader &cube, store::AttributionReader &facts, const Query &query,
                                           const std::vector<Dimension> &by,
                                           const std::vector<store::Measure> &measures, std::vector<CellKey> &keys,
                                           const RowVisitor &visit);
const std::vector<store::Measure> &allMeasures();

} // namespace gpuledger::insight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/months/monthrecord.h"

#include <string>
#include <string_view>
#include <vector>

// Encodes and decodes the rows of a closed month as texts; for monthrecord only. Amounts are nano-units, GPU time is
// ticks (base::GpuTime), enumerations are written by name.
namespace gpuledger::reports::texts {

inline constexpr std::string_view kSum = "sum", kBefore = "before", kNow = "now", kOldRules = "old-rules",
                                  kWorkload = "workload", kDoubt = "doubt", kPossible = "possible", kPast = "past",
                                  kPastOthers = "past-others";

std::string ofHeader(const ClosedMonth &month, std::size_t figureCount);
std::string ofBill(const insight::LedgerTotal &total);
// [what, keys…, currency, billed, effective, ticks, has time, time is complete, priced, unpriced ticks,
// allocated or null]
std::string ofRow(std::string_view what, const insight::LedgerRow &row);
std::string ofAdjustment(const MonthAdjustment &adjustment);
// [what, month, currency, team, category, state, billed, effective, estimated]
std::string ofPast(std::string_view what, const insight::Month &month, const AdjustmentKey &key,
                   const AdjustmentAmounts &amounts);
std::string ofRules(const KeptRules &rules);
std::string ofSharing(const SharingRules &rules);
std::string ofKey(std::size_t number, const model::LedgerKey &key);
std::string ofLine(base::Day day, std::size_t key, const model::LedgerAmounts &amounts);

// From the header alone: without figures.
[[nodiscard]] base::Result<ClosedMonth> readHeader(const std::string &row);
[[nodiscard]] base::Result<std::size_t> figureCountOf(const std::string &header);
[[nodiscard]] base::Result<ClosedMonth> read(const std::vector<std::string> &rows);

} // namespace gpuledger::reports::texts

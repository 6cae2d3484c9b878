// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/reports/statement/certainty.h"
#include "app/reports/statement/statementbuilder.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

// Statements of given rows, for tests of how certain their figures are.
namespace gpuledger::tests::certainty {

using base::GpuTime;
using base::Money;
using insight::LedgerAnswer;
using insight::LedgerRow;
using reports::Range;
using reports::Statement;
using reports::TeamStatement;
using reports::Uncertainty;

inline const base::Currency kUsd = base::Currency::usd();
inline constexpr insight::Month kMonth{2026, 10};
inline constexpr std::int64_t kUnit = 1'000'000'000, kHour = 3600 * GpuTime::kTicksPerSecond;
using Random = std::mt19937_64;

inline std::int64_t pick(Random &random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>(from, to - 1)(random);
}

inline LedgerRow rowOf(const std::string &team, const std::string &state, std::int64_t cost, std::int64_t hours,
                       const std::string &origin = "billed", const std::string &category = "gpu")
{
    LedgerRow row;
    row.keys = {team, category, state, origin, "H100 SXM"};
    row.currency = kUsd;
    const bool priced = origin == "priced";
    row.billed = row.effective = Money(priced ? 0 : cost, kUsd);
    row.priced = Money(priced ? cost : 0, kUsd);
    row.gpuTime = {hours * kHour};
    row.hasGpuTime = hours != 0;
    return row;
}

inline Statement statementOf(std::vector<LedgerRow> rows, const char *now = "2026-11-05T00:00:00Z",
                             std::vector<LedgerRow> doubtful = {}, const LedgerAnswer *possible = nullptr)
{
    LedgerAnswer after, doubts;
    after.rows = std::move(rows);
    doubts.rows = std::move(doubtful);
    const base::TimeRange covered{base::parseTime("2026-09-01T00:00:00Z").value(), kMonth.range().end};
    return reports::makeStatement({kMonth,
                                   reports::CostView::Billed,
                                   base::parseTime(now).value(),
                                   {},
                                   covered,
                                   after,
                                   {},
                                   {},
                                   {},
                                   {},
                                   {},
                                   nullptr,
                                   true,
                                   &doubts,
                                   possible})
        .value();
}

inline const TeamStatement *find(const Statement &statement, const std::string &team)
{
    for (const TeamStatement &one : statement.currencies.front().teams) {
        if (one.team == team)
            return &one;
    }
    return nullptr;
}

inline bool has(const Range &range, Uncertainty::Kind kind)
{
    return std::any_of(range.doubts.begin(), range.doubts.end(),
                       [&](const Uncertainty &one) { return one.kind == kind; });
}

} // namespace gpuledger::tests::certainty

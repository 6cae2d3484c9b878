// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/insight/spend/costchange.h"
#include "app/insight/spend/ledgerquery.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// The spend of a range according to the ledger: its days, the costs that are not GPU time, and the real cost of a
// GPU-hour. Pure functions; any thread.
namespace gpuledger::insight {

enum SpendPart { SpendActive, SpendIdle, SpendUnallocated, SpendUnobserved, SpendOther, SpendParts };

struct SpendDay { // UTC
    base::Day day;
    std::array<std::int64_t, SpendParts> parts{}; // bills (effective) and estimates, nanos
    bool isFinal = false; // if false, its bill may still change
};

// Costs other than GPU time: storage, network, support, idle load balancers, …
struct HiddenCost {
    std::string category; // as in the ledger
    std::string service; // as the provider calls it; may be empty
    base::Money amount; // effective
};

// The hourly cost of a GPU model according to the bills, compared with the price-book cost of exactly the same time.
struct UnitPrice {
    std::string gpuModel;
    base::GpuTime time; // covered by both
    base::Money billed, listed; // per GPU-hour; effective
    double difference = 0; // billed / listed - 1
    bool isFarOff = false; // by more than kFarOff
};

// The spend of a range in one currency.
struct Spend {
    base::Currency currency; // amounts in other currencies are left out; see hasOthers
    bool hasOthers = false;
    std::vector<SpendDay> days; // ascending, every day of the range
    std::vector<HiddenCost> hidden; // the most expensive first; zero amounts are left out
    std::vector<UnitPrice> prices; // the most time first
    std::map<std::string, base::Money> teams; // bills and estimates of each team
    base::Money billed, estimated; // of all days; billed is the bills' effective cost
    // GPU time by model as far as its hours are known, and all other cost: the basis for explaining a change.
    struct Group {
        std::int64_t ticks = 0, active = 0, cost = 0;
    };
    std::map<std::string, Group> groups;
    std::int64_t other = 0;

    base::Money total() const { return {billed.nanos() + estimated.nanos(), currency}; }

    static constexpr double kFarOff = 0.1;
    static constexpr base::Seconds kFinalAfter{48 * 3600}; // after the day; until then its bill may change
};

// The UTC days nearest to a range of days in another zone: each end is rounded to the nearest midnight. At least one
// day.
base::TimeRange nearestDays(base::TimeRange range);

// Explains why one spend differs from the one before; `other` is cost that is not GPU time, or whose GPU time is
// unknown. All parts of both add up to the difference of the totals. Both are computed from the current facts and
// rules, whether or not they are closed: no part is due to other rules or late data (reports::StatementChange has
// these).
struct SpendChange {
    CostChange gpu;
    std::int64_t other = 0;
};
// Fails with Overflow if a difference does not fit.
[[nodiscard]] base::Result<SpendChange> changeOf(const Spend &before, const Spend &after);

std::vector<LedgerDimension> spendDimensions();
// `answer`: rows by spendDimensions(). Fails with Overflow.
[[nodiscard]] base::Result<Spend> spendOf(const LedgerAnswer &answer, base::Currency report, base::UtcTime now);

} // namespace gpuledger::insight

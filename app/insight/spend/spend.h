// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/result.h"
#include "app/base/time.h"
#include "app/insight/spend/costchange.h"
#include "app/insight/spend/ledgerquery.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// What the ledger says of a range: its days, what is no GPU time, and what a GPU-hour really costs. Pure functions; any
// thread.
namespace gpuledger::insight {

enum SpendPart { SpendActive, SpendIdle, SpendUnallocated, SpendUnobserved, SpendOther, SpendParts };

struct SpendDay { // UTC
    base::Day day;
    std::array<std::int64_t, SpendParts> parts{}; // bills (effective) and estimates, nanos
    bool isFinal = false; // else its bill may still change
};

// What is paid beside GPU time: storage, network, support, idle load balancers, …
struct HiddenCost {
    std::string category; // as in the ledger
    std::string service; // as the provider calls it; may be empty
    base::Money amount; // effective
};

// What an hour of a GPU model cost by the bills beside what the price book says of the very same time.
struct UnitPrice {
    std::string gpuModel;
    base::GpuTime time; // that both speak of
    base::Money billed, listed; // per GPU-hour; effective
    double difference = 0; // billed / listed - 1
    bool isFarOff = false; // by more than kFarOff
};

struct Spend {
    base::Currency currency; // amounts in others are left out; see hasOthers
    bool hasOthers = false;
    std::vector<SpendDay> days; // ascending, every day of the range
    std::vector<HiddenCost> hidden; // dearest first; those of nothing are left out
    std::vector<UnitPrice> prices; // most time first
    std::map<std::string, base::Money> teams; // bills and estimates of each
    base::Money billed, estimated; // of all days; billed is the bills' effective cost
    // GPU time by model as far as its hours are known, and all other money: what a change is explained by.
    struct Group {
        std::int64_t ticks = 0, active = 0, cost = 0;
    };
    std::map<std::string, Group> groups;
    std::int64_t other = 0;

    base::Money total() const { return {billed.nanos() + estimated.nanos(), currency}; }

    static constexpr double kFarOff = 0.1;
    static constexpr base::Seconds kFinalAfter{48 * 3600}; // definitions.md, How sure a figure is
};

// The UTC days that are nearest to a range of another zone's days: each end goes to the nearest midnight. At least one.
base::TimeRange nearestDays(base::TimeRange range);

// Why one is another than the one before; `other` is what is no GPU time, or whose GPU time is not known. All parts of
// both add up to the difference of the totals. Both are told from the facts and by the rules of now, whatever of them
// is closed: no part is other rules or late data (reports::StatementChange has these).
struct SpendChange {
    CostChange gpu;
    std::int64_t other = 0;
};
// Fails with Overflow: a difference doesn't fit.
[[nodiscard]] base::Result<SpendChange> changeOf(const Spend &before, const Spend &after);

std::vector<LedgerDimension> spendDimensions();
// `answer`: rows by spendDimensions(). Fails with Overflow.
[[nodiscard]] base::Result<Spend> spendOf(const LedgerAnswer &answer, base::Currency report, base::UtcTime now);

} // namespace gpuledger::insight

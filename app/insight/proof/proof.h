// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/insight/proof/figure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The data behind a figure. Plain values; any thread.
namespace gpuledger::insight {

// A figure's value: one of these, or none if it is unknown.
struct FigureValue {
    std::optional<base::Money> money;
    std::optional<base::GpuTime> time;
    std::optional<double> number; // of `unit`
    std::string unit; // "share" (0..1), "W", "Wh", "h" or "stops"; empty unless it is a number

    bool isKnown() const { return money || time || number; }
    bool operator==(const FigureValue &) const = default; // exact: both sides divide the same integers

    static FigureValue of(base::Money amount) { return {amount, {}, {}, {}}; }
    static FigureValue of(base::GpuTime amount) { return {{}, amount, {}, {}}; }
    static FigureValue of(std::optional<double> number, std::string unit)
    {
        return number ? FigureValue{{}, {}, number, std::move(unit)} : FigureValue{};
    }
};

// An input of the formula, as shown and as recomputed.
struct ProofInput {
    std::string name; // a symbol of the formula: "active", "paid", "rate", …
    FigureValue shown, recomputed;
};

// Consecutive base buckets of one device in which nothing changes but the reading.
struct UsageRow {
    std::string cluster, node, device; // UUID, with ":<instance>" for a slice
    base::TimeRange range;
    std::string state; // "active", …, "unobserved"
    std::string holder; // the workload; empty: unallocated
    std::string team;
    std::optional<double> reading; // mean activity, or the value of the metric; std::nullopt: not observed
    base::GpuTime time;
    std::optional<base::Money> cost; // std::nullopt: no price
    std::optional<base::Money> rate; // per device and hour
    std::string priceSource; // the origin of the rate, and its date
};

// A share of a bill, or of a machine's time, that went into the figure; of savings, what was saved on a day or in a
// run, or a proposal that counts: then it has no origin, its `place` is the target, and its `category` the kind of
// savings.
struct MoneyRow {
    base::Day day;
    std::string source; // of the bill or the allocator; empty: telemetry and the price book
    std::string place; // "file:row" of the bill's first line, or "cluster/node"
    std::uint64_t lines = 0; // of the bill
    std::string account, service, description, resource;
    std::string team, category, state, match, origin;
    std::string priceSource; // of an estimate by the price book: the origin of the machine's rates
    std::optional<base::Money> charge; // what the bill charges for it on that day; of savings, what it cost
    std::optional<base::Money> amount; // the part of it in this figure; std::nullopt: the figure is GPU time
    std::optional<base::GpuTime> time; // the same, as GPU time
};

// The age of the data that a figure was computed from.
struct ProofAge {
    std::string source, kind;
    std::optional<base::UtcTime> synced; // std::nullopt: never
    base::TimeRange covered; // of telemetry; empty: bills and allocations have none
};

// A price that the figure uses, and the time priced with it.
struct ProofPrice {
    base::Money perGpuHour;
    std::string source; // "price book 2026-07-20: …"
    base::GpuTime time; // priced with it
};

// For a figure of a closed month: which record contains it, who closed the month, and the same figure from the current
// facts.
struct ProofOfClose {
    Month month;
    base::UtcTime at{};
    std::string by, reason; // empty: unknown, none
    std::string hash; // of the record; empty: only the store in which it was closed has it
    std::int64_t entry = 0; // of the audit log; 0: not in the log
    std::string entryHash;
    bool isInLog = false; // the entry contains that hash
    FigureValue now; // the same figure from the current facts; unknown: they do not have it
};

// A figure as shown and as recomputed, with the source rows that explain it.
struct Proof {
    Figure figure;
    FigureValue shown; // as on the page: from the roll-ups
    FigureValue recomputed; // from usage, holders and bill lines
    std::vector<ProofInput> inputs;
    bool agrees = false; // shown and recomputed, and each input, are exactly equal
    std::string policy; // split policy
    std::string shownFrom, recomputedFrom; // cache tables that were read
    std::vector<ProofPrice> prices;
    // Source rows of either kind. Rows that are left out are represented by their number and sums, so that everything
    // adds up.
    std::vector<UsageRow> usage;
    std::vector<MoneyRow> money;
    std::uint64_t leftOut = 0;
    base::GpuTime leftOutTime;
    std::optional<base::Money> leftOutAmount;
    std::vector<ProofAge> ages;
    std::optional<ProofOfClose> closed; // if set, shown and recomputed are from the stored record
    base::UtcTime made{};

    static constexpr std::size_t kMostRows = 200;
};

} // namespace gpuledger::insight

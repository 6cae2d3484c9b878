// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/time.h"
#include "app/insight/proof/figure.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What stands behind a figure. Plain values; any thread.
namespace gpuledger::insight {

// A figure's value: one of these, or none where it is unknown.
struct FigureValue {
    std::optional<base::Money> money;
    std::optional<base::GpuTime> time;
    std::optional<double> number; // of `unit`
    std::string unit; // "share" (0..1), "W", "Wh" or "h"; empty unless it is a number

    bool isKnown() const { return money || time || number; }
    bool operator==(const FigureValue &) const = default; // to the last digit: both sides divide the same whole numbers

    static FigureValue of(base::Money amount) { return {amount, {}, {}, {}}; }
    static FigureValue of(base::GpuTime amount) { return {{}, amount, {}, {}}; }
    static FigureValue of(std::optional<double> number, std::string unit)
    {
        return number ? FigureValue{{}, {}, number, std::move(unit)} : FigureValue{};
    }
};

// An amount that the formula takes, from both ways of working it out.
struct ProofInput {
    std::string name; // a symbol of the formula: "active", "paid", "rate", …
    FigureValue shown, recomputed;
};

// Base buckets of one device, one after the other, in which nothing changes but the reading.
struct UsageRow {
    std::string cluster, node, device; // UUID, with ":<instance>" for a slice
    base::TimeRange range;
    std::string state; // "active", …, "unobserved"
    std::string holder; // the workload; empty: nobody
    std::string team;
    std::optional<double> reading; // mean activity, or what the metric reads; nothing: not observed
    base::GpuTime time;
    std::optional<base::Money> cost; // nothing: no price
    std::optional<base::Money> rate; // of one device and hour
    std::string priceSource; // where the rate is from, and of which date
};

// A share of a bill, or of a machine's time, that went into the figure.
struct MoneyRow {
    base::Day day;
    std::string source; // of the bill or the allocator; empty: telemetry and the price book
    std::string place; // "file:row" of the bill's first line, or "cluster/node"
    std::uint64_t lines = 0; // of the bill
    std::string account, service, description, resource;
    std::string team, category, state, match, origin;
    std::string priceSource; // of an estimate by the price book: where the machine's rates are from
    std::optional<base::Money> charge; // what the bill says of it on that day
    std::optional<base::Money> amount; // what of it is in this figure; nothing: the figure is GPU time
    std::optional<base::GpuTime> time; // the same, of GPU time
};

// How new it is what a figure was made from.
struct ProofAge {
    std::string source, kind;
    std::optional<base::UtcTime> synced; // nothing: never
    base::TimeRange covered; // of telemetry; empty: bills and allocations have none
};

struct ProofPrice {
    base::Money perGpuHour;
    std::string source; // "price book 2026-07-20: …"
    base::GpuTime time; // priced by it
};

// Of a figure of a closed month: which record has it, who closed the month, and what the facts say since.
struct ProofOfClose {
    Month month;
    base::UtcTime at{};
    std::string by, reason; // empty: unknown, none
    std::string hash; // of the record; empty: only the store that it was closed in has it
    std::int64_t entry = 0; // of the audit log; 0: the log has none
    std::string entryHash;
    bool isInLog = false; // the entry names that hash
    FigureValue now; // the same figure from the facts as they are now; unknown: they have none
};

struct Proof {
    Figure figure;
    FigureValue shown; // as the page has it: from the roll-ups
    FigureValue recomputed; // from usage, holders and lines of bills
    std::vector<ProofInput> inputs;
    bool agrees = false; // shown and recomputed, and each input, are equal to the last unit
    std::string policy; // split policy
    std::string shownFrom, recomputedFrom; // tables of the cache that were asked
    std::vector<ProofPrice> prices;
    // Source rows: either kind. Those that are left out are told by their number and their sums, so that all add up.
    std::vector<UsageRow> usage;
    std::vector<MoneyRow> money;
    std::uint64_t leftOut = 0;
    base::GpuTime leftOutTime;
    std::optional<base::Money> leftOutAmount;
    std::vector<ProofAge> ages;
    std::optional<ProofOfClose> closed; // then shown and recomputed are of what was kept
    base::UtcTime made{};

    static constexpr std::size_t kMostRows = 200;
};

} // namespace gpuledger::insight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/days/ledgerday.h"
#include "app/ledger/fleet/fleetindex.h"
#include "app/ledger/rates/expectedrates.h"
#include "app/model/fleet/attribution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// What a GPU-hour of a machine costs on a UTC day, in the report currency.
struct NodeRate {
    model::RateBasis basis = model::RateBasis::PriceBook;
    std::int64_t cost = 0, ticks = 0; // nano-units for that much GPU time; ticks > 0
    std::string source;
    base::Rate perGpuHour; // the same, rounded
};

// The one valuation of machines: every answer about money takes its rates from here. The first that applies:
//   1. bill: the amortized cost of the day's bill lines for this machine (LedgerDays matches them) without that of
//      billed hours that telemetry did not see, spread over all of its paid GPU time (split policy gpu-first);
//   2. price book, if the day's bill of its cloud does not contain the machine: it is in no bill;
//   3. expected: what the last final bill days charged (ExpectedRates);
//   4. an allocator's price (AllocatedDay), spread over the time that it covers;
//   5. price book.
// A bill or price in another currency needs one of the user's exchange rates, else it does not apply. Reads the index
// of the day only; one thread.
class NodeRates {
public:
    // `rules` and `index` must outlive this object.
    NodeRates(const LedgerRules &rules, const FleetIndex &index);
    // Determines the rates of that day. Fails with Overflow or with the reader's error.
    [[nodiscard]] base::Result<void> load(base::Day day, store::FactReader &facts);
    // By index of the node, for the day that was loaded last; null: the price book's.
    const NodeRate *of(int node) const;
    // What a bill of that day charges for the node as it is on the invoice; null: no bill contains it.
    const NodeRate *billedOf(int node) const;
    // The team that tags or the account of the machine's largest bill line with an owner name on that day, for time
    // that no other owner rule assigns; empty: none.
    const std::string &ownerOf(int node) const;

private:
    void addTime(const IndexedDevice &device, base::Day day);
    void add(int node, const IndexedDevice &device, base::TimeRange range);
    base::Result<void> rate(std::size_t place, base::Day day, store::FactReader &facts);
    std::optional<NodeRate> onBill(std::size_t place, base::Day day, const AllocatedDay::OnBill &amounts,
                                   const char *source) const;
    std::optional<NodeRate> allocated(std::size_t place, base::Day day) const;
    NodeRate make(model::RateBasis basis, std::int64_t cost, std::int64_t ticks, std::string source) const;

    const LedgerRules &m_rules;
    const FleetIndex &m_index;
    LedgerDays m_ledger;
    std::vector<NodeDay> m_all; // every node, without time
    ExpectedRates m_expected; // of m_all
    base::Day m_day{-1};
    bool m_loaded = false;
    std::vector<NodeDay> m_nodes; // those with paid time on the day
    std::vector<int> m_places; // parallel to m_nodes: index of the node
    std::vector<NodeDay> m_timed; // by index of the node, while a day is loaded
    std::vector<std::optional<NodeRate>> m_rates, m_billed; // by index of the node
    std::vector<std::string> m_owners; // likewise
};

} // namespace gpuledger::ledger

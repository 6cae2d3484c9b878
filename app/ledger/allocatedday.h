// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/allocatedmatch.h"
#include "app/store/values/allocated.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gpuledger::ledger {

// Reconciles what cost allocators report about the machines of one day with telemetry: matches their machines to the
// nodes that telemetry saw, repairs figures where these servers are known to be wrong, and records the findings. The
// price of a machine for the day comes from the allocator (all of it is attributed to its GPUs: split policy
// gpu-first); who used the time comes from telemetry. Repairs: a price 730 times too low compared with the price book
// is multiplied; a price without a GPU part, and less than half of the price book's, is not used. Pods without GPU cost
// (shared, MIG, AMD), idle cost without hours and negative idle cost do not matter to the ledger, because it splits the
// machine's price itself.
class AllocatedDay {
public:
    // What one source reports about one machine that telemetry saw.
    struct Price {
        std::string source;
        model::AllocationProduct product{};
        base::Currency currency;
        std::optional<std::int64_t> total; // nano-units, repaired; std::nullopt if unknown or unusable
        std::optional<std::int64_t> ticks; // base::GpuTime of the devices that it covers; std::nullopt: all observed
                                           // time
    };
    // A GPU machine that telemetry never saw.
    struct Unseen {
        std::string source;
        model::AllocationProduct product{};
        base::Currency currency;
        model::AllocatedNode node;
        std::optional<std::int64_t> ticks;
    };
    // What bills charge for a machine that telemetry saw, by currency: amortized cost in nano-units.
    using OnBill = std::map<base::Currency, std::int64_t>;

    // All arguments must outlive this object. `onBill` is parallel to the nodes.
    AllocatedDay(const std::vector<NodeDay> &nodes, const BillMatch &match, const std::vector<OnBill> &onBill,
                 base::Currency report);

    // Add sources in ascending order: the first one with a price for a machine wins.
    void add(const std::string &source, const model::AllocationDay &day);

    const Price *priceOf(std::size_t node) const;
    const std::vector<Unseen> &unseen() const { return m_unseen; }
    store::AllocationFindings takeFindings();

private:
    struct Machine { // of one source
        model::AllocatedNode told; // sums over all entries at the same place
        bool repaired = false; // its price was 730 times too low
    };
    struct Source; // one source's day while it is being added
    void addMachine(Source &source, std::size_t node, const model::AllocatedNode &told) const;
    void settle(const Source &source, std::size_t node, Machine &machine);
    // `priced` is the price-book cost of `covered`, the part of the price's `ticks` that telemetry saw too.
    void repair(const Source &source, std::size_t node, Machine &machine, const std::optional<std::int64_t> &priced,
                const std::optional<std::int64_t> &covered, const std::optional<std::int64_t> &ticks);
    void comparePods(const Source &source, std::size_t node, const Machine &machine);
    void comparePrices(const Source &source, std::size_t node, const Machine &machine);
    void compareIdle(const Source &source, const model::AllocatedIdle &idle);
    std::optional<std::int64_t> ticksOf(std::size_t node, const model::AllocatedNode &told) const;
    void find(const Source &source, const std::string &cluster, model::AllocationReason reason,
              std::optional<std::int64_t> theirs, std::optional<std::int64_t> ours, const std::string &example);

    const std::vector<NodeDay> &m_nodes;
    const BillMatch &m_match;
    const std::vector<OnBill> &m_onBill;
    base::Currency m_report;
    std::vector<std::optional<Price>> m_prices; // parallel to the nodes
    std::vector<Unseen> m_unseen;
    using FindingKey =
        std::tuple<std::string, std::string, model::AllocationReason, model::AllocationProduct, base::Currency>;
    std::map<FindingKey, model::AllocationFinding> m_findings;
};

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/allocations/allocatedmatch.h"
#include "app/store/values/allocated.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::ledger {

// Reconciles what cost allocators report about the machines of one day with telemetry: matches their machines to the
// nodes that telemetry saw, repairs figures where these servers are known to be wrong, and records the findings. The
// price of a machine for the day comes from the allocator (all of it is attributed to its GPUs: split policy
// gpu-first); who used the time comes from telemetry. These prices are not used, so that the price book's applies:
//   - one that is no more than what one vCPU costs (OpenCost takes the price of a vCPU for that of the whole machine if
//     it has no price for its GPUs): see isOneVcpu() in allocatedday.cpp;
//   - one without a GPU part that CPU and memory alone make up, unless it is close to the price book's; or, where its
//     parts do not say so, one that is less than half of the price book's.
// Pods without GPU cost (shared, MIG, AMD), idle cost without hours and negative idle cost do not matter to the ledger,
// because it splits the machine's price itself.
class AllocatedDay {
public:
    // What one source reports about one machine that telemetry saw.
    struct Price {
        std::string source;
        model::AllocationProduct product{};
        base::Currency currency;
        std::optional<std::int64_t> total; // nano-units; std::nullopt if unknown or unusable
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
    // What bills charge for the time of a machine that telemetry saw, by currency: amortized cost in nano-units.
    using OnBill = std::map<base::Currency, std::int64_t>;
    // The same for all of the machine's billed time; std::nullopt: unknown, because a line is for others too.
    using WholeBill = std::map<base::Currency, std::optional<std::int64_t>>;

    // A machine that ran no longer than this is the sample of the next midnight, which OpenCost counts to both days.
    static constexpr std::int64_t kOneSample = 300; // seconds

    // All arguments must outlive this object. `onBill` is parallel to the nodes.
    AllocatedDay(const std::vector<NodeDay> &nodes, const BillMatch &match, const std::vector<WholeBill> &onBill,
                 const PriceBook &book);

    // Add sources in ascending order: the first one with a price for a machine wins.
    void add(const std::string &source, const model::AllocationDay &day);

    const Price *priceOf(std::size_t node) const;
    const std::vector<Unseen> &unseen() const { return m_unseen; }
    // Without those whose difference is shown as 0.00.
    store::AllocationFindings takeFindings();

private:
    struct Machine { // of one source
        model::AllocatedNode told; // sums over all entries at the same place
        bool unusable = false; // its price is that of something else
    };
    struct Source; // one source's day while it is being added
    void addMachine(Source &source, std::size_t node, const model::AllocatedNode &told) const;
    void settle(const Source &source, std::size_t node, Machine &machine);
    // Discards a price that cannot be the machine's. `same` is the price, and `priced` the price-book cost, of the time
    // that both cover.
    void check(const Source &source, std::size_t node, Machine &machine, const std::optional<std::int64_t> &same,
               const std::optional<std::int64_t> &priced);
    bool isOneVcpu(std::size_t node, const model::AllocatedNode &told, const std::optional<std::int64_t> &same,
                   const std::optional<std::int64_t> &priced) const;
    void compareRate(const Source &source, std::size_t node, std::int64_t same, std::int64_t priced);
    void comparePods(const Source &source, std::size_t node, const Machine &machine);
    void comparePrices(const Source &source, std::size_t node, const Machine &machine);
    void compareIdle(const Source &source, const model::AllocatedIdle &idle);
    std::optional<std::int64_t> ticksOf(std::size_t node, const model::AllocatedNode &told) const;
    void find(const Source &source, const std::string &cluster, model::AllocationReason reason,
              std::optional<std::int64_t> theirs, std::optional<std::int64_t> ours, const std::string &example);

    const std::vector<NodeDay> &m_nodes;
    const BillMatch &m_match;
    const std::vector<WholeBill> &m_onBill;
    const PriceBook &m_book;
    std::vector<std::optional<Price>> m_prices; // parallel to the nodes
    std::vector<Unseen> m_unseen;
    using FindingKey =
        std::tuple<std::string, std::string, model::AllocationReason, model::AllocationProduct, base::Currency>;
    std::map<FindingKey, model::AllocationFinding> m_findings;
    std::map<FindingKey, std::pair<std::int64_t, std::int64_t>> m_agreed; // theirs, ours: where rates do not differ
};

} // namespace gpuledger::ledger

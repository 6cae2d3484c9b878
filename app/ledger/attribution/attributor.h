// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/dayresolver.h"
#include "app/ledger/rules/ledgerrules.h"
#include "app/model/money/costview.h"
#include "app/store/facts/attributionreader.h"

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>

namespace gpuledger::ledger {

class NodeRates;
struct NodeRate;

// Turns facts into attributed device days: states, holders with their owners, and cost in one view: at the rates of
// NodeRates (effective), at what bills charge (billed) or by the price book (list). Reads through one FactReader; use
// one object per thread.
class Attributor final : public store::AttributionReader {
public:
    // Both must outlive this object.
    Attributor(const LedgerRules &rules, store::FactReader &facts, model::CostView view = model::CostView::Effective);
    ~Attributor() override;

    // Loads the index for all of these days at once, so that several walks within them share it.
    [[nodiscard]] base::Result<void> preload(base::Day first, base::Day last) { return load(first, last); }
    [[nodiscard]] base::Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                          const Visitor &visit) override;
    store::FactReader *facts() override { return &m_facts; }
    bool hasStoredCost() const override { return m_view == model::CostView::Effective; }
    [[nodiscard]] base::Result<store::IdleReader *> kept() override { return m_facts.keptIdle(m_rules.fingerprint); }

private:
    base::Result<void> load(base::Day first, base::Day last);
    void forgetHolders();
    void boundHolders(); // before a day
    base::Result<void> visitDay(base::Day day, std::span<const base::DeviceId> devices, const Visitor &visit);
    base::Result<void> attribute(const IndexedDevice &device, base::Day day,
                                 const std::vector<model::UsageTrack> &tracks, const Visitor &visit);
    const std::vector<int> &cutsOf(const IndexedDevice &device, base::Day day);
    base::Result<void> visitPiece(const IndexedDevice &device, base::Day day, std::span<const DayResolver::Part> parts,
                                  const Visitor &visit);
    // `node`: index of the node that the claimed device is in, or -1.
    std::int32_t holderFor(const Claim &claim, int node, base::UtcTime at);
    const std::string &ownerOrBills(const std::string &team, int node) const;
    model::AttributedHolder describe(const Claim &claim, int node, base::UtcTime at) const;
    bool isMachine(const Claim &claim) const;
    struct NodeFacts { // shared by all like devices of a node
        std::string deviceModel, cluster;
        bool sliced = false;
        std::size_t rules = 0, prices = 0; // index of the validity period
        std::string gpuModel, nodeOwner, nodePool;
        double restingW = 0;
        std::optional<PriceBook::Price> price;
        bool known = false;
    };
    const NodeFacts &factsOf(const IndexedDevice &device, int node, base::UtcTime at);
    const NodeRate *rateOf(int node) const;
    void addListCosts(const IndexedDevice &device, const model::Node *node);
    void addCosts();
    void splitCost(std::size_t first, std::size_t end, std::int64_t cost, std::int64_t model::UsagePart::*to);
    std::int64_t costOfBucket(const IndexedDevice &device, const model::Node *node, base::TimeRange bucket,
                              std::int64_t seconds, std::int64_t paidBefore) const;
    std::size_t segmentOf(base::UtcTime at) const;

    const LedgerRules &m_rules;
    store::FactReader &m_facts;
    const model::CostView m_view;
    struct Loaded;
    std::shared_ptr<Loaded> m_loaded; // owns m_index; passed on to the next attributor of the same facts
    FleetIndex *m_index = nullptr;
    NodeRates *m_rates = nullptr; // also m_loaded's
    std::unique_ptr<DayResolver> m_resolver;
    std::vector<int> m_cuts;
    std::vector<NodeFacts> m_nodeFacts; // by node index + 1
    std::vector<std::int64_t> m_weights;
    base::Rate m_listRate; // of the current piece
    const NodeRate *m_rate = nullptr; // of the current piece; null: the price book's, or none in the billed view
    model::DeviceAttribution m_out; // reused to avoid allocations
    std::vector<model::AttributedHolder> m_holders; // of some days, at most about three times those of one
    std::size_t m_holdersOfDay = 0; // of the first of these days
    struct ClaimKey {
        Claim claim;
        std::size_t segment = 0;
        int node = -1; // set for machines
        std::string billOwner; // see NodeRates::ownerOf
        bool operator==(const ClaimKey &) const = default;
    };
    struct ClaimHash {
        std::size_t operator()(const ClaimKey &key) const;
    };
    std::unordered_map<ClaimKey, std::int32_t, ClaimHash> m_holderByClaim;
};

} // namespace gpuledger::ledger

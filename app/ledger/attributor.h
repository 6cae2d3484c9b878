// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/dayresolver.h"
#include "app/ledger/gpucatalog.h"
#include "app/ledger/ownerrules.h"
#include "app/ledger/pricebook.h"
#include "app/ledger/workloadrules.h"
#include "app/store/attributionreader.h"

#include <functional>
#include <span>
#include <unordered_map>

namespace gpuledger::ledger {

// The rules and prices of one configuration, shared by everything that attributes.
struct LedgerRules {
    OwnerRules owners;
    WorkloadRules workloads;
    GpuCatalog catalog;
    PriceBook prices;
    std::uint16_t threshold = 0;
};

// Facts to attributed device days: states, holders with owners, cost. Reads through one FactReader; one object a
// thread.
class Attributor final : public store::AttributionReader {
public:
    // All three must outlive it.
    Attributor(const LedgerRules &rules, store::FactReader &facts);
    ~Attributor() override;

    // Loads the index for these days at once, so that several walks within them share it.
    [[nodiscard]] base::Result<void> preload(base::Day first, base::Day last) { return load(first, last); }
    [[nodiscard]] base::Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                                          const Visitor &visit) override;

private:
    base::Result<void> load(base::Day first, base::Day last);
    base::Result<void> visitDay(base::Day day, std::span<const base::DeviceId> devices, const Visitor &visit);
    base::Result<void> attribute(const IndexedDevice &device, base::Day day,
                                 const std::vector<model::UsageTrack> &tracks, const Visitor &visit);
    const std::vector<int> &cutsOf(const IndexedDevice &device, base::Day day);
    base::Result<void> visitPiece(const IndexedDevice &device, base::Day day, std::span<const DayResolver::Part> parts,
                                  const Visitor &visit);
    std::int32_t holderFor(const Claim &claim, base::UtcTime at);
    model::AttributedHolder describe(const Claim &claim, base::UtcTime at) const;
    void addCosts(model::DeviceAttribution &out, const IndexedDevice &device) const;
    std::size_t segmentOf(base::UtcTime at) const;

    const LedgerRules &m_rules;
    store::FactReader &m_facts;
    std::unique_ptr<FleetIndex> m_index;
    std::unique_ptr<DayResolver> m_resolver;
    base::Day m_loadedFirst{1}, m_loadedLast{0};
    std::vector<int> m_cuts;
    std::vector<model::AttributedHolder> m_holders;
    std::unordered_map<std::uint64_t, std::int32_t> m_holderByClaim;
};

} // namespace gpuledger::ledger

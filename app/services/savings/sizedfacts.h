// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/result.h"
#include "app/ledger/bills/billmatch.h"
#include "app/ledger/prices/gpucatalog.h"
#include "app/ledger/prices/pricebook.h"
#include "app/model/fleet/fleet.h"
#include "app/savings/capacity/capacity.h"
#include "app/savings/rightsize/rightsize.h"
#include "app/savings/schedule/schedule.h"
#include "app/services/prices/billedcommitments.h"
#include "app/services/savings/savingsengines.h"

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

namespace gpuledger::services {

// The past that the engines replay. Read once for all of them, from the stored days and in one walk over the attributed
// time of the others, because that takes most of the time of an answer. Parts refer to each other, so it stays where it
// is.
class SizedFacts {
public:
    SizedFacts(ledger::GpuCatalog catalog, ledger::PriceBook prices);
    SizedFacts(const SizedFacts &) = delete;
    SizedFacts &operator=(const SizedFacts &) = delete;

    const ledger::PriceBook &prices() const { return m_prices; }
    const BilledCommitments &bills() const { return *m_bills; }
    const std::set<base::NodeId> &spotNodes() const { return m_spotNodes; } // by the bills
    const std::shared_ptr<const savings::RightSizePast> &past() const { return m_past; } // with recentOnly
    const std::shared_ptr<const std::vector<savings::CapacityPool>> &pools() const { return m_pools; }
    const std::shared_ptr<const savings::SchedulePast> &schedule() const { return m_schedule; }

    // Once. Fails as the collectors and BilledCommitments::read() do.
    [[nodiscard]] base::Result<void> read(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop);

private:
    base::Result<void> readBills(store::FactReader &facts, base::TimeRange range, const std::stop_token &stop);

    const ledger::GpuCatalog m_catalog;
    const ledger::PriceBook m_prices;
    std::vector<model::Node> m_nodes;
    std::vector<ledger::NodeDay> m_machines; // parallel to the nodes
    std::optional<BilledCommitments> m_bills;
    std::set<base::NodeId> m_spotNodes;
    std::shared_ptr<const savings::RightSizePast> m_past;
    std::shared_ptr<const std::vector<savings::CapacityPool>> m_pools;
    std::shared_ptr<const savings::SchedulePast> m_schedule;
};

// Those of the question: what `question.sized` points to, which is set if it is null. Blocking; fails as read() does.
[[nodiscard]] base::Result<std::shared_ptr<const SizedFacts>>
sizedFacts(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop);

} // namespace gpuledger::services

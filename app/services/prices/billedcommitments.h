// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ledger/bills/billmatch.h"
#include "app/ledger/prices/pricebook.h"
#include "app/savings/commitments/commitments.h"
#include "app/store/facts/factreader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpuledger::services {

// What the bills of some days say of GPU machines on demand and of commitments: by account, type and region. One
// object per question; one thread. `prices` and `nodes` (all of them, without time) must outlive it.
class BilledCommitments {
public:
    struct Covered { // by one commitment, of one type
        std::int64_t ticks = 0; // machine time, as in savings::CommitmentDemand
        std::int64_t cost = 0; // amortized, nano-units
        std::optional<base::Rate> listRate; // per machine-hour: the line's contracted price, else its list price
    };
    struct TypeKey {
        std::string cloud, account, instanceType, region; // lower case; the billing account
        base::Currency currency;
        auto operator<=>(const TypeKey &) const = default;
    };
    struct Type {
        std::string instanceType; // as the price list spells it
        std::map<base::Day, std::int64_t> onDemand; // machine time
        std::int64_t billed = 0, effective = 0, ticks = 0; // of these
        std::map<std::string, Covered> covered; // by id of the commitment
        std::uint64_t linesWithoutTime = 0;
        std::set<std::size_t> nodes; // indexes of the nodes that ran on demand
        std::uint64_t unmatched = 0; // on-demand lines whose node is unknown
    };
    struct Spot { // usage at a spot price, of one day
        std::int64_t cost = 0, ticks = 0; // effective; machine time
    };
    struct Commitment {
        std::string name, type, cloud, account;
        std::int64_t termMonths = 0; // 0: unknown
        bool whole = false; // sold by the machine
        std::int64_t used = 0, unused = 0; // nano-units
        base::Day last; // with a line of it
    };
    using CommitmentKey = std::pair<std::string, base::Currency>; // id
    using AccountKey = std::pair<std::string, std::string>; // cloud, billing account

    BilledCommitments(const ledger::PriceBook &prices, const std::vector<ledger::NodeDay> &nodes)
        : m_prices(prices)
        , m_match(nodes)
    {
    }
    // Reads the days; the newest ledger::kOpenBillDays of each account are left out afterwards, because their bill may
    // still change. Fails with Cancelled, Overflow or the reader's error.
    [[nodiscard]] base::Result<void> read(base::Day first, base::Day last, store::FactReader &facts,
                                          const std::stop_token &stop);
    // The last day that a fee of each commitment is for, if a bill has one that reaches beyond its own month.
    [[nodiscard]] base::Result<std::map<std::string, base::Day>> ends(base::Day after, store::FactReader &facts,
                                                                      const std::stop_token &stop) const;

    const std::map<TypeKey, Type> &types() const { return m_types; }
    const std::map<CommitmentKey, Commitment> &commitments() const { return m_commitments; }
    // What ran at a spot price, by final day; and the nodes of it, by index.
    const std::map<TypeKey, std::map<base::Day, Spot>> &spot() const { return m_spot; }
    const std::set<std::size_t> &spotNodes() const { return m_spotNodes; }
    // Days with final usage, ascending; empty: none.
    const std::map<AccountKey, std::set<base::Day>> &days() const { return m_days; }

private:
    struct Known {
        ledger::BillItem item;
        std::vector<std::size_t> nodes;
    };
    struct DayItem { // one line's share of a day
        base::Day day;
        const store::BilledItem &billed;
        const Known &known;
    };
    const Known &describe(const store::BilledItem &billed);
    base::Result<void> findDays(base::Day first, base::Day last, store::FactReader &facts, const std::stop_token &stop);
    base::Result<void> add(const DayItem &one);
    base::Result<void> addMachine(const DayItem &one);
    base::Result<void> addSpot(const DayItem &one);
    base::Result<void> addCommitment(const DayItem &one);

    const ledger::PriceBook &m_prices;
    ledger::BillMatch m_match;
    std::unordered_map<std::int64_t, Known> m_known; // by id of the bill item
    std::map<AccountKey, std::set<base::Day>> m_days;
    std::map<TypeKey, Type> m_types;
    std::map<CommitmentKey, Commitment> m_commitments;
    std::map<TypeKey, std::map<base::Day, Spot>> m_spot;
    std::set<std::size_t> m_spotNodes;
};

} // namespace gpuledger::services

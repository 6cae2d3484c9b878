// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/allocations/allocatedday.h"
#include "app/ledger/bills/billedhours.h"
#include "app/ledger/bills/billedtypes.h"
#include "app/ledger/bills/billmatch.h"
#include "app/ledger/days/ledgerpart.h"
#include "app/ledger/rules/ledgerrules.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpuledger::ledger {

// Builds the ledger day by day: reconciles bills with what telemetry saw. Each amount on a bill is split into lines
// that add up to it, to the nano-unit, in both views:
//   - for a machine that telemetry saw: by owner x state x kind of holder, in proportion to device time (split policy
//     gpu-first: the whole price of the machine, in equal shares for its devices, by largest remainder). If the bill
//     charges more hours than telemetry saw, the rest of them keeps its part of the cost, in the state "unobserved";
//   - for a GPU machine that it never saw: a line "unobserved", owned by cloud tag or account;
//   - for anything else: its own category, owned in the same way;
//   - what cannot be assigned to a day or to one machine: "unexplained".
// GPU time of a provider whose bill for the day does not contain it becomes "not billed"; that of other machines
// becomes a line at an allocator's prices (AllocatedDay), else at the price book's. One thread; caches what it learned
// about bill items for the next day.
class LedgerDays {
public:
    // `visit` (may be empty) is called for each addition to a line.
    explicit LedgerDays(const LedgerRules &rules, model::LineDetail detail = {}, LedgerPartVisitor visit = {})
        : m_rules(rules)
        , m_detail(detail)
        , m_visit(std::move(visit))
    {
    }
    // `nodes` as NodeDays returns them. Fails with Overflow or with the reader's error.
    [[nodiscard]] base::Result<store::LedgerDay> linesOf(base::Day day, const std::vector<NodeDay> &nodes,
                                                         store::FactReader &facts);
    // What the day of the last call charges for a machine, an index into the nodes, in currencies of their own.
    struct MachineCost {
        const AllocatedDay::OnBill &effective, &billed; // empty: no bill line is for it
        const AllocatedDay::Price *allocated = nullptr; // null: no allocator has a price
        bool cloudIsBilled = false; // a bill of the day covers machines of its cloud
        std::string owner; // by tag or account of the largest bill line that has one; empty: none
    };
    MachineCost costOf(std::size_t node) const;
    // The allocator findings for the day of the last call.
    store::AllocationFindings takeFindings()
    {
        return m_allocated ? m_allocated->takeFindings() : store::AllocationFindings();
    }

private:
    struct Known {
        BillItem item;
        model::LedgerKey key; // of a line that is not GPU machine time
    };
    struct Machine { // a node's best bill line, which carries its hours
        model::LedgerKey key; // without the fields that distinguish shares
        std::int64_t weight = -1; // the absolute size of its amounts
    };
    const Known &knownOf(const store::BilledItem &billed, base::Day day);
    base::Result<void> addBills(store::FactReader &facts);
    base::Result<void> addItem(const store::BilledItem &billed);
    base::Result<void> addMachine(const store::BilledItem &billed, const Known &known, const BillMatch::Found &found);
    base::Result<void> addUnseen(const store::BilledItem &billed, const Known &known,
                                 std::optional<std::int64_t> ticks);
    base::Result<void> addUnseenHours(const store::BilledItem &rest, const Known &known, const BillMatch::Found &found,
                                      std::int64_t ticks);
    model::LedgerKey unseenKeyOf(const Known &known) const;
    std::string ownerOf(const std::vector<std::size_t> &nodes, const std::string &onBill) const;
    base::Result<void> addToShares(const model::LedgerKey &key, const std::vector<std::size_t> &nodes,
                                   std::int64_t billed, std::int64_t effective);
    base::Result<void> add(const model::LedgerKey &key, std::int64_t billed, std::int64_t effective);
    base::Result<void> addAmounts(const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    base::Result<void> addTelemetry();
    base::Result<void> addTime(const model::LedgerKey &key, const TimeShare &share);
    base::Result<void> loadAllocations(store::FactReader &facts);
    base::Result<void> addAllocated(std::size_t node, const model::LedgerKey &priced, const AllocatedDay::Price &price);
    base::Result<void> addUnseenAllocated(const AllocatedDay::Unseen &unseen);
    model::LedgerKey keyOf(const model::LedgerKey &base, const NodeDay &node, const TimeKey &time) const;

    const LedgerRules &m_rules;
    model::LineDetail m_detail;
    LedgerPartVisitor m_visit;
    std::unordered_map<std::int64_t, Known> m_known; // by item, under one set of rules
    std::size_t m_segment = 0; // validity period of the owner rules
    // Of the current day:
    base::Day m_day;
    const std::vector<NodeDay> *m_nodes = nullptr;
    std::unique_ptr<BillMatch> m_match;
    std::unique_ptr<BilledHours> m_hours;
    std::unique_ptr<BilledTypes> m_types;
    std::vector<char> m_foundById; // parallel to the nodes
    std::vector<Machine> m_machines; // parallel to the nodes
    std::vector<Machine> m_owned; // likewise: the best bill line that names an owner
    std::vector<AllocatedDay::OnBill> m_onBillCost, m_onBillBilled; // parallel to the nodes; effective and as billed
    std::vector<AllocatedDay::WholeBill> m_onBillWhole; // likewise, effective
    std::unique_ptr<AllocatedDay> m_allocated;
    std::set<std::string> m_billedClouds;
    store::LedgerDay m_lines;
    const store::BilledItem *m_bill = nullptr; // what is being added, and for which machine
    const NodeDay *m_node = nullptr;
    std::vector<std::int64_t> m_weights;
};

} // namespace gpuledger::ledger

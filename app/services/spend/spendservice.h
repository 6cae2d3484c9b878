// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/spend/month.h"
#include "app/model/money/costview.h"

#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::insight {
struct CountedTwice;
struct LedgerAnswer;
struct LedgerQuery;
struct Reconciliation;
} // namespace gpuledger::insight
namespace gpuledger::model {
struct QuoteList;
}
namespace gpuledger::reports {
using model::CostView;
struct SplitLens;
} // namespace gpuledger::reports
namespace gpuledger::savings {
struct QuoteFilter;
} // namespace gpuledger::savings

namespace gpuledger::services {

class Engine;
struct BudgetsAnswer;
struct ClaimsAnswer;
struct CommitmentsAnswer;
struct ListedPrice;
struct ListedPrices;
struct PlannedAnswer;

// Answers questions about cost from the ledger, the bills and the stored price lists. `engine` must outlive it. Every
// function blocks and must be called from a worker thread; any thread. All fail with Overflow and Storage… codes.
class SpendService {
public:
    explicit SpendService(Engine &engine)
        : m_engine(engine)
    {
    }

    // The cost ledger: rows of the chosen dimensions, and the totals of the bills. Also fails with InvalidArgument (an
    // empty range).
    [[nodiscard]] base::Result<insight::LedgerAnswer> ledger(const insight::LedgerQuery &query);
    // Reconciles a month's bill with the ledger.
    [[nodiscard]] base::Result<insight::Reconciliation> reconcile(const insight::Month &month);
    // Accounts that several sources of bills have amounts of on the same days, of one month or of all. Follows from
    // what is stored, also by sources that are no longer configured. Reads every line of the ledger if there may be
    // any.
    [[nodiscard]] base::Result<std::vector<insight::CountedTwice>>
    countedTwice(const std::optional<insight::Month> &month = std::nullopt);
    // What each team is charged for GPU machines under every split policy. Computed from facts and bills, which takes
    // longer.
    [[nodiscard]] base::Result<reports::SplitLens> splitLens(const insight::Month &month, reports::CostView view);
    // What an hour of each GPU machine type really cost, by the final bill days of `range` (empty: the last 28 days of
    // the data): on demand and under commitments. Empty without bills. Also fails with Cancelled.
    [[nodiscard]] base::Result<model::QuoteList> paidPrices(std::optional<base::TimeRange> range,
                                                            reports::CostView view, const std::stop_token &stop);
    // Planned machines with GPUs beside what such machines cost by the bills: see plannedMachines().
    [[nodiscard]] base::Result<PlannedAnswer> planned(reports::CostView view, const std::stop_token &stop);
    // What other tools claim to have saved beside what the bill says: see claimedSavings().
    [[nodiscard]] base::Result<ClaimsAnswer> claims(reports::CostView view, const std::stop_token &stop);
    // Budgets that are set up at clouds beside what the bill has of their period: see cloudBudgets().
    [[nodiscard]] base::Result<BudgetsAnswer> budgets(reports::CostView view, const std::stop_token &stop) const;
    // What the last syncs kept of the commitments at clouds, beside the bill: see cloudCommitments().
    [[nodiscard]] base::Result<CommitmentsAnswer> commitments(const std::stop_token &stop) const;
    // What the price lists of the configuration offer, as the last sync that could read them stored it.
    [[nodiscard]] base::Result<ListedPrices> listedPrices();
    // Everything that price lists offered since they were first read, also lists that are no longer configured. By
    // offer, each from its oldest price to its newest. With a range, prices that their list had at some time in it.
    [[nodiscard]] base::Result<std::vector<ListedPrice>>
    priceHistory(const savings::QuoteFilter &filter, const std::optional<base::TimeRange> &range = std::nullopt);
    // The GPU models, as in the catalogue, that were seen in the last 7 days of the data on the nodes of each entry of
    // `prices: owned`, in its order; an empty one is a GPU that the catalogue does not have.
    [[nodiscard]] base::Result<std::vector<std::set<std::string>>> ownedModels();

private:
    Engine &m_engine;
};

} // namespace gpuledger::services

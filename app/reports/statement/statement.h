// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/insight/spend/costchange.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/model/money/costview.h"
#include "app/reports/sharing/sharing.h"
#include "app/reports/statement/adjustments.h"
#include "app/reports/statement/monthstatus.h"
#include "app/reports/statement/statementbudget.h"
#include "app/reports/statement/statementsavings.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The statement of a month for each team: one set of figures from which every document is built, so that no two of them
// can differ. Pure functions of the ledger's answers; any thread.
namespace gpuledger::reports {

// Which of a bill's two costs is shown; a statement has no list prices, so never List.
using model::CostView;

// The states of GPU time, in a statement's order: what was used first, then what was left over.
inline constexpr std::array<std::string_view, 4> kGpuStates{"active", "idle", "unallocated", "unobserved"};
inline constexpr std::string_view kActiveState = kGpuStates[0], kIdleState = kGpuStates[1],
                                  kUnobservedState = kGpuStates[3];

// A row of a statement: a category, which is split by state for GPU time.
struct StatementLine {
    std::string category; // "gpu", "storage", …, "unexplained"
    std::string state; // one of kGpuStates; empty: not GPU time
    base::Money cost; // of bills, in the statement's view
    base::Money estimated; // at price-book prices, for time that no bill covers
    std::optional<base::GpuTime> gpuTime; // std::nullopt: none, or unknown
    bool gpuTimeComplete = true; // false: it is a lower bound
    base::GpuTime unpriced; // the part without any price: its cost is unknown and not in any sum
};

// A workload of a team; empty texts: not named by the bill or by telemetry.
struct StatementWorkload {
    std::string nameSpace, name;
    base::Money cost; // bills and estimate
    base::Money idle; // the part of it while the workload was idle
    std::optional<base::GpuTime> gpuTime;
};

// Explains why a month differs from the preceding one: price + hours + mix + efficiency + other + restated ==
// total(after) - before, exactly. `before` is what the documents of the preceding month show: if it is closed, what was
// closed, without adjustments. So a closed preceding month has parts of its own:
//   late   = its current facts under the rules of its close, minus what was closed
//   policy = its current facts under the current rules, minus its current facts under the rules of its close
// and the other parts explain this month compared with the preceding month as it would be closed now. Rules are all
// settings that figures depend on (owners, prices, exchange rates, …), except who pays for shared and idle cost, which
// changes no total. If the preceding month is open, both months are computed from the current facts and rules: there is
// no late part and no policy part, and both are 0. Adjustments report the same cost where it is to be paid, and are in
// neither total: see TeamStatement::adjusted.
struct StatementChange {
    base::Money before;
    base::Money price, hours, mix, efficiency; // of GPU time: see insight::explainChange()
    base::Money other; // of everything that is not GPU time, or whose GPU time is unknown
    base::Money restated; // policy and late
    // std::nullopt: the rules of the close are unknown, or the prices of another program version applied. Then only
    // `restated` is known; for Before::Unknown not even that, and both are contained in the other parts.
    std::optional<base::Money> policy, late;
    enum class Before { Open, Closed, Unknown }; // Unknown: stored by an older version, which did not record it
    Before state = Before::Open; // of the preceding month
};

// A change that became known after a month was closed, reported in this month.
struct StatementAdjustment {
    insight::Month of;
    base::UtcTime closedAt{};
    std::string team, category, state; // as in a line
    base::Money cost, estimated; // may be negative; an estimate that a bill replaced is subtracted here
};

// One team's part of a statement, in one currency.
struct TeamStatement {
    std::string team; // empty: cost to which no rule could be applied
    std::vector<StatementLine> lines; // ascending by the order of the category enumeration, then by state
    base::Money cost, estimated; // sums of the lines
    base::Money idle; // cost and estimate of idle GPU time
    std::optional<base::GpuTime> gpuTime, idleTime;
    std::optional<StatementChange> change; // std::nullopt: the preceding month has no figures, or not for all its days
    std::vector<StatementWorkload> workloads; // the most expensive, at most kMostWorkloads
    base::Money adjusted; // cost and estimate of the adjustments of closed months; not in any other sum
    base::Money moved; // by the rules for shared and idle cost, see CurrencyStatement::sharing; not in any other sum
    // How certain the above is. sharedEqually: the part of the total that was split equally between the holders of a
    // device, because nothing measured how much each used. mayBeShared: the part of other teams' totals that was split
    // like this in the same cluster between devices of the same model, so that it may belong to this team.
    base::Money sharedEqually, mayBeShared;
    // Unowned cost that may belong to this team (neighbours.h), and the part of it that was idle or unobserved; for
    // unowned cost itself, what may belong to any team.
    struct Possible {
        base::Money more, less; // charges, >= 0; credits, <= 0
    };
    Possible unowned, unownedIdle;
    base::Money oldPriced; // the part of `estimated` at list prices older than kOldPrice at the end of the month
    std::string oldestPrice; // date of the oldest of them, YYYY-MM-DD; empty: none

    static constexpr std::size_t kMostWorkloads = 10;
    base::Money zero() const { return base::Money(0, cost.currency()); }
    base::Money total() const { return base::Money(cost.nanos() + estimated.nanos(), cost.currency()); }
    // What the team has to pay: its own cost, what the rules moved, and adjustments.
    base::Money charged() const { return base::Money(totalWithAdjustments().nanos() + moved.nanos(), cost.currency()); }
    base::Money totalWithAdjustments() const
    {
        return base::Money(total().nanos() + adjusted.nanos(), cost.currency());
    }
};

// The older a list price is, the less it says about a cloud's current price.
inline constexpr base::Seconds kOldPrice{std::int64_t{90} * 86'400};

// The statement in one currency; amounts of different currencies are never added.
struct CurrencyStatement {
    base::Currency currency;
    bool hasBill = false; // false: no bill is known, and everything is estimated
    base::Money bill; // the bills' total, recomputed from their lines
    base::Money unexplained; // the unexplained part of it
    // Costs and estimates that no rule assigned to a team, whichever teams are shown; and the part of them that was
    // idle or unobserved.
    base::Money unowned, unownedIdle;
    base::Money cost, estimated; // sums over the teams; cost == bill
    std::vector<TeamStatement> teams; // the most expensive first
    // Adjustments of the teams above, ascending by month, team, category and state; not in any of the sums above. The
    // costs of all months, plus all adjustments, add up to the bills.
    std::vector<StatementAdjustment> adjustments;
    base::Money adjustedCost, adjustedEstimate; // of all teams

    // Who pays for shared and idle cost, if the rules move any; all teams together are charged their cost, minus its
    // ownLine.
    std::optional<Sharing> sharing;

    bool isOnlyAdjusted() const; // the month itself has nothing in this currency
    base::Money difference() const { return base::Money(cost.nanos() - bill.nanos(), bill.currency()); }
    base::Money total() const { return base::Money(cost.nanos() + estimated.nanos(), cost.currency()); }
    base::Money adjusted() const
    {
        return base::Money(adjustedCost.nanos() + adjustedEstimate.nanos(), cost.currency());
    }
};

// A month's statement for all teams, or for one.
struct Statement {
    insight::Month month;
    MonthStatus status; // without its objections
    CostView view = CostView::Billed;
    base::UtcTime made{};
    bool isOver = false; // false: the month is not over yet, and its figures will change
    base::TimeRange observed; // the fetched telemetry within the month; empty: none
    std::string team; // the only team that it covers; empty: all
    bool knowsDoubts = false; // false: equal splits and old prices were not determined
    bool knowsNeighbours = false; // false: all unowned cost may belong to each team
    std::vector<CurrencyStatement> currencies; // ascending
    std::optional<StatementSavings> savings; // only if asked for, and never of a closed month
    std::vector<StatementBudget> budgets; // likewise

    bool hasBill() const; // in any currency
    // True if the teams' costs add up to the existing bills, and nothing is unexplained.
    bool reconciles() const;
    // True if GPU time is missing at an end of the month, because nothing was fetched for it.
    bool isCut() const;
};

// The order of lines in a statement: categories, then states.
std::array<std::size_t, 2> lineOrder(std::string_view category, std::string_view state);
bool comesBefore(const StatementLine &a, const StatementLine &b);

// All teams combined into one without a name; it has a change only if every team has one, and the workloads that are
// most expensive overall.
TeamStatement allTeams(const CurrencyStatement &currency);

// Reduces it to one team; what concerns the whole bill stays, and savings only if they are this team's.
Statement ofTeam(Statement statement, const std::string &team);

insight::Month before(const insight::Month &month);

} // namespace gpuledger::reports

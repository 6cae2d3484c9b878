// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/result.h"
#include "app/insight/spend/costchange.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/adjustments.h"
#include "app/reports/monthstatus.h"
#include "app/reports/sharing.h"

#include <optional>
#include <string>
#include <vector>

// What each team is shown of a month: one set of figures from which every document is made, so that no two of them can
// differ. Pure functions of the ledger's answers; any thread.
namespace gpuledger::reports {

enum class CostView {
    Billed, // as on the invoice
    Effective, // fees of commitments spread over what they cover
};

// A row of a statement: a category, for GPU time split by state.
struct StatementLine {
    std::string category; // "gpu", "storage", …, "unexplained"
    std::string state; // "active", "idle", "unallocated", "unobserved"; empty: no GPU time
    base::Money cost; // of bills, in the statement's view
    base::Money estimated; // by the price book, of time that no bill covers
    std::optional<base::GpuTime> gpuTime; // nothing: none, or unknown
    bool gpuTimeComplete = true; // false: at least so much
    base::GpuTime unpriced; // of it without any price: its cost is unknown and in no sum
};

// A workload of a team; empty texts: what the bill or the telemetry does not name.
struct StatementWorkload {
    std::string nameSpace, name;
    base::Money cost; // bills and estimate
    base::Money idle; // of which while it was idle
    std::optional<base::GpuTime> gpuTime;
};

// Why a month is another one than the month before (definitions.md, Change between two periods): price + hours + mix +
// efficiency + other + restated == total(after) - before, exactly. `before` is what the documents of that month say:
// what was closed, where it is closed, without adjustments. So a closed month before has parts of its own:
//   late   = its facts of now by the rules of its close, less what was closed
//   policy = its facts of now by the rules of now, less its facts of now by the rules of its close
// and the others explain this month by the month before as it would be closed now. Rules are all settings that figures
// depend on (owners, prices, exchange rates, …); who pays for shared and idle cost moves no total, and is none of it.
// Where the month before is open, both months are told from the facts and by the rules of now: there is no late part
// and no policy part, and both are 0. Adjustments tell the same money where it is to be paid, and are in neither total:
// see TeamStatement::adjusted.
struct StatementChange {
    base::Money before;
    base::Money price, hours, mix, efficiency; // of GPU time: see insight::explainChange()
    base::Money other; // of everything that is no GPU time, or whose GPU time is not known
    base::Money restated; // policy and late
    // Nothing: the rules of the close are not known, or another program's prices were in force. Then `restated` is all
    // that can be said; against Before::Unknown not even that, and both are in the other parts.
    std::optional<base::Money> policy, late;
    enum class Before { Open, Closed, Unknown }; // Unknown: kept by an older version, which did not say
    Before state = Before::Open; // of the month before
};

// A closed month as it would be now, by statementDimensions().
struct RestatedMonth {
    insight::LedgerAnswer now; // of the facts and by the rules of now
    std::optional<insight::LedgerAnswer> byOldRules; // of the facts of now, by the rules of the close; nothing: unknown
};

// What became known of a closed month since it was closed, told in this one.
struct StatementAdjustment {
    insight::Month of;
    base::UtcTime closedAt{};
    std::string team, category, state; // as in a line
    base::Money cost, estimated; // may be negative; an estimate that a bill replaced goes away here
};

struct TeamStatement {
    std::string team; // empty: money that no rule could be asked about
    std::vector<StatementLine> lines; // ascending by category as enumerated, then by state
    base::Money cost, estimated; // sums of the lines
    base::Money idle; // cost and estimate of idle GPU time
    std::optional<base::GpuTime> gpuTime, idleTime;
    std::optional<StatementChange> change; // nothing: the month before has no figures, or not of all its days
    std::vector<StatementWorkload> workloads; // the dearest, at most kMostWorkloads
    base::Money adjusted; // cost and estimate of the adjustments of closed months; in no other sum
    base::Money moved; // by the rules for shared and idle cost, see CurrencyStatement::sharing; in no other sum
    // How sure the above is. Of the total, what was split equally between the holders of a device, because nothing
    // measured who used how much; and of other teams' totals what was so split in the same cluster between devices of
    // the same model, so that it may be this team's.
    base::Money sharedEqually, mayBeShared;
    base::Money oldPriced; // of `estimated`, by list prices older than kOldPrice at the end of the month
    std::string oldestPrice; // date of the oldest of them, YYYY-MM-DD; empty: there is none

    static constexpr std::size_t kMostWorkloads = 10;
    base::Money zero() const { return base::Money(0, cost.currency()); }
    base::Money total() const { return base::Money(cost.nanos() + estimated.nanos(), cost.currency()); }
    // What the team is to pay: its own cost, what the rules moved, and adjustments.
    base::Money charged() const { return base::Money(totalWithAdjustments().nanos() + moved.nanos(), cost.currency()); }
    base::Money totalWithAdjustments() const
    {
        return base::Money(total().nanos() + adjusted.nanos(), cost.currency());
    }
};

// A list price says less about what a cloud takes the older it is.
inline constexpr base::Seconds kOldPrice{std::int64_t{90} * 86'400};

// Of one currency; currencies are never added.
struct CurrencyStatement {
    base::Currency currency;
    bool hasBill = false; // false: nothing is known of one, and all is estimated
    base::Money bill; // what the bills say, recomputed from their lines
    base::Money unexplained; // of it
    // Costs and estimates that no rule gave a team, whichever teams are shown; and of these what was idle or not seen.
    base::Money unowned, unownedIdle;
    base::Money cost, estimated; // sums over the teams; cost == bill
    std::vector<TeamStatement> teams; // dearest first
    // Of the teams above, ascending by month, team, category and state; in none of the sums above. The costs of all
    // months, and all of these, add up to the bills.
    std::vector<StatementAdjustment> adjustments;
    base::Money adjustedCost, adjustedEstimate; // of all teams

    // Who pays for shared and idle cost, where the rules move any; all teams together are charged what they cost, less
    // its ownLine.
    std::optional<Sharing> sharing;

    bool isOnlyAdjusted() const; // the month itself has nothing in this currency
    base::Money difference() const { return base::Money(cost.nanos() - bill.nanos(), bill.currency()); }
    base::Money total() const { return base::Money(cost.nanos() + estimated.nanos(), cost.currency()); }
    base::Money adjusted() const
    {
        return base::Money(adjustedCost.nanos() + adjustedEstimate.nanos(), cost.currency());
    }
};

struct Statement {
    insight::Month month;
    MonthStatus status; // without its objections
    CostView view = CostView::Billed;
    base::UtcTime made{};
    bool isOver = false; // false: the month still runs, and its figures will change
    base::TimeRange observed; // what telemetry was fetched for, within the month; empty: none of it
    std::string team; // the only one that it is of; empty: all
    bool knowsDoubts = false; // false: nobody looked for what was split equally or is at old prices
    std::vector<CurrencyStatement> currencies; // ascending

    bool hasBill() const; // in any currency
    // The teams' costs add up to the bills that there are, and nothing is unexplained.
    bool reconciles() const;
    // GPU time is missing at an end of the month, because nothing was fetched for it.
    bool isCut() const;
};

// The order of lines in a statement: categories, then states.
bool comesBefore(const StatementLine &a, const StatementLine &b);

// All teams as if they were one, without a name; the change only where every team has one, and the workloads that are
// dearest of all.
TeamStatement allTeams(const CurrencyStatement &currency);

// Of one team; what is said of the whole bill stays.
Statement ofTeam(Statement statement, const std::string &team);

// What a statement is made of: rows of the ledger by these dimensions.
std::vector<insight::LedgerDimension> statementDimensions();
std::vector<insight::LedgerDimension> workloadDimensions();
std::vector<insight::LedgerDimension> doubtDimensions(); // begin with statementDimensions()

struct StatementInput {
    insight::Month month;
    CostView view = CostView::Billed;
    base::UtcTime now{};
    std::string team; // empty: all
    base::TimeRange covered; // by telemetry; empty: never fetched
    const insight::LedgerAnswer &after, &before; // by statementDimensions(), of all teams
    const insight::LedgerAnswer &workloads; // by workloadDimensions(), of the month
    std::vector<MonthAdjustment> adjustments{}; // of closed months, all teams
    MonthStatus status{};
    SharingRules sharing{};
    const RestatedMonth *restated = nullptr; // of the month before, where that is closed; then `before` is what was
    bool knowsBefore = true; // false: whether the month before was closed is not known
    const insight::LedgerAnswer *doubts = nullptr; // by doubtDimensions(), of the month; null: not known
    bool fetchedInPart = false; // more than a little of the month, or of the one before, was never fetched
};
// Fails with NotFound (there is no such team in that month) or Overflow.
[[nodiscard]] base::Result<Statement> makeStatement(const StatementInput &input);

// Whether a row by statementDimensions() is an allocator's or the price book's, and on no bill; and what it comes to.
bool isEstimate(const insight::LedgerRow &row);
base::Money estimateOf(const insight::LedgerRow &row);
bool isDoubtful(const insight::LedgerRow &row); // by doubtDimensions(): split equally, or an estimate by a dated list
insight::Month before(const insight::Month &month);

} // namespace gpuledger::reports

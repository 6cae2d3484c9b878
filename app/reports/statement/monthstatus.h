// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/insight/spend/reconcile.h"
#include "app/store/months/monthstore.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The sign-off status of a month. A draft follows its figures; a user reviews it; once closed, it never changes again,
// and later changes are adjustments of an open month. Values; any thread.
namespace gpuledger::reports {

enum class MonthState {
    Draft,
    Reviewed, // by a user, and its figures have not changed since
    Closed,
};
std::string_view toString(MonthState state); // "draft", "reviewed", "closed"

// The objections to closing a month.
enum class ObjectionKind {
    Running, // the month is not over
    Ahead, // it is over only according to the requested time (--now): `range` ends at the real time
    Nothing, // no figure is stored for it
    NoBill, // no bill has a line in it: everything is an estimate
    Difference, // the ledger does not match the bills: `amount`, ledger minus bill
    Unexplained, // `amount` of the bills
    EarlierOpen, // `month`, and `count` - 1 later ones before this month, have costs and are not closed
    NotFetched, // nothing of `source` was fetched for `range`, nor for `count` - 1 later parts of the month
    CountedTwice, // the cost of `account`, and of `count` - 1 others, is in the bills of several sources
};
std::string_view toString(ObjectionKind kind); // "running", "nothing", "no-bill", …

// An objection to closing a month; `kind` determines which other members are used.
struct Objection {
    ObjectionKind kind{};
    base::Money amount{};
    bool effective = false; // the amount is of the effective view; else as billed
    insight::Month month{};
    std::string source{}, account{};
    base::TimeRange range{};
    std::uint64_t count = 0;

    // False: the month cannot be closed despite it, whatever reason is given.
    bool yieldsToReason() const { return kind > ObjectionKind::Nothing; }
};

// The sign-off status of a month and of its teams' statements.
struct MonthStatus {
    insight::Month month;
    MonthState state = MonthState::Draft;
    bool isOver = false;
    std::optional<base::UtcTime> at; // of the review or the close
    std::string by; // an operating-system user; empty: a draft, or unknown
    std::string reason; // the reason given at the close; may be empty
    std::string hash; // of the closed figures, SHA-256 in hexadecimal; empty: not closed
    bool isDamaged = false; // closed, but what was stored about it is not what was written

    struct Review {
        base::UtcTime at{};
        std::string by;
    };
    std::optional<Review> outdated; // a draft that had been reviewed, but whose figures have changed since
    std::optional<Review> review; // for a closed month: the review of the figures that were closed

    // The sign-off status of a single team's statement.
    struct Team {
        MonthState state = MonthState::Draft;
        std::optional<Review> review; // set if it is reviewed
        std::optional<Review> outdated; // a draft that had been reviewed, but whose figures have changed since
        std::string figures{}; // identifies the current figures; empty: not requested
    };
    std::map<std::string, Team> teams; // for an open month; a team that is not in it is a draft

    // Only set if a single month was requested:
    std::string figures; // identifies the current figures; empty: closed
    std::vector<Objection> objections; // to closing it now; empty: none, or it is closed
};

// The status of the month for one team: a draft counts as reviewed for a team whose own statement was reviewed.
MonthStatus ofTeam(const MonthStatus &month, const std::string &team);

// The result of a request to review or close a month.
struct SignOff {
    enum class Outcome {
        Done,
        AlreadyClosed, // before, or by someone else a moment ago; nothing was changed
        FiguresChanged, // they are not those that the user looked at; nothing was changed
        Refused, // the objections of the status say why; nothing was changed
    };
    Outcome outcome = Outcome::Refused;
    MonthStatus status; // the current status
    std::optional<std::string> team{}; // whose statement it was about; std::nullopt: the month
};

// What objectionsTo() checks.
struct CloseCheck {
    insight::Month month;
    base::UtcTime now{}; // the requested time
    base::UtcTime real{}; // by this computer's clock
    bool hasFigures = false;
    const insight::Reconciliation &reconciliation;
    std::vector<insight::Month> earlierOpen; // with costs, before this month, ascending
    std::vector<store::FetchedRanges> fetched; // for each telemetry source, including those that were never fetched
    std::vector<std::string> countedTwice{}; // names of accounts, or their ids, whose cost several sources report
};
// The objections to closing; first those that no reason can overrule.
std::vector<Objection> objectionsTo(const CloseCheck &check);

} // namespace gpuledger::reports

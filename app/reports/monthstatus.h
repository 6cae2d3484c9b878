// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/time.h"
#include "app/insight/spend/reconcile.h"
#include "app/store/months/monthstore.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How far a month is signed off. A draft follows its figures; somebody reviews it; closed, it never changes again, and
// what comes later is an adjustment of a month that is open. Values; any thread.
namespace gpuledger::reports {

enum class MonthState {
    Draft,
    Reviewed, // by a person, and its figures are still those
    Closed,
};
std::string_view toString(MonthState state); // "draft", "reviewed", "closed"

// What speaks against closing a month.
enum class ObjectionKind {
    Running, // the month is not over
    Ahead, // it is over by the time that was asked for (--now) only: `range` ends with the real time
    Nothing, // no figure is stored for it
    NoBill, // no bill has a line in it: all of it is an estimate
    Difference, // the ledger is not what the bills say: `amount`, ledger less bill
    Unexplained, // `amount` of the bills
    EarlierOpen, // `month`, and `count` - 1 later ones before this month, have money and are not closed
    NotFetched, // of `source` nothing was fetched for `range`, nor for `count` - 1 later parts of the month
};
std::string_view toString(ObjectionKind kind); // "running", "nothing", "no-bill", …

struct Objection {
    ObjectionKind kind{};
    base::Money amount{};
    bool effective = false; // of an amount: that of the effective view; else as billed
    insight::Month month{};
    std::string source{};
    base::TimeRange range{};
    std::uint64_t count = 0;

    // False: a month can't be closed in spite of it, whatever is written.
    bool yieldsToReason() const { return kind > ObjectionKind::Nothing; }
};

struct MonthStatus {
    insight::Month month;
    MonthState state = MonthState::Draft;
    bool isOver = false;
    std::optional<base::UtcTime> at; // of the review or the close
    std::string by; // who did it: a user of the operating system; empty: a draft, or unknown
    std::string reason; // what was written down at the close; may be empty
    std::string hash; // of the closed figures, SHA-256 in hexadecimal; empty: not closed
    bool isDamaged = false; // closed, and what was stored about it is not what was written

    struct Review {
        base::UtcTime at{};
        std::string by;
    };
    std::optional<Review> outdated; // a draft that had been reviewed, and whose figures changed since
    std::optional<Review> review; // of a closed month: that of the figures that were closed

    // How far a team's statement is signed off by itself.
    struct Team {
        MonthState state = MonthState::Draft;
        std::optional<Review> review; // where it is reviewed
        std::optional<Review> outdated; // a draft that had been reviewed, and whose figures changed since
        std::string figures{}; // stands for them as they are now; empty: nobody asked
    };
    std::map<std::string, Team> teams; // of a month that is open; one that is not in it is a draft

    // Only where one month was asked for:
    std::string figures; // stands for the figures as they are now; empty: closed
    std::vector<Objection> objections; // to closing it now; empty: none, or it is closed
};

// How the month stands for one team: a draft whose statement was reviewed by itself is reviewed for that team.
MonthStatus ofTeam(const MonthStatus &month, const std::string &team);

// What came of a wish to review or close a month.
struct SignOff {
    enum class Outcome {
        Done,
        AlreadyClosed, // before, or by somebody else a moment ago; nothing was changed
        FiguresChanged, // they are not those that were looked at; nothing was changed
        Refused, // the objections of the status say why; nothing was changed
    };
    Outcome outcome = Outcome::Refused;
    MonthStatus status; // as it is now
    std::optional<std::string> team{}; // whose statement it was about; nothing: the month
};

struct CloseCheck {
    insight::Month month;
    base::UtcTime now{}; // as asked for
    base::UtcTime real{}; // by the clock of this computer
    bool hasFigures = false;
    const insight::Reconciliation &reconciliation;
    std::vector<insight::Month> earlierOpen; // with money, before this one, ascending
    std::vector<store::FetchedRanges> fetched; // of each source of telemetry, also of one that was never fetched
};
// What speaks against closing; those that no reason helps against first.
std::vector<Objection> objectionsTo(const CloseCheck &check);

} // namespace gpuledger::reports

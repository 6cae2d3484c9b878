// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/result.h"
#include "app/base/time.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement.h"
#include "app/store/actions/auditlog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a showback meeting decided, and what came of it. Decisions are entries of the audit log: they can be settled,
// and never changed. Values; any thread.
namespace gpuledger::reports {

// What a decision wants to lower.
enum class Measure {
    Total, // all that the team is shown
    Idle, // of it the cost of GPUs while they were idle
};
std::string_view toString(Measure measure); // "total", "idle"

// A team's figures of one month and currency, in the view of costs of the meeting.
struct Figures {
    base::Money total, idle;
    std::optional<base::GpuTime> active; // what was worked; nothing: not known

    const base::Money &of(Measure measure) const { return measure == Measure::Total ? total : idle; }
};

struct DecisionDraft {
    insight::Month month; // whose statement was looked at
    std::string team;
    std::string what, owner; // one line each; the owner is who sees to it
    base::Day due{};
    Measure measure = Measure::Idle;
    CostView view = CostView::Effective;
    Figures before; // of the month
    std::optional<base::Money> target; // a month, of the measure; in the currency of the figures

    static constexpr std::size_t kLongestText = 300; // bytes
    static constexpr std::size_t kMostOfATeam = 3; // open ones of a team and month
};

enum class DecisionState { Open, Done, Dropped };
std::string_view toString(DecisionState state); // "open", "done", "dropped"

struct Decision {
    std::int64_t id = 0; // sequence of its entry
    DecisionDraft draft;
    base::UtcTime at{};
    std::string by; // a user of the operating system; empty: unknown
    DecisionState state = DecisionState::Open;
    std::optional<base::UtcTime> settledAt;
    std::string settledBy;
};

// What a decision brought by a later month. With as much work as then (active GPU time) the measure would have been
// `expected` = before x active after / active before, half away from zero; it brought expected - after. So nothing is
// claimed where usage merely fell. Nothing: active time of one of the months is not known or zero.
struct Outcome {
    insight::Month month;
    Figures after;
    std::optional<base::Money> expected, brought;
    bool meetsTarget = false; // there is one, and the measure is not above it
};
// Nothing: the month is not later than the decision's, or in another currency.
std::optional<Outcome> outcomeOf(const Decision &decision, const insight::Month &month, const Figures &after);

Figures figuresOf(const TeamStatement &team);

// A draft as it is kept, or why it can't be: an empty or too long text, a due day before the month, an unknown
// currency.
[[nodiscard]] base::Result<DecisionDraft> checked(DecisionDraft draft);
store::AuditEvent toEvent(const DecisionDraft &draft, base::UtcTime at, std::string by);
store::AuditEvent toEvent(const Decision &settled, base::UtcTime at, std::string by);
// In the order in which they were made. Entries that are none are left out, damaged ones too: verify() tells of them.
std::vector<Decision> decisionsOf(const std::vector<store::AuditEntry> &log);

} // namespace gpuledger::reports

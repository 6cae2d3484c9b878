// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/insight/spend/reconcile.h"
#include "app/reports/statement/statement.h"
#include "app/store/actions/auditlog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a showback meeting decided, and its outcome. Decisions are entries of the audit log: they can be settled, but
// never changed. Values; any thread.
namespace gpuledger::reports {

// What a decision aims to reduce.
enum class Measure {
    Total, // everything on the team's statement
    Idle, // the cost of idle GPUs in it
};
std::string_view toString(Measure measure); // "total", "idle"

// A team's figures for one month and currency, in the meeting's cost view.
struct Figures {
    base::Money total, idle;
    std::optional<base::GpuTime> active; // GPU time that did work; std::nullopt: unknown

    const base::Money &of(Measure measure) const { return measure == Measure::Total ? total : idle; }
};

// A decision before it is recorded.
struct DecisionDraft {
    insight::Month month; // the month of the statement
    std::string team;
    std::string what, owner; // one line each; the owner is the person responsible
    base::Day due{};
    Measure measure = Measure::Idle;
    CostView view = CostView::Effective;
    Figures before; // of the month
    std::optional<base::Money> target; // per month, for the measure; in the currency of the figures

    static constexpr std::size_t kLongestText = 300; // bytes
    static constexpr std::size_t kMostOfATeam = 3; // open decisions per team and month
};

enum class DecisionState { Open, Done, Dropped };
std::string_view toString(DecisionState state); // "open", "done", "dropped"

// A recorded decision and its state.
struct Decision {
    std::int64_t id = 0; // sequence number of its entry
    DecisionDraft draft;
    base::UtcTime at{};
    std::string by; // an operating-system user; empty: unknown
    DecisionState state = DecisionState::Open;
    std::optional<base::UtcTime> settledAt;
    std::string settledBy;
};

// What a decision achieved by a later month. With as much work as before (active GPU time), the measure would have been
// `expected` = before x active after / active before, rounded half away from zero; the decision saved expected - after.
// So no credit is claimed where usage merely fell. std::nullopt: active time of one of the months is unknown or zero.
struct Outcome {
    insight::Month month;
    Figures after;
    std::optional<base::Money> expected, brought;
    bool meetsTarget = false; // there is a target, and the measure does not exceed it
};
// std::nullopt: the month is not later than the decision's, or in another currency.
std::optional<Outcome> outcomeOf(const Decision &decision, const insight::Month &month, const Figures &after);

Figures figuresOf(const TeamStatement &team);

// A draft in the form in which it is stored, or why it is invalid: an empty or too long text, a due date before the
// month, an unknown currency.
[[nodiscard]] base::Result<DecisionDraft> checked(DecisionDraft draft);
store::AuditEvent toEvent(const DecisionDraft &draft, base::UtcTime at, std::string by);
store::AuditEvent toEvent(const Decision &settled, base::UtcTime at, std::string by);
// In the order in which they were made. Skips entries that are not decisions, and damaged ones: verify() reports those.
std::vector<Decision> decisionsOf(const std::vector<store::AuditEntry> &log);

} // namespace gpuledger::reports

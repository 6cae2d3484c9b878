// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/savings/proposals/proposal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What somebody decided about a proposal. Choices are entries of the audit log: a later one about the same proposal
// replaces an earlier one, and none is ever changed. Values; any thread.
namespace gpuledger::savings {

enum class ChoiceState : std::uint8_t {
    Accepted, // somebody does it, until a day
    Dismissed, // for a reason
    Later, // hidden until a day
    Open, // an earlier choice was taken back
};
std::string_view toString(ChoiceState state); // "accepted", "dismissed", "later", "open"

// A choice before it is recorded.
struct ChoiceDraft {
    std::string proposal; // Proposal::id
    ChoiceState state = ChoiceState::Accepted;
    std::string owner; // Accepted: the person responsible, one line
    std::optional<base::Day> day; // Accepted: until when it is done; Later: when to ask again
    std::string reason; // Dismissed: why; otherwise optional, one line

    static constexpr std::size_t kLongestText = 300; // bytes
};
// A draft in the form in which it is stored: without what its state does not have, each text one line. Fails with
// InvalidArgument: an owner, a day or a reason is missing, or a text is too long.
[[nodiscard]] base::Result<ChoiceDraft> checked(ChoiceDraft draft);
std::optional<ChoiceState> choiceStateFrom(std::string_view text);
// Not taken back, and no reminder whose day has come. `today` is the day in the configured time zone.
bool isInForce(const ChoiceDraft &draft, base::Day today);

// A stop that this program did, verified, and that nobody accepted as a proposal.
struct DoneStop {
    std::int64_t action = 0; // id in the action log
    std::optional<base::UtcTime> undone; // when it was brought back: what it saved ends there
};

struct Choice {
    std::int64_t id = 0; // sequence number of its entry; of a stop: minus its number in the action log
    ChoiceDraft draft;
    base::UtcTime at{};
    base::UtcTime since{}; // when it was first accepted, if accepted ever since; else `at`
    std::string by; // an operating-system user; empty: unknown
    // The proposal as it was then. If it was accepted again, resources, currency and projected are those of `since`, so
    // that repeating a choice does not move what is measured.
    Kind kind = Kind::Capacity;
    std::string target, team, currency;
    std::vector<std::string> resources; // those of the proposal; devices by names that last
    std::optional<MoneyBand> projected; // per month
    // Set: not a choice, but a stop, in the same form, so that it is measured like one. `at` and `since` are when it
    // was done, `by` is who did it, and the proposal is the one that there would be about the workload.
    std::optional<DoneStop> stop;
};

// What an accepted proposal or a stop really saved, measured (definitions.md, Savings: Realized).
enum class RealizedState : std::uint8_t {
    Measured,
    TooEarly, // less than a whole week of data after it
    NoBefore, // less than two whole weeks of data before it
    NoUse, // usage fell so far that nothing can be attributed to it; nothing is claimed
    Unpriced, // part of the money is unknown
    StillPaid, // of a stop: its GPUs stayed and are paid for, so that nothing is claimed
};
std::string_view
toString(RealizedState state); // "measured", "too-early", "no-before", "no-use", "unpriced", "still-paid"

struct Realized {
    std::int64_t choice = 0; // Choice::id
    std::optional<Choice> stop; // what was stopped, if it is about a stop: choices() has no entry for it
    std::int64_t group = 0; // the same number: their targets overlap, so both may have found the same money; 0: alone
    RealizedState state = RealizedState::TooEarly;
    base::TimeRange before, after; // whole weeks, the same weekdays
    std::optional<MoneyBand> perMonth; // Measured only; may be negative: it cost more
    std::optional<double>
        error; // realized p50 / projected p50 - 1; std::nullopt: nothing was projected, or not measured
};

} // namespace gpuledger::savings

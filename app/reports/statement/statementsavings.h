// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What could be saved, as a part of a statement that it is asked for. It is about the past that was replayed, not about
// the month, is in no other figure of the statement, and is never stored with a month. Values; any thread.
namespace gpuledger::reports {

// A row of it. Amounts are per month of 730 hours.
struct StatementSaving {
    enum class Part : std::uint8_t {
        Found, // the sum of all proposals that count, in one currency
        Realized, // what accepted proposals and stops really saved, as far as it was measured; in one currency
        Accepted, // a proposal that somebody does
        Proposal, // one of the statement's only team that counts
    };
    struct Band {
        base::Money p10, p50, p90;
    };

    Part part = Part::Found;
    std::size_t count = 0; // Found, Realized: the proposals in it
    std::size_t stops = 0; // Realized: the stops in it
    std::string kind, target; // Accepted, Proposal: "schedule", "research/notebook-7"
    std::string team, owner; // Accepted: empty team: several, or nobody; the owner is the person responsible
    std::optional<base::Day> due; // Accepted
    std::string currency; // empty: unknown
    std::optional<Band> perMonth; // std::nullopt: unknown. Accepted: as projected then. Realized: may be negative
};

struct StatementSavings {
    base::UtcTime asOf{};
    base::TimeRange past; // what was replayed; empty: nothing
    std::string team; // the only team that it covers; empty: all
    std::vector<StatementSaving> rows; // in the order of Part

    static constexpr std::size_t kMostProposals = 20; // the largest; Found counts all
};

// In English: "found: 12 proposals", "realized so far: 2 proposals, 1 stop", "accepted: schedule: research/notebook-7".
// External text as it is.
std::string nameOf(const StatementSaving &saving);
// What the rows are, in one sentence; safe to show.
std::string noteOf(const StatementSavings &savings);

} // namespace gpuledger::reports

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

// Where each team's cost is booked in the accounts of the company. All texts are the company's own numbers and names.
namespace gpuledger::model {

struct ChargebackAccount {
    std::string account; // empty: the default account
    std::string costCenter; // empty: none is named

    bool operator==(const ChargebackAccount &) const = default;
};

struct ChargebackSettings {
    std::string clearingAccount; // empty: nothing can be charged
    std::string defaultAccount; // of teams without one; empty: a journal with such a team is refused
    std::map<std::string, ChargebackAccount> accounts; // by team
    std::map<std::string, std::string> byCategory; // account of a category ("storage"), in place of the team's
    bool includeEstimate = false; // also what no bill says yet
};

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

// Where each team's cost is booked in the company's accounts. All texts are the company's own numbers and names.
namespace gpuledger::model {

// The account and cost center that a team's cost is booked to.
struct ChargebackAccount {
    std::string account; // empty: the default account
    std::string costCenter; // empty: none given

    bool operator==(const ChargebackAccount &) const = default;
};

// The chargeback part of the configuration.
struct ChargebackSettings {
    std::string clearingAccount; // empty: nothing can be charged
    std::string defaultAccount; // for teams without an account; empty: a journal with such a team is refused
    std::map<std::string, ChargebackAccount> accounts; // by team
    std::map<std::string, std::string> byCategory; // account of a category ("storage"), used instead of the team's
    bool includeEstimate = false; // also what has not been billed yet
};

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rulestate.h"

#include <map>
#include <string>

// The states of a rule for all its scopes. One thread.
namespace gpuledger::alerts {

// The key by which receivers drop duplicates, the same for firing and resolved: SHA-256 of the name of the rule, the
// scope and the time at which it fired (contracts: clouds.md, 7), in hex.
std::string alertKey(const std::string &rule, const std::string &scope, base::UtcTime fired);

inline constexpr base::Seconds kClockSlack{3600};

class RuleMachine {
public:
    explicit RuleMachine(Rule rule)
        : m_rule(std::move(rule))
    {
    }

    // See step(). A scope begins as Inactive; one that gets no reading stays as it is.
    std::optional<Transition> add(const std::string &scope, const Reading &reading);
    // States that a clock wrote which was ahead by more than kClockSlack go on from `now`; otherwise every reading
    // until that time would be ignored.
    void goBackTo(base::UtcTime now);
    // What fires for a scope gets another begin, and so another key.
    void beginAgain(const std::string &scope, base::UtcTime at);
    const Rule &rule() const { return m_rule; }
    const std::map<std::string, ScopeState> &scopes() const { return m_scopes; }

    // All states as text, for the next start of the program; a machine that takes them goes on as if nothing happened.
    std::string exported() const;
    // Replaces the states. Fails with Parse and changes nothing if the text is not one of exported().
    [[nodiscard]] base::Result<void> import(std::string_view text);

private:
    Rule m_rule;
    std::map<std::string, ScopeState> m_scopes;
};

} // namespace gpuledger::alerts

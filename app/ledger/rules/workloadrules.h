// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/fleet.h"
#include "app/model/settings.h"

#include <string>
#include <vector>

namespace gpuledger::ledger {

// Determines what kind of work a holder does, which environment it runs in, and whether a rule protects it. Immutable;
// any thread.
class WorkloadRules {
public:
    explicit WorkloadRules(const model::Settings &settings);
    // The user's rules first, then well-known labels, then the controller's kind.
    model::WorkloadKind kindOf(const model::Holder &holder) const;
    std::string environmentOf(const model::Holder &holder) const;
    // Human-readable text of the rule that protects it; empty if none does.
    std::string protectionOf(const model::Holder &holder) const;

private:
    std::vector<model::WorkloadRule> m_rules;
    std::vector<model::ProtectRule> m_protect;
    std::vector<std::string> m_environmentLabels;
};

} // namespace gpuledger::ledger

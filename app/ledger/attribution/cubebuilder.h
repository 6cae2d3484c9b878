// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/attributor.h"
#include "app/ledger/commit/rollupbuilder.h"
#include "app/ledger/days/ledgerpart.h"

namespace gpuledger::ledger {

// Builds the roll-up as sums of attributed parts, and what is kept of each day for the idle list.
class CubeBuilder final : public RollupBuilder {
public:
    // `rules` must outlive this object.
    explicit CubeBuilder(const LedgerRules &rules);
    [[nodiscard]] base::Result<void> rebuild(std::span<const base::Day> days, store::FactReader &facts,
                                             store::CubeWriter &cube) override;
    int reachOfBills() const override;
    // See Ledger::lines().
    [[nodiscard]] base::Result<void> ledgerLines(base::Day first, base::Day last, model::LineDetail detail,
                                                 store::FactReader &facts, const store::LedgerVisitor &visit,
                                                 const LedgerPartVisitor &visitPart) const;
    std::string fingerprint() const override { return m_rules.fingerprint; }
    std::unique_ptr<store::AttributionReader> attribution(store::FactReader &facts) const override;
    model::IdleSettings idleSettings() const override { return m_rules.idle; }

private:
    const LedgerRules &m_rules;
};

} // namespace gpuledger::ledger

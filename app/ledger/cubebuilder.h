// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attributor.h"
#include "app/store/rollupbuilder.h"

namespace gpuledger::ledger {

// The roll-up as sums of attributed parts.
class CubeBuilder final : public store::RollupBuilder {
public:
    // `rules` must outlive it; `fingerprint` names the settings they were made from.
    CubeBuilder(const LedgerRules &rules, std::string fingerprint);
    [[nodiscard]] base::Result<void> rebuild(std::span<const base::Day> days, store::FactReader &facts,
                                             store::CubeWriter &cube) override;
    std::string fingerprint() const override { return m_fingerprint; }

private:
    const LedgerRules &m_rules;
    std::string m_fingerprint;
};

} // namespace gpuledger::ledger

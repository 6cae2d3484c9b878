// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/rollupbuilder.h"

#include <string>

namespace gpuledger::tests {

// A minimal roll-up of the facts: observed ticks of each cluster and subject as ActiveTicks and ActivityTicks, seconds
// of holder spans as UnobservedHeldTicks.
class CountingBuilder final : public ledger::RollupBuilder {
public:
    explicit CountingBuilder(std::string print = "1")
        : m_fingerprint(std::move(print))
    {
    }
    base::Result<void> rebuild(std::span<const base::Day> days, store::FactReader &facts,
                               store::CubeWriter &cube) override;
    std::string fingerprint() const override { return m_fingerprint; }

    std::vector<base::Day> asked; // every day for which a rebuild was requested

private:
    std::string m_fingerprint;
};

} // namespace gpuledger::tests

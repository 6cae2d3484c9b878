// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"

#include <memory>
#include <span>
#include <string>

namespace gpuledger::store {

// Computes the roll-up from facts. Implemented by app/ledger; called by the store inside the transaction that writes
// the facts, on the writer thread.
class RollupBuilder {
public:
    virtual ~RollupBuilder() = default;
    [[nodiscard]] virtual base::Result<void> rebuild(std::span<const base::Day> days, FactReader &facts,
                                                     CubeWriter &cube) = 0;
    // The ledger of money alone, of days whose bills changed. Same place, same failures.
    [[nodiscard]] virtual base::Result<void> rebuildLedger(std::span<const base::Day>, FactReader &, CubeWriter &)
    {
        return {};
    }
    // Changes whenever a setting that the roll-up depends on changes (owner rules, prices, threshold); the store keeps
    // it beside the cube and asks for a rebuild of all days when it differs.
    virtual std::string fingerprint() const = 0;
    // From which the store keeps the candidates of the idle list up to date; null: it keeps none. `facts` must outlive
    // the reader.
    virtual std::unique_ptr<AttributionReader> attribution(FactReader &) const { return nullptr; }
    virtual model::IdleSettings idleSettings() const { return {}; }
};

} // namespace gpuledger::store

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
    // Rebuilds only the cost ledger of days whose bills changed. Called in the same place, fails in the same way.
    [[nodiscard]] virtual base::Result<void> rebuildLedger(std::span<const base::Day>, FactReader &, CubeWriter &)
    {
        return {};
    }
    // Changes whenever a setting that the roll-up depends on changes (owner rules, prices, threshold); the store keeps
    // it beside the cube and requests a rebuild of all days if it differs.
    virtual std::string fingerprint() const = 0;
    // The reader from which the store updates the idle list's candidates; null: it stores none. `facts` must outlive
    // the reader.
    virtual std::unique_ptr<AttributionReader> attribution(FactReader &) const { return nullptr; }
    virtual model::IdleSettings idleSettings() const { return {}; }
};

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"

#include <memory>
#include <span>
#include <string>

namespace gpuledger::ledger {

// Computes the roll-up from facts, for LedgerWriter and verify(), on their threads. Implemented by CubeBuilder.
class RollupBuilder {
public:
    virtual ~RollupBuilder() = default;
    // Must work a day at a time: what is inferred about a day must not depend on which other days are rebuilt with it,
    // because verify() rebuilds each day by itself.
    [[nodiscard]] virtual base::Result<void> rebuild(std::span<const base::Day> days, store::FactReader &facts,
                                                     store::CubeWriter &cube) = 0;
    // For so many days after it, a bill decides what is expected of days without a bill.
    virtual int reachOfBills() const { return 0; }
    // Changes whenever a setting that the roll-up depends on changes (owner rules, prices, threshold); it is stored
    // beside the cube, and all days are rebuilt if it differs.
    virtual std::string fingerprint() const = 0;
    // The reader from which the idle list's candidates are updated; null: none are stored. `facts` must outlive the
    // reader.
    virtual std::unique_ptr<store::AttributionReader> attribution(store::FactReader &) const { return nullptr; }
    virtual model::IdleSettings idleSettings() const { return {}; }
};

} // namespace gpuledger::ledger

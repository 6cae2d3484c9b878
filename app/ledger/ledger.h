// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/store/attributionreader.h"
#include "app/store/factreader.h"
#include "app/store/rollupbuilder.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// The ledger of GPU time for one configuration: owner rules, workload kinds, prices, states. Immutable after create();
// any thread, but each reader that it hands out belongs to one.
class Ledger {
public:
    // Fails with InvalidConfig (a rule or a price can't be read).
    [[nodiscard]] static base::Result<std::unique_ptr<Ledger>> create(const model::Settings &settings);
    ~Ledger();

    // Used by the store within its transaction; lives as long as the ledger.
    store::RollupBuilder &rollup();
    // `facts` and the ledger must outlive the reader.
    std::unique_ptr<store::AttributionReader> attribution(store::FactReader &facts) const;

    struct RuleUse {
        std::string rule; // in plain words; "no rule" for what stays unowned
        base::GpuTime held;
        std::vector<std::string> teams; // ascending
    };
    // What each owner rule catches of the held time, in rule order; the last row is what no rule claims.
    [[nodiscard]] base::Result<std::vector<RuleUse>> testRules(store::FactReader &facts, base::TimeRange range) const;

private:
    struct Private;
    explicit Ledger(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::ledger

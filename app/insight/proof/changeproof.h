// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/insight/spend/costchange.h"
#include "app/insight/spend/spend.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/values/cube.h"

#include <stop_token>

namespace gpuledger::insight {

// The proof of a part of a change at list prices (FigureKind::Change): as the page computes it, and recomputed from
// every base bucket of both periods. Its rows are the time of both periods; they add up to the cost of both, not to the
// part. `facts` is read a few days at a time. Otherwise like usageProof().
[[nodiscard]] base::Result<Proof> changeProof(store::CubeReader &cube, store::AttributionReader &facts,
                                              const Figure &figure, base::Currency currency,
                                              const std::stop_token &stop = {});

// The part named "price", "hours", "mix", "efficiency" or "difference".
std::int64_t partOf(const CostChange &change, std::string_view measure);
// The same for a change of the spend, which also has "other".
std::int64_t partOf(const SpendChange &change, const Spend &before, const Spend &after, std::string_view measure);
// The inputs of the formula for the spend in both periods, as shown and as recomputed.
std::vector<ProofInput> inputsOf(const std::pair<Spend, Spend> &shown, const std::pair<Spend, Spend> &recomputed);

} // namespace gpuledger::insight

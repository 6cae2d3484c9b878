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

// The proof of a part of a change at list prices (FigureKind::Change): as the page answers it, and from every base
// bucket of both periods. Its rows are the time of both; they add up to what both cost, not to the part. `facts` is
// read a few days at a time. Otherwise as usageProof().
[[nodiscard]] base::Result<Proof> changeProof(store::CubeReader &cube, store::AttributionReader &facts,
                                              const Figure &figure, base::Currency currency,
                                              const std::stop_token &stop = {});

// One of "price", "hours", "mix", "efficiency", "difference" of it.
std::int64_t partOf(const CostChange &change, std::string_view measure);
// The same of a change of the spend, which has "other" too.
std::int64_t partOf(const SpendChange &change, const Spend &before, const Spend &after, std::string_view measure);
// What the formula takes of the spend in both periods, from both ways of working it out.
std::vector<ProofInput> inputsOf(const std::pair<Spend, Spend> &shown, const std::pair<Spend, Spend> &recomputed);

} // namespace gpuledger::insight

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/proof/proof.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::insight {

// The proof of a figure of the idle list (FigureKind::Idle): as the list computes it, and recomputed from every base
// bucket, without the stored list. Leaves policy, ages and time unset. Blocking; call from a worker thread. Fails with
// NotFound (the list of that instant has no such item) or Storage… codes.
[[nodiscard]] base::Result<Proof> idleProof(store::AttributionReader &facts, const Figure &figure,
                                            const model::IdleSettings &configured, base::Currency currency);

// What the log of actions says of a stop: the money that it frees per month, and the idle workloads that it is the sum
// of.
struct LoggedStop {
    struct Item {
        std::string id; // IdleItem::id
        std::optional<base::Money> perMonth; // std::nullopt: it had no price
    };
    base::UtcTime listedAt{}; // instant of the idle list that the decision was made from
    std::optional<base::Money> perMonth;
    std::vector<Item> items;
};

// The proof of an amount in the log of actions (FigureKind::Action): as it was logged, and recomputed from every base
// bucket up to that instant. They differ if facts, bills, prices or the idle rule have changed since. Leaves policy,
// ages and time unset. Blocking; call from a worker thread. Fails with NotFound (no such workload in the stop),
// Cancelled or Storage… codes.
[[nodiscard]] base::Result<Proof> actionProof(store::AttributionReader &facts, const Figure &figure,
                                              const LoggedStop &stop, const model::IdleSettings &configured,
                                              base::Currency currency, const std::stop_token &cancel = {});

} // namespace gpuledger::insight

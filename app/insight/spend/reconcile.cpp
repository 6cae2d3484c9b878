// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/reconcile.h"

#include <algorithm>

namespace gpuledger::insight {

std::string_view toString(ReconcileKind kind)
{
    switch (kind) {
    case ReconcileKind::Matched:
        return "matched";
    case ReconcileKind::Unobserved:
        return "unobserved";
    case ReconcileKind::UnknownType:
        return "unknown-type";
    case ReconcileKind::NotBilled:
        return "not-billed";
    case ReconcileKind::Adjustment:
        return "adjustment";
    case ReconcileKind::Priced:
        return "priced";
    case ReconcileKind::Allocated:
        return "allocated";
    case ReconcileKind::AllocatedAdjustment:
        return "allocated-adjustment";
    case ReconcileKind::EffectiveZero:
        return "effective-zero";
    case ReconcileKind::NotGpu:
        return "not-gpu";
    case ReconcileKind::Unexplained:
        return "unexplained";
    }
    return "unexplained";
}

bool Reconciliation::holds() const
{
    return std::all_of(totals.begin(), totals.end(), [](const ReconcileTotal &total) {
        return total.differenceBilled.isZero() && total.differenceEffective.isZero() && total.unexplainedBilled.isZero()
            && total.unexplainedEffective.isZero();
    });
}

bool Reconciliation::hasUnknownTypes() const
{
    return std::any_of(totals.begin(), totals.end(), [](const ReconcileTotal &total) {
        return std::any_of(total.lines.begin(), total.lines.end(),
                           [](const ReconcileLine &line) { return line.kind == ReconcileKind::UnknownType; });
    });
}

} // namespace gpuledger::insight

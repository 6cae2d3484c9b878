// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/reconcile.h"

#include "app/base/text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace gpuledger::insight {

base::TimeRange Month::range() const
{
    using namespace std::chrono;
    const year_month month = std::chrono::year(year) / std::chrono::month(number);
    return {sys_days(month / 1), sys_days((month + months(1)) / 1)};
}

std::optional<Month> monthFromString(std::string_view text)
{
    if (text.size() != 7 || text[4] != '-')
        return std::nullopt;
    const auto year = base::parseInt(text.substr(0, 4));
    const auto number = base::parseInt(text.substr(5, 2));
    if (!year || !number || *year < 1990 || *year > 2199 || *number < 1 || *number > 12)
        return std::nullopt;
    return Month{static_cast<int>(*year), static_cast<unsigned>(*number)};
}

std::string toString(const Month &month)
{
    return base::toRfc3339(month.range().start).substr(0, 7);
}

std::string_view toString(ReconcileKind kind)
{
    switch (kind) {
    case ReconcileKind::Matched:
        return "matched";
    case ReconcileKind::Unobserved:
        return "unobserved";
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

} // namespace gpuledger::insight

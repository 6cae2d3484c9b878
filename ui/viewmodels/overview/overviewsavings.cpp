// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/overview/overviewsavings.h"

#include "app/savings/realized/realized.h"

#include <algorithm>
#include <iterator>

namespace gpuledger::ui {

using savings::Choice;
using savings::ChoiceState;

namespace {

constexpr base::Seconds kLeastPast = 14 * base::kDay; // what the engines need, but for spot runs that repeat

void addFound(OverviewSavings &out, const savings::SavingsList &list)
{
    for (const savings::SavingsSum &sum : list.sums) {
        if (sum.perMonth.p50.currency() == out.currency)
            out.perMonth = sum.perMonth;
        else
            ++out.otherCurrencies;
    }
    out.isTooYoung = list.sums.empty() && list.range.length() < kLeastPast;
}

// No money counts twice: savings::realizedSum().
void addRealized(OverviewSavings &out, const std::vector<Choice> &choices, const std::vector<savings::Realized> &all)
{
    std::vector<Choice> accepted;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(accepted),
                 [](const Choice &one) { return one.draft.state == ChoiceState::Accepted; });
    for (const savings::RealizedTotal &total : savings::realizedSum(accepted, all)) {
        if (total.perMonth.p50.currency() != out.currency)
            continue;
        out.realized = total.perMonth.p50;
        out.projected = total.projected;
    }
}

base::Result<void> measure(OverviewSavings &out, const SavingsDesk &desk, const std::stop_token &stop)
{
    const auto choices = desk.choices();
    if (!choices)
        return {};
    const auto realized = desk.realized(out.cost, stop);
    if (realized)
        addRealized(out, *choices, *realized);
    else if (realized.error().code == base::ErrorCode::Cancelled)
        return base::fail(realized.error());
    return {};
}

} // namespace

LatestQuery<OverviewSavings>::Answer askOverviewSavings(const SavingsDesk &desk, base::Currency currency,
                                                        const Scope &scope, const std::stop_token &stop)
{
    auto frame = desk.frame(scope.time);
    GPULEDGER_TRY(frame);
    auto out = std::make_shared<OverviewSavings>();
    out->time = scope.time;
    out->cost = scope.cost;
    out->currency = currency;
    out->sources = std::move(frame->sources);
    out->age = std::max(base::Seconds{0}, frame->asked - frame->covered.end);
    if (frame->range.empty()) { // nothing was fetched, or nothing in this range
        out->isTooYoung = true;
        return out;
    }
    services::SavingsQuery query;
    query.range = frame->range;
    query.cost = scope.cost;
    const auto list = desk.savings(query, stop);
    GPULEDGER_TRY(list);
    addFound(*out, *list);
    GPULEDGER_TRY(measure(*out, desk, stop));
    return out;
}

} // namespace gpuledger::ui

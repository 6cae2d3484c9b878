// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/billdays.h"

#include "app/store/bills/billgrowth.h"
#include "app/store/ledgerstore.h"

#include <algorithm>
#include <map>
#include <vector>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

std::vector<alerts::BilledPast> pastInOneCurrency(const store::BillGrowth &growth)
{
    std::map<base::Currency, std::vector<alerts::BilledPast>> all;
    for (const store::GrownDay &grown : growth.days) {
        alerts::BilledPast &day = all[grown.currency].emplace_back(alerts::BilledPast{grown.day, {}});
        for (const store::GrownDay::Known &known : grown.known)
            day.known.push_back(
                {known.at.number - grown.day.number, static_cast<double>(known.nanos) / base::Money::kNanosPerUnit});
    }
    const auto most = std::max_element(all.begin(), all.end(),
                                       [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    return most == all.end() ? std::vector<alerts::BilledPast>() : std::move(most->second);
}

} // namespace

Result<void> nameOpenDays(ScopeSeries &series, store::LedgerStore &cache, model::CostView cost)
{
    if (cost == model::CostView::List)
        return {};
    const auto growth = cache.billGrowth();
    GPULEDGER_TRY(growth);
    if (!growth->imported)
        return {};
    const auto past = pastInOneCurrency(*growth);
    const alerts::SharesByAge shares = alerts::sharesByAge(past, *growth->imported);
    std::vector<alerts::OpenBillDay> open;
    for (const alerts::BilledPast &day : past) {
        const std::int32_t age = growth->imported->number - day.day.number;
        if (age >= 0 && age < static_cast<std::int32_t>(shares.size()))
            open.push_back({day.day, shares[static_cast<std::size_t>(age)]});
    }
    series.total.open = open;
    for (auto &[key, question] : series.scopes)
        question.open = open;
    return {};
}

} // namespace gpuledger::services

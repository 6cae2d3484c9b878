// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/series/priceseries.h"

#include "app/savings/prices/pricequote.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuledger::services {

namespace {

constexpr base::Seconds kPriceStep = 7 * base::kDay, kPriceHolds = 7 * base::kDay;

struct PriceTime {
    base::TimeRange range;
    double perGpuHour = 0; // in units of money
};
// The offers of one model, by currency and list.
using ModelPrices = std::map<base::Currency, std::map<std::string, std::vector<PriceTime>>>;

bool isWithoutTerm(const store::PriceOffer &offer)
{
    const auto purchase = savings::purchaseFrom(offer.purchase);
    return purchase == savings::PurchaseOption::OnDemand || purchase == savings::PurchaseOption::GpuCloud;
}

std::optional<double> lowestAt(const std::vector<PriceTime> &prices, base::UtcTime at)
{
    std::optional<double> out;
    for (const PriceTime &one : prices) {
        if (one.range.contains(at) && (!out || one.perGpuHour < *out))
            out = one.perGpuHour;
    }
    return out;
}

std::optional<double> changeAt(const ModelPrices &prices, base::UtcTime at)
{
    std::optional<double> most;
    for (const auto &[currency, lists] : prices) {
        std::optional<double> now, before;
        for (const auto &[list, offers] : lists) {
            const auto newer = lowestAt(offers, at), older = lowestAt(offers, at - kPriceStep);
            if (!newer || !older)
                continue;
            now = std::min(now.value_or(*newer), *newer);
            before = std::min(before.value_or(*older), *older);
        }
        if (before)
            most = std::max(most.value_or(0), std::abs(*now - *before) / *before);
    }
    return most;
}

} // namespace

RuleSeries priceSeriesOf(const std::vector<store::StoredPrice> &history, base::TimeRange range)
{
    std::map<std::string, ModelPrices> models;
    for (const store::StoredPrice &one : history) {
        const store::PriceOffer &offer = one.offer;
        if (offer.gpuModel.empty() || offer.microGpus <= 0 || offer.perHour.nanos() <= 0 || !isWithoutTerm(offer))
            continue;
        const double gpus = static_cast<double>(offer.microGpus) / static_cast<double>(savings::kMicroOfGpu);
        models[offer.gpuModel][offer.perHour.currency()][one.list].push_back(
            {{one.firstSeen, one.endedAt.value_or(one.lastSeen + kPriceHolds)}, offer.perHour.toDouble() / gpus});
    }
    RuleSeries out;
    for (const auto &[model, prices] : models) {
        std::vector<alerts::Reading> &readings = out[model];
        for (base::Day day = base::dayOf(range.start); day.end() <= range.end; ++day.number) {
            const auto change = changeAt(prices, day.end());
            readings.push_back({day.end(), std::nullopt});
            if (change)
                readings.back().nanos = std::llround(*change * static_cast<double>(base::Money::kNanosPerUnit));
        }
    }
    return out;
}

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/workoffers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace gpuledger::savings {

using base::Money;
using base::Result;

namespace {

__extension__ using WideNanos = __int128;

using MachineKey = std::tuple<std::string, std::string, std::string>; // cloud, machine type, region; lower case

MachineKey machineKey(const PriceQuote &quote)
{
    return {loweredName(quote.provider), loweredName(quote.machine), loweredName(quote.region)};
}

bool isWithoutTerm(const PriceQuote &quote)
{
    return quote.purchase == PurchaseOption::OnDemand || quote.purchase == PurchaseOption::GpuCloud;
}

// What is listed about machines: by type, region and currency, the lowest on-demand quote, and whether spot is listed.
class ListedMachines {
public:
    explicit ListedMachines(const std::vector<PriceQuote> &quotes)
    {
        for (const PriceQuote &quote : quotes) {
            if (quote.purchase == PurchaseOption::Spot)
                ++m_spot[machineKey(quote)];
            if (!isWithoutTerm(quote))
                continue;
            keepLowest(m_onDemand, quote);
            if (!quote.contracted)
                keepLowest(m_listed, quote);
        }
    }
    bool hasSpot(const PriceQuote &quote) const { return m_spot.contains(machineKey(quote)); }
    // The lowest of all and that of public lists, from which published discounts are taken. Null: none.
    const PriceQuote *onDemand(const PriceQuote &quote) const { return lowestIn(m_onDemand, quote); }
    const PriceQuote *listed(const PriceQuote &quote) const { return lowestIn(m_listed, quote); }

private:
    using Lowest = std::map<std::pair<MachineKey, base::Currency>, const PriceQuote *>;

    static void keepLowest(Lowest &lowest, const PriceQuote &quote)
    {
        const auto [at, isNew] = lowest.try_emplace({machineKey(quote), quote.perHour.currency()}, &quote);
        if (!isNew && quote.perHour.nanos() < at->second->perHour.nanos())
            at->second = &quote;
    }

    static const PriceQuote *lowestIn(const Lowest &lowest, const PriceQuote &quote)
    {
        const auto found = lowest.find({machineKey(quote), quote.perHour.currency()});
        return found == lowest.end() ? nullptr : found->second;
    }

    Lowest m_onDemand, m_listed;
    std::map<MachineKey, int> m_spot;
};

std::optional<PriceQuote> discountedQuote(const PriceQuote &onDemand, const PublishedSpot &published)
{
    const WideNanos nanos = WideNanos{onDemand.perHour.nanos()} * (100 - published.savingPercent) / 100;
    if (published.savingPercent <= 0 || nanos <= 0)
        return std::nullopt;
    PriceQuote quote = onDemand;
    quote.purchase = PurchaseOption::Spot;
    quote.perHour = Money(static_cast<std::int64_t>(nanos), onDemand.perHour.currency());
    return quote;
}

void setOnDemand(WorkOffer &offer)
{
    const auto cost = offer.work.onDemand.times(base::GpuTime::wholeDevice(base::Seconds{offer.work.work}));
    if (!cost) {
        offer.fit = WorkFit::TooLarge;
        return;
    }
    offer.cost.fill(*cost);
    offer.hours.fill(static_cast<double>(offer.work.work) / 3600);
    if (offer.work.deadline && offer.work.work > *offer.work.deadline)
        offer.fit = WorkFit::DeadlineTooShort;
}

Result<void> setSpot(WorkOffer &offer, const WorkQuestion &question)
{
    SpotQuestion asked;
    asked.work = offer.work;
    asked.perHour = hourlySpotRate(offer.published->monthlyShare);
    asked.seed = question.seed;
    asked.paths = question.paths;
    auto estimate = estimateSpot(std::move(asked));
    if (!estimate && estimate.error().code == base::ErrorCode::Overflow) {
        offer.fit = WorkFit::TooLarge;
        return {};
    }
    GPULEDGER_TRY(estimate);
    offer.cost = estimate->waiting.cost;
    offer.hours = estimate->waiting.hours;
    offer.fit = estimate->suitable() ? WorkFit::Suits : WorkFit::Spot;
    offer.spot = *estimate;
    return {};
}

Result<WorkOffer> workOfferOf(const PriceQuote &quote, const PriceQuote *onDemand, const PublishedSpot *published,
                              const WorkQuestion &question)
{
    WorkOffer offer;
    offer.quote = quote;
    offer.work = question.work;
    offer.work.gpus = 1;
    if (onDemand)
        offer.work.onDemand = base::Rate(onDemand->perHour.nanos(), onDemand->perHour.currency());
    if (!offer.isSpot()) {
        setOnDemand(offer);
        return offer;
    }
    offer.work.spot = base::Rate(quote.perHour.nanos(), quote.perHour.currency());
    if (published)
        offer.published = *published;
    if (!published)
        offer.fit = WorkFit::NoInterruptions;
    else if (!onDemand)
        offer.fit = WorkFit::NoOnDemandPrice;
    else
        GPULEDGER_TRY(setSpot(offer, question));
    return offer;
}

auto workOrderOf(const WorkOffer &offer)
{
    const std::int64_t cost = offer.cost[1] ? offer.cost[1]->nanos() : std::numeric_limits<std::int64_t>::max();
    const PriceQuote &q = offer.quote;
    return std::tuple(q.perHour.currency(), cost, offer.isSpot(),
                      std::tie(q.provider, q.machine, q.region, q.zone, q.source));
}

} // namespace

std::optional<bool> WorkOffer::suitable() const
{
    switch (fit) {
    case WorkFit::Suits:
        return true;
    case WorkFit::Spot:
    case WorkFit::DeadlineTooShort:
        return false;
    case WorkFit::NoInterruptions:
    case WorkFit::NoOnDemandPrice:
    case WorkFit::TooLarge:
        break;
    }
    return std::nullopt;
}

Result<WorkOffers> offersForWork(const std::vector<PriceQuote> &quotes, const std::vector<PublishedSpot> &published,
                                 const WorkQuestion &question)
{
    if (question.work.work < 1)
        return base::fail(base::ErrorCode::InvalidArgument, "the work must take a second or more");
    const ListedMachines listed(quotes);
    std::map<MachineKey, const PublishedSpot *> known;
    for (const PublishedSpot &one : published)
        known.try_emplace({loweredName(one.cloud), loweredName(one.machine), loweredName(one.region)}, &one);
    WorkOffers out;
    for (const PriceQuote &quote : quotes) {
        const bool isSpot = quote.purchase == PurchaseOption::Spot;
        if (!isSpot && !isWithoutTerm(quote)) {
            ++out.otherTerms;
            continue;
        }
        const auto found = known.find(machineKey(quote));
        const PublishedSpot *spot = found == known.end() ? nullptr : found->second;
        const PriceQuote *onDemand = isSpot ? listed.onDemand(quote) : &quote;
        auto offer = workOfferOf(quote, onDemand, spot, question);
        GPULEDGER_TRY(offer);
        out.offers.push_back(std::move(*offer));
        if (isSpot || !spot || listed.hasSpot(quote) || listed.listed(quote) != &quote)
            continue;
        if (const auto cheaper = discountedQuote(quote, *spot)) {
            auto discounted = workOfferOf(*cheaper, listed.onDemand(quote), spot, question);
            GPULEDGER_TRY(discounted);
            discounted->discounted = true;
            out.offers.push_back(std::move(*discounted));
        }
    }
    std::stable_sort(out.offers.begin(), out.offers.end(),
                     [](const WorkOffer &a, const WorkOffer &b) { return workOrderOf(a) < workOrderOf(b); });
    return out;
}

const WorkOffer *cheapestSuitable(const WorkOffers &offers, base::Currency currency)
{
    const auto found = std::find_if(offers.offers.begin(), offers.offers.end(), [&](const WorkOffer &one) {
        return one.quote.perHour.currency() == currency && one.suitable() == true;
    });
    return found == offers.offers.end() ? nullptr : &*found;
}

} // namespace gpuledger::savings

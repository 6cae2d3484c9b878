// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/nebius/platformprices.h"

#include "connectors/auth/keyedprices.h"
#include "connectors/nebius/platforms.h"

#include <nebius.pb.h>

#include <algorithm>

namespace gpuledger::nebius {

using base::ErrorCode;
using base::Result;
using model::LeftOut;

namespace {

constexpr std::size_t kMostOffers = 1'000;
constexpr std::int64_t kMostGpus = 1'024; // of one machine

} // namespace

PlatformPrices::PlatformPrices(std::string name, std::unique_ptr<ProjectCalls> calls, const base::Clock &realClock)
    : m_name(std::move(name))
    , m_calls(std::move(calls))
    , m_realClock(realClock)
{
}

Result<std::vector<PlatformPrices::Offer>> PlatformPrices::offers(const std::stop_token &stop)
{
    const auto platforms = m_calls->platforms(stop);
    GPULEDGER_TRY(platforms);
    std::vector<Offer> all;
    for (const wire::Platform &platform : *platforms) {
        for (const wire::Preset &preset : platform.spec().presets()) {
            const std::int64_t gpus = preset.resources().gpu_count();
            if (gpus < 1 || gpus > kMostGpus)
                continue;
            all.push_back({platform.metadata().name(), preset.name(), gpus, false});
            if (platform.status().allowed_for_preemptibles())
                all.push_back({platform.metadata().name(), preset.name(), gpus, true});
        }
    }
    if (all.size() > kMostOffers)
        return base::fail(ErrorCode::TooMuch, "the project has more than " + std::to_string(kMostOffers) + " presets");
    return all;
}

Result<ports::PricesTold> PlatformPrices::read(const ports::PricesAsked &asked, std::stop_token stop)
{
    const auto all = offers(stop);
    GPULEDGER_TRY(all);
    const auto region = m_calls->region(stop);
    GPULEDGER_TRY(region);
    const InstanceTypes types(asked.machines);
    ports::PricesTold told;
    std::optional<base::Error> refusal;
    for (const Offer &offer : *all) {
        const auto price = m_calls->perHour(offer.platform, offer.preset, offer.isPreemptible, stop);
        if (!price && !isWithoutPrice(price.error()))
            return base::fail(price.error());
        if (!price) {
            refusal = price.error();
            ++told.now.leftOut[LeftOut::NoPrice];
            continue;
        }
        model::PriceQuote quote;
        quote.region = *region;
        quote.machine = typeOf(offer.platform, offer.preset);
        quote.gpuName = types.of(offer.platform, offer.preset).name;
        if (quote.gpuName.empty())
            quote.gpuName = offer.platform;
        quote.microGpus = offer.gpus * model::kMicroOfGpu;
        quote.purchase = offer.isPreemptible ? model::PurchaseOption::Spot : model::PurchaseOption::OnDemand;
        quote.perHour = *price;
        told.now.quotes.push_back(std::move(quote));
    }
    if (refusal && told.now.quotes.empty())
        return base::fail(std::move(*refusal));
    if (const auto wrong = auth::wrongClock(m_calls->answerDate(), m_realClock.now(),
                                            "nobody knows when these prices were in force, and none was recorded"))
        return base::fail(*wrong);
    return told;
}

Result<std::vector<ports::Finding>> PlatformPrices::probe(std::stop_token stop)
{
    constexpr const char *kBoth = "on-demand, spot";
    const auto all = offers(stop);
    if (!all && all.error().code == ErrorCode::Forbidden)
        return std::vector{auth::priceFinding(false, kListPlatforms.right(), kBoth)};
    GPULEDGER_TRY(all);
    if (all->empty())
        return std::vector<ports::Finding>();
    const Offer &first = all->front();
    const auto price = m_calls->perHour(first.platform, first.preset, first.isPreemptible, stop);
    if (!price && price.error().code != ErrorCode::Forbidden && !isWithoutPrice(price.error()))
        return base::fail(price.error());
    const bool isGiven = price || price.error().code != ErrorCode::Forbidden;
    return std::vector{auth::priceFinding(isGiven, kEstimatePrice.right(), kBoth)};
}

Result<std::unique_ptr<ports::PriceSource>> makePlatformPrices(const model::SourceSettings &settings,
                                                               ports::SecretStore &secrets,
                                                               const base::Clock &realClock,
                                                               std::shared_ptr<http::HttpClient> client)
{
    auto calls = makeProjectCalls(settings, secrets, realClock, std::move(client));
    GPULEDGER_TRY(calls);
    return std::make_unique<PlatformPrices>(settings.name, std::move(*calls), realClock);
}

} // namespace gpuledger::nebius

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/prices/awsprices.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/keyedprices.h"
#include "connectors/aws/eachpage.h"
#include "connectors/aws/prices/ondemandprices.h"

#include <algorithm>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kSpotList = "spot", *kOnDemandList = "on-demand";
constexpr base::Seconds kSpotHistoryKept{90 * 86400}; // by AWS
constexpr std::size_t kMostSpotPages = 500; // of 1,000 changes, for one chunk of types
constexpr std::size_t kMostProductPages = 20; // of 100 products, for one type
constexpr const char *kProbedType = "g4dn.xlarge"; // every region has it

Place priceListPlace(const model::SourceSettings &settings, const Tuning &tuning)
{
    Place place = placeOf(settings, tuning);
    place.region = priceListRegion(settings.auth.region);
    return place;
}

bool isMissingRight(const Result<Answer> &answer)
{
    return !answer && answer.error().code == ErrorCode::Forbidden;
}

} // namespace

AwsPrices::AwsPrices(const model::SourceSettings &settings, std::vector<std::string> lists, const base::Clock &clock,
                     const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning)
    : m_name(settings.name)
    , m_region(settings.auth.region)
    , m_lists(std::move(lists))
    , m_ec2(Wire(client, clock, placeOf(settings, tuning)), settings.auth.profile, tuning.surroundings, tuning.retries,
            tuning.pause)
    , m_priceList(Wire(client, clock, priceListPlace(settings, tuning)), settings.auth.profile, tuning.surroundings,
                  tuning.retries, tuning.pause)
{
}

Result<ports::PricesTold> AwsPrices::read(const ports::PricesAsked &asked, std::stop_token stop)
{
    return asked.list == kSpotList ? spot(asked, stop) : onDemand(asked, stop);
}

Result<ports::PricesTold> AwsPrices::spot(const ports::PricesAsked &asked, const std::stop_token &stop)
{
    const base::UtcTime oldest = asked.now - kSpotHistoryKept;
    const base::UtcTime since = std::clamp(asked.since.value_or(oldest), oldest, asked.now);
    SpotHistory history(asked.machines, priceCurrency(m_region));
    for (const std::vector<std::string> &types : chunksOf(asked.machines))
        GPULEDGER_TRY(eachPage(
            m_ec2, kMostSpotPages, [&](const std::string &token) { return spotHistoryCall(types, since, token); },
            [&](const std::string &page) { return history.add(page); }, stop));
    return history.take(m_region, asked.now);
}

Result<ports::PricesTold> AwsPrices::onDemand(const ports::PricesAsked &asked, const std::stop_token &stop)
{
    ports::PricesTold told;
    for (const auto &[type, machine] : asked.machines) {
        OnDemandPrice price(type, m_region, machine);
        GPULEDGER_TRY(eachPage(
            m_priceList, kMostProductPages,
            [&](const std::string &token) { return productsCall(type, m_region, token); },
            [&](const std::string &page) { return price.add(page); }, stop));
        price.addTo(told.now);
    }
    return told;
}

Result<std::vector<ports::Finding>> AwsPrices::probe(std::stop_token stop)
{
    std::vector<ports::Finding> findings;
    for (const std::string &list : m_lists) {
        const bool isSpot = list == kSpotList;
        const Call call =
            isSpot ? spotHistoryCall({kProbedType}, m_ec2.now(), {}) : productsCall(kProbedType, m_region, {});
        const auto answer = (isSpot ? m_ec2 : m_priceList).read(call, stop);
        if (!answer && !isMissingRight(answer))
            return base::fail(answer.error());
        findings.push_back(auth::priceFinding(answer.has_value(), call.action, list));
    }
    return findings;
}

Result<std::unique_ptr<ports::PriceSource>> makeAwsPrices(const model::SourceSettings &settings,
                                                          const base::Clock &clock,
                                                          const std::shared_ptr<http::HttpClient> &client)
{
    GPULEDGER_TRY(checkAwsSettings(settings));
    const auto option = settings.options.find(std::string(kPricesKey));
    std::string word = option == settings.options.end() ? std::string() : option->second;
    if (word.empty())
        word = settings.url.empty() ? "all" : kSpotList; // an address of its own is that of EC2
    std::vector<std::string> lists;
    if (word == "all" || word == kSpotList)
        lists.emplace_back(kSpotList);
    if ((word == "all" || word == kOnDemandList) && !priceListRegion(settings.auth.region).empty())
        lists.emplace_back(kOnDemandList);
    if (lists.empty() && word != "none" && word != kOnDemandList)
        return base::fail(base::Error::make(ErrorCode::InvalidConfig,
                                            "source \"" + settings.name + "\" has no prices named \""
                                                + base::printable(word, 40) + '"',
                                            "set prices of " + settings.name + " to all, spot, on-demand or none")
                              .withSource(settings.name));
    return std::make_unique<AwsPrices>(settings, std::move(lists), clock, client);
}

} // namespace gpuledger::aws

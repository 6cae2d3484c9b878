// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/prices/awsprices.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/keyedprices.h"
#include "connectors/aws/eachpage.h"
#include "connectors/aws/prices/ondemandprices.h"
#include "connectors/aws/prices/placementscores.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kSpotList = "spot", *kOnDemandList = "on-demand";
constexpr const char *kPlacementWords = "placement scores"; // what a connection test calls them
constexpr base::Seconds kSpotHistoryKept{90 * 86400}; // by AWS
constexpr std::size_t kMostSpotPages = 500; // of 1,000 changes, for one chunk of types
constexpr std::size_t kMostProductPages = 20; // of 100 products, for one type
constexpr std::size_t kMostScorePages = 20; // of 1,000 zones
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

bool isAmong(const std::vector<std::string> &words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
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
    for (const auto &machine : asked.machines) {
        const std::string &type = machine.first;
        OnDemandPrice price(type, m_region, machine.second);
        GPULEDGER_TRY(eachPage(
            m_priceList, kMostProductPages,
            [&](const std::string &token) { return productsCall(type, m_region, token); },
            [&](const std::string &page) { return price.add(page); }, stop));
        price.addTo(told.now);
    }
    return told;
}

bool AwsPrices::ratesPlacement() const
{
    return isAmong(m_lists, kSpotList);
}

Result<model::PlacementRating> AwsPrices::placement(const model::PlacementQuestion &asked, base::UtcTime now,
                                                    std::stop_token stop)
{
    if (!ratesPlacement())
        return PriceSource::placement(asked, now, stop);
    std::vector<std::string> refused;
    auto told = rating(asked, now, refused, stop);
    if (told || refused.empty())
        return told;
    model::PlacementQuestion known{{}, asked.count};
    std::copy_if(asked.machines.begin(), asked.machines.end(), std::back_inserter(known.machines),
                 [&](const std::string &type) { return !isAmong(refused, type); });
    return known.machines.empty() ? told : rating(known, now, refused, stop);
}

Result<model::PlacementRating> AwsPrices::rating(const model::PlacementQuestion &asked, base::UtcTime now,
                                                 std::vector<std::string> &refused, const std::stop_token &stop)
{
    refused.clear();
    PlacementScores scores(m_region);
    const auto ask = [&](const Call &call) -> Result<Answer> {
        auto answer = m_ec2.ask(call, stop);
        if (!answer || !answer->isError())
            return answer;
        refused = typesRefused(*answer, asked);
        return base::fail(placementError(*answer, asked, m_region));
    };
    GPULEDGER_TRY(eachPage(
        kMostScorePages, [&](const std::string &token) { return placementCall(asked, m_region, token); }, ask,
        [&](const std::string &page) { return scores.add(page); }));
    return model::PlacementRating{provider(), m_region, asked, scores.zones(), now};
}

Result<std::optional<ports::Finding>> AwsPrices::placementRight(const std::stop_token &stop)
{
    const model::PlacementQuestion asked{{kProbedType}, 1};
    const Call call = placementRightCall(asked, m_region);
    const auto answer = m_ec2.ask(call, stop);
    GPULEDGER_TRY(answer);
    switch (faultOf(*answer)) {
    case Fault::None:
    case Fault::DryRun:
        return auth::priceFinding(true, call.action, kPlacementWords);
    case Fault::Denied:
        return auth::priceFinding(false, call.action, kPlacementWords);
    case Fault::Refused:
        return std::optional<ports::Finding>();
    default:
        return base::fail(placementError(*answer, asked, m_region));
    }
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
    if (ratesPlacement()) {
        auto right = placementRight(stop);
        GPULEDGER_TRY(right);
        if (*right)
            findings.push_back(std::move(**right));
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

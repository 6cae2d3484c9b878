// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/prices/azureprices.h"

#include "app/base/text/text.h"
#include "connectors/auth/keyedapi.h"
#include "connectors/auth/keyedprices.h"
#include "connectors/azure/compute/gpulocations.h"

#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kMostPricePage = 16u << 20; // bytes
constexpr std::size_t kMostPricePages = 200; // of a region
constexpr const char *kAllPrices = "on-demand, spot, reservations";

// The service is public.
class NoAccess final : public Access {
public:
    Result<void> admit(http::Request &, const std::stop_token &) override { return {}; }
    void drop() override { }
};

// Headers of the settings are for the Resource Manager and may let in there.
model::SourceSettings withoutHeaders(model::SourceSettings settings)
{
    settings.headers.clear();
    return settings;
}

Judge priceJudge(const std::string &address)
{
    return [address](const http::Response &response) { return http::statusError(response, address); };
}

tl::unexpected<base::Error> unreadablePrices(const std::string &why)
{
    return base::fail(ErrorCode::Parse, "Azure's retail prices can't be read: " + why);
}

} // namespace

Tuning priceTuning()
{
    Tuning tuning;
    tuning.throttled = {.maxTries = 6,
                        .firstDelay = http::Milliseconds{3'000},
                        .maxDelay = http::Milliseconds{60'000},
                        .budget = http::Milliseconds{180'000}};
    return tuning;
}

AzurePrices::AzurePrices(const model::SourceSettings &settings, PriceSettings prices,
                         std::unique_ptr<ComputeApi> machines, const std::shared_ptr<http::HttpClient> &client,
                         const Tuning &tuning)
    : m_name(settings.name)
    , m_prices(std::move(prices))
    , m_machines(std::move(machines))
    , m_realClock(tuning.realClock)
    , m_service(withoutHeaders(settings), std::make_unique<NoAccess>(), priceJudge(m_prices.address), client, tuning)
{
}

std::vector<std::string> AzurePrices::lists() const
{
    return m_prices.isWanted ? std::vector<std::string>{{}} : std::vector<std::string>();
}

Result<std::set<std::string>> AzurePrices::regions(const KnownMachines &known, const std::stop_token &stop)
{
    if (!m_machines)
        return m_prices.regions;
    auto found = gpuLocations(*m_machines, known, stop);
    GPULEDGER_TRY(found);
    if (found->empty())
        return base::fail(base::Error::make(ErrorCode::InvalidConfig,
                                            "the subscription has no machine with GPUs, which would tell the regions",
                                            "set regions of " + m_name + " to those whose prices are compared")
                              .withSource(m_name));
    return found;
}

Result<std::string> AzurePrices::ask(const std::string &url, const std::stop_token &stop)
{
    http::Request request;
    request.url = url;
    request.headers.emplace_back("Accept", "application/json");
    request.maxBytes = kMostPricePage;
    auto response = m_service.ask(request, stop);
    GPULEDGER_TRY(response);
    if (m_realClock) {
        http::Parameters date;
        for (const auto &header : response->headers) {
            if (header.first == "date")
                date.push_back(header);
        }
        if (const auto wrong = auth::wrongClock(date, m_realClock->now(),
                                                "nobody knows when these prices were in force, and none was recorded"))
            return base::fail(*wrong);
    }
    return std::move(response->body);
}

Result<void> AzurePrices::readRegion(const std::string &region, RetailPrices &prices, const std::stop_token &stop)
{
    std::set<std::string> asked;
    for (std::string url = m_prices.address + retailQuery(region); !url.empty();) {
        if (!asked.insert(url).second)
            return unreadablePrices("its pages go in a circle");
        if (asked.size() > kMostPricePages)
            return base::fail(ErrorCode::TooMuch,
                              "Azure's retail prices of " + region + " have more than "
                                  + std::to_string(kMostPricePages) + " pages");
        const auto page = ask(url, stop);
        GPULEDGER_TRY(page);
        auto link = prices.add(*page, region);
        GPULEDGER_TRY(link);
        auto next = nextPage(std::move(*link), m_prices.address);
        if (!next)
            return unreadablePrices(next.error().text);
        url = std::move(*next);
    }
    return {};
}

Result<ports::PricesTold> AzurePrices::read(const ports::PricesAsked &asked, std::stop_token stop)
{
    const auto where = regions(asked.machines, stop);
    GPULEDGER_TRY(where);
    RetailPrices prices(asked.machines, asked.now);
    for (const std::string &region : *where)
        GPULEDGER_TRY(readRegion(region, prices, stop));
    ports::PricesTold told;
    told.now = prices.take();
    return told;
}

Result<std::vector<ports::Finding>> AzurePrices::probe(std::stop_token stop)
{
    std::vector<ports::Finding> findings;
    if (!m_prices.isWanted)
        return findings;
    const auto where = regions({}, stop);
    if (!where && where.error().code == ErrorCode::Forbidden)
        return std::vector{auth::priceFinding(
            false, where.error().text.find(kScaleSetsRight) == std::string::npos ? kMachinesRight : kScaleSetsRight,
            kAllPrices)};
    GPULEDGER_TRY(where);
    const auto page = ask(m_prices.address + retailQuery(*where->begin()), stop);
    if (!page && page.error().code != ErrorCode::Forbidden)
        return base::fail(page.error());
    findings.push_back(auth::priceFinding(page.has_value(), "GET " + m_prices.address + kRetailPath, kAllPrices));
    if (page) {
        const KnownMachines none;
        GPULEDGER_TRY(RetailPrices(none, {}).add(*page, *where->begin()));
    }
    return findings;
}

Result<std::unique_ptr<ports::PriceSource>> makeAzurePrices(const model::SourceSettings &settings,
                                                            ports::SecretStore &secrets, const base::Clock &realClock,
                                                            const std::shared_ptr<http::HttpClient> &client)
{
    auto prices = PriceSettings::of(settings);
    GPULEDGER_TRY(prices);
    Tuning tuning;
    tuning.realClock = &realClock;
    auto machines = makeComputeApi(settings, secrets, client, tuning);
    GPULEDGER_TRY(machines);
    if (!prices->regions.empty())
        machines->reset();
    Tuning service = priceTuning();
    service.realClock = &realClock;
    return std::make_unique<AzurePrices>(settings, std::move(*prices), std::move(*machines), client, service);
}

} // namespace gpuledger::azure

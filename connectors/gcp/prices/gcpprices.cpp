// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/prices/gcpprices.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/auth/keyedprices.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/prices/machineprice.h"
#include "connectors/gcp/refusal.h"
#include "connectors/http/url.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using model::PurchaseOption;

namespace {

constexpr const char *kCatalogApi = "https://cloudbilling.googleapis.com";
constexpr const char *kCatalogScope = "https://www.googleapis.com/auth/cloud-billing.readonly";
constexpr const char *kComputeSkus = "/v1/services/6F81-5844-456A/skus"; // Compute Engine
constexpr const char *kCatalogFields =
    "nextPageToken,skus(description,serviceRegions,category/usageType,pricingInfo/pricingExpression(usageUnit,"
    "tieredRates))";
constexpr const char *kCatalogRight = "cloudbilling.services.skus.list";
constexpr int kSkusOfPage = 5000; // the most that Google gives
constexpr std::size_t kMostSkuPages = 100;
constexpr base::Seconds kReadingKept{600};

struct PriceWord {
    const char *list;
    std::vector<PurchaseOption> purchases;
};

const std::array<PriceWord, 3> &priceWords()
{
    static const std::array<PriceWord, 3> kWords{
        {{"on-demand", {PurchaseOption::OnDemand}},
         {"spot", {PurchaseOption::Spot}},
         {"commitments", {PurchaseOption::OneYear, PurchaseOption::ThreeYears}}}};
    return kWords;
}

// A service that is switched off, or a token that is not for it: a right is missing, and other questions may be
// answered.
std::optional<base::Error> catalogRefusalOf(const http::Response &response, const std::string &api)
{
    auto error = refusalOf(response, api);
    if (!error || response.status != 403 || error->retryable)
        return error;
    const bool isNarrow = error->hint == base::text(base::Remedy::WidenAccessScopes);
    error->code = ErrorCode::Forbidden;
    if (!isNarrow)
        error->hint = base::text(base::Remedy::EnableBillingApi);
    return error;
}

// All names of parts that matter.
std::set<std::string> namesOf(const std::map<std::string, ports::KnownMachine> &machines)
{
    std::set<std::string> names;
    for (const PriceWord &word : priceWords()) {
        for (const PurchaseOption purchase : word.purchases) {
            for (const auto &[type, machine] : machines) {
                for (const MachinePart &part : partsOf(type, machine, purchase))
                    names.insert(part.names.begin(), part.names.end());
            }
        }
    }
    return names;
}

std::string settingOf(const model::SourceSettings &settings, std::string_view key)
{
    const auto at = settings.options.find(std::string(key));
    return at == settings.options.end() ? std::string() : at->second;
}

} // namespace

GcpPrices::GcpPrices(const model::SourceSettings &settings, std::vector<std::string> lists, std::string catalog,
                     ports::SecretStore &secrets, const base::Clock &realClock,
                     std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
    : m_name(settings.name)
    , m_catalog(std::move(catalog))
    , m_lists(std::move(lists))
    , m_api(settings, {"Cloud Billing", m_catalog, kCatalogScope, catalogRefusalOf}, secrets, std::move(client),
            realClock, tuning)
{
}

std::string GcpPrices::pageUrl(int most, const std::string &token) const
{
    http::Parameters parameters{
        {"currencyCode", "USD"}, {"pageSize", std::to_string(most)}, {"fields", kCatalogFields}};
    if (!token.empty())
        parameters.emplace_back("pageToken", token);
    return m_catalog + kComputeSkus + '?' + http::formEncode(parameters);
}

Result<CatalogSkus> GcpPrices::readCatalog(const ports::PricesAsked &asked, const std::stop_token &stop)
{
    CatalogSkus skus(namesOf(asked.machines));
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const auto page = m_api.ask(pageUrl(kSkusOfPage, token), {}, stop);
        GPULEDGER_TRY(page);
        auto next = skus.add(*page);
        GPULEDGER_TRY(next);
        token = std::move(*next);
        if (token.empty())
            return skus;
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Google Cloud's price list go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostSkuPages)
            return base::fail(ErrorCode::TooMuch, "the price list of Google Cloud has more than 500,000 SKUs");
    }
}

Result<ports::PricesTold> GcpPrices::read(const ports::PricesAsked &asked, std::stop_token stop)
{
    if (!m_reading || asked.now < m_reading->at || asked.now - m_reading->at > kReadingKept) {
        auto skus = readCatalog(asked, stop);
        GPULEDGER_TRY(skus);
        m_reading = Reading{asked.now, std::move(*skus)};
    }
    ports::PricesTold told;
    for (const PriceWord &word : priceWords()) {
        if (asked.list != word.list)
            continue;
        for (const PurchaseOption purchase : word.purchases) {
            for (const auto &[type, machine] : asked.machines)
                addMachinePrices(m_reading->skus, type, machine, purchase, told.now);
        }
    }
    return told;
}

// One question: all lists are in the same answer.
Result<std::vector<ports::Finding>> GcpPrices::probe(std::stop_token stop)
{
    if (m_lists.empty())
        return std::vector<ports::Finding>{};
    const auto page = m_api.ask(pageUrl(1, {}), {}, stop);
    if (!page && page.error().code != ErrorCode::Forbidden)
        return base::fail(page.error());
    std::string lists;
    for (const std::string &list : m_lists)
        lists += (lists.empty() ? "" : ", ") + list;
    std::string right = kCatalogRight;
    if (!page && page.error().text.find("SERVICE_DISABLED") != std::string::npos)
        right += " before the Cloud Billing API is enabled in the account's project";
    return std::vector{auth::priceFinding(page.has_value(), right, lists)};
}

Result<std::unique_ptr<ports::PriceSource>> makeGcpPrices(const model::SourceSettings &settings,
                                                          ports::SecretStore &secrets, const base::Clock &realClock,
                                                          std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(checkGoogleAccess(settings));
    std::string catalog = settingOf(settings, kPricesAddressKey), word = settingOf(settings, kGooglePricesKey);
    if (word.empty())
        word = settings.url.empty() || !catalog.empty() ? "all" : "none"; // an address of its own has no catalogue
    if (catalog.empty())
        catalog = kCatalogApi;
    GPULEDGER_TRY(http::parseUrl(catalog));
    while (catalog.ends_with('/'))
        catalog.pop_back();
    std::vector<std::string> lists;
    for (const PriceWord &one : priceWords()) {
        if (word == "all" || word == one.list)
            lists.emplace_back(one.list);
    }
    if (lists.empty() && word != "none")
        return base::fail(
            base::Error::make(ErrorCode::InvalidConfig,
                              "source \"" + settings.name + "\" has no prices named \"" + base::printable(word, 40)
                                  + '"',
                              "set prices of " + settings.name + " to all, on-demand, spot, commitments or none")
                .withSource(settings.name));
    return std::make_unique<GcpPrices>(settings, std::move(lists), std::move(catalog), secrets, realClock,
                                       std::move(client));
}

} // namespace gpuledger::gcp

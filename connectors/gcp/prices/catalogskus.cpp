// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/prices/catalogskus.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using model::PurchaseOption;
using Json = nlohmann::json;

namespace {

constexpr std::string_view kSpotPrefix = "Spot Preemptible ", kSpotVms = " attached to Spot Preemptible VMs",
                           kCommitment = "Commitment v1: ";
constexpr std::int64_t kNanosOfDollar = 1'000'000'000, kMostDollars = 1'000'000; // of an hour of a part

// How something is bought, and what it is.
struct SkuName {
    PurchaseOption purchase = PurchaseOption::OnDemand;
    std::string name;
};

// "Nvidia L4 GPU attached to Spot Preemptible VMs running in Paris": spot, "Nvidia L4 GPU". The tail is absent in some
// names. Whatever else a name has ("Reserved", "Custom", "attached to DWS …") stays in it: it is another thing.
std::optional<SkuName> skuNameOf(std::string_view text, std::string_view usage)
{
    SkuName out;
    const bool isCommitment = text.starts_with(kCommitment);
    if (isCommitment) {
        const bool isOne = usage == "Commit1Yr", isThree = usage == "Commit3Yr";
        const bool saysOne = text.ends_with(" for 1 Year"),
                   saysThree = text.ends_with(" for 3 Years") || text.ends_with(" for 3 Year");
        if ((isOne && !saysOne) || (isThree && !saysThree) || (!isOne && !isThree))
            return std::nullopt;
        out.purchase = isOne ? PurchaseOption::OneYear : PurchaseOption::ThreeYears;
        text.remove_prefix(kCommitment.size());
    }
    const bool isSpot =
        !isCommitment && (text.starts_with(kSpotPrefix) || text.find(kSpotVms) != std::string_view::npos);
    if (text.starts_with(kSpotPrefix))
        text.remove_prefix(kSpotPrefix.size());
    for (const std::string_view tail :
         {std::string_view(" running in "), std::string_view(" in "), std::string_view(" for ")})
        text = text.substr(0, text.find(tail));
    if (isSpot && text.ends_with(kSpotVms))
        text.remove_suffix(kSpotVms.size());
    // Google files some spot prices under OnDemand; the name decides.
    if (isSpot)
        out.purchase = PurchaseOption::Spot;
    if (!isCommitment && usage != "OnDemand" && !(isSpot && usage == "Preemptible"))
        return std::nullopt;
    out.name = text;
    return out;
}

SkuUnit unitOf(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, SkuUnit>, 3> kUnits{
        {{"h", SkuUnit::Hour}, {"GiBy.h", SkuUnit::GibHour}, {"GiBy.mo", SkuUnit::GibMonth}}};
    const auto at = std::find_if(kUnits.begin(), kUnits.end(), [&](const auto &one) { return one.first == text; });
    return at == kUnits.end() ? SkuUnit::Other : at->second;
}

// {"currencyCode":"USD","units":"2","nanos":934200000}; absent members are zero.
std::optional<std::int64_t> nanosIn(const Json &price)
{
    const std::string units = format::textOf(price, "units");
    const Json &nanos = format::memberOf(price, "nanos");
    const auto dollars = base::parseInt(units.empty() ? "0" : units);
    if (format::textOf(price, "currencyCode") != "USD" || !dollars || *dollars < 0 || *dollars > kMostDollars
        || !(nanos.is_null() || nanos.is_number_integer()))
        return std::nullopt;
    const std::int64_t rest = nanos.is_null() ? 0 : nanos.get<std::int64_t>();
    if (rest < 0 || rest >= kNanosOfDollar)
        return std::nullopt;
    return *dollars * kNanosOfDollar + rest;
}

std::optional<std::int64_t> nanosOfTier(const Json &tier)
{
    return nanosIn(format::memberOf(tier, "unitPrice"));
}

// The price that each further hour costs: the only one, or the second one if the first is free.
SkuRate rateIn(const Json &sku)
{
    const Json &infos = format::memberOf(sku, "pricingInfo"); // in the order of time
    if (!infos.is_array() || infos.empty())
        return {};
    const Json &expression = format::memberOf(infos.back(), "pricingExpression");
    SkuRate rate{std::nullopt, unitOf(format::textOf(expression, "usageUnit"))};
    const Json &tiers = format::memberOf(expression, "tieredRates");
    if (!tiers.is_array() || tiers.empty() || tiers.size() > 2)
        return rate;
    if (tiers.size() == 2 && nanosOfTier(tiers.front()) != 0)
        return rate;
    rate.nanos = nanosOfTier(tiers.back());
    if (rate.nanos == 0) // what was paid for in another way
        rate.nanos.reset();
    return rate;
}

} // namespace

Result<std::string> CatalogSkus::add(const Json &page)
{
    const Json &skus = format::memberOf(page, "skus");
    if (!skus.is_null() && !skus.is_array())
        return base::fail(ErrorCode::Parse, "the price list of Google Cloud can't be read: it has no SKUs",
                          base::Remedy::NextSyncTriesAgain);
    for (const Json &sku : skus) {
        const auto name = skuNameOf(format::textOf(sku, "description"),
                                    format::textOf(format::memberOf(sku, "category"), "usageType"));
        if (!name || !m_names.contains(name->name))
            continue;
        const SkuRate rate = rateIn(sku);
        const Json &regions = format::memberOf(sku, "serviceRegions");
        for (std::size_t i = 0; regions.is_array() && i < regions.size(); ++i) {
            if (!regions[i].is_string())
                continue;
            auto &kept =
                m_rates.try_emplace({name->purchase, name->name, regions[i].get<std::string>()}, rate).first->second;
            if (kept != rate) // none is chosen
                kept.nanos.reset();
        }
    }
    return format::textOf(page, "nextPageToken");
}

std::set<std::string> CatalogSkus::regionsOf(PurchaseOption purchase, const MachinePart &part) const
{
    std::set<std::string> regions;
    for (const std::string &name : part.names) {
        for (auto at = m_rates.lower_bound({purchase, name, {}}); at != m_rates.end(); ++at) {
            const auto &[itsPurchase, itsName, region] = at->first;
            if (itsPurchase != purchase || itsName != name)
                break;
            regions.insert(region);
        }
    }
    return regions;
}

std::optional<SkuRate> CatalogSkus::rateOf(PurchaseOption purchase, const MachinePart &part,
                                           const std::string &region) const
{
    std::optional<SkuRate> found;
    for (const std::string &name : part.names) {
        const auto at = m_rates.find({purchase, name, region});
        if (at == m_rates.end())
            continue;
        if (part.choice == MachinePart::Choice::FirstFound)
            return at->second;
        if (found && *found != at->second)
            found->nanos.reset();
        else
            found = at->second;
    }
    return found;
}

} // namespace gpuledger::gcp

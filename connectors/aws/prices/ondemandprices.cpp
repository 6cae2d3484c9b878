// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/prices/ondemandprices.h"

#include "connectors/format/json.h"

#include <array>
#include <string_view>
#include <utility>

namespace gpuledger::aws {

using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::array<std::pair<const char *, const char *>, 6> kOnDemandLinux{
    {{"operatingSystem", "Linux"},
     {"tenancy", "Shared"},
     {"preInstalledSw", "NA"},
     {"capacitystatus", "Used"},
     {"marketoption", "OnDemand"},
     {"licenseModel", "No License required"}}};

Json filterOf(const std::string &field, const std::string &value)
{
    return {{"Type", "TERM_MATCH"}, {"Field", field}, {"Value", value}};
}

// The only price of an hour among the terms; std::nullopt: there is none, or not just one. Each product has one term,
// and each term one price, which holds from the first hour on.
std::optional<std::int64_t> perHourIn(const Json &product, base::Currency currency)
{
    const Json &terms = format::memberOf(format::memberOf(product, "terms"), "OnDemand");
    if (!terms.is_object() || terms.size() != 1)
        return std::nullopt;
    const Json &rates = format::memberOf(*terms.begin(), "priceDimensions");
    if (!rates.is_object() || rates.size() != 1)
        return std::nullopt;
    const Json &rate = *rates.begin();
    const std::string begin = format::textOf(rate, "beginRange"), unit = format::textOf(rate, "unit");
    const auto price = base::Money::parse(
        format::textOf(format::memberOf(rate, "pricePerUnit"), std::string(currency.code()).c_str()), currency);
    if (unit != "Hrs" || begin != "0" || !price || price->nanos() < 0)
        return std::nullopt;
    return price->nanos();
}

} // namespace

// In China it is a service of its own; GovCloud has none, and its credentials are unknown elsewhere.
std::string priceListRegion(const std::string &region)
{
    const std::string partition = partitionOf(region);
    if (partition == "aws-us-gov")
        return {};
    if (partition == "aws-cn")
        return "cn-northwest-1";
    for (const char *near : {"eu-", "me-", "af-", "il-"}) {
        if (region.starts_with(near))
            return "eu-central-1";
    }
    return region.starts_with("ap-") ? "ap-south-1" : "us-east-1";
}

base::Currency priceCurrency(const std::string &region)
{
    const auto yuan = base::Currency::parse("CNY");
    return partitionOf(region) == "aws-cn" && yuan ? *yuan : base::Currency::usd();
}

Call productsCall(const std::string &type, const std::string &region, const std::string &token)
{
    Json filters = Json::array({filterOf("instanceType", type), filterOf("regionCode", region)});
    for (const auto &[field, value] : kOnDemandLinux)
        filters.push_back(filterOf(field, value));
    Json body{{"ServiceCode", "AmazonEC2"},
              {"Filters", std::move(filters)},
              {"FormatVersion", "aws_v1"},
              {"MaxResults", 100}};
    if (!token.empty())
        body["NextToken"] = token;
    return {"pricing", "pricing:GetProducts", "application/x-amz-json-1.1",
            body.dump(-1, ' ', false, Json::error_handler_t::replace), "AWSPriceListService.GetProducts"};
}

OnDemandPrice::OnDemandPrice(std::string type, std::string region, ports::KnownMachine machine)
    : m_type(std::move(type))
    , m_region(std::move(region))
    , m_machine(std::move(machine))
    , m_currency(priceCurrency(m_region))
{
}

Result<std::string> OnDemandPrice::add(const std::string &page)
{
    const auto unreadable = [](const std::string &why) {
        return base::fail(base::ErrorCode::Parse, "the price list of AWS can't be read: " + why);
    };
    const auto tree = format::parseJson(page);
    if (!tree)
        return unreadable(tree.error().text);
    const Json &items = format::memberOf(*tree, "PriceList");
    if (!items.is_array())
        return unreadable("it has no products");
    for (const Json &item : items) {
        const auto product = item.is_string() ? format::parseJson(item.get_ref<const std::string &>())
                                              : Result<Json>(unreadable("a product is no text"));
        GPULEDGER_TRY(product);
        const Json &attributes = format::memberOf(format::memberOf(*product, "product"), "attributes");
        if (format::textOf(attributes, "instanceType") != m_type
            || format::textOf(attributes, "regionCode") != m_region)
            return unreadable("it has other products than were asked for");
        if (const auto price = perHourIn(*product, m_currency))
            m_prices.insert(*price);
        else
            m_isAnyUnreadable = true;
    }
    return format::textOf(*tree, "NextToken");
}

void OnDemandPrice::addTo(model::QuoteList &list) const
{
    if (m_isAnyUnreadable || m_prices.size() > 1) {
        ++list.leftOut[model::LeftOut::Unreadable];
        return;
    }
    if (m_prices.empty())
        return;
    model::PriceQuote quote;
    quote.region = m_region;
    quote.machine = m_type;
    quote.gpuName = m_machine.gpuName;
    quote.microGpus = m_machine.microGpus;
    quote.perHour = base::Money(*m_prices.begin(), m_currency);
    list.quotes.push_back(std::move(quote)); // a price of zero is counted by who asked
}

} // namespace gpuledger::aws

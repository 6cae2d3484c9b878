// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/prices/azureretail.h"

#include "app/base/text/text.h"
#include "app/savings/prices/pricetable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace gpuledger::savings {

using base::Money;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kAzure = "azure";
constexpr std::size_t kMostRetailRows = 200'000; // of one list
constexpr std::int64_t kOneYear = 12, kThreeYears = 36; // months
// A reservation's price is that of its whole term, although its unit is an hour. Should a price be below this many
// times the on-demand price, it is one of an hour.
constexpr std::int64_t kTimesOnDemand = 10;

std::string retailText(const Json &item, const char *key)
{
    const auto at = item.find(key);
    return at != item.end() && at->is_string() ? at->get<std::string>() : std::string();
}

// The shortest text of a number has the digits that the server wrote. Absent: it is no amount.
std::optional<Money> retailMoney(const Json &item, const char *key, base::Currency currency)
{
    const auto at = item.find(key);
    if (at == item.end() || !at->is_number())
        return std::nullopt;
    const auto amount = Money::parse(at->dump(), currency);
    return amount ? std::optional(*amount) : std::nullopt;
}

bool isPlainName(const std::string &name)
{
    return !name.empty() && isPlausibleName(name) && base::printable(name) == name;
}

std::int64_t termOf(const std::string &text)
{
    return text == "1 Year" ? kOneYear : text == "3 Years" ? kThreeYears : 0;
}

bool hasAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

} // namespace

struct AzureRetailReader::Item {
    const Json &json;
    std::string machine, region, meter, product, sku, type;
};

std::string azureRetailQuery(const std::string &region, base::Currency currency)
{
    return "?api-version=2023-01-01-preview&currencyCode=%27" + std::string(currency.code())
        + "%27&$filter=serviceName%20eq%20%27Virtual%20Machines%27%20and%20armRegionName%20eq%20%27" + region
        + "%27%20and%20contains(armSkuName,%27Standard_N%27)";
}

AzureRetailReader::AzureRetailReader(std::string source, base::Currency currency, base::Day today,
                                     const ledger::GpuCatalog &catalog, const MachineSizes &sizes)
    : m_source(std::move(source))
    , m_currency(currency)
    , m_today(today)
    , m_catalog(catalog)
    , m_sizes(sizes)
{
}

Result<std::string> AzureRetailReader::add(std::string_view page)
{
    const Json json = Json::parse(page, nullptr, false);
    const auto items = json.is_object() ? json.find("Items") : json.end();
    if (!json.is_object() || items == json.end() || !items->is_array())
        return base::fail(base::ErrorCode::Parse, "it is no page of Azure's retail prices");
    for (const Json &one : *items) {
        const bool isRead = one.is_object()
            && addItem({one, retailText(one, "armSkuName"), retailText(one, "armRegionName"),
                        retailText(one, "meterName"), retailText(one, "productName"), retailText(one, "skuName"),
                        retailText(one, "type")});
        if (!isRead)
            ++m_list.leftOut[LeftOut::Unreadable];
        if (m_rows.size() > kMostRetailRows)
            return base::fail(base::ErrorCode::Parse, "it has more than 200,000 prices");
    }
    return retailText(json, "NextPageLink");
}

// Prices of Windows, of interruptible machines of the old kind and of hosts are others than those that are compared.
bool AzureRetailReader::addItem(const Item &item)
{
    const bool isReserved = item.type == "Reservation";
    if ((!isReserved && item.type != "Consumption")
        || hasAny(item.product, {"Windows", "Cloud Services", "CloudServices", "Dedicated"})
        || hasAny(item.meter + ' ' + item.sku, {"Low Priority", "Expired"}))
        return true;
    const auto price = retailMoney(item.json, "retailPrice", m_currency);
    const auto begins = base::parseTime(retailText(item.json, "effectiveStartDate"));
    if (!isPlainName(item.machine) || !isPlainName(item.region) || !begins || !price
        || retailText(item.json, "currencyCode") != m_currency.code()
        || retailText(item.json, "unitOfMeasure") != "1 Hour")
        return false;
    const std::string tier = item.json.value("tierMinimumUnits", Json(0)).dump();
    if (price->nanos() <= 0 || base::dayOf(*begins) > m_today || (tier != "0" && tier != "0.0"))
        return true; // free, not yet, or the price of what exceeds an amount
    const auto own = item.json.find("isPrimaryMeterRegion");
    Row row{*price, own != item.json.end() && own->is_boolean() && own->get<bool>(), base::dayOf(*begins)};
    if (isReserved) {
        const std::int64_t term = termOf(retailText(item.json, "reservationTerm"));
        if (term != 0) // others are not compared
            put({item.region, item.machine, term == kOneYear ? Way::ReservedOneYear : Way::ReservedThreeYears}, row);
        return true;
    }
    const bool isSpot = hasAny(item.meter + ' ' + item.sku, {"Spot"});
    put({item.region, item.machine, isSpot ? Way::Spot : Way::OnDemand}, row);
    const auto plans = item.json.find("savingsPlan");
    if (isSpot || plans == item.json.end() || !plans->is_array())
        return true;
    for (const Json &plan : *plans) {
        const std::int64_t term = plan.is_object() ? termOf(retailText(plan, "term")) : 0;
        const auto planned = term != 0 ? retailMoney(plan, "retailPrice", m_currency) : std::nullopt;
        if (!planned || planned->nanos() <= 0)
            continue;
        row.price = *planned;
        put({item.region, item.machine, term == kOneYear ? Way::PlannedOneYear : Way::PlannedThreeYears}, row);
    }
    return true;
}

void AzureRetailReader::put(const Key &key, const Row &row)
{
    const auto [at, isNew] = m_rows.try_emplace(key, row);
    if (isNew)
        return;
    Row &known = at->second;
    const auto rank = [](const Row &one) { return std::pair(one.isOfOwnRegion, one.begins); };
    if (rank(row) > rank(known))
        known = row;
    else if (rank(row) == rank(known) && row.price != known.price)
        known.isDoubtful = true;
}

QuoteList AzureRetailReader::take()
{
    std::set<std::string> unknown;
    for (const auto &[key, row] : m_rows) {
        const std::string &machine = std::get<1>(key);
        if (m_sizes.find({kAzure, loweredName(machine)}) == m_sizes.end())
            unknown.insert(machine);
        else if (row.isDoubtful)
            ++m_list.leftOut[LeftOut::Unreadable];
        else
            addQuote(key, row);
    }
    if (!unknown.empty())
        m_list.leftOut[LeftOut::UnknownType] += unknown.size();
    m_rows.clear();
    return std::exchange(m_list, {});
}

void AzureRetailReader::addQuote(const Key &key, const Row &row)
{
    const auto &[region, machine, way] = key;
    const MachineSize &size = m_sizes.at({kAzure, loweredName(machine)});
    const auto onDemand = m_rows.find({region, machine, Way::OnDemand});
    const bool isKnown = onDemand != m_rows.end() && !onDemand->second.isDoubtful;
    PriceQuote quote;
    quote.provider = kAzure;
    quote.region = region;
    quote.machine = machine;
    quote.gpuName = size.gpuModel;
    quote.gpu = identify(m_catalog, {size.gpuModel, machine, std::nullopt});
    quote.microGpus = size.microGpus;
    quote.source = m_source;
    quote.perHour = row.price;
    switch (way) {
    case Way::OnDemand:
        break;
    case Way::Spot:
        quote.purchase = PurchaseOption::Spot;
        if (isKnown && onDemand->second.price == row.price) {
            ++m_list.leftOut[LeftOut::SpotCeiling];
            return;
        }
        break;
    case Way::ReservedOneYear:
    case Way::ReservedThreeYears:
        quote.termMonths = way == Way::ReservedOneYear ? kOneYear : kThreeYears;
        if (!isKnown || row.price.nanos() / kTimesOnDemand > onDemand->second.price.nanos())
            quote.perHour = perHourOfTerm(row.price, *quote.termMonths);
        quote.source += ", reservation";
        break;
    case Way::PlannedOneYear:
    case Way::PlannedThreeYears:
        quote.termMonths = way == Way::PlannedOneYear ? kOneYear : kThreeYears;
        quote.source += ", savings plan";
        break;
    }
    if (quote.termMonths)
        quote.purchase = *quote.termMonths == kOneYear ? PurchaseOption::OneYear : PurchaseOption::ThreeYears;
    m_list.quotes.push_back(std::move(quote));
}

} // namespace gpuledger::savings

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/prices/retailprices.h"

#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Money;
using base::Result;
using Json = nlohmann::json;
using model::LeftOut;
using model::PurchaseOption;

namespace {

constexpr std::size_t kMostRetailRows = 100'000; // of all regions
constexpr std::int64_t kOneYear = 12, kThreeYears = 36; // months
constexpr std::int64_t kHoursOfMonth = 730; // 8,760 hours a year
// A reservation's price is that of its whole term, although its unit is an hour. Should a price be below this many
// times the price on demand, it is one of an hour.
constexpr std::int64_t kTimesOnDemand = 10;

bool hasAnyOf(const std::string &text, std::initializer_list<std::string_view> words)
{
    const std::string lower = lowerCase(text);
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::int64_t monthsOf(const std::string &term)
{
    return term == "1 Year" ? kOneYear : term == "3 Years" ? kThreeYears : 0;
}

// An amount above or equal to zero; std::nullopt: it is none.
std::optional<Money> amountAt(const Json &object, const char *key)
{
    const auto amount = Money::parse(format::textOf(object, key), base::Currency::usd());
    return amount && amount->nanos() >= 0 ? std::optional(*amount) : std::nullopt;
}

bool isZeroAt(const Json &object, const char *key)
{
    const auto amount = amountAt(object, key);
    return amount && amount->isZero();
}

Money perHourOf(const Money &term, std::int64_t months)
{
    const std::int64_t hours = months * kHoursOfMonth, rest = term.nanos() % hours;
    return {term.nanos() / hours + (rest >= hours - rest ? 1 : 0), term.currency()};
}

} // namespace

struct RetailPrices::Item {
    const Json &json;
    std::string machine, region;

    std::string text(const char *key) const { return format::textOf(json, key); }
    std::string names() const { return text("meterName") + ' ' + text("skuName"); }
};

std::string retailQuery(const std::string &region)
{
    const std::string filter =
        "serviceName eq 'Virtual Machines' and armRegionName eq '" + region + "' and contains(armSkuName,'Standard_N')";
    return std::string(kRetailPath) + "?api-version=2023-01-01-preview&currencyCode=%27USD%27&$filter="
        + http::percentEncoded(filter, http::Slashes::Encode);
}

Result<std::string> RetailPrices::add(const std::string &page, const std::string &region)
{
    const auto json = format::parseWithNumbersAsText(page);
    if (!json || !format::memberOf(*json, "Items").is_array())
        return base::fail(ErrorCode::Parse,
                          "Azure's retail prices can't be read: "
                              + (json ? std::string("the answer has no prices") : json.error().text));
    for (const Json &one : format::memberOf(*json, "Items")) {
        const std::string machine = format::textOf(one, "armSkuName");
        if (one.is_object() && !m_machines.contains(lowerCase(machine)))
            continue;
        if (!one.is_object() || !addItem({one, machine, region}))
            ++m_leftOut[LeftOut::Unreadable];
        if (m_rows > kMostRetailRows)
            return base::fail(ErrorCode::TooMuch, "Azure has more than 100,000 retail prices for these regions");
    }
    return format::textOf(*json, "NextPageLink");
}

// Prices of Windows, of interruptible machines of the old kind and of hosts are others than those that are compared.
bool RetailPrices::isOther(const Item &item)
{
    const std::string type = item.text("type");
    return (type != "Consumption" && type != "Reservation")
        || hasAnyOf(item.text("productName"), {"windows", "cloud services", "cloudservices", "dedicated"})
        || hasAnyOf(item.names(), {"low priority", "expired"});
}

// std::nullopt: a reservation of a term that is not compared.
std::optional<RetailPrices::Way> RetailPrices::wayOf(const Item &item)
{
    if (item.text("type") != "Reservation")
        return hasAnyOf(item.names(), {"spot"}) ? Way::Spot : Way::OnDemand;
    const std::int64_t term = monthsOf(item.text("reservationTerm"));
    if (term == 0)
        return std::nullopt;
    return term == kOneYear ? Way::ReservedOneYear : Way::ReservedThreeYears;
}

bool RetailPrices::addItem(const Item &item)
{
    const auto way = isOther(item) ? std::nullopt : wayOf(item);
    if (!way)
        return true;
    const auto price = amountAt(item.json, "retailPrice");
    const auto begins = base::parseTime(item.text("effectiveStartDate"));
    const std::string ends = item.text("effectiveEndDate");
    const auto end = base::parseTime(ends);
    if (!price || !begins || (!end && !ends.empty()) || item.text("currencyCode") != "USD"
        || item.text("unitOfMeasure") != "1 Hour" || lowerCase(item.text("armRegionName")) != item.region)
        return false;
    const bool isOfAll = item.text("tierMinimumUnits").empty() || isZeroAt(item.json, "tierMinimumUnits");
    if (*begins > m_now || (end && *end <= m_now) || !isOfAll) // or the price of what exceeds an amount
        return true;
    if (price->isZero()) {
        ++m_leftOut[LeftOut::NoPrice];
        return true;
    }
    const Json &own = format::memberOf(item.json, "isPrimaryMeterRegion");
    const Meter meter{own.is_boolean() && own.get<bool>(), item.text("meterId")};
    const Row row{item.machine, *price, *begins};
    put({item.region, lowerCase(item.machine), *way}, meter, row);
    return *way != Way::OnDemand || addPlans(item, meter, row);
}

bool RetailPrices::addPlans(const Item &item, const Meter &meter, Row row)
{
    const Json &plans = format::memberOf(item.json, "savingsPlan");
    bool isRead = plans.is_null() || plans.is_array();
    for (std::size_t i = 0; plans.is_array() && i < plans.size(); ++i) {
        const std::int64_t term = monthsOf(format::textOf(plans[i], "term"));
        const auto price = amountAt(plans[i], "retailPrice");
        isRead = isRead && price;
        if (term == 0 || !price || price->isZero())
            continue;
        row.price = *price;
        put({item.region, lowerCase(item.machine), term == kOneYear ? Way::PlannedOneYear : Way::PlannedThreeYears},
            meter, row);
    }
    return isRead;
}

// A meter's price that began later replaces the one before.
void RetailPrices::put(const Key &key, const Meter &meter, const Row &row)
{
    const auto [at, isNew] = m_prices[key].try_emplace(meter, row);
    m_rows += isNew ? 1 : 0;
    Row &known = at->second;
    if (row.begins > known.begins)
        known = row;
    else if (row.begins == known.begins && row.price != known.price)
        known.isDoubtful = true;
}

// Meters of the region count before those that are also used there.
const RetailPrices::Row *RetailPrices::onlyRow(const Meters &meters)
{
    const bool haveOwn = meters.rbegin()->first.first;
    const Row *only = nullptr;
    for (const auto &[meter, row] : meters) {
        if (meter.first != haveOwn)
            continue;
        if (row.isDoubtful || (only && only->price != row.price))
            return nullptr;
        only = &row;
    }
    return only;
}

const RetailPrices::Row *RetailPrices::rowAt(const Key &key) const
{
    const auto at = m_prices.find(key);
    return at == m_prices.end() ? nullptr : onlyRow(at->second);
}

model::QuoteList RetailPrices::take() const
{
    model::QuoteList list;
    list.leftOut = m_leftOut;
    for (const auto &[key, meters] : m_prices) {
        const auto &[region, type, way] = key;
        const Row *row = onlyRow(meters), *onDemand = rowAt({region, type, Way::OnDemand});
        if (!row)
            ++list.leftOut[LeftOut::Unreadable];
        else if (way == Way::Spot && onDemand && onDemand->price == row->price)
            ++list.leftOut[LeftOut::SpotCeiling];
        else
            list.quotes.push_back(quoteOf(key, *row, onDemand));
    }
    return list;
}

model::PriceQuote RetailPrices::quoteOf(const Key &key, const Row &row, const Row *onDemand) const
{
    const auto &[region, type, way] = key;
    const ports::KnownMachine &machine = m_machines.at(type);
    const bool isReserved = way == Way::ReservedOneYear || way == Way::ReservedThreeYears;
    const bool isOneYear = way == Way::ReservedOneYear || way == Way::PlannedOneYear;
    model::PriceQuote quote;
    quote.region = region;
    quote.machine = row.machine;
    quote.gpuName = machine.gpuName;
    quote.microGpus = machine.microGpus;
    quote.perHour = row.price;
    if (way == Way::OnDemand)
        return quote;
    if (way == Way::Spot) {
        quote.purchase = PurchaseOption::Spot;
        return quote;
    }
    quote.purchase = isOneYear ? PurchaseOption::OneYear : PurchaseOption::ThreeYears;
    quote.termMonths = isOneYear ? kOneYear : kThreeYears;
    quote.source = isReserved ? "reservation" : "savings plan";
    if (isReserved && (!onDemand || row.price.nanos() / kTimesOnDemand > onDemand->price.nanos()))
        quote.perHour = perHourOf(row.price, *quote.termMonths);
    return quote;
}

} // namespace gpuledger::azure

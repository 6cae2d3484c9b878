// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/chargeanswer.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gpuledger::vastai {

using base::Decimal;
using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestChargeText = 256; // bytes

std::string chargeText(const Json &object, const char *member)
{
    return base::printableLine(format::textOf(object, member), kLongestChargeText);
}

Result<Decimal> amountOf(const Json &object)
{
    auto amount = Decimal::parse(format::textOf(object, "amount"));
    if (!amount && amount.error().code != ErrorCode::Overflow)
        return unreadableCharges("a charge has no amount");
    return amount;
}

// Seconds since 1970, also with a fraction. Vast.ai's own client also expects none and 0.
std::optional<base::UtcTime> timeOf(const Json &object, const char *member, base::UtcTime unless)
{
    constexpr double kLatest = 9e9;
    if (format::memberOf(object, member).is_null())
        return unless;
    const auto seconds = base::parseDouble(format::textOf(object, member));
    if (seconds == 0.0)
        return unless;
    if (!seconds || !(*seconds > 0 && *seconds <= kLatest))
        return std::nullopt;
    return base::fromUnix(static_cast<std::int64_t>(*seconds));
}

// The end is a time of the last day: a charge for one day starts and ends with its first second.
Result<base::TimeRange> daysOf(const Json &charge, const base::TimeRange &asked)
{
    const auto start = timeOf(charge, "start", asked.start), end = timeOf(charge, "end", asked.end - base::Seconds{1});
    if (!start || !end || *end < *start)
        return unreadableCharges("a charge has no start and end");
    return base::TimeRange{base::dayOf(*start).start(), base::dayOf(*end).end()};
}

Result<Charge> chargeOf(const Json &object, const base::TimeRange &asked)
{
    Charge charge;
    charge.source = chargeText(object, "source");
    if (charge.source.empty())
        return unreadableCharges("a charge has no source");
    const auto days = daysOf(object, asked);
    GPULEDGER_TRY(days);
    charge.stated = *days;
    charge.period = {std::max(days->start, asked.start), std::min(days->end, asked.end)};
    if (charge.period.start >= charge.period.end)
        return unreadableCharges("a charge is for days that were not asked");
    charge.type = chargeText(object, "type");
    const Json &metadata = format::memberOf(object, "metadata");
    charge.label = chargeText(metadata, "label");
    charge.endpoint = chargeText(metadata, "endpoint_id");
    const auto amount = amountOf(object);
    GPULEDGER_TRY(amount);
    charge.amount = *amount;
    const Json &items = format::memberOf(object, "items");
    if (!items.is_array() && !items.is_null())
        return unreadableCharges("a charge has no list of items");
    for (const Json &item : items) {
        const auto part = amountOf(item);
        GPULEDGER_TRY(part);
        charge.items.push_back({chargeText(item, "type"), chargeText(item, "description"), *part});
    }
    return charge;
}

} // namespace

tl::unexpected<base::Error> unreadableCharges(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Vast.ai's answer can't be read: " + what);
}

Result<std::string> readPage(const std::string &body, ChargeList &list, std::size_t &amounts)
{
    const auto tree = format::parseWithNumbersAsText(body);
    if (!tree)
        return unreadableCharges(tree.error().text);
    const Json &results = format::memberOf(*tree, "results");
    if (format::memberOf(*tree, "success") == Json(false) || !results.is_array())
        return unreadableCharges("it has no results");
    if (base::parseInt(format::textOf(*tree, "count")) != static_cast<std::int64_t>(results.size()))
        return unreadableCharges("a page has another number of charges than it says");
    if (list.total < 0) {
        const auto total = base::parseInt(format::textOf(*tree, "total"));
        if (!total || *total < 0)
            return unreadableCharges("it does not say how many charges there are");
        list.total = *total;
    }
    for (const Json &result : results) {
        auto charge = chargeOf(result, list.asked);
        GPULEDGER_TRY(charge);
        amounts += 1 + charge->items.size();
        if (amounts > kMostAmounts)
            return base::fail(ErrorCode::TooMuch, "a month of Vast.ai's bill has more than 200,000 amounts");
        list.charges.push_back(std::move(*charge));
    }
    return format::textOf(*tree, "next_token");
}

Result<void> checkWhole(const ChargeList &list)
{
    if (static_cast<std::int64_t>(list.charges.size()) != list.total)
        return unreadableCharges("there are other charges than it says");
    std::set<std::string> sources;
    for (const Charge &charge : list.charges) {
        if (!sources.insert(charge.source).second)
            return unreadableCharges("it lists " + charge.source + " twice");
    }
    return {};
}

} // namespace gpuledger::vastai

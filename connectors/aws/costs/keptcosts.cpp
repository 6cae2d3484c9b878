// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/keptcosts.h"

#include "connectors/format/json.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::aws {

using Json = nlohmann::json;

namespace {

constexpr int kKeptVersion = 1;

Json rowJson(const CostRow &row)
{
    Json json = Json::array({std::string(1, static_cast<char>(row.part)), row.account, row.item, row.tag,
                             row.billed.toText(), row.effective.toText()});
    if (row.quantity) {
        json.push_back(row.quantity->toText());
        json.push_back(row.unit);
    }
    return json;
}

std::optional<CostRow> rowFrom(const Json &json)
{
    constexpr std::size_t kShort = 6, kLong = 8;
    if (!json.is_array() || (json.size() != kShort && json.size() != kLong)
        || !std::all_of(json.begin(), json.end(), [](const Json &one) { return one.is_string(); }))
        return std::nullopt;
    const auto text = [&](std::size_t i) { return json[i].get<std::string>(); };
    const std::string part = text(0);
    const auto billed = base::Decimal::parse(text(4)), effective = base::Decimal::parse(text(5));
    if (part.size() != 1 || std::string("ucsrn").find(part) == std::string::npos || !billed || !effective)
        return std::nullopt;
    CostRow row;
    row.part = static_cast<CostPart>(part.front());
    row.account = text(1);
    row.item = text(2);
    row.tag = text(3);
    row.billed = *billed;
    row.effective = *effective;
    if (json.size() == kLong) {
        const auto quantity = base::Decimal::parse(text(6));
        if (!quantity)
            return std::nullopt;
        row.quantity = *quantity;
        row.unit = text(7);
    }
    return row;
}

std::optional<CostDay> dayFrom(const Json &json)
{
    if (!json.is_object() || !json.contains("estimate") || !json["estimate"].is_boolean() || !json.contains("rows")
        || !json["rows"].is_array())
        return std::nullopt;
    CostDay day;
    day.isEstimate = json["estimate"].get<bool>();
    const std::string currency = format::textOf(json, "currency");
    if (!currency.empty()) {
        const auto parsed = base::Currency::parse(currency);
        if (!parsed)
            return std::nullopt;
        day.currency = *parsed;
    }
    for (const Json &one : json["rows"]) {
        auto row = rowFrom(one);
        if (!row)
            return std::nullopt;
        day.rows.push_back(std::move(*row));
    }
    return day.rows.empty() || day.currency != base::Currency() ? std::optional(std::move(day)) : std::nullopt;
}

std::int64_t wholeOf(const Json &object, const char *key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

} // namespace

base::UtcTime monthStart(base::UtcTime t)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(t)};
    return std::chrono::sys_days(day.year() / day.month() / 1);
}

base::UtcTime nextMonthStart(base::UtcTime t)
{
    constexpr std::chrono::days kLongest{31};
    return monthStart(monthStart(t) + kLongest);
}

base::TimeRange KeptMonth::due(base::UtcTime now, base::Seconds refresh) const
{
    const base::TimeRange over{range.start, std::min(range.end, base::floorTo(now, base::kDay))};
    std::optional<base::UtcTime> first;
    bool isMissing = false;
    for (base::UtcTime day = over.start; day < over.end; day += base::kDay) {
        const auto known = days.find(base::dayOf(day));
        const bool isHere = known != days.end();
        isMissing = isMissing || !isHere;
        if (!first && (!isHere || known->second.isEstimate))
            first = day;
    }
    const bool isOld = now >= range.end + kAskedAfterMonth;
    if (!first || (isOld && !isMissing))
        return {};
    const bool isFresh = asked != base::UtcTime{} && now < asked + refresh && asked <= now + refresh;
    return isFresh ? base::TimeRange{} : base::TimeRange{*first, over.end};
}

bool KeptMonth::isPausing(base::UtcTime now) const
{
    return failed != base::UtcTime{} && now < failed + kPauseAfterFailure && failed <= now + kPauseAfterFailure;
}

void KeptMonth::put(CostDays answer, const AccountNames &moreNames, base::UtcTime now)
{
    bool isChanged = false;
    for (auto &[number, day] : answer) {
        CostDay &to = days[number];
        isChanged = isChanged || !(to == day);
        to = std::move(day);
    }
    for (const auto &[number, name] : moreNames)
        names[number] = name;
    restated += isChanged ? 1 : 0;
    asked = now;
    failed = {};
    failure.clear();
}

std::string KeptMonth::toText() const
{
    Json json{{"version", kKeptVersion},      {"month", base::toUnix(range.start)},
              {"identity", identity},         {"account", account},
              {"asked", base::toUnix(asked)}, {"restated", restated},
              {"imported", wasImported},      {"failed", base::toUnix(failed)},
              {"failure", failure},           {"names", names},
              {"days", Json::object()}};
    for (const auto &[number, day] : days) {
        Json rows = Json::array();
        for (const CostRow &row : day.rows)
            rows.push_back(rowJson(row));
        json["days"][std::to_string(number.number)] = {
            {"estimate", day.isEstimate}, {"currency", std::string(day.currency.code())}, {"rows", std::move(rows)}};
    }
    return json.dump();
}

std::optional<KeptMonth> KeptMonth::fromText(const std::string &text, const base::TimeRange &month)
{
    const auto json = format::parseJson(text);
    if (!json || !json->is_object() || wholeOf(*json, "version") != kKeptVersion
        || wholeOf(*json, "month") != base::toUnix(month.start) || !json->contains("days")
        || !json->at("days").is_object())
        return std::nullopt;
    KeptMonth out;
    out.range = month;
    out.identity = format::textOf(*json, "identity");
    out.account = format::textOf(*json, "account");
    out.asked = base::fromUnix(wholeOf(*json, "asked"));
    out.restated = wholeOf(*json, "restated");
    const auto imported = json->find("imported");
    out.wasImported = imported != json->end() && imported->is_boolean() && imported->get<bool>();
    out.failed = base::fromUnix(wholeOf(*json, "failed"));
    out.failure = format::textOf(*json, "failure");
    for (base::UtcTime at = month.start; at < month.end; at += base::kDay) {
        const base::Day number = base::dayOf(at);
        const auto one = json->at("days").find(std::to_string(number.number));
        if (one == json->at("days").end())
            continue;
        auto day = dayFrom(*one);
        if (!day)
            return std::nullopt;
        out.days.emplace(number, std::move(*day));
    }
    if (const auto names = json->find("names"); names != json->end() && names->is_object()) {
        for (const auto &[number, name] : names->items()) {
            if (name.is_string())
                out.names.emplace(number, name.get<std::string>());
        }
    }
    return out;
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/keptcosts.h"

#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::aws {

using Json = nlohmann::json;

namespace {

constexpr int kKeptVersion = 1;

Json rowJson(const CostRow &row)
{
    Json stored = Json::array({std::string(1, static_cast<char>(row.part)), row.account, row.item, row.tag,
                               row.billed.toText(), row.effective.toText()});
    if (row.quantity) {
        stored.push_back(row.quantity->toText());
        stored.push_back(row.unit);
    }
    return stored;
}

std::optional<CostRow> rowFrom(const Json &stored)
{
    constexpr std::size_t kShort = 6, kLong = 8;
    if (!stored.is_array() || (stored.size() != kShort && stored.size() != kLong)
        || !std::all_of(stored.begin(), stored.end(), [](const Json &one) { return one.is_string(); }))
        return std::nullopt;
    const auto text = [&](std::size_t i) { return stored[i].get<std::string>(); };
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
    if (stored.size() == kLong) {
        const auto quantity = base::Decimal::parse(text(6));
        if (!quantity)
            return std::nullopt;
        row.quantity = *quantity;
        row.unit = text(7);
    }
    return row;
}

std::optional<CostDay> dayFrom(const Json &stored)
{
    if (!stored.is_object() || !stored.contains("estimate") || !stored["estimate"].is_boolean()
        || !stored.contains("rows") || !stored["rows"].is_array())
        return std::nullopt;
    CostDay day;
    day.isEstimate = stored["estimate"].get<bool>();
    const std::string currency = format::textOf(stored, "currency");
    if (!currency.empty()) {
        const auto parsed = base::Currency::parse(currency);
        if (!parsed)
            return std::nullopt;
        day.currency = *parsed;
    }
    for (const Json &one : stored["rows"]) {
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

AccountNames namesIn(const Json &object, const char *key)
{
    AccountNames names;
    const Json &stored = format::memberOf(object, key);
    if (!stored.is_object())
        return names;
    for (const auto &[number, name] : stored.items()) {
        if (name.is_string())
            names.emplace(number, name.get<std::string>());
    }
    return names;
}

} // namespace

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

void KeptMonth::put(const CostDays &answer, const AccountNames &moreNames, base::UtcTime now)
{
    bool isChanged = false;
    for (const auto &[number, day] : answer) {
        CostDay &to = days[number];
        isChanged = isChanged || !(to == day);
        to = day;
    }
    for (const auto &[number, name] : moreNames)
        names[number] = name;
    restated += isChanged ? 1 : 0;
    asked = now;
    failed = {};
    failure.clear();
}

bool KeptMonth::give(const AccountNames &all)
{
    AccountNames mine;
    const auto take = [&](const std::string &number) {
        if (const auto name = all.find(number); name != all.end())
            mine.insert(*name);
    };
    take(account);
    for (const auto &[number, day] : days) {
        for (const CostRow &row : day.rows)
            take(row.account);
    }
    if (mine == given)
        return false;
    given = std::move(mine);
    ++restated;
    return true;
}

AccountNames KeptMonth::shownNames() const
{
    AccountNames all = given;
    all.insert(names.begin(), names.end()); // those that were given stay
    return all;
}

std::string KeptMonth::nameOf(const std::string &number) const
{
    if (const auto name = given.find(number); name != given.end())
        return name->second;
    const auto name = names.find(number);
    return name == names.end() ? std::string() : name->second;
}

std::string KeptMonth::toText() const
{
    Json stored{{"version", kKeptVersion},      {"month", base::toUnix(range.start)},
                {"identity", identity},         {"account", account},
                {"asked", base::toUnix(asked)}, {"restated", restated},
                {"imported", wasImported},      {"failed", base::toUnix(failed)},
                {"failure", failure},           {"names", names},
                {"days", Json::object()}};
    if (!given.empty())
        stored["given"] = given;
    for (const auto &[number, day] : days) {
        Json rows = Json::array();
        for (const CostRow &row : day.rows)
            rows.push_back(rowJson(row));
        stored["days"][std::to_string(number.number)] = {
            {"estimate", day.isEstimate}, {"currency", std::string(day.currency.code())}, {"rows", std::move(rows)}};
    }
    return stored.dump();
}

std::optional<KeptMonth> KeptMonth::fromText(const std::string &text, const base::TimeRange &month)
{
    const auto stored = format::parseJson(text);
    if (!stored || !stored->is_object() || wholeOf(*stored, "version") != kKeptVersion
        || wholeOf(*stored, "month") != base::toUnix(month.start) || !stored->contains("days")
        || !stored->at("days").is_object())
        return std::nullopt;
    KeptMonth out;
    out.range = month;
    out.identity = format::textOf(*stored, "identity");
    out.account = format::textOf(*stored, "account");
    out.asked = base::fromUnix(wholeOf(*stored, "asked"));
    out.restated = wholeOf(*stored, "restated");
    const auto imported = stored->find("imported");
    out.wasImported = imported != stored->end() && imported->is_boolean() && imported->get<bool>();
    out.failed = base::fromUnix(wholeOf(*stored, "failed"));
    out.failure = format::textOf(*stored, "failure");
    for (base::UtcTime at = month.start; at < month.end; at += base::kDay) {
        const base::Day number = base::dayOf(at);
        const auto one = stored->at("days").find(std::to_string(number.number));
        if (one == stored->at("days").end())
            continue;
        auto day = dayFrom(*one);
        if (!day)
            return std::nullopt;
        out.days.emplace(number, std::move(*day));
    }
    out.names = namesIn(*stored, "names");
    out.given = namesIn(*stored, "given");
    return out;
}

} // namespace gpuledger::aws

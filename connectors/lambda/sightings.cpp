// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/sightings.h"

#include "app/base/remedy.h"
#include "app/ports/costsource.h"
#include "connectors/format/askedbill.h"
#include "connectors/format/json.h"
#include "connectors/lambda/instancelist.h"

#include <algorithm>

namespace gpuledger::lambda {

using base::ErrorCode;
using base::Result;
using base::UtcTime;
using Json = nlohmann::json;

namespace {

constexpr int kSightingVersion = 1;
constexpr const char *kLastKey = "lambda last sighting";
constexpr base::Seconds kForgotten = 30 * base::kDay; // without being listed
constexpr base::Seconds kLongestPause = 5 * 365 * base::kDay; // longer: a clock is wrong
constexpr base::Seconds kJitter{600}; // of a clock that is being corrected

std::string monthKey(const base::TimeRange &month)
{
    constexpr std::size_t kYearAndMonth = 7;
    return "lambda sightings " + base::toRfc3339(month.start).substr(0, kYearAndMonth);
}

Json jsonOf(const SeenSpan &span)
{
    return {base::toUnix(span.since), base::toUnix(span.until), span.cents ? Json(*span.cents) : Json()};
}

std::optional<SeenSpan> spanOf(const Json &stored)
{
    constexpr std::size_t kNumbers = 3;
    if (!stored.is_array() || stored.size() != kNumbers || !stored[0].is_number_integer()
        || !stored[1].is_number_integer() || !(stored[2].is_number_integer() || stored[2].is_null()))
        return std::nullopt;
    SeenSpan span{base::fromUnix(stored[0].get<std::int64_t>()), base::fromUnix(stored[1].get<std::int64_t>()), {}};
    if (!stored[2].is_null())
        span.cents = stored[2].get<std::int64_t>();
    return span;
}

// Never taken for nothing: what was seen can't be asked for again.
tl::unexpected<base::Error> unknownForm()
{
    return base::fail(ErrorCode::StorageNewer,
                      "what is kept of Lambda's instances can't be read; a newer version may have written it");
}

// The text's object under `key`, and in `number` the whole number under `numberKey`.
Result<Json> storedIn(const std::string &text, const char *key, const char *numberKey, std::int64_t &number)
{
    if (text.empty())
        return Json::object();
    const auto tree = format::parseJson(text);
    if (!tree || format::memberOf(*tree, "version") != Json(kSightingVersion)
        || !format::memberOf(*tree, key).is_object() || !format::memberOf(*tree, numberKey).is_number_integer())
        return unknownForm();
    number = format::memberOf(*tree, numberKey).get<std::int64_t>();
    return format::memberOf(*tree, key);
}

std::optional<SeenInstance> instanceIn(const Json &stored)
{
    auto facts = format::nameFrom<InstanceFacts>(format::memberOf(stored, "facts"));
    if (!facts || !format::memberOf(stored, "spans").is_array())
        return std::nullopt;
    SeenInstance out{std::move(*facts), {}};
    for (const Json &one : stored["spans"]) {
        const auto span = spanOf(one);
        if (!span)
            return std::nullopt;
        out.spans.push_back(*span);
    }
    return out;
}

// A span of which a part is known already only grows.
void put(SeenInstance &instance, const SeenSpan &span)
{
    if (!instance.spans.empty() && instance.spans.back().since == span.since)
        instance.spans.back().until = std::max(instance.spans.back().until, span.until);
    else
        instance.spans.push_back(span);
}

Result<void> keepInMonth(const base::TimeRange &month, const std::vector<SeenAgain> &all, ports::BillSink &sink)
{
    auto seen = seenIn(month, sink);
    GPULEDGER_TRY(seen);
    for (const SeenAgain &again : all) {
        if (again.last >= month.end)
            continue;
        SeenInstance &instance = seen->instances[again.instance->id];
        instance.facts = again.instance->facts;
        put(instance, again.span);
        seen->longestPause = std::max(seen->longestPause, again.span.until - again.last);
    }
    if (seen->instances.size() > kMostInstances)
        return base::fail(ErrorCode::TooMuch, "Lambda listed more than 20,000 instances in a month");
    return seen->instances.empty() ? Result<void>() : ports::keepForGood(sink, monthKey(month), seen->toText());
}

// What an answer at this time would be worth: true if it is news.
Result<bool> isLater(UtcTime at, UtcTime last)
{
    if (last == UtcTime{} || (at > last && at - last <= kLongestPause))
        return true;
    if (at <= last && last - at <= kJitter)
        return false;
    return base::fail(base::Error::make(
        ErrorCode::Refused,
        "the clock says " + base::toRfc3339(at) + (at < last ? ", which is before " : ", which is years after ")
            + base::toRfc3339(last) + ", when Lambda's instances were seen last; nothing was recorded",
        base::Remedy::CheckClockOrNow));
}

} // namespace

std::string SeenMonth::toText() const
{
    Json all = Json::object();
    for (const auto &[id, instance] : instances) {
        Json spans = Json::array();
        for (const SeenSpan &span : instance.spans)
            spans.push_back(jsonOf(span));
        all[id] = {{"facts", format::textsOf(instance.facts)}, {"spans", std::move(spans)}};
    }
    return Json{{"version", kSightingVersion}, {"longest_pause", longestPause.count()}, {"instances", std::move(all)}}
        .dump();
}

Result<SeenMonth> SeenMonth::fromText(const std::string &text)
{
    std::int64_t pause = 0;
    const auto stored = storedIn(text, "instances", "longest_pause", pause);
    GPULEDGER_TRY(stored);
    SeenMonth out;
    out.longestPause = base::Seconds{pause};
    for (const auto &[id, one] : stored->items()) {
        auto instance = instanceIn(one);
        if (!instance)
            return unknownForm();
        out.instances[id] = std::move(*instance);
    }
    return out;
}

std::string LastSighting::toText() const
{
    Json all = Json::object();
    for (const auto &[id, span] : running)
        all[id] = jsonOf(span);
    return Json{{"version", kSightingVersion}, {"at", base::toUnix(at)}, {"running", std::move(all)}}.dump();
}

Result<LastSighting> LastSighting::fromText(const std::string &text)
{
    std::int64_t at = 0;
    const auto stored = storedIn(text, "running", "at", at);
    GPULEDGER_TRY(stored);
    LastSighting out;
    out.at = base::fromUnix(at);
    for (const auto &[id, one] : stored->items()) {
        const auto span = spanOf(one);
        if (!span)
            return unknownForm();
        out.running[id] = *span;
    }
    return out;
}

std::vector<SeenAgain> sawAgain(LastSighting &last, const std::vector<ListedInstance> &listed, UtcTime at)
{
    std::vector<SeenAgain> again;
    std::erase_if(last.running, [&](const auto &one) { return one.second.until + kForgotten < last.at; });
    last.at = at;
    for (const ListedInstance &instance : listed) {
        const auto known = last.running.find(instance.id);
        if (instance.state == InstanceState::Ended) {
            last.running.erase(instance.id);
        } else if (known != last.running.end() && instance.state != InstanceState::Booting) {
            again.push_back({&instance, known->second.until, known->second});
            again.back().span.until = known->second.until = at;
            if (known->second.cents != instance.cents)
                known->second = {at, at, instance.cents};
        } else if (instance.state == InstanceState::Active) {
            last.running[instance.id] = {at, at, instance.cents};
        }
    }
    return again;
}

Result<LastSighting> lastSighting(ports::BillSink &sink)
{
    const auto text = ports::lastingMemory(sink, kLastKey);
    GPULEDGER_TRY(text);
    return LastSighting::fromText(*text);
}

Result<SeenMonth> seenIn(const base::TimeRange &month, ports::BillSink &sink)
{
    const auto text = ports::lastingMemory(sink, monthKey(month));
    GPULEDGER_TRY(text);
    return SeenMonth::fromText(*text);
}

Result<void> keepSighting(const std::vector<ListedInstance> &listed, UtcTime at, ports::BillSink &sink)
{
    auto last = lastSighting(sink);
    GPULEDGER_TRY(last);
    const auto isNews = isLater(at, last->at);
    GPULEDGER_TRY(isNews);
    if (!*isNews)
        return {};
    const std::vector<SeenAgain> again = sawAgain(*last, listed, at);
    UtcTime first = at;
    for (const SeenAgain &one : again)
        first = std::min(first, one.last);
    // The months come before what runs: should that not be kept, the next answer is added to the same spans.
    for (UtcTime month = again.empty() ? at : format::monthStart(first); month < at;
         month = format::nextMonthStart(month))
        GPULEDGER_TRY(keepInMonth({month, format::nextMonthStart(month)}, again, sink));
    return ports::keepForGood(sink, kLastKey, last->toText());
}

} // namespace gpuledger::lambda

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/coreweave/keptcounts.h"

#include "app/base/remedy.h"
#include "app/ports/costsource.h"
#include "connectors/format/json.h"

namespace gpuledger::coreweave {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr int kCountsVersion = 1;
constexpr base::Seconds kLate{2 * 86'400}, kAgain{3600};

std::string countsKey(const base::TimeRange &month)
{
    constexpr std::size_t kYearAndMonth = 7;
    return "coreweave counts " + base::toRfc3339(month.start).substr(0, kYearAndMonth);
}

// Never taken for nothing: the server may have forgotten what was counted.
tl::unexpected<base::Error> unknownCounts()
{
    return base::fail(ErrorCode::StorageNewer, "what CoreWeave counted is stored in an unknown form",
                      base::Remedy::InstallNewerVersion);
}

Json jsonOf(const base::Day &day, const KeptDay &kept)
{
    Json counts = Json::array();
    for (const auto &[kind, milliseconds] : kept.count.milliseconds)
        counts.push_back({kind.cluster, kind.type, milliseconds});
    return {{"day", day.number},
            {"asked", base::toUnix(kept.asked)},
            {"missing", kept.count.missing.count()},
            {"counts", std::move(counts)}};
}

bool readCount(const Json &stored, DayCount &count)
{
    constexpr std::size_t kParts = 3;
    if (!stored.is_array() || stored.size() != kParts || !stored[2].is_number_integer())
        return false;
    for (std::size_t i = 0; i + 1 < kParts; ++i) {
        if (!stored[i].is_string())
            return false;
    }
    count.milliseconds[{stored[0].get<std::string>(), stored[1].get<std::string>()}] = stored[2].get<std::int64_t>();
    return true;
}

bool readKept(const Json &stored, MonthCounts &month)
{
    const auto whole = [&](const char *key) {
        const Json &value = format::memberOf(stored, key);
        return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
    };
    const auto day = whole("day"), asked = whole("asked"), missing = whole("missing");
    const Json &counts = format::memberOf(stored, "counts");
    if (!day || !asked || !missing || !counts.is_array())
        return false;
    KeptDay &kept = month.days[base::Day{static_cast<std::int32_t>(*day)}];
    kept.asked = base::fromUnix(*asked);
    kept.count.missing = base::Seconds{*missing};
    for (const Json &one : counts) {
        if (!readCount(one, kept.count))
            return false;
    }
    return true;
}

} // namespace

bool KeptDay::isDue(base::Day day, base::UtcTime now) const
{
    return asked < day.end() + kLate && (now >= asked + kAgain || now < asked);
}

void MonthCounts::put(base::Day day, DayCount count, base::UtcTime now)
{
    KeptDay &kept = days[day];
    const bool isFirst = kept.asked == base::UtcTime{};
    kept.asked = now;
    if (isFirst || count.missing <= kept.count.missing)
        kept.count = std::move(count);
}

std::string MonthCounts::toText() const
{
    Json all = Json::array();
    for (const auto &[day, kept] : days)
        all.push_back(jsonOf(day, kept));
    return Json{{"version", kCountsVersion}, {"days", std::move(all)}}.dump();
}

Result<MonthCounts> MonthCounts::fromText(const std::string &text)
{
    MonthCounts month;
    if (text.empty())
        return month;
    const auto stored = format::parseJson(text);
    if (!stored || format::memberOf(*stored, "version") != kCountsVersion
        || !format::memberOf(*stored, "days").is_array())
        return unknownCounts();
    for (const Json &day : stored->at("days")) {
        if (!readKept(day, month))
            return unknownCounts();
    }
    return month;
}

Result<MonthCounts> countsOf(const base::TimeRange &month, ports::BillSink &sink)
{
    const auto text = ports::lastingMemory(sink, countsKey(month));
    GPULEDGER_TRY(text);
    return MonthCounts::fromText(*text);
}

Result<void> keepCounts(const base::TimeRange &month, const MonthCounts &counts, ports::BillSink &sink)
{
    return ports::keepForGood(sink, countsKey(month), counts.toText());
}

} // namespace gpuledger::coreweave

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/metrics/monitoringpage.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using format::RejectedReadings;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kShownGap = 300; // bytes

auto unreadableSeries(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Cloud Monitoring's answer " + what, base::Remedy::NextSyncTriesAgain);
}

// "2026-11-20T10:00:00.123456Z", to the millisecond.
std::optional<ports::SampleTime> momentOf(const std::string &text)
{
    const auto seconds = base::parseTime(text);
    if (!seconds)
        return std::nullopt;
    std::int64_t milliseconds = 0, unit = 100;
    const std::size_t point = text.find('.');
    for (std::size_t i = point; i != std::string::npos && ++i < text.size() && unit > 0; unit /= 10) {
        if (text[i] < '0' || text[i] > '9')
            break;
        milliseconds += (text[i] - '0') * unit;
    }
    return ports::SampleTime(*seconds) + std::chrono::milliseconds(milliseconds);
}

// {"doubleValue": 12.5} or {"int64Value": "12"}
std::optional<double> numberOf(const Json &value)
{
    const Json &number = format::memberOf(value, "doubleValue");
    if (number.is_number())
        return number.get<double>();
    const auto whole = base::parseInt(format::textOf(value, "int64Value"));
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

void readPoints(const Json &points, const ports::ListedGpu &which, const std::string &device,
                RejectedReadings &rejected, const TakeValue &take)
{
    for (const Json &point : points) {
        const auto end = momentOf(format::textOf(format::memberOf(point, "interval"), "endTime"));
        if (end)
            take({which, device, *end, numberOf(format::memberOf(point, "value"))});
        else
            rejected.add("value without a time");
    }
}

void readOne(const Json &series, std::string_view metric, const AskedInstances &asked, RejectedReadings &rejected,
             const TakeValue &take)
{
    const Json &told = format::memberOf(series, "metric"), &labels = format::memberOf(told, "labels");
    const std::string number =
        format::textOf(format::memberOf(format::memberOf(series, "resource"), "labels"), "instance_id");
    if (number.empty()) {
        rejected.add("series without the number of its machine");
        return;
    }
    const AskedInstances::Instance *const instance = asked.find(number);
    if (!instance)
        return;
    const bool isMemory = metric == kMemoryMetric;
    const auto gpu = base::parseInt(format::textOf(labels, "gpu_number"));
    const Json &points = format::memberOf(series, "points");
    if (format::textOf(told, "type") != metric || (isMemory && format::textOf(labels, "memory_state") != kUsedMemory))
        rejected.add("series of another metric than was asked for");
    else if (!gpu || *gpu < 0 || *gpu >= instance->gpus)
        rejected.add("series of a GPU that its machine does not have");
    else if (!points.is_array())
        rejected.add("series without values");
    else
        readPoints(points, {instance->machine, *gpu},
                   format::textOf(labels, "uuid") + '\n' + format::textOf(labels, "model"), rejected, take);
}

// {"code": 13, "message": "…"} or a place.
std::string gapOf(const Json &gap)
{
    const std::string words = gap.is_string() ? gap.get<std::string>() : format::textOf(gap, "message");
    return base::printableLine(base::log::redacted(words), kShownGap);
}

} // namespace

AskedInstances::AskedInstances(const InstanceNumbers &numbers, const std::vector<ports::ListedMachine> &machines)
{
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < machines.size(); ++i)
        places.emplace(machines[i].id, i);
    std::vector<bool> isNumbered(machines.size());
    for (const auto &[number, machine] : numbers) {
        const auto place = places.find(machine);
        if (place == places.end())
            continue;
        m_known[number] = {place->second, machines[place->second].gpus};
        isNumbered[place->second] = true;
    }
    m_unnumbered = static_cast<std::size_t>(std::count(isNumbered.begin(), isNumbered.end(), false));
}

const AskedInstances::Instance *AskedInstances::find(const std::string &number) const
{
    const auto at = m_known.find(number);
    return at == m_known.end() ? nullptr : &at->second;
}

Result<void> readSeries(const Json &page, std::string_view metric, const AskedInstances &asked,
                        RejectedReadings &rejected, const TakeValue &take)
{
    const Json &all = format::memberOf(page, "timeSeries");
    if (!all.is_null() && !all.is_array())
        return unreadableSeries("has no list of time series");
    for (std::size_t i = 0; i < all.size(); ++i)
        readOne(all[i], metric, asked, rejected, take);
    return {};
}

bool hasSeries(const Json &page)
{
    const Json &all = format::memberOf(page, "timeSeries");
    return all.is_array() && !all.empty();
}

std::vector<std::string> gapsOf(const Json &page)
{
    std::vector<std::string> out;
    for (const auto &[key, what] : {std::pair("executionErrors", "could not read all time series"),
                                    std::pair("unreachable", "could not reach all places")}) {
        const Json &gaps = format::memberOf(page, key);
        if (gaps.empty()) // also null
            continue;
        const std::string first = gapOf(gaps.is_array() ? gaps[0] : gaps);
        out.push_back("Cloud Monitoring " + std::string(what) + (first.empty() ? "" : ": " + first));
    }
    return out;
}

Result<std::string> nextPageOf(const Json &page)
{
    const Json &token = format::memberOf(page, "nextPageToken");
    if (!token.is_null() && !token.is_string())
        return unreadableSeries("has a next page that can't be asked for");
    return format::textOf(page, "nextPageToken");
}

} // namespace gpuledger::gcp

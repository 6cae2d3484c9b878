// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/metrics/learningmetrics.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using format::RejectedReadings;
using Json = nlohmann::json;

namespace {

constexpr base::Seconds kMetricHour{3600}, kMetricMinute{60};
constexpr std::size_t kShownMetricError = 300, kShownWorkspace = 100; // bytes
constexpr const char *kEachGpu = "ComputeName eq '*' and InstanceId eq '*' and DeviceId eq '*'";

const char *aggregationOf(MetricStatistic statistic)
{
    return statistic == MetricStatistic::Average ? "Average" : "Maximum";
}

const char *memberOfPoint(MetricStatistic statistic)
{
    return statistic == MetricStatistic::Average ? "average" : "maximum";
}

// The parts of "group/workspace/compute/node".
std::vector<std::string> partsOfId(const std::string &id)
{
    std::vector<std::string> parts(1);
    for (const char c : id) {
        if (c == '/')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

Result<const Json *> metricsOf(const Json &answer)
{
    const Json &metrics = format::memberOf(answer, "value");
    if (!metrics.is_array())
        return base::fail(ErrorCode::Parse, "Azure Monitor's answer can't be read: it has no list of metrics",
                          base::Remedy::NextSyncTriesAgain);
    return &metrics;
}

// Of {"name": {"value": "GpuUtilizationPercentage"}}, in lower case.
std::string metricNameIn(const Json &object)
{
    return lowerCase(format::textOf(format::memberOf(object, "name"), "value"));
}

// What a series is about, in lower case; empty: it does not say.
struct SeriesPlace {
    std::string compute, instance, device;
};

SeriesPlace placeOfSeries(const Json &series)
{
    SeriesPlace place;
    for (const Json &one : format::memberOf(series, "metadatavalues")) {
        const std::string name = metricNameIn(one);
        std::string value = lowerCase(format::textOf(one, "value"));
        if (name == "computename")
            place.compute = std::move(value);
        else if (name == "instanceid")
            place.instance = std::move(value);
        else if (name == "deviceid")
            place.device = std::move(value);
    }
    return place;
}

// Values of one series on their way to whoever takes them.
struct SeriesReader {
    const MetricQuestion &question;
    RejectedReadings &rejected;
    const TakeMetricValue &take;

    void read(const Json &points, MetricValue value) const
    {
        for (const Json &point : points) {
            const auto start = base::parseTime(format::textOf(point, "timeStamp"));
            if (!start) {
                rejected.add("value without a time");
                continue;
            }
            value.start = *start;
            for (const MetricStatistic statistic : question.statistics) {
                value.statistic = statistic;
                readValue(format::memberOf(point, memberOfPoint(statistic)), value);
            }
        }
    }

    // Null: nothing was measured, which is not zero.
    void readValue(const Json &number, MetricValue &value) const
    {
        // Whether the end of the range belongs to an answer is not documented; the next question has it.
        if (number.is_null() || value.start == question.range.end)
            return;
        if (!question.range.contains(value.start) || base::floorTo(value.start, question.grain) != value.start) {
            rejected.add("value of another time than was asked for");
            return;
        }
        value.value = number.is_number() ? std::optional(number.get<double>()) : std::nullopt;
        take(value);
    }
};

void readMetricSeries(const Json &series, bool isAskedMetric, const AskedComputes &asked, const SeriesReader &reader)
{
    const SeriesPlace place = placeOfSeries(series);
    if (place.compute.empty()) {
        reader.rejected.add("series without the name of its compute");
        return;
    }
    const AskedComputes::Machine *const machine = asked.find(place.compute, place.instance);
    if (!machine) {
        if (asked.contains(place.compute) && place.instance.empty())
            reader.rejected.add("series without the id of its machine");
        return;
    }
    const auto gpu = base::parseInt(place.device);
    const Json &points = format::memberOf(series, "data");
    if (!isAskedMetric)
        reader.rejected.add("series of another metric than was asked for");
    else if (!gpu || *gpu < 0 || *gpu >= machine->gpus)
        reader.rejected.add("series of a GPU that its machine does not have");
    else if (!points.is_array())
        reader.rejected.add("series without values");
    else
        reader.read(points, {{machine->index, *gpu}, place.instance, {}, MetricStatistic::Average, {}});
}

// "lab/vision", printable
std::string shownWorkspace(const LearningWorkspace &workspace)
{
    return base::printableLine(workspace.group + '/' + workspace.name, kShownWorkspace);
}

} // namespace

std::string metricQuery(const MetricQuestion &question)
{
    std::string aggregation;
    for (const MetricStatistic one : question.statistics)
        aggregation += (aggregation.empty() ? "" : ",") + std::string(aggregationOf(one));
    return "/providers/Microsoft.Insights/metrics?api-version=2018-01-01&"
        + http::formEncode(
               {{"metricnames", std::string(question.metric)},
                {"timespan", base::toRfc3339(question.range.start) + '/' + base::toRfc3339(question.range.end)},
                {"interval", "PT" + std::to_string(question.grain / kMetricMinute) + 'M'},
                {"aggregation", aggregation},
                {"$filter", kEachGpu},
                {"top", std::to_string(kMostMetricSeries)}});
}

std::vector<base::TimeRange> metricParts(const MetricQuestion &question, std::int64_t gpus)
{
    const std::int64_t valuesOfHour = std::max<std::int64_t>(1, gpus * (kMetricHour / question.grain));
    const std::int64_t hours = std::max<std::int64_t>(1, kMostMetricValues / valuesOfHour);
    std::vector<base::TimeRange> parts;
    for (base::UtcTime at = question.range.start; at < question.range.end;) {
        const base::UtcTime end = std::min(at + hours * kMetricHour, question.range.end);
        parts.push_back({at, end});
        at = end;
    }
    return parts;
}

void AskedComputes::add(const std::string &compute, const std::string &node, Machine machine)
{
    if (m_computes[compute].try_emplace(node, machine).second)
        m_gpus += std::clamp<std::int64_t>(machine.gpus, 0, kMostMetricValues);
}

const AskedComputes::Machine *AskedComputes::find(const std::string &compute, const std::string &node) const
{
    const auto known = m_computes.find(compute);
    if (known == m_computes.end())
        return nullptr;
    const auto of = [&](const std::string &name) {
        const auto at = known->second.find(name);
        return at == known->second.end() ? nullptr : &at->second;
    };
    const Machine *const instance = of({});
    return instance ? instance : of(node);
}

std::vector<AskedWorkspace> askedWorkspaces(const std::vector<ports::ListedMachine> &machines)
{
    std::map<std::pair<std::string, std::string>, AskedComputes> workspaces;
    for (std::size_t i = 0; i < machines.size(); ++i) {
        const std::vector<std::string> parts = partsOfId(machines[i].id);
        if (parts.size() == 3 || parts.size() == 4)
            workspaces[{parts[0], parts[1]}].add(parts[2], parts.size() == 4 ? parts[3] : "", {i, machines[i].gpus});
    }
    std::vector<AskedWorkspace> out;
    for (auto &[name, asked] : workspaces)
        out.push_back({{name.first, name.second, {}}, std::move(asked)});
    return out;
}

Result<void> readMetric(const Json &answer, const MetricQuestion &question, const AskedComputes &asked,
                        RejectedReadings &rejected, const TakeMetricValue &take)
{
    const auto metrics = metricsOf(answer);
    GPULEDGER_TRY(metrics);
    const std::string name = lowerCase(std::string(question.metric));
    const SeriesReader reader{question, rejected, take};
    for (const Json &metric : **metrics) {
        const Json &all = format::memberOf(metric, "timeseries");
        if (!all.is_null() && !all.is_array())
            rejected.add("metric whose series can't be read");
        for (std::size_t i = 0; all.is_array() && i < all.size(); ++i)
            readMetricSeries(all[i], metricNameIn(metric) == name, asked, reader);
    }
    return {};
}

Result<bool> hasMetricValues(const Json &answer)
{
    const auto metrics = metricsOf(answer);
    GPULEDGER_TRY(metrics);
    const auto hasValue = [](const Json &point) { return format::memberOf(point, "average").is_number(); };
    for (const Json &metric : **metrics) {
        for (const Json &series : format::memberOf(metric, "timeseries")) {
            const Json &points = format::memberOf(series, "data");
            if (std::any_of(points.begin(), points.end(), hasValue))
                return true;
        }
    }
    return false;
}

std::set<std::string> metricGaps(const Json &answer, const LearningWorkspace &workspace)
{
    std::set<std::string> gaps;
    const std::string name = shownWorkspace(workspace);
    std::size_t series = 0;
    for (const Json &metric : format::memberOf(answer, "value")) {
        series += format::memberOf(metric, "timeseries").size();
        const Json &told = format::memberOf(metric, "errorCode");
        const std::string code = told.is_string() ? told.get<std::string>() : told.is_null() ? "Success" : told.dump();
        if (code.empty() || lowerCase(code) == "success")
            continue;
        const std::string message = format::textOf(metric, "errorMessage");
        const std::string words = base::log::redacted(code + (message.empty() ? "" : ": " + message));
        gaps.insert("Azure Monitor could not read all GPU metrics of the workspace " + name + ": "
                    + base::printableLine(words, kShownMetricError));
    }
    if (series >= kMostMetricSeries)
        gaps.insert("the workspace " + name + " has more GPU metrics than Azure Monitor returns: "
                    + std::to_string(kMostMetricSeries) + " series are read");
    return gaps;
}

} // namespace gpuledger::azure

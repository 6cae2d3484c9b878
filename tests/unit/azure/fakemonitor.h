// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/metrics/monitorusage.h"
#include "tests/unit/azure/fakelearning.h"

#include <nlohmann/json.hpp>

#include <QUrl>
#include <QUrlQuery>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// A fake of Azure Monitor. There is no public peer: it aggregates minutes by the contract (Microsoft.Insights/metrics,
// 2018-01-01), and refuses questions that the service would refuse.
namespace tst_azuremonitor {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using base::UtcTime;
using Json = nlohmann::json;

inline const UtcTime kBegin = *base::parseTime("2026-11-20T10:00:00Z");
inline constexpr base::Seconds kOneHour{3600};
inline const base::TimeRange kHour{kBegin, kBegin + kOneHour};

struct Minute {
    double percent = 0, mib = 0;
};

// What one GPU reported, by the minute after kBegin.
struct Reported {
    std::string compute, instance, device;
    std::map<int, Minute> minutes;
    std::string workspace = "lab/vision";
};

// The minutes [first, end).
inline std::map<int, Minute> minutes(int first, int end, double percent, double mib = 1000)
{
    std::map<int, Minute> out;
    for (int minute = first; minute < end; ++minute)
        out[minute] = {percent, mib};
    return out;
}

inline Json named(const std::string &name, const Json &value)
{
    return {{"name", {{"value", name}, {"localizedValue", name}}}, {"value", value}};
}

struct AskedMetric {
    std::string workspace, metric, interval, aggregation;
    base::TimeRange range;
};

class AzureMonitor {
public:
    std::vector<Reported> reported;
    std::vector<AskedMetric> asked;
    std::string lastUrl;
    bool isShouting = false; // names of metrics and dimensions, and what they are called
    std::function<std::optional<http::Response>(const AskedMetric &)> instead;
    std::function<void(Json &)> change; // of an answer

    static bool isAsked(const std::string &url) { return url.find("/Microsoft.Insights/metrics?") != url.npos; }

    http::Response reply(const http::Request &request)
    {
        const QUrl url(QString::fromStdString(request.url).replace(QLatin1Char('+'), QLatin1String("%20")));
        std::map<std::string, std::string> query;
        for (const auto &item : QUrlQuery(url).queryItems(QUrl::FullyDecoded))
            query[item.first.toStdString()] = item.second.toStdString();
        const auto of = [&](const char *key) { return query[key]; };
        lastUrl = request.url;
        const std::string timespan = of("timespan");
        const auto slash = std::min(timespan.find('/'), timespan.size());
        const auto start = base::parseTime(timespan.substr(0, slash));
        const auto end = base::parseTime(timespan.substr(std::min(slash + 1, timespan.size())));
        if (of("api-version") != "2018-01-01" || !start || !end || *start >= *end || of("top") != "5000"
            || of("$filter") != "ComputeName eq '*' and InstanceId eq '*' and DeviceId eq '*'")
            return learning::refusal(400, "BadRequest");
        asked.push_back(
            {workspaceOf(url.path()), of("metricnames"), of("interval"), of("aggregation"), {*start, *end}});
        auto other = instead ? instead(asked.back()) : std::nullopt;
        if (other)
            return *other;
        Json out = listOf(asked.back());
        if (change)
            change(out);
        return answer(out.dump());
    }

private:
    std::string spelled(std::string text) const
    {
        if (isShouting)
            std::transform(text.begin(), text.end(), text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        return text;
    }

    // "lab/vision" of its path.
    static std::string workspaceOf(const QString &path)
    {
        const QStringList parts = path.split(QLatin1Char('/'));
        const bool isWhole = parts.size() == 12 && parts[3] == QLatin1String("resourceGroups")
            && parts[6] == QLatin1String("Microsoft.MachineLearningServices");
        return isWhole ? (parts[4] + QLatin1Char('/') + parts[8]).toLower().toStdString() : path.toStdString();
    }

    Json listOf(const AskedMetric &question) const
    {
        Json series = Json::array();
        for (const Reported &one : reported) {
            if (one.workspace != question.workspace)
                continue;
            Json place = Json::array({named(spelled("computename"), spelled(one.compute))});
            place.push_back(named(spelled("instanceid"), spelled(one.instance)));
            place.push_back(named(spelled("deviceid"), one.device));
            series.push_back({{"metadatavalues", std::move(place)}, {"data", pointsOf(one, question)}});
        }
        Json metric = named(spelled(question.metric), nullptr);
        metric["unit"] = "Count";
        metric["errorCode"] = "Success";
        metric["timeseries"] = std::move(series);
        return {{"cost", 0}, {"value", Json::array({metric})}};
    }

    // Each interval of the range; those without a minute lack a value.
    static Json pointsOf(const Reported &one, const AskedMetric &question)
    {
        const int length = question.interval == "PT1M" ? 1 : 5;
        const bool isMemory = question.metric == "GpuMemoryUtilizationMegabytes";
        Json points = Json::array();
        for (UtcTime at = question.range.start; at < question.range.end; at += base::Seconds{60 * length}) {
            Json point{{"timeStamp", base::toRfc3339(at)}};
            const int first = static_cast<int>((at - kBegin) / base::Seconds{60});
            double sum = 0, most = 0;
            int count = 0;
            for (auto it = one.minutes.lower_bound(first); it != one.minutes.end() && it->first < first + length;
                 ++it, ++count) {
                const double value = isMemory ? it->second.mib : it->second.percent;
                sum += value;
                most = std::max(most, value);
            }
            if (count > 0 && question.aggregation.find("Average") != std::string::npos)
                point["average"] = sum / count;
            if (count > 0 && question.aggregation.find("Maximum") != std::string::npos)
                point["maximum"] = most;
            points.push_back(std::move(point));
        }
        return points;
    }
};

inline ports::ListedMachine machine(const std::string &id, std::int64_t gpus)
{
    ports::ListedMachine one;
    one.id = id;
    one.gpus = gpus;
    return one;
}

// Azure Monitor beside the lists of Azure Machine Learning, and machines that are asked about.
struct Setup {
    std::unique_ptr<azure::MonitorUsage> make()
    {
        azure::Tuning tuning;
        tuning.pause = pause;
        auto made = azure::makeMonitorUsage(learning.settings, learning.secrets, clock, client(), tuning);
        return made ? std::move(*made) : nullptr;
    }
    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) -> base::Result<http::Response> {
            if (!AzureMonitor::isAsked(request.url))
                return learning.answerTo(request);
            ++requests;
            http::Response response = cloud.reply(request);
            if (cloud.asked.back().range.length() > longest)
                return base::fail(ErrorCode::TooMuch, "the answer is too long");
            return response;
        });
    }
    base::Result<ports::MeasuredUsage> read(const base::TimeRange &range = kHour)
    {
        return make()->usage(machines, range, stop.get_token());
    }
    base::Result<ports::MeasuredActivity> newest(const ports::ActivityQuestion &question = {})
    {
        return make()->activity(machines, question, stop.get_token());
    }
    // "+right -right ?metric": what a connection test finds.
    std::string probed()
    {
        const auto findings = make()->probe({});
        if (!findings)
            return std::string(base::toString(findings.error().code));
        std::string out;
        for (const ports::Finding &one : *findings) {
            const bool isGiven = one.text == ports::FindingText::RightGiven;
            const bool isSilent = one.text == ports::FindingText::NoUsageMetrics;
            out += (isGiven ? "+" : isSilent ? "?" : "-") + std::get<std::string>(one.terms.front()) + ' ';
            if (isGiven != (one.level == ports::Finding::Level::Good))
                out += "of another level ";
        }
        return out;
    }

    learning::LearningSetup learning;
    AzureMonitor cloud;
    base::FrozenClock clock{kHour.end};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<ports::ListedMachine> machines{machine("lab/vm", 4), machine("lab/vision/notebook", 2),
                                               machine("lab/vision/train/tvm-a", 8)};
    base::Seconds longest{30 * 86400}; // range that an answer may have
    int requests = 0; // of metrics
    std::stop_source stop;
};

} // namespace tst_azuremonitor

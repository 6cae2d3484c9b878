// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <QUrl>
#include <QUrlQuery>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A fake of Cloud Monitoring. There is no public peer: it aggregates samples and cuts pages by the contract
// (monitoring/v3 projects.timeSeries.list), and refuses questions that the service would refuse.
namespace tst_monitoring {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::UtcTime;
using Json = nlohmann::json;

inline const UtcTime kBegin = *base::parseTime("2026-11-20T10:00:00Z");
inline const std::string kUtilization = "agent.googleapis.com/gpu/utilization",
                         kMemory = "agent.googleapis.com/gpu/memory/bytes_used";
inline constexpr double kMib = 1024.0 * 1024.0;

struct Sample {
    int second = 0; // after kBegin
    double percent = 0, mib = 0;
};

// What the agent wrote about a GPU.
struct Told {
    std::string instance, gpu, uuid;
    std::vector<Sample> samples;
};

// A sample each minute of the buckets [first, end), half a minute after it began.
inline std::vector<Sample> minutes(int first, int end, double percent, double mib = 1000)
{
    std::vector<Sample> out;
    for (int second = first * 300 + 30; second < end * 300; second += 60)
        out.push_back({second, percent, mib});
    return out;
}

inline http::Response fault(int status, const std::string &message, const std::string &reason = {})
{
    Json error{{"code", status}, {"message", message}};
    if (!reason.empty())
        error["details"] = Json::array({{{"@type", "type.googleapis.com/google.rpc.ErrorInfo"}, {"reason", reason}}});
    return answer(Json{{"error", error}}.dump(), status);
}

inline Json instance(const std::string &name, const Json &id)
{
    Json out{{"name", name},
             {"status", "RUNNING"},
             {"machineType", "https://x/zones/us-central1-a/machineTypes/g2-standard-24"},
             {"lastStartTimestamp", "2026-11-20T01:00:00.000-07:00"}};
    if (!id.is_null())
        out["id"] = id;
    return out;
}

// Cloud Monitoring of a project, its list of instances, and that of its Workbench instances.
class Monitoring {
public:
    std::vector<Told> told;
    Json instances = Json::array({instance("a", "111"), instance("b", "222")});
    std::size_t page = 1000; // points
    std::vector<std::pair<std::string, std::string>> asked; // aligner, page token
    std::vector<http::Request> sent;
    std::function<std::optional<http::Response>(std::size_t)> instead; // of the answer to the question of this number
    std::function<void(Json &)> change; // of a page
    std::function<base::Result<http::Response>(const std::string &)> notebooks; // by page token; null: no such service
    std::vector<http::Request> askedNotebooks;

    base::Result<http::Response> reply(const http::Request &request)
    {
        const QUrl url(QString::fromStdString(request.url).replace(QLatin1Char('+'), QLatin1String("%20")));
        if (url.path() == QLatin1String("/compute/v1/projects/ml-training/aggregated/instances"))
            return answer(Json{{"items", {{"zones/us-central1-a", {{"instances", instances}}}}}}.dump());
        const QUrlQuery query(url);
        if (url.path() == QLatin1String("/v2/projects/ml-training/locations/-/instances") && notebooks) {
            askedNotebooks.push_back(request);
            return notebooks(query.queryItemValue(QLatin1String("pageToken"), QUrl::FullyDecoded).toStdString());
        }
        if (url.path() != QLatin1String("/v3/projects/ml-training/timeSeries"))
            return answer("<html>not found</html>", 404, "text/html");
        const auto of = [&](const char *key) {
            return query.queryItemValue(QLatin1String(key), QUrl::FullyDecoded).toStdString();
        };
        sent.push_back(request);
        asked.emplace_back(of("aggregation.perSeriesAligner"), of("pageToken"));
        auto other = instead ? instead(sent.size()) : std::nullopt;
        http::Response response = other ? std::move(*other) : list(of);
        response.headers.emplace_back("date", "Fri, 20 Nov 2026 11:00:07 GMT");
        return response;
    }

private:
    template <typename Of> http::Response list(const Of &of)
    {
        const std::string gce = "\" AND resource.type=\"gce_instance\"", aligner = of("aggregation.perSeriesAligner");
        const bool isMemory =
            of("filter") == "metric.type=\"" + kMemory + gce + " AND metric.labels.memory_state=\"used\"";
        if (!isMemory && of("filter") != "metric.type=\"" + kUtilization + gce)
            return fault(400, "Field filter had an invalid value");
        const auto start = base::parseTime(of("interval.startTime")), end = base::parseTime(of("interval.endTime"));
        const bool isAligned = !aligner.empty();
        if (!start || !end || *start >= *end || (of("aggregation.alignmentPeriod") == "300s") != isAligned)
            return fault(400, "invalid argument");
        Json all = Json::array();
        for (const Told &one : told) {
            Json points = of("view") == "FULL" ? pointsOf(one, isMemory, {*start, *end}, aligner) : Json::array();
            Json labels{{"gpu_number", one.gpu}, {"uuid", one.uuid}, {"model", "NVIDIA L4"}};
            if (isMemory)
                labels["memory_state"] = "used";
            all.push_back({{"metric", {{"type", isMemory ? kMemory : kUtilization}, {"labels", labels}}},
                           {"resource", {{"type", "gce_instance"}, {"labels", {{"instance_id", one.instance}}}}},
                           {"points", std::move(points)}});
        }
        Json out = cut(all, of("pageToken"));
        if (change)
            change(out);
        return answer(out.dump());
    }

    // In (start, end], the newest first.
    static Json pointsOf(const Told &one, bool isMemory, const base::TimeRange &range, const std::string &aligner)
    {
        const int period = aligner.empty() ? 1 : 300;
        std::map<UtcTime, std::vector<double>> values;
        for (const Sample &sample : one.samples) {
            const UtcTime at = kBegin + base::Seconds{sample.second};
            if (at > range.start && at <= range.end)
                values[base::ceilTo(at, base::Seconds{period})].push_back(isMemory ? sample.mib * kMib
                                                                                   : sample.percent);
        }
        Json out = Json::array();
        for (auto it = values.rbegin(); it != values.rend(); ++it) {
            double sum = 0, most = 0;
            for (const double value : it->second) {
                sum += value;
                most = std::max(most, value);
            }
            const auto count = it->second.size();
            Json value{{"doubleValue", aligner == "ALIGN_MAX" ? most : sum / static_cast<double>(count)}};
            if (aligner == "ALIGN_COUNT")
                value = {{"int64Value", std::to_string(count)}};
            const std::string end = base::toRfc3339(it->first);
            out.push_back({{"interval", {{"startTime", end}, {"endTime", end}}}, {"value", value}});
        }
        return out;
    }

    // A page may end within a series.
    Json cut(const Json &all, const std::string &token) const
    {
        std::size_t left = token.empty() ? 0 : std::stoul(token), space = page, next = left;
        Json out{{"timeSeries", Json::array()}};
        for (const Json &series : all) {
            Json points = Json::array();
            for (const Json &point : series["points"]) {
                if (left > 0) {
                    --left;
                } else if (space > 0) {
                    --space;
                    ++next;
                    points.push_back(point);
                } else {
                    out["nextPageToken"] = std::to_string(next);
                }
            }
            if (!points.empty() || series["points"].empty()) {
                out["timeSeries"].push_back(series);
                out["timeSeries"].back()["points"] = points;
            }
        }
        return out;
    }
};

} // namespace tst_monitoring

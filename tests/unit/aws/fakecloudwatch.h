// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/inventory/awsinventory.h"
#include "tests/unit/aws/fakeaws.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::tests {

inline constexpr std::int64_t kNoon = 1795348800; // 2026-11-22T12:00:00Z
inline constexpr char kUtilization[] = "nvidia_smi_utilization_gpu";

// "InstanceId=i-1,index=0"
inline nlohmann::json dimensionsOf(const std::string &text)
{
    nlohmann::json out = nlohmann::json::array();
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.size(), text.find(',', from)), equals = text.find('=', from);
        out.push_back(
            {{"Name", text.substr(from, equals - from)}, {"Value", text.substr(equals + 1, end - equals - 1)}});
        from = end + 1;
    }
    return out;
}

inline nlohmann::json metricOf(const std::string &dimensions)
{
    return {{"Namespace", "CWAgent"}, {"MetricName", kUtilization}, {"Dimensions", dimensionsOf(dimensions)}};
}

// Of "Endpoints" or "TrainingJobs".
inline nlohmann::json sageMakerMetricOf(const std::string &kind, const std::string &dimensions)
{
    return {{"Namespace", "/aws/sagemaker/" + kind},
            {"MetricName", "GPUUtilization"},
            {"Dimensions", dimensionsOf(dimensions)}};
}

inline http::Response jsonError(const std::string &code, int status = 400)
{
    return answer(nlohmann::json{{"__type", "com.amazonaws.cloudwatch#" + code}, {"message", "said so"}}.dump(),
                  status);
}

// ListMetrics and GetMetricData, following their API model: a question with another namespace or other dimensions than
// those of a metric gets no values.
class FakeCloudWatch {
public:
    using Reply = std::optional<base::Result<http::Response>>;

    std::vector<nlohmann::json> metrics;
    // Of a metric at a time.
    std::function<std::optional<double>(const std::string &metric, const std::string &statistic,
                                        const nlohmann::json &dimensions, std::int64_t at)>
        value;
    std::function<Reply(const std::string &action, const nlohmann::json &body)> before; // may answer in its place
    std::vector<nlohmann::json> lists, questions; // bodies

    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
    }

private:
    base::Result<http::Response> handle(const http::Request &request)
    {
        if (request.body.starts_with("Action="))
            return answer("<DescribeResponse></DescribeResponse>", 200, "text/xml");
        std::string action;
        for (const auto &[name, told] : request.headers) {
            if (name == "X-Amz-Target")
                action = told;
        }
        if (action.starts_with("SageMaker."))
            return answer(R"({"NotebookInstances":[],"Endpoints":[],"TrainingJobSummaries":[],"Apps":[]})");
        const bool isSigned = std::any_of(request.headers.begin(), request.headers.end(), [](const auto &header) {
            return header.second.find("/us-east-1/monitoring/aws4_request") != std::string::npos;
        });
        if (request.url != "https://monitoring.us-east-1.amazonaws.com/" || !isSigned
            || request.contentType != "application/x-amz-json-1.0"
            || !action.starts_with("GraniteServiceVersion20100801."))
            return jsonError("UnknownOperationException");
        action = action.substr(action.find('.') + 1);
        const nlohmann::json body = nlohmann::json::parse(request.body);
        (action == "ListMetrics" ? lists : questions).push_back(body);
        if (before) {
            if (auto instead = before(action, body))
                return std::move(*instead);
        }
        return answer(action == "ListMetrics" ? list(body).dump() : data(body).dump());
    }

    // Of the namespace, and those that are in none of which the program asks for.
    std::vector<nlohmann::json> metricsIn(const nlohmann::json &body) const
    {
        std::vector<nlohmann::json> out;
        std::copy_if(metrics.begin(), metrics.end(), std::back_inserter(out), [&](const nlohmann::json &one) {
            const std::string in = one.is_object() ? one.value("Namespace", "") : "";
            const bool isElsewhere = in == "CWAgent" || in.starts_with("/aws/sagemaker/");
            return body["Namespace"] == in || (!isElsewhere && body["Namespace"] == "CWAgent");
        });
        return out;
    }

    // Three a page.
    nlohmann::json list(const nlohmann::json &body) const
    {
        const std::vector<nlohmann::json> all = metricsIn(body);
        const std::size_t from = body.contains("NextToken") ? std::stoul(body["NextToken"].get<std::string>()) : 0;
        nlohmann::json page{{"Metrics", nlohmann::json::array()}};
        for (std::size_t i = from; i < std::min(all.size(), from + 3); ++i)
            page["Metrics"].push_back(all[i]);
        if (from + 3 < all.size())
            page["NextToken"] = std::to_string(from + 3);
        return page;
    }

    nlohmann::json data(const nlohmann::json &body) const
    {
        std::set<std::pair<std::string, nlohmann::json>> known;
        for (const nlohmann::json &one : metrics) {
            if (one.is_object() && one.contains("Dimensions"))
                known.insert({one.value("Namespace", ""), one["Dimensions"]});
        }
        nlohmann::json results = nlohmann::json::array();
        for (const nlohmann::json &query : body["MetricDataQueries"]) {
            const nlohmann::json &what = query["MetricStat"], &metric = what["Metric"];
            nlohmann::json times = nlohmann::json::array(), values = nlohmann::json::array();
            const bool isKnown = known.contains({metric["Namespace"], metric["Dimensions"]});
            for (std::int64_t at = body["StartTime"]; isKnown && value && at < body["EndTime"];
                 at += what["Period"].get<std::int64_t>()) {
                if (const auto one = value(metric["MetricName"], what["Stat"], metric["Dimensions"], at)) {
                    times.push_back(static_cast<double>(at));
                    values.push_back(*one);
                }
            }
            results.push_back(
                {{"Id", query["Id"]}, {"Timestamps", times}, {"Values", values}, {"StatusCode", "Complete"}});
        }
        return {{"MetricDataResults", results}};
    }
};

inline ports::ListedMachine machineOf(const std::string &id, std::int64_t gpus = 8, const std::string &host = {})
{
    ports::ListedMachine machine;
    machine.id = id;
    machine.hostName = host;
    machine.gpus = gpus;
    return machine;
}

inline base::TimeRange rangeOf(std::int64_t buckets)
{
    return {base::fromUnix(kNoon), base::fromUnix(kNoon + buckets * 300)};
}

// The list of machines with its usage, over the fake or a real server.
struct WatchSetup {
    WatchSetup()
    {
        server.metrics = {metricOf("InstanceId=i-1,index=0")};
        server.value = [](const std::string &metric, const std::string &statistic, const nlohmann::json &,
                          std::int64_t) -> std::optional<double> {
            if (metric == "nvidia_smi_memory_used")
                return statistic == "Maximum" ? 30000 : 20000;
            return metric == "nvidia_smi_power_draw" ? 250.5 : statistic == "SampleCount" ? 5 : 40;
        };
        cloud.settings.options["usage"] = "all";
    }
    aws::AwsInventory &inventory(std::shared_ptr<http::HttpClient> client = {})
    {
        if (!made) {
            aws::Tuning tuning;
            tuning.pause = cloud.pause;
            tuning.surroundings = {[this](const std::string &name) { return cloud.environment[name]; }, cloud.home};
            made = std::make_unique<aws::AwsInventory>(cloud.settings, cloud.clock, client ? client : server.client(),
                                                       tuning);
        }
        return *made;
    }
    base::Result<ports::MeasuredUsage> usage(std::int64_t buckets = 2,
                                             std::vector<ports::ListedMachine> machines = {machineOf("i-1")})
    {
        return inventory().usage()->usage(machines, rangeOf(buckets), {});
    }
    base::Result<ports::MeasuredActivity> activity(const ports::ActivityQuestion &question)
    {
        return inventory().usage()->activity({machineOf("i-1")}, question, {});
    }
    // A page that answers all five queries of the only GPU in place of the service.
    void answerAll(const std::string &result)
    {
        server.before = [result](const std::string &action, const nlohmann::json &) -> FakeCloudWatch::Reply {
            if (action == "ListMetrics")
                return std::nullopt;
            std::string all;
            for (int i = 0; i < 5; ++i)
                all += (i > 0 ? "," : "") + std::string("{'Id':'q") + std::to_string(i) + "'," + result + '}';
            return answer(js("{'MetricDataResults':[" + all + "]}"));
        };
    }

    AwsSetup cloud;
    FakeCloudWatch server;
    std::unique_ptr<aws::AwsInventory> made;
};

} // namespace gpuledger::tests

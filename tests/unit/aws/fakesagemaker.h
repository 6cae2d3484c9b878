// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/sagemaker/sagemakermachines.h"
#include "tests/unit/aws/fakeaws.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

inline constexpr std::int64_t kSageMakerNow = 1795348800; // 2026-11-22T12:00:00Z
inline constexpr std::int64_t kHourLong = 3600;
inline constexpr char kSageMakerArn[] = "arn:aws:sagemaker:us-east-1:123456789012:";

inline http::Response sageMakerRefusal(const std::string &code, const std::string &message = "said so")
{
    return answer(nlohmann::json{{"__type", "com.amazon.coral#" + code}, {"message", message}}.dump(), 400);
}

// SageMaker and EC2's types, following their API models.
class FakeSageMaker {
public:
    using Reply = std::optional<base::Result<http::Response>>;

    std::map<std::string, std::vector<nlohmann::json>> lists; // by action
    std::map<std::string, nlohmann::json> things; // descriptions by action and name: "DescribeEndpoint chat"
    std::map<std::string, nlohmann::json> tags; // by ARN
    std::function<Reply(const std::string &action, const nlohmann::json &body)> before; // may answer in its place
    std::vector<std::string> asked; // actions with what they name
    std::vector<nlohmann::json> bodies;

    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
    }
    long count(const std::string &what) const { return std::count(asked.begin(), asked.end(), what); }

private:
    static const std::map<std::string, const char *> &members()
    {
        static const std::map<std::string, const char *> kMembers{{"ListNotebookInstances", "NotebookInstances"},
                                                                  {"ListEndpoints", "Endpoints"},
                                                                  {"ListTrainingJobs", "TrainingJobSummaries"},
                                                                  {"ListApps", "Apps"}};
        return kMembers;
    }

    base::Result<http::Response> handle(const http::Request &request)
    {
        if (request.body.starts_with("Action="))
            return answer("<DescribeInstanceTypesResponse><instanceTypeSet><item><instanceType>p3.2xlarge"
                          "</instanceType><gpuInfo><gpus><item><name>V100</name><manufacturer>NVIDIA</manufacturer>"
                          "<count>1</count><memoryInfo><sizeInMiB>16384</sizeInMiB></memoryInfo></item></gpus>"
                          "</gpuInfo></item></instanceTypeSet></DescribeInstanceTypesResponse>",
                          200, "text/xml");
        std::string action;
        for (const auto &[name, told] : request.headers) {
            if (name == "X-Amz-Target")
                action = told.substr(told.find('.') + 1);
        }
        if (request.url != "https://api.sagemaker.us-east-1.amazonaws.com/"
            || request.contentType != "application/x-amz-json-1.1")
            return sageMakerRefusal("UnknownOperationException");
        const nlohmann::json body = nlohmann::json::parse(request.body);
        std::string what = action;
        for (const char *name : {"EndpointName", "EndpointConfigName", "TrainingJobName", "AppName", "ResourceArn"}) {
            if (body.contains(name))
                what += ' ' + body[name].get<std::string>();
        }
        asked.push_back(what);
        bodies.push_back(body);
        if (before) {
            if (auto instead = before(action, body))
                return std::move(*instead);
        }
        if (members().contains(action))
            return answer(page(action, body).dump());
        if (action == "ListTags")
            return answer(nlohmann::json{
                {"Tags", tags.contains(body["ResourceArn"]) ? tags[body["ResourceArn"]] : nlohmann::json::array()}}
                              .dump());
        return things.contains(what) ? answer(things[what].dump())
                                     : sageMakerRefusal("ValidationException", "Could not find it");
    }

    // Two a page, of which the status takes some away.
    nlohmann::json page(const std::string &action, const nlohmann::json &body)
    {
        const std::vector<nlohmann::json> &all = lists[action];
        const std::size_t from = body.contains("NextToken") ? std::stoul(body["NextToken"].get<std::string>()) : 0;
        nlohmann::json out{{members().at(action), nlohmann::json::array()}};
        for (std::size_t i = from; i < std::min(all.size(), from + 2); ++i) {
            if (!body.contains("StatusEquals") || all[i]["TrainingJobStatus"] == body["StatusEquals"])
                out[members().at(action)].push_back(all[i]);
        }
        if (from + 2 < all.size())
            out["NextToken"] = std::to_string(from + 2);
        return out;
    }
};

inline nlohmann::json notebookOf(const std::string &name, const std::string &status = "InService",
                                 const std::string &type = "ml.g5.xlarge")
{
    return {{"NotebookInstanceName", name},
            {"NotebookInstanceArn", kSageMakerArn + ("notebook-instance/" + name)},
            {"NotebookInstanceStatus", status},
            {"InstanceType", type},
            {"CreationTime", kSageMakerNow - 900.5 * kHourLong},
            {"LastModifiedTime", kSageMakerNow - 2 * kHourLong + 0.75}};
}

inline nlohmann::json variantOf(const std::string &name, int instances)
{
    return {{"VariantName", name}, {"CurrentInstanceCount", instances}, {"DesiredInstanceCount", 9}};
}

inline nlohmann::json typeOf(const std::string &name, const std::string &type)
{
    return {{"VariantName", name}, {"InstanceType", type}, {"InitialInstanceCount", 1}};
}

inline nlohmann::json appOf(const std::string &name, const std::string &type)
{
    return {{"DomainId", "d-1"},
            {"UserProfileName", "ada"},
            {"AppType", "JupyterLab"},
            {"AppName", name},
            {"Status", "InService"},
            {"CreationTime", kSageMakerNow - kHourLong},
            {"ResourceSpec", {{"InstanceType", type}}}};
}

// What is listed of the fake, or of a real server.
struct SageMakerSetup {
    aws::AwsApi &connect()
    {
        if (!api) {
            aws::Place place;
            place.region = "us-east-1";
            place.url = url;
            const aws::Tuning tuning;
            const aws::ProcessEnvironment surroundings{
                [this](const std::string &name) { return aws.environment[name]; }, aws.home};
            api = std::make_unique<aws::AwsApi>(aws::Wire(client ? client : server.client(), *clock, place), "",
                                                surroundings, tuning.retries, aws.pause);
        }
        return *api;
    }
    base::Result<ports::Inventory> read(const std::stop_token &stop = {})
    {
        aws::SageMakerMachines machines(connect(), "us-east-1");
        aws::GpuSizes sizes(connect(), known);
        ports::Inventory inventory;
        if (const auto done = machines.add(sizes, inventory, stop); !done)
            return base::fail(done.error());
        meters = machines.meters();
        return inventory;
    }
    base::Result<std::vector<ports::Finding>> probe()
    {
        return aws::SageMakerMachines(connect(), "us-east-1").probe({});
    }
    void addEndpoint(const std::string &name, const std::vector<nlohmann::json> &variants,
                     const std::vector<nlohmann::json> &config, const std::string &status = "InService")
    {
        server.lists["ListEndpoints"].push_back({{"EndpointName", name},
                                                 {"EndpointArn", kSageMakerArn + ("endpoint/" + name)},
                                                 {"EndpointStatus", status}});
        server.things["DescribeEndpoint " + name] = {
            {"EndpointName", name}, {"EndpointConfigName", name + "-c"}, {"ProductionVariants", variants}};
        server.things["DescribeEndpointConfig " + name + "-c"] = {{"ProductionVariants", config}};
    }
    // A job that began three hours ago with two machines; `more` is merged into its description.
    void addJob(const std::string &name, const std::string &status, const nlohmann::json &ended = {},
                const nlohmann::json &more = {})
    {
        nlohmann::json summary{{"TrainingJobName", name},
                               {"TrainingJobArn", kSageMakerArn + ("training-job/" + name)},
                               {"TrainingJobStatus", status}};
        if (!ended.is_null())
            summary["TrainingEndTime"] = ended;
        server.lists["ListTrainingJobs"].push_back(summary);
        summary["TrainingStartTime"] = kSageMakerNow - 8 * kHourLong;
        summary["ResourceConfig"] = {{"InstanceType", "ml.p4d.24xlarge"}, {"InstanceCount", 2}};
        if (more.is_object())
            summary.update(more);
        server.things["DescribeTrainingJob " + name] = summary;
    }

    AwsSetup aws;
    std::string url;
    base::FrozenClock noon{base::fromUnix(kSageMakerNow)};
    const base::Clock *clock = &noon;
    std::map<std::string, ports::KnownMachine> known{
        {"p4d.24xlarge", {"A100 40GB", 8'000'000}}, {"g5.xlarge", {"A10G", 1'000'000}}, {"g6f.large", {"L4", 125'000}}};
    aws::SageMakerMeters meters; // of the last list
    FakeSageMaker server;
    std::shared_ptr<http::HttpClient> client; // in place of the server's
    std::unique_ptr<aws::AwsApi> api;
};

} // namespace gpuledger::tests

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/actiontarget.h"
#include "connectors/aws/awstarget.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

// EC2, SageMaker and STS in the same process, following their API models; for what moto does not support.
namespace gpuledger::tests {

struct Machine {
    std::string id = "i-0123456789abcdef0", state = "running", launched = "2026-11-20T08:00:00.000Z", reason;
    std::string type = "p4d.24xlarge", account = "123456789012", node = "ip-10-0-0-1.ec2.internal";
    std::string more; // verbatim XML
    std::map<std::string, std::string> tags{{"team", "vision"}};
    bool isProtected = false;
    int code() const
    {
        static const std::map<std::string, int> kCodes{{"pending", 0},     {"running", 16},  {"shutting-down", 32},
                                                       {"terminated", 48}, {"stopping", 64}, {"stopped", 80}};
        return kCodes.at(state);
    }
};

struct Notebook {
    std::string name = "Book", status = "InService", type = "ml.p3.2xlarge";
    double created = 1795358847.046, modified = 1795358847.046;
    std::map<std::string, std::string> tags{{"team", "vision"}};
    std::string arn() const { return "arn:aws:sagemaker:us-east-1:123456789012:notebook-instance/book"; }
};

inline http::Response ec2Error(const std::string &code, int status, const std::string &message = "said so")
{
    return answer("<Response><Errors><Error><Code>" + code + "</Code><Message>" + message
                      + "</Message></Error></Errors><RequestID>req-error</RequestID></Response>",
                  status, "text/xml");
}

inline std::map<std::string, std::string> formIn(std::string_view body)
{
    const auto decoded = [](std::string_view text) {
        return QByteArray::fromPercentEncoding(QByteArray(text.data(), static_cast<qsizetype>(text.size())))
            .toStdString();
    };
    std::map<std::string, std::string> out;
    while (!body.empty()) {
        const std::size_t end = std::min(body.size(), body.find('&'));
        const std::string_view pair = body.substr(0, end);
        body.remove_prefix(std::min(body.size(), end + 1));
        const std::size_t equals = pair.find('=');
        out[decoded(pair.substr(0, equals))] = decoded(pair.substr(equals + 1));
    }
    return out;
}

class FakeAws {
public:
    using Form = std::map<std::string, std::string>;
    using Reply = std::optional<base::Result<http::Response>>;

    std::vector<Machine> machines{Machine{}};
    Notebook notebook;
    bool slowStop = false; // a machine is "stopping" for a while
    std::vector<std::string> actions; // in order of arrival
    std::vector<Form> forms;
    int effects = 0; // number of machines and notebooks that were stopped or started
    std::function<Reply(const std::string &action)> before; // may answer instead of carrying out the action
    std::function<Reply(const std::string &action)> after; // may replace the answer after the action was carried out
    std::vector<http::Request> requests;

    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
    }
    int count(const std::string &action) const
    {
        return static_cast<int>(std::count(actions.begin(), actions.end(), action));
    }

private:
    base::Result<http::Response> handle(const http::Request &request)
    {
        requests.push_back(request);
        std::string action;
        Form form;
        for (const auto &[name, value] : request.headers) {
            if (name == "X-Amz-Target")
                action = value.substr(value.find('.') + 1);
        }
        const bool isJson = !action.empty();
        if (!isJson) {
            form = formIn(request.body);
            action = form["Action"];
        }
        actions.push_back(action);
        forms.push_back(form);
        if (before) {
            if (auto instead = before(action))
                return std::move(*instead);
        }
        http::Response done = isJson ? sageMaker(action, nlohmann::json::parse(request.body)) : ec2(action, form);
        if (after) {
            if (auto instead = after(action))
                return std::move(*instead);
        }
        return done;
    }

    Machine *machine(const std::string &id)
    {
        for (Machine &one : machines) {
            if (one.id == id)
                return &one;
        }
        return nullptr;
    }

    static std::string stateXml(const char *name, const Machine &one)
    {
        return std::string("<") + name + "><code>" + std::to_string(one.code() + 256) + "</code><name>" + one.state
            + "</name></" + name + ">";
    }

    static std::string itemXml(const Machine &one)
    {
        std::string tags;
        for (const auto &[key, value] : one.tags)
            tags += "<item><key>" + key + "</key><value>" + value + "</value></item>";
        return "<item><reservationId>r-1</reservationId><ownerId>" + one.account
            + "</ownerId><instancesSet><item><instanceId>" + one.id + "</instanceId><instanceType>" + one.type
            + "</instanceType>" + stateXml("instanceState", one) + "<privateDnsName>" + one.node
            + "</privateDnsName><launchTime>" + one.launched + "</launchTime><reason>" + one.reason
            + "</reason><placement><availabilityZone>us-east-1a</availabilityZone></placement>"
            + "<blockDeviceMapping><item><deviceName>/dev/sda1</deviceName><ebs><attachTime>2026-10-01T00:00:00.000Z"
            + "</attachTime></ebs></item></blockDeviceMapping><tagSet>" + tags + "</tagSet>" + one.more
            + "</item></instancesSet></item>";
    }

    static http::Response xml(const std::string &action, const std::string &body)
    {
        return answer("<?xml version=\"1.0\"?><" + action
                          + "Response xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15\">"
                          + "<requestId>req-1</requestId>" + body + "</" + action + "Response>",
                      200, "text/xml");
    }

    http::Response ec2(const std::string &action, Form &form)
    {
        if (action == "DescribeInstances")
            return describe(form);
        if (action == "DescribeInstanceTypes")
            return xml(action,
                       "<instanceTypeSet><item><instanceType>" + form["InstanceType.1"]
                           + "</instanceType><instanceStorageSupported>"
                           + (form["InstanceType.1"].starts_with("p4d") ? "true" : "false")
                           + "</instanceStorageSupported></item></instanceTypeSet>");
        if (action == "DescribeSpotInstanceRequests")
            return xml(action,
                       "<spotInstanceRequestSet><item><type>" + form["SpotInstanceRequestId.1"]
                           + "</type></item></spotInstanceRequestSet>");
        Machine *one = machine(form[action.ends_with("Tags")                    ? "ResourceId.1"
                                        : action == "DescribeInstanceAttribute" ? "InstanceId"
                                                                                : "InstanceId.1"]);
        if (!one)
            return ec2Error("InvalidInstanceID.NotFound", 400);
        if (action == "DescribeInstanceAttribute")
            return xml(action,
                       std::string("<disableApiStop><value>") + (one->isProtected ? "true" : "false")
                           + "</value></disableApiStop>");
        if (form["DryRun"] == "true")
            return ec2Error("DryRunOperation", 412);
        return change(action, form, *one);
    }

    http::Response change(const std::string &action, Form &form, Machine &one)
    {
        if (action == "CreateTags" || action == "DeleteTags") {
            for (int i = 1; form.contains("Tag." + std::to_string(i) + ".Key"); ++i) {
                const std::string key = form["Tag." + std::to_string(i) + ".Key"];
                if (action == "CreateTags")
                    one.tags[key] = form["Tag." + std::to_string(i) + ".Value"];
                else
                    one.tags.erase(key);
            }
            return xml(action, "<return>true</return>");
        }
        if (one.isProtected && action == "StopInstances")
            return ec2Error("OperationNotPermitted", 400);
        const std::string previous = stateXml("previousState", one);
        const bool isStop = action == "StopInstances";
        if (one.state == (isStop ? "running" : "stopped")) {
            ++effects;
            one.state = isStop ? (slowStop ? "stopping" : "stopped") : "running";
            one.reason = isStop ? "User initiated (2026-11-22 10:00:00 GMT)" : "";
            if (!isStop)
                one.launched = "2026-11-22T12:00:00.000Z";
        }
        return xml(action,
                   "<instancesSet><item><instanceId>" + one.id + "</instanceId>" + stateXml("currentState", one)
                       + previous + "</item></instancesSet>");
    }

    http::Response describe(Form &form)
    {
        std::string items;
        for (const Machine &one : machines) {
            const bool isWanted =
                form.contains("InstanceId.1") ? one.id == form["InstanceId.1"] : one.node == form["Filter.1.Value.1"];
            items += isWanted ? itemXml(one) : "";
        }
        if (items.empty() && form.contains("InstanceId.1"))
            return ec2Error("InvalidInstanceID.NotFound", 400, "The instance ID does not exist");
        return xml("DescribeInstances", "<reservationSet>" + items + "</reservationSet>");
    }

    http::Response sageMaker(const std::string &action, nlohmann::json body)
    {
        using nlohmann::json;
        const auto tagged = [&] {
            json list = json::array();
            for (const auto &[key, value] : notebook.tags)
                list.push_back({{"Key", key}, {"Value", value}});
            return list;
        };
        json one{{"NotebookInstanceName", notebook.name},     {"NotebookInstanceArn", notebook.arn()},
                 {"NotebookInstanceStatus", notebook.status}, {"InstanceType", notebook.type},
                 {"CreationTime", notebook.created},          {"LastModifiedTime", notebook.modified}};
        if (action == "ListNotebookInstances") // an empty page with a token first
            return answer(body.contains("NextToken") ? json{{"NotebookInstances", json::array({one})}}.dump()
                                                     : "{\"NotebookInstances\":[],\"NextToken\":\"2\"}");
        if (action == "ListTags")
            return answer(json{{"Tags", tagged()}}.dump());
        if (action == "AddTags") {
            for (const json &tag : body["Tags"])
                notebook.tags[tag["Key"]] = tag["Value"];
            return answer("{}");
        }
        if (action == "DeleteTags") {
            for (const json &key : body["TagKeys"])
                notebook.tags.erase(key.get<std::string>());
            return answer("{}");
        }
        if (body["NotebookInstanceName"] != notebook.name)
            return answer("{\"__type\":\"com.amazon#ValidationException\",\"message\":\"RecordNotFound\"}", 400);
        if (action == "DescribeNotebookInstance")
            return answer(one.dump());
        const bool isStop = action == "StopNotebookInstance";
        if (notebook.status != (isStop ? "InService" : "Stopped"))
            return answer("{\"__type\":\"ValidationException\",\"message\":\"Status (Stopped) not in ([InService]).\"}",
                          400);
        ++effects;
        notebook.status = isStop ? "Stopped" : "InService";
        notebook.modified += 10;
        return answer("{}");
    }
};

// A target over the fake, with keys from a simulated environment.
struct AwsSetup {
    AwsSetup()
    {
        settings.name = "aws-prod";
        settings.kind = "aws";
        settings.auth.kind = model::AuthSettings::Kind::SigV4;
        settings.auth.region = "us-east-1";
    }
    aws::AwsTarget target()
    {
        aws::Tuning tuning;
        tuning.pause = pause;
        tuning.surroundings = {[this](const std::string &name) { return environment[name]; }, home};
        return aws::AwsTarget(settings, clock, server.client(), tuning);
    }
    model::HolderKey holder() const
    {
        model::HolderKey key;
        key.cluster = "prod";
        key.name = "training-box";
        key.kind = model::SubjectKind::Machine;
        key.instanceId = server.machines.empty() ? "i-0" : server.machines[0].id;
        return key;
    }
    model::HolderKey notebookHolder() const
    {
        model::HolderKey key;
        key.instanceId = server.notebook.arn();
        return key;
    }
    static model::StopMark mark()
    {
        return {"key-1", "ada@example.org", "idle for 3 days", *base::parseTime("2026-11-22T10:00:00Z"), "\"running\""};
    }

    model::SourceSettings settings;
    std::map<std::string, std::string> environment{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                                   {"AWS_SECRET_ACCESS_KEY", "canary-secret-key"},
                                                   {"AWS_SESSION_TOKEN", "canary-session-token"}};
    std::filesystem::path home = "/nonexistent";
    base::FrozenClock clock{*base::parseTime("2026-11-22T10:00:00Z")};
    FakeAws server;
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
};

} // namespace gpuledger::tests

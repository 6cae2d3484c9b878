// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/text/text.h"
#include "connectors/azure/compute/azureinventory.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <algorithm>

// Azure Machine Learning in the same process, as the contract has it (api-version 2022-10-01); there is no public peer.
namespace gpuledger::tests::learning {

inline const std::string kAddress = "https://management.azure.com";
inline const std::string kSubscription = "/subscriptions/11111111-2222-3333-4444-555555555555";
inline const std::string kService = "/providers/Microsoft.MachineLearningServices/workspaces";
inline const std::string kVision = "/resourceGroups/Lab" + kService + "/vision";
// What is asked, without the subscription and the version.
inline const std::string kAskWorkspaces = "GET " + kService, kAskComputes = "GET " + kVision + "/computes";
inline const std::string kAskNodes = "POST " + kVision + "/computes/train/listNodes";

inline const std::map<std::string, ports::KnownMachine> kKnown{{"standard_nc6s_v3", {"V100", 1'000'000}},
                                                               {"standard_nd96isr_h100_v5", {"H100 SXM", 8'000'000}},
                                                               {"standard_nv6ads_a10_v5", {"A10", 166'667}}};

inline std::string joined(const std::vector<std::string> &parts, const char *between)
{
    std::string out;
    for (const std::string &one : parts)
        out += (out.empty() ? "" : between) + one;
    return out;
}

inline std::string page(const std::vector<std::string> &values, const std::string &next = {},
                        const char *member = "value")
{
    const std::string link = next.empty() ? "null" : '\'' + kAddress + kSubscription + next + '\'';
    return js(std::string("{'") + member + "':[" + joined(values, ",") + "],'nextLink':" + link + '}');
}

inline std::string workspace(const std::string &path)
{
    return "{'id':'" + kSubscription + path + "','location':'EastUS','tags':{'team':'workspace'}}";
}

inline std::string compute(const std::string &name, const std::string &type, const std::string &details)
{
    return "{'name':'" + name + "','tags':{'team':'vision'},'properties':{'computeType':'" + type
        + "','createdOn':'2026-11-01T00:00:00.1234567+00:00','properties':{" + details + "}}}";
}

inline std::string instance(const std::string &name, const std::string &state = "Running",
                            const std::string &size = "STANDARD_NC6S_V3", const std::string &more = {})
{
    return compute(name, "ComputeInstance", "'vmSize':'" + size + "','state':'" + state + '\'' + more);
}

inline std::string cluster(const std::string &name, const std::string &size = "Standard_ND96isr_H100_v5",
                           const std::string &more = ",'currentNodeCount':2")
{
    return compute(name, "AmlCompute", "'vmSize':'" + size + '\'' + more);
}

inline std::string node(const std::string &id, const std::string &state = "running")
{
    return "{'nodeId':'" + id + "','nodeState':'" + state + "','runId':'r','port':50000}";
}

inline std::string nodes(const std::vector<std::string> &values, const std::string &next = {})
{
    return page(values, next, "nodes");
}

inline std::string operation(const std::string &name, const std::string &status = "Succeeded",
                             const std::string &time = "2026-11-20T10:11:12.1234567Z")
{
    return ",'lastOperation':{'operationName':'" + name + "','operationStatus':'" + status + "','operationTime':'"
        + time + "','operationTrigger':'User'}";
}

inline http::Response refusal(int status, const std::string &code)
{
    return answer(js("{'error':{'code':'" + code + "','message':'no'}}"), status);
}

// "lab/vision/train/a H100 SXM 8 spot", in order.
inline std::string told(const ports::Inventory &inventory)
{
    std::vector<std::string> all;
    for (const ports::ListedMachine &one : inventory.machines)
        all.push_back(one.id + ' ' + one.gpuName + ' ' + std::to_string(one.gpus) + (one.isSpot ? " spot" : ""));
    std::sort(all.begin(), all.end());
    return joined(all, "; ");
}

inline std::string leftOut(const ports::Inventory &inventory)
{
    std::vector<std::string> all;
    for (const auto &one : inventory.leftOut)
        all.push_back(std::to_string(one.count) + ' ' + one.reason);
    return joined(all, "; ");
}

// A subscription without virtual machines. What it has no answer for does not exist.
struct LearningSetup {
    LearningSetup()
    {
        settings.name = "cloud";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {{"subscription", "11111111-2222-3333-4444-555555555555"}};
        answers[kAskWorkspaces] = answer(page({workspace(kVision)}));
        answers[kAskComputes] = answer(page({instance("Notebook"), cluster("train")}));
        answers[kAskNodes] = answer(nodes({node("a"), node("b", "idle")}));
    }

    http::Response answerTo(const http::Request &request)
    {
        const std::string begin = kAddress + kSubscription, version = "?api-version=2022-10-01";
        std::string path = request.url.starts_with(begin) ? request.url.substr(begin.size()) : request.url;
        if (path.find("Microsoft.Compute/skus") != std::string::npos) {
            ++sizeQuestions;
            return answer(page({"{'resourceType':'virtualMachines','name':'Standard_NC99_X9_v9','capabilities':[{"
                                "'name':'GPUs','value':'4'}]}"}));
        }
        if (path.find("Microsoft.Compute/") != std::string::npos || path.find("Microsoft.Insights/") != path.npos)
            return answer(page({}));
        if (path.ends_with(version))
            path.resize(path.size() - version.size());
        asked.push_back(request.method + ' ' + path);
        if (asked.back() == stopsAt)
            stop.request_stop();
        const auto known = answers.find(asked.back());
        return known == answers.end() ? refusal(404, "ResourceNotFound") : known->second;
    }

    std::unique_ptr<azure::ComputeApi> api()
    {
        auto client = std::make_shared<ScriptedClient>(
            [this](const http::Request &request) { return base::Result<http::Response>(answerTo(request)); });
        azure::Tuning tuning;
        tuning.pause = std::make_shared<SimulatedPause>();
        return *azure::makeComputeApi(settings, secrets, client, tuning);
    }

    base::Result<ports::Inventory> list()
    {
        asked.clear();
        return azure::AzureInventory("cloud", api(), clock).read(kKnown, stop.get_token());
    }

    // "+workspaces/read -workspaces/computes/read": the rights that a connection test finds or misses.
    std::string probed()
    {
        std::vector<std::string> all;
        const auto findings = azure::AzureInventory("cloud", api(), clock).probe({});
        if (!findings)
            return base::printable(findings.error().text);
        const std::string begin = "Microsoft.MachineLearningServices/";
        for (const ports::Finding &one : *findings) {
            const std::string right = one.terms.empty() ? std::string() : std::get<std::string>(one.terms.front());
            if (one.text == ports::FindingText::MachinesUnread)
                all.push_back(base::printable(right));
            if (!right.starts_with(begin))
                continue;
            const bool isGood = one.level == ports::Finding::Level::Good;
            const auto text = isGood ? ports::FindingText::RightGiven : ports::FindingText::MachinesWithheld;
            all.push_back((one.text != text ? "?" : isGood ? "+" : "-") + right.substr(begin.size()));
        }
        return joined(all, " ");
    }

    model::SourceSettings settings;
    CountedSecret secrets;
    base::FrozenClock clock{*base::parseTime("2026-11-20T12:00:00Z")};
    std::map<std::string, http::Response> answers;
    std::vector<std::string> asked; // of Azure Machine Learning
    int sizeQuestions = 0;
    std::stop_source stop;
    std::string stopsAt; // the question with which the stop is requested
};

} // namespace gpuledger::tests::learning

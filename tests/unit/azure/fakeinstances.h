// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/compute/azuretarget.h"
#include "tests/unit/azure/fakelearning.h"

#include <set>

// A compute instance of Azure Machine Learning that can be stopped, in the same process.
namespace gpuledger::tests::learning {

// In lower case, as the connector asks for single computes.
inline const std::string kNotebook = azure::lowerCase(kVision + "/computes/notebook");
inline const std::string kAskNotebook = "GET " + kNotebook;
inline const std::string kStop = "POST " + kNotebook + "/stop", kStart = "POST " + kNotebook + "/start";
inline const std::string kAskLocks = kAskNotebook + "/providers/Microsoft.Authorization/locks?api-version=2016-09-01";
inline const std::string kAskRights =
    kAskNotebook + "/providers/Microsoft.Authorization/permissions?api-version=2022-04-01";
inline const std::string kAskVirtualMachines =
    "GET /providers/Microsoft.Compute/virtualMachines?api-version=2024-07-01";
inline const std::string kFullName = "lab/vision/notebook";
inline const std::string kUid = azure::lowerCase(kSubscription) + kNotebook + "@2026-11-01T00:00:00Z";

// What the service says of one compute.
struct Description {
    std::string state = "Running", provisioning = "Succeeded", size = "STANDARD_NC6S_V3", type = "ComputeInstance";
    std::string tags = "{'team':'vision'}", created = "'2026-11-01T00:00:00.1234567+00:00'";
    std::string last = operation("Start"), more; // members of its details
    std::string name = "Notebook", id = kSubscription + kVision + "/computes/Notebook";

    std::string text() const
    {
        return js("{'id':'" + id + "','name':'" + name + "','tags':" + tags + ",'properties':{'computeType':'" + type
                  + "','computeLocation':'EastUS','provisioningState':'" + provisioning + "','createdOn':" + created
                  + ",'properties':{'vmSize':'" + size + "','state':'" + state + '\'' + last + more + "}}}");
    }
};

inline Description inState(const std::string &state)
{
    Description one;
    one.state = state;
    return one;
}

inline model::HolderKey holder(const std::string &name)
{
    model::HolderKey key;
    key.cluster = "lab";
    key.name = key.instanceId = name;
    key.kind = model::SubjectKind::Machine;
    return key;
}

inline std::string permissions(const std::string &actions, const std::string &notActions = {})
{
    return page({"{'actions':[" + actions + "],'notActions':[" + notActions + "]}"});
}

// A subscription with one instance that runs. What happens between two questions is done by `onQuestion`.
struct StopSetup : LearningSetup {
    StopSetup()
    {
        settings.cluster = "lab";
        settings.mayStop = true;
        put({});
        answers[kAskLocks] = answer(page({}));
        answers[kAskRights] = answer(permissions("'*'"));
        answers[kStop] = answers[kStart] = answer({}, 202);
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) { return reply(request); });
        azure::Tuning tuning;
        tuning.pause = std::make_shared<SimulatedPause>();
        target = std::make_unique<azure::AzureTarget>(
            settings, *azure::makeComputeApi(settings, secrets, client, tuning), clock, tuning.pause);
    }

    base::Result<http::Response> reply(const http::Request &request)
    {
        const std::string begin = kAddress + kSubscription;
        const std::string key =
            request.method + ' ' + (request.url.starts_with(begin) ? request.url.substr(begin.size()) : request.url);
        if (key.find("Microsoft.Compute/") != std::string::npos)
            return answers.count(key) ? answers.at(key) : answerTo(request);
        http::Response told = answerTo(request);
        const std::string question = asked.back();
        if (request.method == "POST" && (!request.once || !request.body.empty()))
            return base::fail(base::ErrorCode::Server, "a change is sent once, without a body");
        if (onQuestion)
            onQuestion(question);
        if (lost.count(question))
            return base::fail(base::ErrorCode::Network, "the connection was reset");
        return told;
    }

    void put(const Description &one) { answers[kAskNotebook] = answer(one.text()); }
    base::Result<model::TargetState> find(const std::string &name = kFullName)
    {
        asked.clear();
        return target->find(holder(name), stop.get_token());
    }
    model::TargetState found()
    {
        auto state = find();
        if (!state)
            qFatal("%s", state.error().text.c_str());
        asked.clear();
        return *state;
    }
    // What is found of one that is described in this way.
    static model::TargetState of(const Description &one)
    {
        StopSetup setup;
        setup.put(one);
        return setup.found();
    }
    base::ErrorCode refusedWith(const std::string &name)
    {
        const auto state = find(name);
        return state ? base::ErrorCode::Unsupported : state.error().code;
    }
    ports::WriteOutcome stopIt(const model::TargetState &state) { return target->stop(state, {}, stop.get_token()); }
    ports::WriteOutcome startIt(const model::TargetState &state, const std::string &before = "\"running\"")
    {
        model::StopMark mark;
        mark.oldValue = before;
        return target->undo(state, mark, {}, stop.get_token());
    }
    std::ptrdiff_t count(const std::string &question) const { return std::count(asked.begin(), asked.end(), question); }
    std::ptrdiff_t sent() const
    {
        return std::count_if(asked.begin(), asked.end(),
                             [](const std::string &one) { return one.starts_with("POST"); });
    }

    std::unique_ptr<azure::AzureTarget> target;
    std::function<void(const std::string &)> onQuestion; // after the answer to it was taken
    std::set<std::string> lost; // the questions whose answers don't arrive
};

inline std::string textsOf(const model::TargetState &state, model::Caution::Kind kind)
{
    std::vector<std::string> all;
    for (const model::Caution &one : state.cautions) {
        if (one.kind == kind)
            all.push_back(one.text);
    }
    return joined(all, "; ");
}

} // namespace gpuledger::tests::learning

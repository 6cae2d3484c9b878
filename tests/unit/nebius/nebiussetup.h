// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/nebius/grpcanswer.h"
#include "connectors/nebius/projectcalls.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::tests {

// An answer with this message, or, if there is a status, with that in place of one.
inline http::Response grpcAnswer(const std::string &message, nebius::GrpcCode code = nebius::GrpcCode::Ok,
                                 const std::string &words = {})
{
    http::Response response =
        answer(code == nebius::GrpcCode::Ok ? nebius::framed(message) : "", 200, "application/grpc");
    response.headers = {{"grpc-status", std::to_string(static_cast<int>(code))}};
    if (!words.empty())
        response.headers.emplace_back("grpc-message", words);
    return response;
}

// A source of the kind, its scripted answers by the name of the method, and what it was asked. One thread.
struct NebiusSetup {
    NebiusSetup()
    {
        settings.name = "cloud";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "N", {}};
        settings.options = {{"project", "project-e00lab"}};
        secrets.value = "token-1";
    }
    base::Result<std::unique_ptr<nebius::ProjectCalls>> tryCalls()
    {
        nebius::Tuning tuning;
        tuning.pause = pause;
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
            sent.push_back(request);
            auto &from = answers[request.url.substr(request.url.rfind('/') + 1)];
            if (from.empty())
                return base::Result<http::Response>(grpcAnswer(""));
            base::Result<http::Response> first = from.front();
            from.erase(from.begin());
            return first;
        });
        return nebius::makeProjectCalls(settings, secrets, clock, client, tuning);
    }
    std::unique_ptr<nebius::ProjectCalls> calls() { return std::move(*tryCalls()); }
    template <typename Message> void say(const char *method, const Message &message)
    {
        answers[method].push_back(grpcAnswer(message.SerializeAsString()));
    }
    void refuse(const char *method, nebius::GrpcCode code, const std::string &words = {})
    {
        answers[method].push_back(grpcAnswer({}, code, words));
    }
    // The message of a request that was sent.
    template <typename Message> Message asked(std::size_t at) const
    {
        Message message;
        message.ParseFromString(*nebius::messageIn(sent.at(at).body));
        return message;
    }

    model::SourceSettings settings;
    CountedSecret secrets;
    base::FrozenClock clock{*base::parseTime("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::map<std::string, std::vector<base::Result<http::Response>>> answers; // afterwards, empty messages
    std::vector<http::Request> sent;
};

} // namespace gpuledger::tests

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedapi.h"
#include "tests/unit/prometheus/testtools.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gpuledger::tests {

// A source whose service wants an API key, its scripted answers, and what it was asked. One thread.
struct KeyedSetup {
    KeyedSetup()
    {
        settings.name = "bill";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "K", {}};
    }
    auth::KeyedApi api(const std::string &address, auth::KeyedTuning tuning, auth::KeyedApi::Refusal refusal)
    {
        tuning.pause = pause;
        return {settings,
                address,
                secrets,
                std::make_shared<ScriptedClient>([this](const http::Request &request) {
                    sent.push_back(request);
                    http::Response first = answers.empty() ? answer(otherwise) : answers.front();
                    if (!answers.empty())
                        answers.erase(answers.begin());
                    return base::Result<http::Response>(std::move(first));
                }),
                std::move(tuning),
                refusal};
    }
    // The address that this one becomes, or why it is refused.
    std::string apiOf(const char *url, base::Result<auth::KeyedSettings> (*settingsOf)(const model::SourceSettings &))
    {
        settings.url = url;
        const auto keyed = settingsOf(settings);
        return keyed ? keyed->api : keyed.error().text;
    }

    model::SourceSettings settings;
    OneSecret secrets;
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    std::vector<http::Response> answers; // in this order
    std::string otherwise = "{}"; // the body of all later ones
    std::vector<http::Request> sent;
};

} // namespace gpuledger::tests

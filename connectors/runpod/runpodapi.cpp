// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/runpod/runpodapi.h"

#include "connectors/format/json.h"

namespace gpuledger::runpod {

using Json = nlohmann::json;

namespace {

// RFC 9457: {"title","status","detail","errors":[…]}.
std::string wordsIn(const Json &problem)
{
    std::string words = format::textOf(problem, "detail");
    if (words.empty())
        words = format::textOf(problem, "title");
    const Json &errors = format::memberOf(problem, "errors");
    if (errors.is_array() && !errors.empty() && errors.front().is_string())
        words += ": " + errors.front().get<std::string>();
    return words;
}

} // namespace

base::Result<auth::KeyedSettings> settingsOf(const model::SourceSettings &settings)
{
    return auth::KeyedSettings::of(settings, "https://api.runpod.io", "/v2");
}

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url)
{
    std::optional<base::Error> error = auth::refusedAnswer(response, url, wordsIn);
    if (error && response.status == 401)
        error->text += "; API keys are made in the settings of the RunPod console";
    else if (error && response.status == 403)
        error->text += "; to read, the API key needs the permission Read Only";
    return error;
}

} // namespace gpuledger::runpod

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/lambda/lambdaapi.h"

#include "connectors/format/json.h"

namespace gpuledger::lambda {

using base::Result;
using Json = nlohmann::json;

namespace {

// {"error":{"code":"global/invalid-api-key","message":"API key was invalid, …","suggestion":"Check …"}}
std::string wordsIn(const Json &problem)
{
    const Json &error = format::memberOf(problem, "error");
    std::string words = format::textOf(error, "message");
    if (words.empty())
        words = format::textOf(error, "code");
    const std::string suggestion = format::textOf(error, "suggestion");
    return words + (words.empty() || suggestion.empty() ? "" : " ") + suggestion;
}

} // namespace

Result<auth::KeyedSettings> settingsOf(const model::SourceSettings &settings)
{
    return auth::KeyedSettings::of(settings, "https://cloud.lambda.ai", "/api/v1");
}

auth::KeyedTuning standardTuning()
{
    auth::KeyedTuning tuning;
    tuning.maxBytes = 16u << 20;
    return tuning;
}

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url)
{
    std::optional<base::Error> error = auth::refusedAnswer(response, url, wordsIn);
    if (error && response.status == 401)
        error->text += "; API keys are made under API keys in the Lambda Cloud console";
    return error;
}

std::optional<base::Error> wrongClock(const http::Parameters &answerDate, base::UtcTime now)
{
    return auth::wrongClock(answerDate, now,
                            "nobody knows when Lambda's instances were seen, and nothing was recorded");
}

} // namespace gpuledger::lambda

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/vastaiapi.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"

#include <set>

namespace gpuledger::vastai {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

// {"success":false,"error":"auth_error","msg":"Invalid user key"}, or parts of it.
std::string wordsIn(const Json &problem)
{
    for (const char *member : {"msg", "message", "detail", "error"}) {
        if (std::string words = format::textOf(problem, member); !words.empty())
            return words;
    }
    return {};
}

// A key that Vast.ai does not know is a 404.
bool isUnknownKey(const http::Response &response)
{
    constexpr std::size_t kMostError = 4'096; // bytes
    if (response.status != 404 || response.body.size() > kMostError)
        return false;
    const auto json = format::parseJson(response.body);
    return json && format::textOf(*json, "error") == "auth_error";
}

} // namespace

Result<auth::KeyedSettings> settingsOf(const model::SourceSettings &settings)
{
    return auth::KeyedSettings::of(settings, "https://console.vast.ai", "/api");
}

auth::KeyedTuning standardTuning()
{
    auth::KeyedTuning tuning;
    tuning.pace = http::Milliseconds{1'100};
    return tuning;
}

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url)
{
    std::optional<base::Error> error = auth::refusedAnswer(response, url, wordsIn);
    if (!error)
        return error;
    if (isUnknownKey(response)) {
        error->code = ErrorCode::Unauthorized;
        error->hint = base::text(base::Remedy::CheckAuth);
    }
    if (error->code == ErrorCode::Unauthorized)
        error->text += "; API keys are made under Keys in the Vast.ai console";
    else if (response.status == 403)
        error->text += "; to read, the API key needs the permissions billing_read and instance_read";
    return error;
}

Result<void> getPages(auth::KeyedApi &api, const std::string &path, const http::Parameters &parameters,
                      const std::stop_token &stop, const PageReader &read)
{
    std::set<std::string> tokens;
    for (std::string token;;) {
        http::Parameters page = parameters;
        if (!token.empty())
            page.emplace_back("after_token", token);
        const auto body = api.get(path, page, stop);
        GPULEDGER_TRY(body);
        auto next = read(*body);
        GPULEDGER_TRY(next);
        token = std::move(*next);
        if (token.empty())
            return {};
        if (!tokens.insert(token).second || tokens.size() >= kMostPages)
            return base::fail(ErrorCode::TooMuch, "Vast.ai's answer has no end");
    }
}

} // namespace gpuledger::vastai

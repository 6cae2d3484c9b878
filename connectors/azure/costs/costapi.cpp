// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costapi.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownRefusal = 300; // bytes
constexpr std::size_t kMostRefusal = 64u << 10; // bytes of an error that are read
constexpr std::size_t kMostPage = 64u << 20;

struct Refusal {
    std::string code, message; // printable
};

// {"error":{"code","message"}}; some services leave out the outer object.
Refusal refusalIn(const std::string &body)
{
    if (body.size() > kMostRefusal)
        return {};
    const auto json = format::parseJson(body);
    if (!json || !json->is_object())
        return {};
    const auto inner = json->find("error");
    const auto &object = inner != json->end() && inner->is_object() ? *inner : *json;
    return {base::printableLine(format::textOf(object, "code"), kShownRefusal),
            base::printableLine(format::textOf(object, "message"), kShownRefusal)};
}

} // namespace

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url, const std::string &scope)
{
    std::optional<base::Error> error = http::statusError(response, url);
    if (!error) {
        if (response.status == 200 || response.status == 204)
            return std::nullopt;
        return base::Error::make(
            ErrorCode::Server, http::shownUrl(url) + " gave no answer (HTTP " + std::to_string(response.status) + ')');
    }
    const Refusal said = refusalIn(response.body);
    for (const std::string &words : {said.code, said.message}) {
        if (!words.empty())
            error->text += ": " + words;
    }
    if (response.status == 403) {
        error->text += "; nothing of this bill is shown without the role Cost Management Reader";
        error->hint = std::string("assign the role Cost Management Reader on ") + scope
            + " to the account of this source; under an enterprise agreement, \"view charges\" must be switched on, "
              "too";
    } else if (response.status == 404) {
        error->hint = std::string("check scope of this source: ") + scope;
    }
    return error;
}

CostApi::CostApi(const model::SourceSettings &settings, const CostSettings &costs, ports::SecretStore &secrets,
                 std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
    : m_api(
        settings,
        std::make_unique<AzureToken>(settings, costs.login, secrets, client, tuning.pause, tuning.timeouts,
                                     tuning.realClock),
        [where = costs.resourceManager, scope = costs.scope](const http::Response &response) {
            return refusalOf(response, where, scope);
        },
        client, tuning)
{
}

Result<http::Response> CostApi::post(const std::string &url, const std::string &body, const std::stop_token &stop)
{
    http::Request request;
    request.method = "POST";
    request.url = url;
    request.headers.emplace_back("Accept", "application/json");
    request.headers.emplace_back("ClientType", "GPULedger"); // a quota of its own
    request.body = body;
    request.contentType = "application/json";
    request.maxBytes = kMostPage;
    return m_api.ask(request, stop);
}

} // namespace gpuledger::azure

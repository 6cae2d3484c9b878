// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costapi.h"

#include "connectors/azure/resourcemanager.h"

namespace gpuledger::azure {

using base::Result;

namespace {

constexpr std::size_t kMostPage = 64u << 20;

} // namespace

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url, const std::string &scope)
{
    std::optional<base::Error> error = managerErrorOf(response, url);
    if (!error)
        return std::nullopt;
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
        std::make_unique<AzureToken>(settings, costs.manager.login, secrets, client, tuning.pause, tuning.timeouts,
                                     tuning.realClock),
        [where = costs.manager.address, scope = costs.scope](const http::Response &response) {
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

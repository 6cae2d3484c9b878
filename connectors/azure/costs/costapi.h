// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/azureapi.h"
#include "connectors/azure/costs/costsettings.h"

namespace gpuledger::azure {

// Sends questions about costs to the Resource Manager. One thread.
class CostApi {
public:
    // `secrets` must outlive it.
    CostApi(const model::SourceSettings &settings, const CostSettings &costs, ports::SecretStore &secrets,
            std::shared_ptr<http::HttpClient> client, const Tuning &tuning);

    // POST of a JSON body. Status 200 or 204. Fails with the errors of AzureApi::ask and refusalOf.
    [[nodiscard]] base::Result<http::Response> post(const std::string &url, const std::string &body,
                                                    const std::stop_token &stop);

private:
    AzureApi m_api;
};

// Why an answer can't be used; std::nullopt: it can. Forbidden names the role that is missing on the scope.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url, const std::string &scope);

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/http/httpclient.h"

#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::azure {

// The Resource Manager that a source asks, and how to log in there. Value type.
struct ResourceManager {
    std::string address; // without a path: https://management.azure.com
    Login login;

    // The settings `url`, `auth`, `login` and `tenant`. Fails with InvalidConfig.
    [[nodiscard]] static base::Result<ResourceManager> of(const model::SourceSettings &settings);
};

// Why its answer can't be used, in its own words, too; std::nullopt: it can. The hint is that of the status.
std::optional<base::Error> managerErrorOf(const http::Response &response, const std::string &url);
// The address of the next page; empty: there is none. Fails with Parse if it is on another server than `address`: a
// token must not leave it.
[[nodiscard]] base::Result<std::string> nextPage(std::string nextLink, const std::string &address);
// "00000000-0000-0000-0000-000000000000", in upper or lower case.
bool isGuid(std::string_view text);

} // namespace gpuledger::azure

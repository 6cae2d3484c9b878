// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/settings.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/http/httpclient.h"

#include <nlohmann/json_fwd.hpp>

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
// The code of the error that its answer is ("AuthorizationFailed"); empty: it names none. Printable.
std::string managerCodeOf(const http::Response &response);
// The address of the next page; empty: there is none. Fails with Parse if it is on another server than `address`: a
// token must not leave it.
[[nodiscard]] base::Result<std::string> nextPage(std::string nextLink, const std::string &address);
// "00000000-0000-0000-0000-000000000000", in upper or lower case.
bool isGuid(std::string_view text);
// The number of the subscription that a path is in, in lower case; empty: it is in none.
std::string subscriptionIn(std::string_view path);
// The time in a member of an answer; std::nullopt: none, or one that was never set, which is that of the year 1.
std::optional<base::UtcTime> instantIn(const nlohmann::json &object, const char *key);

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"

#include <array>
#include <string>
#include <string_view>

namespace gpuledger::azure {

// One of Azure's clouds; addresses without a path.
struct Cloud {
    const char *resourceManager, *login;
    const char *blobs; // end of the host of a storage account
};
inline constexpr std::array<Cloud, 3> kClouds{
    {{"https://management.azure.com", "https://login.microsoftonline.com", ".blob.core.windows.net"},
     {"https://management.usgovcloudapi.net", "https://login.microsoftonline.us", ".blob.core.usgovcloudapi.net"},
     {"https://management.chinacloudapi.cn", "https://login.chinacloudapi.cn", ".blob.core.chinacloudapi.cn"}}};

// Where tokens come from, and for whom. Value type.
struct Login {
    std::string address; // without a path
    std::string tenant; // GUID or domain; only for a client credential
    std::string audience; // whose token is asked for: https://management.azure.com

    // The settings `auth`, `login` and `tenant`. `cloud`: where it is used unless `login` says otherwise. Fails with
    // InvalidConfig (an access that Azure does not know, a secret over plain http, no tenant).
    [[nodiscard]] static base::Result<Login> of(const model::SourceSettings &settings, const Cloud &cloud,
                                                std::string audience);
};

// The setting of this name; empty: not set.
std::string optionOf(const model::SourceSettings &settings, const char *key);
// "https://host" or "https://host:1234", without a path and the port of the scheme. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::string> originOf(const std::string &url);
// ASCII letters and digits, and `others`.
bool consistsOf(std::string_view text, std::string_view others);
// ASCII letters in lower case: ids of Azure change their case from day to day.
std::string lowerCase(std::string text);
// InvalidConfig: `source "NAME" WHAT`.
tl::unexpected<base::Error> wrongSetting(const model::SourceSettings &settings, const std::string &what,
                                         base::Hint hint = {});

} // namespace gpuledger::azure

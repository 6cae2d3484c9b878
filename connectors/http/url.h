// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::http {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// Where a request goes. Value type, any thread.
struct Url {
    std::string scheme; // http or https
    std::string host; // lower case, IPv6 without brackets
    std::string port; // always set
    std::string path;

    std::string origin() const;
    bool loopback() const;
};

// Fails with InvalidConfig: not a URL, another scheme than http or https, or a user name inside (a credential belongs
// in `auth`).
[[nodiscard]] base::Result<Url> parseUrl(std::string_view text);
bool sameOrigin(const Url &a, const Url &b);
// 127.0.0.0/8, ::1 and the name localhost; nothing that merely looks like them.
bool isLoopbackHost(std::string_view host);
// Where a machine of a cloud is told about itself: 169.254.0.0/16 and fd00:ec2::/32. What is sent there stays on its
// host.
bool isMetadataHost(std::string_view host);
// For messages and logs: no query, no fragment, no user name, printable.
std::string shownUrl(std::string_view url);
// application/x-www-form-urlencoded, also right for a query string.
std::string formEncode(const Parameters &parameters);

} // namespace gpuledger::http

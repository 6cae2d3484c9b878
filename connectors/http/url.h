// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::http {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// The parts of an http or https address. Value type; any thread.
struct Url {
    std::string scheme; // http or https
    std::string host; // lower case, IPv6 without brackets
    std::string port; // always set
    std::string path;

    std::string origin() const;
    bool loopback() const;
};

// Fails with InvalidConfig: not a URL, a scheme other than http or https, or a user name in it (credentials belong in
// `auth`).
[[nodiscard]] base::Result<Url> parseUrl(std::string_view text);
bool sameOrigin(const Url &a, const Url &b);
// 127.0.0.0/8, ::1 and the name localhost, but nothing that merely looks like them.
bool isLoopbackHost(std::string_view host);
// The link-local addresses where a cloud instance finds its metadata: 169.254.0.0/16 and fd00:ec2::/32. Requests to
// them stay on the host.
bool isMetadataHost(std::string_view host);
// For messages and logs: without query, fragment and user name, and printable.
std::string shownUrl(std::string_view url);
// Percent-encoded but for unreserved characters (RFC 3986) and, on request, slashes.
enum class Slashes { Encode, Keep };
std::string percentEncoded(std::string_view text, Slashes slashes);
// application/x-www-form-urlencoded, also valid for a query string.
std::string formEncode(const Parameters &parameters);

} // namespace gpuledger::http

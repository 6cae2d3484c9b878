// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "connectors/http/httpclient.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::opencost {

// How to query one server. Value type; one thread at a time.
struct Endpoint {
    std::string base; // as the user typed it, without a trailing slash
    std::string prefix; // "/model" or empty
    http::Parameters headers;
    std::string caFile;
    std::shared_ptr<const http::Credentials> credentials;
    http::Timeouts timeouts;
};

inline constexpr std::size_t kMostBytes = 96u << 20; // per answer

// "1760054400,1760140800": the only form of window that no server moves.
std::string windowOf(base::Day day);

// `path` is relative to the prefix, e.g. "/assets".
http::Request makeRequest(const Endpoint &endpoint, std::string_view path, const http::Parameters &parameters);

// Why an answer cannot be used; std::nullopt if it is worth parsing. Errors are plain text, JSON, or both in one body;
// a web page with status 200 is a login page. Codes: as http::statusError, and Unsupported for 501.
std::optional<base::Error> refusal(const Endpoint &endpoint, const http::Response &response);
// A page of a user interface, whatever its status.
bool isWebPage(const http::Response &response);

} // namespace gpuledger::opencost

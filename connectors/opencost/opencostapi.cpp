// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/opencost/opencostapi.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::opencost {

using base::ErrorCode;

namespace {

constexpr std::size_t kMaxErrorBody = 64u << 10;
constexpr std::size_t kShownBytes = 300;

// The server's error message: the text before a JSON error, otherwise the message in it.
std::string wordsOf(std::string_view body)
{
    if (body.size() > kMaxErrorBody)
        return {};
    const std::size_t brace = body.find('{');
    const std::string plain = base::printableLine(body.substr(0, brace), kShownBytes);
    if (!plain.empty() || brace == std::string_view::npos)
        return plain;
    const auto json = format::parseJson(body);
    return json ? base::printableLine(format::textOf(*json, "message"), kShownBytes) : std::string();
}

} // namespace

std::string windowOf(base::Day day)
{
    return std::to_string(base::toUnix(day.start())) + ',' + std::to_string(base::toUnix(day.end()));
}

http::Request makeRequest(const Endpoint &endpoint, std::string_view path, const http::Parameters &parameters)
{
    http::Request request;
    request.url = endpoint.base + endpoint.prefix + std::string(path);
    if (!parameters.empty())
        request.url += '?' + http::formEncode(parameters);
    request.headers = endpoint.headers;
    request.headers.emplace_back("Accept", "application/json");
    request.credentials = endpoint.credentials;
    request.caFile = endpoint.caFile;
    request.timeouts = endpoint.timeouts;
    request.maxBytes = kMostBytes;
    return request;
}

bool isWebPage(const http::Response &response)
{
    std::string type = response.contentType.substr(0, 9);
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    const std::size_t first = response.body.find_first_not_of(" \t\r\n");
    return type == "text/html" || (first != std::string::npos && response.body[first] == '<');
}

std::optional<base::Error> refusal(const Endpoint &endpoint, const http::Response &response)
{
    const std::string url = http::shownUrl(endpoint.base);
    std::optional<base::Error> error = http::statusError(response, endpoint.base);
    if (!error) {
        if (isWebPage(response))
            return base::Error::make(ErrorCode::Unauthorized, url + " returned a web page instead of data",
                                     base::Remedy::SetCredentialOrInternalAddress);
        if (!response.body.empty())
            return std::nullopt;
        error = base::Error::make(ErrorCode::Parse, url + " returned an empty response");
        error->retryable = true;
        return error;
    }
    if (response.status == 501) {
        error->code = ErrorCode::Unsupported;
        error->retryable = false;
        error->hint.clear();
    }
    if (response.status == 404)
        error->hint = base::text(base::Remedy::CheckOpenCostPath);
    if (!isWebPage(response)) {
        if (const std::string words = wordsOf(response.body); !words.empty())
            error->text += ": " + words;
    }
    return error;
}

} // namespace gpuledger::opencost

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/textfetch.h"

#include <utility>

namespace gpuledger::http {

namespace {

constexpr std::chrono::minutes kLongestFetch{5};
constexpr std::size_t kLongestTag = 1024; // a longer one is not kept
constexpr int kNotModified = 304;

// No credential was sent, so none can be wrong. A server that fails may have the list later.
base::Error listError(base::Error error, const Response &response, const std::string &url)
{
    const std::string shown = shownUrl(url);
    if (response.status == 401)
        error.text = shown + " asks for a login (HTTP 401), and a list is fetched without one";
    if (error.retryable || response.status >= 500 || response.status == 407)
        return error;
    return base::Error::make(error.code, std::move(error.text), "check that " + shown + " is where the list is");
}

} // namespace

base::Result<ports::FetchedText> fetchText(HttpClient &client, const ports::TextRequest &wanted,
                                           const std::stop_token &stop)
{
    Request request;
    request.url = wanted.url;
    request.maxBytes = wanted.maxBytes;
    request.timeouts.total = kLongestFetch;
    request.keepHeaders = {"etag"};
    if (!wanted.tag.empty())
        request.headers.emplace_back("If-None-Match", wanted.tag);
    auto response = client.perform(std::move(request), stop);
    if (!response)
        return base::fail(std::move(response).error());
    ports::FetchedText out;
    out.bytes = response->wireBytes;
    if (response->status == kNotModified && !wanted.tag.empty()) {
        out.isUnchanged = true;
        return out;
    }
    if (auto error = statusError(*response, wanted.url))
        return base::fail(listError(std::move(*error), *response, wanted.url));
    if (response->status != 200)
        return base::fail(base::ErrorCode::Server,
                          shownUrl(wanted.url) + " sent no list (HTTP " + std::to_string(response->status) + ')');
    out.text = std::move(response->body);
    for (auto &[name, value] : response->headers) {
        if (name == "etag" && value.size() <= kLongestTag)
            out.tag = std::move(value);
    }
    return out;
}

} // namespace gpuledger::http

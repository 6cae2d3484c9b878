// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/textfetch.h"

#include <utility>

namespace gpuledger::http {

namespace {

constexpr std::chrono::minutes kLongestFetch{5};
constexpr std::size_t kLongestTag = 1024; // a longer one is not kept
constexpr int kNotModified = 304;

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
        return base::fail(error->code, std::move(error->text),
                          "check that " + shownUrl(wanted.url) + " is where the list is");
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

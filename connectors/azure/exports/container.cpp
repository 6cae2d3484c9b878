// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/exports/container.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/azure/exports/bloblist.h"
#include "connectors/format/xmltree.h"

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using format::ObjectPage;
using format::StoredObject;

namespace {

constexpr const char *kVersion = "2021-12-02"; // of the API
constexpr std::size_t kShownMessage = 300; // bytes
constexpr std::size_t kShownBlobName = 512;
constexpr std::size_t kMostErrorBody = 64u << 10;

std::string encoded(const std::string &text)
{
    return http::percentEncoded(text, http::Slashes::Encode);
}

struct BlobFault {
    std::string code, message; // printable
};

// <Error><Code>…</Code><Message>…</Message></Error>; the code is in a header, too.
BlobFault faultIn(const http::Response &response)
{
    BlobFault out{errorCodeOf(response), {}};
    if (response.body.size() > kMostErrorBody)
        return out;
    const auto root = format::parseXml(response.body);
    if (!root || root->name != "Error")
        return out;
    if (out.code.empty())
        out.code = base::printableLine(root->textAt("Code"), kShownMessage);
    const std::string message = root->textAt("Message"); // lines about the request follow
    out.message = base::printableLine(message.substr(0, message.find('\n')), kShownMessage);
    return out;
}

// A blob that was listed and is another one, or none, by now.
bool isChanged(int status, const std::string &code)
{
    return status == 412 || (status == 404 && code == "BlobNotFound");
}

} // namespace

bool isAccountName(std::string_view text)
{
    constexpr std::size_t kShortest = 3, kLongest = 24;
    return text.size() >= kShortest && text.size() <= kLongest
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos;
}

bool isContainerName(std::string_view text)
{
    constexpr std::size_t kShortest = 3, kLongest = 63;
    return text.size() >= kShortest && text.size() <= kLongest && text.front() != '-' && text.back() != '-'
        && text.find("--") == std::string_view::npos
        && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

std::optional<base::Error> blobRefusalOf(const http::Response &response, const BlobWords &words)
{
    std::optional<base::Error> error = http::statusError(response, words.container);
    const BlobFault fault = error ? faultIn(response) : BlobFault{};
    if (!error || isChanged(response.status, fault.code))
        return std::nullopt;
    for (const std::string &part : {fault.code, fault.message}) {
        if (!part.empty())
            error->text += ": " + part;
    }
    if (response.status == 403 && fault.code == "AuthenticationFailed") {
        error->code = ErrorCode::Unauthorized;
        error->hint = base::text(base::Remedy::CheckAuth);
    } else if (response.status == 403) {
        error->code = ErrorCode::Forbidden;
        error->text += "; nothing of this bill is shown without " + words.needed;
        error->hint = words.remedy;
    } else if (response.status == 404) {
        error->hint = base::text(base::Remedy::CheckAzureExportPlace);
    }
    return error;
}

Container::Container(std::unique_ptr<AzureApi> api, BlobWords words)
    : m_api(std::move(api))
    , m_words(std::move(words))
{
}

std::string Container::nameOf(const std::string &key) const
{
    return m_words.container + '/' + key;
}

Result<std::string> Container::get(http::Request request, const std::string &key, const std::stop_token &stop)
{
    m_missingRight.clear();
    request.headers.emplace_back("x-ms-version", kVersion);
    request.decodesBody = false;
    auto response = m_api->ask(request, stop);
    if (response && http::statusError(*response, {}))
        return base::fail(format::changedObject(base::printable(nameOf(key), kShownBlobName)));
    if (response)
        return std::move(response->body);
    if (response.error().code == ErrorCode::Forbidden)
        m_missingRight = m_words.right;
    return base::fail(response.error());
}

Result<ObjectPage> Container::page(const std::string &prefix, const std::string &token, const std::stop_token &stop)
{
    http::Request request;
    request.url = m_words.container + "?restype=container&comp=list&prefix=" + encoded(prefix);
    if (!token.empty())
        request.url += "&marker=" + encoded(token);
    const auto body = get(std::move(request), prefix, stop);
    GPULEDGER_TRY(body);
    return blobPageOf(*body);
}

Result<std::string> Container::piece(const StoredObject &object, std::uint64_t from, std::uint64_t bytes,
                                     const std::stop_token &stop)
{
    http::Request request;
    request.url = m_words.container + '/' + http::percentEncoded(object.key, http::Slashes::Keep);
    request.headers.emplace_back("If-Match", object.etag);
    if (bytes < object.bytes)
        request.headers.emplace_back("Range", "bytes=" + std::to_string(from) + '-' + std::to_string(from + bytes - 1));
    return get(std::move(request), object.key, stop);
}

} // namespace gpuledger::azure

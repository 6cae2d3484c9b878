// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/auth/sigv4.h"

#include "app/base/crypto/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace gpuledger::auth {

using base::Result;

namespace {

constexpr char kAlgorithm[] = "AWS4-HMAC-SHA256";
constexpr char kTokenHeader[] = "X-Amz-Security-Token";
constexpr std::string_view kHexUpper = "0123456789ABCDEF";
// Proxies and libcurl change these on the way.
constexpr std::array<std::string_view, 7> kUnsigned{
    "authorization", "connection", "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id", "accept-encoding"};

using Digest = std::array<unsigned char, 32>;

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

bool isUnreserved(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'
        || c == '.' || c == '~';
}

std::string encoded(std::string_view text, bool keepSlash)
{
    std::string out;
    for (const char c : text) {
        if (isUnreserved(c) || (keepSlash && c == '/')) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kHexUpper[byte >> 4];
        out += kHexUpper[byte & 15];
    }
    return out;
}

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string decoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool two =
            text[i] == '%' && i + 2 < text.size() && hexValue(text[i + 1]) >= 0 && hexValue(text[i + 2]) >= 0;
        if (!two) {
            out += text[i];
            continue;
        }
        out += static_cast<char>(hexValue(text[i + 1]) * 16 + hexValue(text[i + 2]));
        i += 2;
    }
    return out;
}

// Trimmed, with runs of spaces collapsed to one.
std::string squeezed(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c != ' ' && c != '\t')
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

// The parts of an address as they are sent.
struct Target {
    std::string host, path, query;
};

Result<Target> targetOf(std::string_view address)
{
    const auto url = http::parseUrl(address);
    GPULEDGER_TRY(url);
    address = address.substr(0, address.find('#'));
    address.remove_prefix(std::min(address.size(), address.find("://") + 3));
    const std::size_t end = std::min(address.size(), address.find_first_of("/?"));
    Target out;
    out.host = address.substr(0, end);
    const std::string standard = url->scheme == "https" ? ":443" : ":80";
    if (out.host.ends_with(standard))
        out.host.resize(out.host.size() - standard.size());
    address.remove_prefix(end);
    const std::size_t question = std::min(address.size(), address.find('?'));
    out.path = address.substr(0, question);
    if (question < address.size())
        out.query = address.substr(question + 1);
    return out;
}

// RFC 3986, 5.2.4; empty segments are also removed.
std::string canonicalPath(std::string_view path)
{
    std::vector<std::string_view> kept;
    bool closed = true; // ends with a slash
    while (!path.empty()) {
        path.remove_prefix(path.front() == '/' ? 1 : 0);
        const std::size_t end = std::min(path.size(), path.find('/'));
        const std::string_view segment = path.substr(0, end);
        path.remove_prefix(end);
        closed = segment.empty() || segment == "." || segment == "..";
        if (segment == ".." && !kept.empty())
            kept.pop_back();
        else if (!closed)
            kept.push_back(segment);
    }
    std::string out;
    for (const std::string_view segment : kept)
        out += '/' + encoded(segment, false);
    return out.empty() || closed ? out + '/' : out;
}

std::string canonicalQuery(std::string_view query)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    while (!query.empty()) {
        const std::size_t end = std::min(query.size(), query.find('&'));
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(query.size(), end + 1));
        const std::size_t equals = std::min(pair.size(), pair.find('='));
        if (!pair.empty())
            pairs.emplace_back(encoded(decoded(pair.substr(0, equals)), false),
                               encoded(decoded(pair.substr(std::min(pair.size(), equals + 1))), false));
    }
    std::sort(pairs.begin(), pairs.end());
    std::string out;
    for (const auto &[name, value] : pairs)
        out += (out.empty() ? "" : "&") + name + '=' + value;
    return out;
}

std::map<std::string, std::string> canonicalHeaders(const http::Request &request, const std::string &host)
{
    std::map<std::string, std::string> all{{"host", host}};
    if (request.method == "POST" && !request.contentType.empty())
        all["content-type"] = squeezed(request.contentType);
    for (const auto &[name, value] : request.headers) {
        const std::string key = lower(name);
        if (std::find(kUnsigned.begin(), kUnsigned.end(), key) != kUnsigned.end())
            continue;
        const auto [it, isNew] = all.emplace(key, squeezed(value));
        if (!isNew)
            it->second += ',' + squeezed(value);
    }
    if (request.credentials && !request.credentials->bearerHeader.empty())
        all[lower(request.credentials->bearerHeader)] = request.credentials->bearer.reveal();
    return all;
}

Digest hmac(const unsigned char *key, std::size_t size, std::string_view text)
{
    Digest out{};
    unsigned int length = 0;
    HMAC(EVP_sha256(), key, static_cast<int>(size), reinterpret_cast<const unsigned char *>(text.data()), text.size(),
         out.data(), &length);
    return out;
}

std::string hex(const Digest &digest)
{
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    for (const unsigned char byte : digest) {
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
    }
    return out;
}

std::string sign(const base::Secret &secretKey, const std::string &date, const SigV4Scope &scope,
                 std::string_view stringToSign)
{
    std::string first = "AWS4";
    first.reserve(4 + secretKey.reveal().size()); // growing would leave a copy behind
    first += secretKey.reveal();
    Digest key = hmac(reinterpret_cast<const unsigned char *>(first.data()), first.size(), date);
    OPENSSL_cleanse(first.data(), first.size());
    for (const std::string_view part : {std::string_view(scope.region), std::string_view(scope.service),
                                        std::string_view("aws4_request"), stringToSign}) {
        Digest next = hmac(key.data(), key.size(), part);
        OPENSSL_cleanse(key.data(), key.size());
        key = next;
        OPENSSL_cleanse(next.data(), next.size());
    }
    return hex(key);
}

// "20150830T123600Z"
std::string stampOf(base::UtcTime at)
{
    std::string stamp = base::toRfc3339(at);
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
    return stamp;
}

std::string scopeText(const std::string &date, const SigV4Scope &scope)
{
    return date + '/' + scope.region + '/' + scope.service + "/aws4_request";
}

} // namespace

Result<SigV4Parts> sigV4Parts(const http::Request &request, const base::Secret &secretKey, const SigV4Scope &scope,
                              base::UtcTime at)
{
    const auto target = targetOf(request.url);
    GPULEDGER_TRY(target);
    SigV4Parts parts;
    std::string &text = parts.canonicalRequest;
    const bool isStore = scope.service == "s3"; // its keys may have any segments
    const std::string path = isStore && !target->path.empty() ? target->path : canonicalPath(target->path);
    text = request.method + '\n' + path + '\n' + canonicalQuery(target->query) + '\n';
    for (const auto &[name, value] : canonicalHeaders(request, target->host)) {
        text += name + ':' + value + '\n';
        parts.signedHeaders += (parts.signedHeaders.empty() ? "" : ";") + name;
    }
    text += '\n' + parts.signedHeaders + '\n' + base::sha256Hex(request.body);
    const std::string stamp = stampOf(at);
    const std::string date = stamp.substr(0, 8);
    parts.stringToSign =
        std::string(kAlgorithm) + '\n' + stamp + '\n' + scopeText(date, scope) + '\n' + base::sha256Hex(text);
    parts.signature = sign(secretKey, date, scope, parts.stringToSign);
    return parts;
}

Result<void> signRequest(http::Request &request, const AwsKeys &keys, const SigV4Scope &scope, base::UtcTime at)
{
    const std::string stamp = stampOf(at);
    request.headers.emplace_back("X-Amz-Date", stamp);
    if (!keys.sessionToken.empty()) {
        auto credentials = std::make_shared<http::Credentials>();
        credentials->bearer = keys.sessionToken.clone();
        credentials->bearerHeader = kTokenHeader;
        request.credentials = std::move(credentials);
    }
    auto parts = sigV4Parts(request, keys.secretKey, scope, at);
    GPULEDGER_TRY(parts);
    request.headers.emplace_back("Authorization",
                                 std::string(kAlgorithm) + " Credential=" + keys.accessKeyId + '/'
                                     + scopeText(stamp.substr(0, 8), scope) + ", SignedHeaders=" + parts->signedHeaders
                                     + ", Signature=" + parts->signature);
    return {};
}

} // namespace gpuledger::auth

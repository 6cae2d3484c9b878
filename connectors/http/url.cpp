// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/url.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <curl/curl.h>

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace gpuledger::http {

namespace {

using CurlUrl = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string part(CURLU *url, CURLUPart what, unsigned flags = 0)
{
    char *text = nullptr;
    if (curl_url_get(url, what, &text, flags) != CURLUE_OK)
        return {};
    std::string copy(text);
    curl_free(text);
    return copy;
}

// In lower case; an IPv6 address without brackets.
std::string hostOf(CURLU *url)
{
    std::string host = part(url, CURLUPART_HOST);
    std::transform(host.begin(), host.end(), host.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (host.size() > 2 && host.front() == '[')
        host = host.substr(1, host.size() - 2);
    return host;
}

bool unreserved(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '~';
}

void appendEncoded(std::string &out, std::string_view text, Slashes slashes = Slashes::Encode)
{
    static constexpr char kHex[] = "0123456789ABCDEF";
    for (const char c : text) {
        if (unreserved(c) || (c == '/' && slashes == Slashes::Keep)) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
        }
    }
}

} // namespace

std::string Url::origin() const
{
    const bool bracket = host.find(':') != std::string::npos;
    return scheme + "://" + (bracket ? '[' + host + ']' : host) + ':' + port;
}

bool Url::loopback() const
{
    return isLoopbackHost(host);
}

base::Result<Url> parseUrl(std::string_view text)
{
    const auto wrong = [&](std::string why) {
        return base::fail(base::ErrorCode::InvalidConfig, "\"" + shownUrl(text) + "\" " + std::move(why),
                          base::Remedy::WriteServerAddress);
    };
    CurlUrl url(curl_url(), &curl_url_cleanup);
    if (!url || text.find('\0') != std::string_view::npos
        || curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), 0) != CURLUE_OK)
        return wrong("is not a URL");
    Url out;
    out.scheme = part(url.get(), CURLUPART_SCHEME);
    if (out.scheme != "http" && out.scheme != "https")
        return wrong("is neither http nor https");
    if (!part(url.get(), CURLUPART_USER).empty() || !part(url.get(), CURLUPART_PASSWORD).empty())
        return wrong("contains a user name: put a reference to the credentials under auth of the source");
    out.host = hostOf(url.get());
    out.port = part(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
    out.path = part(url.get(), CURLUPART_PATH);
    // libcurl decodes a host once, so it reads "%30x7f.1" as "0x7f.1", which a resolver takes for 127.0.0.1. A host
    // that a second decoding would change is rejected, so that no check of a host can be bypassed by its spelling.
    CurlUrl again(curl_url(), &curl_url_cleanup);
    if (!again || curl_url_set(again.get(), CURLUPART_URL, out.origin().c_str(), 0) != CURLUE_OK
        || hostOf(again.get()) != out.host)
        return wrong("has an ambiguous host");
    return out;
}

bool sameOrigin(const Url &a, const Url &b)
{
    return a.scheme == b.scheme && a.host == b.host && a.port == b.port;
}

bool isLoopbackHost(std::string_view host)
{
    if (host == "localhost")
        return true;
    const std::string text(host);
    in_addr v4{};
    if (inet_pton(AF_INET, text.c_str(), &v4) == 1)
        return (ntohl(v4.s_addr) >> 24) == 127;
    in6_addr v6{};
    return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool isMetadataHost(std::string_view host)
{
    const std::string text(host);
    in_addr v4{};
    if (inet_pton(AF_INET, text.c_str(), &v4) == 1)
        return (ntohl(v4.s_addr) >> 16) == 0xA9FE;
    in6_addr v6{};
    return inet_pton(AF_INET6, text.c_str(), &v6) == 1 && v6.s6_addr[0] == 0xFD && v6.s6_addr[1] == 0
        && v6.s6_addr[2] == 0x0E && v6.s6_addr[3] == 0xC2;
}

std::string shownUrl(std::string_view url)
{
    url = url.substr(0, url.find_first_of("?#"));
    std::string text(url);
    const std::size_t scheme = text.find("://");
    const std::size_t from = scheme == std::string::npos ? 0 : scheme + 3;
    const std::size_t at = text.substr(from, text.find('/', from) - from).rfind('@');
    if (at != std::string::npos)
        text.erase(from, at + 1);
    return base::printable(text, 300);
}

std::string percentEncoded(std::string_view text, Slashes slashes)
{
    std::string out;
    appendEncoded(out, text, slashes);
    return out;
}

std::string formEncode(const Parameters &parameters)
{
    std::string out;
    for (const auto &[name, value] : parameters) {
        if (!out.empty())
            out += '&';
        appendEncoded(out, name);
        out += '=';
        appendEncoded(out, value);
    }
    return out;
}

} // namespace gpuledger::http

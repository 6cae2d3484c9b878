// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/curltransfer.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpuledger::http {

namespace {

using base::ErrorCode;

constexpr int kMaxRedirects = 5;
constexpr std::size_t kMaxHeaderBytes = 256u << 10;

std::string noProxy()
{
    const std::string_view all = "*"; // libcurl accepts it only on its own
    std::string list = "localhost,127.0.0.1,::1";
    for (const char *name : {"no_proxy", "NO_PROXY"}) {
        if (const char *value = std::getenv(name); value && *value) {
            if (value == all)
                return std::string(all);
            list += ',';
            list += value;
            break;
        }
    }
    return list;
}

// libcurl copies the text; our copy is wiped.
void setSecret(CURL *easy, CURLoption option, const base::Secret &secret)
{
    std::string copy(secret.reveal());
    curl_easy_setopt(easy, option, copy.c_str());
    explicit_bzero(copy.data(), copy.size());
}

// libcurl reads it in place: the credentials live as long as the transfer.
void setBlob(CURL *easy, CURLoption option, const base::Secret &secret)
{
    curl_blob blob{const_cast<char *>(secret.reveal().data()), secret.reveal().size(), CURL_BLOB_NOCOPY};
    curl_easy_setopt(easy, option, &blob);
}

// A header may contain a credential.
void freeWiped(curl_slist *list)
{
    for (curl_slist *one = list; one; one = one->next)
        explicit_bzero(one->data, std::strlen(one->data));
    curl_slist_free_all(list);
}

void keepHeader(std::string_view line, const std::vector<std::string> &wanted, Parameters &kept)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
        return;
    const std::size_t from = line.find_first_not_of(" \t", colon + 1);
    const std::size_t to = line.find_last_not_of(" \t\r\n");
    if (from != std::string_view::npos && to >= from)
        kept.emplace_back(std::move(name), std::string(line.substr(from, to - from + 1)));
}

base::Remedy tlsRemedy(std::string_view message)
{
    const auto has = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
    if (has("expired") || has("not yet valid"))
        return base::Remedy::RenewCertificate;
    if (has("self-signed") || has("self signed") || has("local issuer") || has("unable to get issuer"))
        return base::Remedy::SetCertificateAuthority;
    if (has("subject name") || has("host name") || has("altnames"))
        return base::Remedy::UseCertificateName;
    return base::Remedy::AskServerOperator;
}

} // namespace

CurlTransfer::CurlTransfer(Request request, Url url, std::stop_token stop, HttpClient::Completion done)
    : m_request(std::move(request))
    , m_url(std::move(url))
    , m_stop(std::move(stop))
    , m_done(std::move(done))
{
}

CurlTransfer::~CurlTransfer()
{
    m_onStop.reset();
    if (m_easy)
        curl_easy_cleanup(m_easy);
    freeWiped(m_headers);
    curl_slist_free_all(m_connectTo);
}

void CurlTransfer::wakeOnStop(std::function<void()> wake)
{
    m_onStop.emplace(m_stop, std::move(wake));
}

base::Result<void> CurlTransfer::prepare()
{
    if (m_easy)
        curl_easy_reset(m_easy);
    else
        m_easy = curl_easy_init();
    if (!m_easy)
        return base::fail(ErrorCode::Internal, "libcurl could not be initialized");
    freeWiped(m_headers);
    m_headers = nullptr;
    m_response = Response{};
    m_received = m_headerBytes = 0;
    m_cut = Cut::No;
    setUp();
    setUpBody();
    setUpProxy();
    setUpServerName();
    curl_easy_setopt(m_easy, CURLOPT_HTTPHEADER, m_headers);
    setUpTls();
    setUpCredentials();
    return {};
}

void CurlTransfer::setUp()
{
    const auto set = [this](auto option, auto value) { curl_easy_setopt(m_easy, option, value); };
    set(CURLOPT_URL, m_request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    set(CURLOPT_NOPROXY, m_request.toMachine && isMetadataHost(m_url.host) ? "*" : noProxy().c_str());
    const bool isAssumed = m_request.assumesHttp2 && m_url.scheme == "http";
    set(CURLOPT_HTTP_VERSION,
        static_cast<long>(isAssumed ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS));
    set(CURLOPT_PIPEWAIT, 1L);
    set(CURLOPT_USERAGENT, "gpuledger");
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(m_request.timeouts.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(m_request.timeouts.total.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, kSlowBytesPerSecond);
    set(CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(m_request.timeouts.silent.count() / 1000)));
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(m_request.maxBytes));
    // Compression costs more than it saves on loopback; a body that is compressed anyway is decompressed.
    if (m_request.decodesBody)
        set(CURLOPT_ACCEPT_ENCODING, m_url.loopback() ? "identity" : "gzip, deflate");
    set(CURLOPT_ERRORBUFFER, m_message.data());
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_WRITEFUNCTION, &CurlTransfer::onBody);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &CurlTransfer::onHeader);
    set(CURLOPT_HEADERDATA, this);
    for (const auto &[name, value] : m_request.headers)
        m_headers = curl_slist_append(m_headers, (name + ": " + value).c_str());
    if (const Credentials *c = m_request.credentials.get(); c && !c->bearerHeader.empty()) {
        std::string line = c->bearerHeader + ": " + std::string(c->bearer.reveal());
        m_headers = curl_slist_append(m_headers, line.c_str());
        explicit_bzero(line.data(), line.size());
    }
    // libcurl 7.88 begins HTTP/2 once more on a connection that has begun with it, which breaks it.
    if (m_request.once || isAssumed)
        set(CURLOPT_FRESH_CONNECT, 1L);
    set(CURLOPT_FORBID_REUSE, isAssumed ? 1L : 0L);
}

void CurlTransfer::setUpBody()
{
    const auto set = [this](auto option, auto value) { curl_easy_setopt(m_easy, option, value); };
    const bool post = m_request.method == "POST";
    if (post || !m_request.body.empty()) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDS, m_request.body.c_str());
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(m_request.body.size()));
        m_headers = curl_slist_append(m_headers, ("Content-Type: " + m_request.contentType).c_str());
        m_headers = curl_slist_append(m_headers, "Expect:");
    }
    if (!post && m_request.method != "GET")
        set(CURLOPT_CUSTOMREQUEST, m_request.method.c_str());
}

void CurlTransfer::setUpProxy()
{
    if (m_request.proxy.empty())
        return;
    curl_easy_setopt(m_easy, CURLOPT_PROXY, m_request.proxy.c_str());
    curl_easy_setopt(m_easy, CURLOPT_NOPROXY, ""); // the proxy was configured for this very server
}

// libcurl takes the name to verify from the url, so the url gets that name and the connection is directed to the
// original host.
void CurlTransfer::setUpServerName()
{
    if (m_request.serverName.empty() || m_url.scheme != "https")
        return;
    const std::string real = m_url.origin().substr(std::strlen("https://"));
    const std::size_t scheme = m_request.url.find("://");
    const std::size_t end = std::min(m_request.url.find_first_of("/?#", scheme + 3), m_request.url.size());
    const std::string url =
        "https://" + m_request.serverName + ':' + m_url.port + m_request.url.substr(end, std::string::npos);
    const std::string route = m_request.serverName + ':' + m_url.port + ':' + real;
    curl_slist_free_all(m_connectTo);
    m_connectTo = curl_slist_append(nullptr, route.c_str());
    m_headers = curl_slist_append(m_headers, ("Host: " + real).c_str());
    curl_easy_setopt(m_easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(m_easy, CURLOPT_CONNECT_TO, m_connectTo);
}

void CurlTransfer::setUpTls()
{
    const auto set = [this](auto option, auto value) { curl_easy_setopt(m_easy, option, value); };
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!m_request.caPem.empty()) {
        curl_blob blob{m_request.caPem.data(), m_request.caPem.size(), CURL_BLOB_COPY};
        set(CURLOPT_CAINFO_BLOB, &blob);
        set(CURLOPT_CAPATH, nullptr); // these authorities and no others
    } else if (!m_request.caFile.empty()) {
        set(CURLOPT_CAINFO, m_request.caFile.c_str());
        set(CURLOPT_CAPATH, nullptr);
    }
    if (m_request.credentials && !m_request.credentials->certificatePem.empty()) {
        setBlob(m_easy, CURLOPT_SSLCERT_BLOB, m_request.credentials->certificatePem);
        setBlob(m_easy, CURLOPT_SSLKEY_BLOB, m_request.credentials->keyPem);
    } else if (m_request.credentials && !m_request.credentials->certificateFile.empty()) {
        set(CURLOPT_SSLCERT, m_request.credentials->certificateFile.c_str());
        set(CURLOPT_SSLKEY, m_request.credentials->keyFile.c_str());
    }
}

void CurlTransfer::setUpCredentials()
{
    if (!m_request.credentials)
        return;
    const Credentials &c = *m_request.credentials;
    if (!c.bearer.empty() && c.bearerHeader.empty()) {
        curl_easy_setopt(m_easy, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
        setSecret(m_easy, CURLOPT_XOAUTH2_BEARER, c.bearer);
    } else if (!c.user.empty() || !c.password.empty()) {
        curl_easy_setopt(m_easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(m_easy, CURLOPT_USERNAME, c.user.c_str());
        setSecret(m_easy, CURLOPT_PASSWORD, c.password);
    }
}

std::size_t CurlTransfer::onBody(char *data, std::size_t size, std::size_t count, void *self)
{
    auto &t = *static_cast<CurlTransfer *>(self);
    const std::size_t bytes = size * count;
    t.m_received += bytes; // counted after decompression, to catch a small decompression bomb too
    if (t.m_received > t.m_request.maxBytes) {
        t.m_cut = Cut::Body;
        return 0;
    }
    if (t.m_request.consumer) {
        if (t.m_request.consumer({data, bytes}))
            return bytes;
        t.m_cut = Cut::Consumer;
        return 0;
    }
    t.m_response.body.append(data, bytes);
    return bytes;
}

std::size_t CurlTransfer::onHeader(char *data, std::size_t size, std::size_t count, void *self)
{
    auto &t = *static_cast<CurlTransfer *>(self);
    t.m_headerBytes += size * count;
    if (t.m_headerBytes <= kMaxHeaderBytes) {
        if (!t.m_request.keepHeaders.empty())
            keepHeader({data, size * count}, t.m_request.keepHeaders, t.m_response.headers);
        return size * count;
    }
    t.m_cut = Cut::Headers;
    return 0;
}

base::Result<Response> CurlTransfer::conclude(CURLcode code, bool &again)
{
    again = false;
    if (code != CURLE_OK)
        return base::fail(failure(code));
    long status = 0;
    curl_easy_getinfo(m_easy, CURLINFO_RESPONSE_CODE, &status);
    m_response.status = static_cast<int>(status);
    const char *type = nullptr;
    curl_easy_getinfo(m_easy, CURLINFO_CONTENT_TYPE, &type);
    m_response.contentType = type ? type : "";
    curl_off_t retryAfter = 0;
    curl_off_t bytes = 0;
    curl_easy_getinfo(m_easy, CURLINFO_RETRY_AFTER, &retryAfter);
    curl_easy_getinfo(m_easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes);
    if (retryAfter > 0)
        m_response.retryAfter = base::Seconds(retryAfter);
    m_response.wireBytes = static_cast<std::uint64_t>(std::max<curl_off_t>(0, bytes));
    const bool redirect = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    return redirect && m_request.followsRedirects ? redirected(again) : base::Result<Response>(std::move(m_response));
}

base::Result<Response> CurlTransfer::redirected(bool &again)
{
    const char *target = nullptr;
    curl_easy_getinfo(m_easy, CURLINFO_REDIRECT_URL, &target);
    if (!target)
        return std::move(m_response);
    const base::Result<Url> next = parseUrl(target);
    if (!next || !sameOrigin(*next, m_url)) {
        return base::fail(
            ErrorCode::InvalidConfig,
            shownUrl(m_request.url) + " redirects to " + shownUrl(target)
                + ", which is another server: the redirect was not followed, and no credential was sent there",
            base::Remedy::SetFinalAddressOrLogIn);
    }
    if (++m_redirects > kMaxRedirects) {
        return base::fail(ErrorCode::Server, shownUrl(m_request.url) + " redirects too many times",
                          base::Remedy::CheckUrlAndProxy);
    }
    m_request.url = target;
    if (m_response.status == 303) {
        m_request.method = "GET";
        m_request.body.clear();
    }
    again = true;
    return std::move(m_response);
}

base::Error CurlTransfer::failure(CURLcode code) const
{
    const std::string url = shownUrl(m_request.url);
    const std::string detail = base::printable(m_message[0] ? m_message.data() : curl_easy_strerror(code), 200);
    const auto make = [](ErrorCode kind, std::string text, base::Hint hint, bool retryable) {
        base::Error error = base::Error::make(kind, std::move(text), std::move(hint));
        error.retryable = retryable;
        return error;
    };
    const std::string mib = std::to_string(m_request.maxBytes >> 20) + " MiB";
    if (m_cut == Cut::Body || code == CURLE_FILESIZE_EXCEEDED)
        return make(ErrorCode::TooMuch, url + " sent more than " + mib + "; the response was discarded", "", false);
    if (m_cut == Cut::Headers)
        return make(ErrorCode::TooMuch, url + " sent more than 256 KiB of headers; the response was discarded", "",
                    false);
    long tunnel = 0;
    curl_easy_getinfo(m_easy, CURLINFO_HTTP_CONNECTCODE, &tunnel);
    if (tunnel >= 400) {
        Response refused;
        refused.status = static_cast<int>(tunnel);
        if (tunnel == 407)
            return *statusError(refused, m_request.url);
        return make(ErrorCode::Network,
                    url + " can't be reached: the proxy refused the connection (HTTP " + std::to_string(tunnel) + ')',
                    base::Remedy::BypassProxy, tunnel >= 500);
    }
    switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
        return make(ErrorCode::Timeout, url + " did not respond in time", base::Remedy::CheckServerLoad, true);
    case CURLE_COULDNT_RESOLVE_HOST:
        return make(ErrorCode::Network, "the host name in " + url + " can't be resolved", base::Remedy::CheckHostName,
                    true);
    case CURLE_COULDNT_RESOLVE_PROXY:
        return make(ErrorCode::Network, "the host name of the proxy can't be resolved", base::Remedy::CheckProxy, true);
    case CURLE_COULDNT_CONNECT:
        return make(ErrorCode::Network, url + " can't be reached: " + detail, base::Remedy::CheckServerAndPort, true);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_USE_SSL_FAILED:
        return make(ErrorCode::Tls, url + " can't be trusted: " + detail, tlsRemedy(detail), false);
    case CURLE_BAD_CONTENT_ENCODING:
        return make(ErrorCode::Parse, url + " sent a response that can't be decompressed", "", true);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return make(ErrorCode::InvalidConfig, url + " is not a valid address", base::Remedy::CheckUrl, false);
    default:
        return make(ErrorCode::Network, "the connection to " + url + " broke: " + detail, "", true);
    }
}

void CurlTransfer::finish(base::Result<Response> result)
{
    m_onStop.reset();
    if (m_done)
        m_done(std::move(result));
    m_done = nullptr;
}

} // namespace gpuledger::http

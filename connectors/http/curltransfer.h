// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/httpclient.h"

#include <curl/curl.h>

#include <array>
#include <optional>

namespace gpuledger::http {

// One request in flight through libcurl. Owned by the loop of CurlHttpClient and used on its thread only.
class CurlTransfer {
public:
    CurlTransfer(Request request, Url url, std::stop_token stop, HttpClient::Completion done);
    ~CurlTransfer();
    CurlTransfer(const CurlTransfer &) = delete;
    CurlTransfer &operator=(const CurlTransfer &) = delete;

    // Prepares the easy handle for curl_multi_add_handle. Fails with Internal.
    [[nodiscard]] base::Result<void> prepare();
    // The outcome of the transfer. `again` is set if the answer was a redirect that may be followed: call prepare()
    // again.
    [[nodiscard]] base::Result<Response> conclude(CURLcode code, bool &again);
    void finish(base::Result<Response> result);

    CURL *handle() const { return m_easy; }
    std::string host() const { return m_url.origin(); }
    bool cancelled() const { return m_stop.stop_requested(); }
    // Calls `wake` when a stop is requested, during the lifetime of this object.
    void wakeOnStop(std::function<void()> wake);

private:
    static std::size_t onBody(char *data, std::size_t size, std::size_t count, void *self);
    static std::size_t onHeader(char *data, std::size_t size, std::size_t count, void *self);
    void setUp();
    void setUpBody();
    void setUpProxy();
    void setUpServerName();
    void setUpTls();
    void setUpCredentials();
    base::Result<Response> redirected(bool &again);
    base::Error failure(CURLcode code) const;

    Request m_request;
    Url m_url;
    std::stop_token m_stop;
    HttpClient::Completion m_done;
    std::optional<std::stop_callback<std::function<void()>>> m_onStop;
    CURL *m_easy = nullptr;
    curl_slist *m_headers = nullptr;
    curl_slist *m_connectTo = nullptr;
    std::array<char, CURL_ERROR_SIZE> m_message{};
    Response m_response;
    std::size_t m_received = 0;
    std::size_t m_headerBytes = 0;
    int m_redirects = 0;
    enum class Cut { No, Body, Headers, Consumer } m_cut = Cut::No;
};

} // namespace gpuledger::http

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/curlhttpclient.h"

#include "app/base/remedy.h"
#include "connectors/http/curlglobal.h"
#include "connectors/http/curltransfer.h"

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuledger::http {

namespace {

using Transfer = std::unique_ptr<CurlTransfer>;

bool namesCredential(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name == "authorization" || name == "cookie" || name.find("api-key") != std::string::npos
        || name.find("token") != std::string::npos;
}

// A credential sent to another machine over plain http could be intercepted.
base::Result<void> checkConfidential(const Request &request, const Url &url)
{
    for (const auto &[name, value] : request.headers) {
        if ((name + value).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
            return base::fail(base::ErrorCode::InvalidConfig, "a header value contains a line break",
                              base::Remedy::CheckHeaders);
    }
    const bool secret = (request.credentials && request.credentials->inHeaders())
        || std::any_of(request.headers.begin(), request.headers.end(),
                       [](const auto &h) { return namesCredential(h.first); });
    if (!secret || url.scheme == "https" || url.loopback() || (request.toMachine && isMetadataHost(url.host)))
        return {};
    return base::fail(base::ErrorCode::InvalidConfig,
                      shownUrl(request.url) + " is plain http on another machine: the credential was not sent",
                      base::Remedy::UseHttps);
}

base::Error cancelled()
{
    return base::Error::make(base::ErrorCode::Cancelled, "cancelled");
}

} // namespace

class CurlHttpClient::Loop {
public:
    Loop()
        : m_multi((initCurl(), curl_multi_init()))
    {
        curl_multi_setopt(m_multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
        curl_multi_setopt(m_multi, CURLMOPT_MAX_HOST_CONNECTIONS, static_cast<long>(kMaxInFlightPerHost));
        m_thread = std::jthread([this](const std::stop_token &stop) { run(stop); });
    }

    ~Loop()
    {
        m_thread.request_stop();
        wake();
        m_thread.join();
        curl_multi_cleanup(m_multi);
    }

    void add(Transfer transfer)
    {
        transfer->wakeOnStop([this] { wake(); });
        {
            const std::lock_guard lock(m_mutex);
            m_incoming.push_back(std::move(transfer));
        }
        wake();
    }

private:
    void wake() { curl_multi_wakeup(m_multi); }

    void run(const std::stop_token &stop)
    {
        while (!stop.stop_requested()) {
            takeIncoming();
            dropCancelled();
            startPending();
            int running = 0;
            curl_multi_perform(m_multi, &running);
            if (collectFinished())
                continue; // their slots are free at once
            curl_multi_poll(m_multi, nullptr, 0, 1000, nullptr);
        }
        takeIncoming();
        while (!m_active.empty())
            remove(m_active.begin())->finish(base::fail(cancelled()));
        for (Transfer &t : m_pending)
            t->finish(base::fail(cancelled()));
        m_pending.clear();
    }

    void takeIncoming()
    {
        const std::lock_guard lock(m_mutex);
        m_pending.splice(m_pending.end(), m_incoming);
    }

    void dropCancelled()
    {
        for (auto it = m_active.begin(); it != m_active.end();) {
            const auto here = it++;
            if (here->second->cancelled()) {
                curl_easy_setopt(here->first, CURLOPT_QUICK_EXIT, 1L); // don't wait for a name lookup
                remove(here)->finish(base::fail(cancelled()));
            }
        }
        for (auto it = m_pending.begin(); it != m_pending.end();) {
            if (!(*it)->cancelled()) {
                ++it;
                continue;
            }
            Transfer t = std::move(*it);
            it = m_pending.erase(it);
            t->finish(base::fail(cancelled()));
        }
    }

    void startPending()
    {
        for (auto it = m_pending.begin(); it != m_pending.end();) {
            int &busy = m_busy[(*it)->host()];
            if (busy >= kMaxInFlightPerHost) {
                ++it;
                continue;
            }
            Transfer t = std::move(*it);
            it = m_pending.erase(it);
            if (auto ready = t->prepare(); !ready) {
                t->finish(base::fail(std::move(ready).error()));
                continue;
            }
            ++busy;
            curl_multi_add_handle(m_multi, t->handle());
            CURL *const handle = t->handle();
            m_active.emplace(handle, std::move(t));
        }
    }

    bool collectFinished()
    {
        bool any = false;
        int left = 0;
        while (const CURLMsg *message = curl_multi_info_read(m_multi, &left)) {
            if (message->msg != CURLMSG_DONE)
                continue;
            const CURLcode code = message->data.result;
            Transfer t = remove(m_active.find(message->easy_handle));
            any = true;
            bool again = false;
            auto result = t->conclude(code, again);
            if (again)
                m_pending.push_back(std::move(t));
            else
                t->finish(std::move(result));
        }
        return any;
    }

    Transfer remove(std::map<CURL *, Transfer>::iterator it)
    {
        Transfer t = std::move(it->second);
        m_active.erase(it);
        const auto busy = m_busy.find(t->host());
        if (--busy->second == 0)
            m_busy.erase(busy);
        curl_multi_remove_handle(m_multi, t->handle());
        return t;
    }

    CURLM *m_multi;
    std::mutex m_mutex;
    std::list<Transfer> m_incoming; // guarded by m_mutex; the members below belong to the thread
    std::list<Transfer> m_pending;
    std::map<CURL *, Transfer> m_active;
    std::map<std::string, int> m_busy;
    std::jthread m_thread;
};

CurlHttpClient::CurlHttpClient()
    : m_loop(std::make_unique<Loop>())
{
}

CurlHttpClient::~CurlHttpClient() = default;

void CurlHttpClient::submit(Request request, std::stop_token stop, Completion done)
{
    base::Result<Url> url = parseUrl(request.url);
    if (!url) {
        done(base::fail(std::move(url).error()));
        return;
    }
    if (auto safe = checkConfidential(request, *url); !safe) {
        done(base::fail(std::move(safe).error()));
        return;
    }
    m_loop->add(std::make_unique<CurlTransfer>(std::move(request), std::move(*url), std::move(stop), std::move(done)));
}

} // namespace gpuledger::http

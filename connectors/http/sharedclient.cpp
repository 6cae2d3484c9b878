// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/sharedclient.h"

#include "connectors/http/curlhttpclient.h"

namespace gpuledger::http {

std::shared_ptr<HttpClient> SharedClient::get()
{
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<HttpClient> client = m_client.lock();
    if (!client) {
        client = std::make_shared<CurlHttpClient>();
        m_client = client;
    }
    return client;
}

} // namespace gpuledger::http

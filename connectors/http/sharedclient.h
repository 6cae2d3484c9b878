// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/httpclient.h"

#include <memory>
#include <mutex>

namespace gpuledger::http {

// The network thread of all sources: begins with the first that needs it and ends with the last. Any thread.
class SharedClient {
public:
    // The caller shares ownership.
    std::shared_ptr<HttpClient> get();

private:
    std::mutex m_mutex;
    std::weak_ptr<HttpClient> m_client;
};

} // namespace gpuledger::http

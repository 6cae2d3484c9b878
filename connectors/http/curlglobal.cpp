// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/curlglobal.h"

#include <curl/curl.h>

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstdlib>
#include <mutex>

namespace gpuledger::http {

void initCurl()
{
    static std::once_flag once;
    std::call_once(once, [] {
        unsetenv("SSLKEYLOGFILE"); // session keys must not end up in a file
#ifdef M_MMAP_THRESHOLD
        // By default, glibc keeps the memory of ever larger bodies in fragments, in an arena per thread.
        mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
        curl_global_init(CURL_GLOBAL_DEFAULT);
    });
}

} // namespace gpuledger::http

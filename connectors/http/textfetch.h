// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/textfetch.h"
#include "connectors/http/httpclient.h"

namespace gpuledger::http {

// Fetches a text without credentials, only if it changed since the caller has it (ETag, RFC 9110 13.1.2). Redirects
// stay on the server. One attempt of at most five minutes. Blocks. Fails as HttpClient does, and for every status but
// 200 and 304.
[[nodiscard]] base::Result<ports::FetchedText> fetchText(HttpClient &client, const ports::TextRequest &request,
                                                         const std::stop_token &stop);

} // namespace gpuledger::http

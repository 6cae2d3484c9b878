// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::http {

// Prepares libcurl for the process. Call it before any other use of libcurl; only the first call does something. Any
// thread.
void initCurl();

} // namespace gpuledger::http

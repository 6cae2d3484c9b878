// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::store {

// How far a source was fetched, and how the last attempt ended.
struct SyncState {
    std::string source;
    base::TimeRange covered; // everything in it was fetched and stored
    std::optional<base::UtcTime> lastSuccess;
    std::optional<base::UtcTime> lastAttempt;
    std::string lastError; // empty after a success; plain text, redacted
    std::string lastErrorCode;
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0; // of the last run
};

} // namespace gpuledger::store

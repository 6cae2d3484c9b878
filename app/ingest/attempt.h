// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"
#include "app/base/time/time.h"
#include "app/store/ledgerstore.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::ingest {

// How an attempt to read a source ended.
struct Attempt {
    base::UtcTime now{};
    std::uint64_t accepted = 0, rejected = 0, gaps = 0, bytes = 0;
    std::optional<base::Error> error; // empty: it succeeded
};

// Records it in the cache; what was covered, and the last success of a failed attempt, stay. Returns the attempt's
// error, or else that of the record.
std::optional<base::Error> recorded(store::LedgerStore &cache, const std::string &source, const Attempt &attempt);

} // namespace gpuledger::ingest

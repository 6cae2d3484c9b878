// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ports/costsource.h"
#include "app/store/ledgerstore.h"

#include <optional>
#include <string>

// Remembers in the cache what the requests of sources cost. Any thread.
namespace gpuledger::ingest {

// The first second of a time's UTC month.
base::UtcTime monthOf(base::UtcTime t);

// What the requests of a source have cost in a UTC month.
struct PaidMonth {
    base::UtcTime month{};
    ports::PaidCalls calls;
};
// Of the latest month in which a request of the source cost something; std::nullopt: there is none. Fails with Storage…
// codes.
[[nodiscard]] base::Result<std::optional<PaidMonth>> paidCalls(store::LedgerStore &cache, const std::string &source);
// Adds to it. Fails with Overflow, CurrencyMismatch or Storage… codes.
[[nodiscard]] base::Result<void> addPaid(store::LedgerStore &cache, const std::string &source,
                                         const ports::PaidCalls &calls, base::UtcTime at);

} // namespace gpuledger::ingest

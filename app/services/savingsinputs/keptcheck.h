// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ledger/ledger.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/ledgerstore.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gpuledger::services {

// What became of a comparison of the stored days of savings with their facts.
struct KeptCheck {
    std::vector<base::Day> wrong; // ascending
    std::size_t compared = 0; // days
};

// Makes stored days again from attributed time and compares them byte by byte: `most` of them, spread over the past,
// the first and the last among them, or all (std::nullopt). Only those that are stored under the rules in use: others
// are never read. `generation` is the cache's from before the facts of `attribution` were opened; none is compared if
// it changed meanwhile. Blocking, any thread; memory has the usage of one day. Fails with Storage… codes.
[[nodiscard]] base::Result<KeptCheck> checkKeptDays(store::LedgerStore &cache, std::int64_t generation,
                                                    const ledger::Ledger &ledger, const model::Settings &settings,
                                                    store::AttributionReader &attribution,
                                                    std::optional<std::size_t> most);

} // namespace gpuledger::services

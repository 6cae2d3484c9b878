// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/bill.h"
#include "app/store/values/billed.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::store {

// A key that an earlier delivery with other files had already supplied. The earlier delivery's data for it are gone.
struct ReplacedBill {
    model::BillKey key;
    std::vector<std::string> before, now; // file paths
    std::int64_t lines = 0; // number of lines that the earlier files had for the key
    BillTotals amounts; // amounts of these lines; a currency whose sum does not fit is left out
    // Files in `before` that are not in `now` and still exist: both supply the key, and only one counts. Filled in by
    // app/ingest.
    std::vector<std::string> stillThere;
};

// What was found out about the keys of a delivery when it was stored.
struct BillFindings {
    std::vector<ReplacedBill> replaced; // by a delivery with other file names
    std::vector<std::pair<model::BillKey, std::string>> twice; // the other source also has lines for the key
};

} // namespace gpuledger::store

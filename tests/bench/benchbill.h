// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <cstdint>
#include <filesystem>

namespace gpuledger::bench {

struct BillPlan {
    base::UtcTime month{};
    base::UtcTime monthEnd{};
    std::int64_t resources = 0, periods = 0;
    std::int64_t seconds = 3600; // of one charge period
    std::int64_t teams = 40;
};

// A FOCUS file of what a company of so many teams and 20 accounts is billed: each resource once in each period. Ends
// the program where it can't be written.
void writeBill(const std::filesystem::path &path, const BillPlan &plan);

} // namespace gpuledger::bench

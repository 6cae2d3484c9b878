// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <filesystem>

namespace gpuledger::bench {

struct BillPlan {
    base::UtcTime month{};
    base::UtcTime monthEnd{};
    std::int64_t resources = 0, periods = 0;
    std::int64_t seconds = 3600; // length of a charge period
    std::int64_t teams = 40;
};

// A FOCUS file with the bill of a company with `plan.teams` teams and 20 accounts: one line per resource and charge
// period. Terminates the program if the file can't be written.
void writeBill(const std::filesystem::path &path, const BillPlan &plan);

} // namespace gpuledger::bench

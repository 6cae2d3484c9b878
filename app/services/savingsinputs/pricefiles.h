// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/prices/skypilotprices.h"

#include <optional>
#include <string>
#include <vector>

// Reads price lists from files. Blocking; any thread.
namespace gpuledger::services {

struct PriceLists;

struct PriceFiles {
    std::vector<std::string> prices; // SkyPilot catalogues, or folders of them: CLOUD/vms.csv and CLOUD_vms….csv
    std::vector<std::string> own; // CSV files with offers
    std::optional<base::Day> seen; // of the catalogues, which have no date
};

// Fails with NotFound (no such file, or nothing to read in a folder), InvalidArgument (not in that form, or it is not
// said which cloud the prices are of) and TooMuch (a file above 64 MiB, more than 1000 files).
[[nodiscard]] base::Result<savings::QuoteList> readPriceFiles(const PriceFiles &files, const PriceLists &lists);

} // namespace gpuledger::services

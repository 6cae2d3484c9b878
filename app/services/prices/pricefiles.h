// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/prices/skypilotprices.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Reads price lists from files and texts. Blocking; any thread.
namespace gpuledger::services {

struct PriceLists;

struct PriceFiles {
    std::vector<std::string> prices; // SkyPilot catalogues, or folders of them: CLOUD/vms.csv and CLOUD_vms….csv
    std::vector<std::string> own; // CSV files with offers
    std::optional<base::Day> seen; // of the catalogues, which have no date
    std::string provider = {}; // of the catalogues; empty: as their names say
};

// A list that was fetched.
struct FetchedPrices {
    std::string name; // its address, which may say whose prices it has
    std::string text;
    bool isOwn = false; // own offers; otherwise a SkyPilot catalogue
    std::optional<base::Day> seen;
    std::string provider;
};

inline constexpr std::uintmax_t kLargestPriceFile = 64U << 20; // bytes

// Fails with NotFound (no such file, or nothing to read in a folder), InvalidArgument (not in that form, or it is not
// said which cloud the prices are of) and TooMuch (a file above 64 MiB, more than 1000 files).
[[nodiscard]] base::Result<savings::QuoteList> readPriceFiles(const PriceFiles &files, const PriceLists &lists);
// Fails with InvalidArgument. Its name is the source of its prices.
[[nodiscard]] base::Result<savings::QuoteList> readFetchedPrices(const FetchedPrices &fetched, const PriceLists &lists);

// Identifies what a text becomes when this version of the program reads it: the readers, and the embedded lists that
// name GPUs and machines. What was stored under another one has to be read again, also if the text is the same.
std::string priceReading();

} // namespace gpuledger::services

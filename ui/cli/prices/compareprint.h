// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/crossover/moving.h"
#include "ui/cli/program/output.h"

#include <optional>
#include <string>
#include <vector>

// Prints prices of GPU machines side by side, for `compare`. Pure; any thread.
namespace gpuledger::cli {

struct CompareAnswer {
    savings::QuoteList list; // compared: see savings::compareQuotes()
    base::Day today; // ages are counted from it
    std::optional<std::size_t> most; // rows of each currency
    std::vector<std::string> notes; // sentences about sources that were not asked
    std::optional<savings::Moving> moving; // of data, if it counts
    std::vector<std::optional<savings::MovedTotal>> moved; // for each quote, if it counts; absent: another currency
};

Json compareJson(const CompareAnswer &answer);
std::string compareCsv(const CompareAnswer &answer);
// Offers that differ in region or zone alone are one row, and count once for `most`; without it, 30 rows are shown.
std::string compareText(const CompareAnswer &answer, bool bold);

} // namespace gpuledger::cli

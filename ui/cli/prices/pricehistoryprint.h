// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/prices/listedprices.h"
#include "ui/cli/program/output.h"

#include <optional>
#include <string>
#include <vector>

// Prints how prices of lists changed, for `compare --history`. Pure; any thread.
namespace gpuledger::cli {

struct PriceHistoryAnswer {
    std::vector<services::ListedPrice> prices; // by offer, each from its oldest price to its newest
    std::optional<std::size_t> most; // offers
    std::vector<std::string> notes; // sentences about lists that were not read
};

Json historyJson(const PriceHistoryAnswer &answer);
std::string historyCsv(const PriceHistoryAnswer &answer);
// Without `most`, 30 offers are shown.
std::string historyText(const PriceHistoryAnswer &answer, bool bold);

} // namespace gpuledger::cli

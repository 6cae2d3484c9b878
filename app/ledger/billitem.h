// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/pricebook.h"
#include "app/model/bill.h"
#include "app/model/ledgerline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// What a line of a bill is about, as far as the ledger asks. Made of its texts alone.
struct BillItem {
    model::LedgerCategory category = model::LedgerCategory::Other; // of a line that is no time of a GPU machine
    // Usage that is measured in time, or of which no unit is told: the only kind that can be a machine's.
    bool timed = false;
    std::int64_t secondsPerUnit = 0; // of the consumed quantity; 0: not known
    const PriceBook::Machine *machine = nullptr; // a GPU machine, by its instance type
    std::int64_t gpus = 0; // of one machine, as the SKU says; 0: it does not
    std::string cloud;
    std::string resource; // lower case
    std::string resourceName; // lower case
    std::vector<std::string> segments; // of the resource
    std::string instanceType, region; // lower case; empty: not told

    bool isGpuMachine() const { return timed && (machine != nullptr || gpus > 0); }
};
BillItem describe(const model::BillLine &line, const PriceBook &prices);

// Seconds of a unit of time as bills write it ("Hrs", "Hours", "Second"); 0: it is none.
std::int64_t secondsOfUnit(std::string_view unit);

// Pieces of a resource id between "/" and ":", in lower case, without empty ones.
std::vector<std::string> segmentsOf(std::string_view lowerCaseId);

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/prices/pricebook.h"
#include "app/model/money/bill.h"
#include "app/model/money/ledgerline.h"
#include "app/store/values/billed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// What a bill line is about, as far as the ledger needs to know. Derived from the line's texts alone.
struct BillItem {
    model::LedgerCategory category = model::LedgerCategory::Other; // of a line that is not GPU machine time
    // The usage is measured in time, or the bill gives no unit: only such a line can be for a machine.
    bool timed = false;
    std::int64_t secondsPerUnit = 0; // of the consumed quantity; 0 = unknown
    const PriceBook::Machine *machine = nullptr; // a GPU machine, by its instance type
    std::int64_t gpus = 0; // per machine, according to the SKU; 0 = not given
    // A GPU machine by the family of its instance type, which the price list does not have: model and number of GPUs
    // are unknown.
    bool unknownType = false;
    std::string cloud;
    std::string resource; // lower case
    std::string resourceName; // lower case
    std::vector<std::string> segments; // of the resource
    std::string instanceType, region; // lower case; empty if not given

    bool isGpuMachine() const { return timed && (machine != nullptr || gpus > 0 || unknownType); }
};
BillItem describe(const model::BillLine &line, const PriceBook &prices);

// GPU time that a bill item paid for, in base::GpuTime ticks; std::nullopt: unknown.
std::optional<std::int64_t> gpuTicksOf(const store::BilledItem &billed, const BillItem &item);

// Seconds in a time unit as bills write it ("Hrs", "Hours", "Second"); 0 if it is not a time unit.
std::int64_t secondsOfUnit(std::string_view unit);

// The non-empty segments of a resource id between "/" and ":", in lower case.
std::vector<std::string> segmentsOf(std::string_view lowerCaseId);

} // namespace gpuledger::ledger

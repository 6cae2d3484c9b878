// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/time/time.h"
#include "app/model/money/pricequote.h"

#include <optional>
#include <string>
#include <vector>

// What a change of infrastructure would cost, as a tool estimates it before the change is made. Plain values.
namespace gpuledger::model {

// What it uses and costs in a month of 730 hours.
struct PlannedUse {
    std::optional<base::Decimal> hours; // of machines; empty: depends on use
    std::optional<base::Money> cost; // of machines and their GPUs; empty: unknown, never zero

    bool operator==(const PlannedUse &) const = default;
};

// The machines of one type that a resource of a plan consists of. All texts are printable.
struct PlannedMachine {
    std::string project, resource; // as the tool names them
    std::string cloud; // "aws", "azure", "gcp"
    std::string machine; // instance type, as written
    PurchaseOption purchase = PurchaseOption::OnDemand;
    std::string gpuName; // of GPUs that are priced apart from the machine; empty: none are
    std::optional<base::Decimal> gpuHours; // of these
    std::optional<PlannedUse> planned, before; // empty: it is not there after, or before, the change

    bool operator==(const PlannedMachine &) const = default;
};

// One file.
struct Plan {
    std::string file; // its name, without the folder
    std::optional<base::UtcTime> made; // empty: it does not say when
    base::Currency currency;
    bool tellsBefore = false; // whether it says what there was before the change
    std::vector<PlannedMachine> machines; // also those without GPUs
};

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/time/time.h"

#include <compare>
#include <map>
#include <string>
#include <vector>

// What Cost Management said about days. Plain values.
namespace gpuledger::azure {

// The parts of a bill. The values are stored.
enum class CostPart : char {
    Machine = 'm', // usage of virtual machines, by meter
    Service = 's', // everything else, by service and type of charge
    Rest = 'n', // what the groups of a day do not add up to
};

// The charges of one group on one UTC day.
struct CostRow {
    base::Day day;
    CostPart part = CostPart::Rest;
    base::Currency currency;
    std::string item; // Machine: meter ("NC24ads A100 v4 Spot"); Service: name of the service
    std::string charge; // ChargeType ("Usage", "Purchase"); empty: unknown
    std::string resource; // id in lower case; empty: unknown
    std::string subscription; // number (GUID); empty: unknown
    std::string tag; // value of the configured tag; empty: without it, or not asked
    base::Decimal billed, effective; // actual and amortized

    bool operator==(const CostRow &) const = default;
};

// One group of one answer. Groups that are not asked are empty.
struct CostCell {
    base::Day day;
    std::string currency; // code
    std::string first, second; // of the two groups

    auto operator<=>(const CostCell &) const = default;
};
using CostCells = std::map<CostCell, base::Decimal>;

// The answers of a month that make its rows, each in one view of the cost.
struct CostAnswers {
    CostCells total; // without groups
    CostCells services; // by service and type of charge: everything
    CostCells machines; // usage of virtual machines: by MachineGroups, and meter
};

// What the usage of machines is grouped by, beside the meter.
enum class MachineGroups : char { Resource = 'r', Subscription = 's', Tag = 't' };

inline constexpr const char *kMachineService = "Virtual Machines";
inline constexpr const char *kUsageCharge = "Usage";

} // namespace gpuledger::azure

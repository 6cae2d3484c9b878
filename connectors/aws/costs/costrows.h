// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/time/time.h"
#include "connectors/aws/accounts/accountnames.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What Cost Explorer said about days. Plain values.
namespace gpuledger::aws {

// The parts of a bill that are asked apart, because one call groups by two keys only. Each charge is in exactly one of
// them. The values are stored.
enum class CostPart : char {
    Usage = 'u', // of EC2 machines and SageMaker, at on-demand or spot prices; by usage type
    Covered = 'c', // the same, covered by a commitment; by usage type
    Service = 's', // usage of all other services; by service
    Record = 'r', // everything that is no usage: taxes, credits, fees; by type of record
    Rest = 'n', // the day's total that the parts do not add up to
};

// The charges of one group on one day.
struct CostRow {
    CostPart part = CostPart::Rest;
    std::string account; // twelve digits; empty: unknown
    std::string item; // usage type, service or type of record
    std::string tag; // value of the configured tag; empty: without it, or not asked
    base::Decimal billed, effective; // unblended and amortized, in the currency of the day
    std::optional<base::Decimal> quantity; // of one unit; std::nullopt: a mixture
    std::string unit; // "Hrs"

    bool operator==(const CostRow &) const = default;
};

// One UTC day, whole: its rows add up to what Cost Explorer gives as the total.
struct CostDay {
    bool isEstimate = true; // AWS may still change it
    base::Currency currency; // of every row; none without rows
    std::vector<CostRow> rows; // ascending by part, account, item and tag

    bool operator==(const CostDay &) const = default;
};
using CostDays = std::map<base::Day, CostDay>;

// The configuration of the questions.
struct CostQuery {
    std::string tag; // key of the tag by which the usage of GPU machines is split; empty: none
    bool isNet = false; // amounts after negotiated discounts

    // Days that were asked with another query do not belong together.
    std::string identity() const { return std::string(isNet ? "net " : "gross ") + tag; }
};

} // namespace gpuledger::aws

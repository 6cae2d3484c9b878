// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/model/money/bill.h"
#include "connectors/gcp/billsettings.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace gpuledger::gcp {

// One row of the answer: the cost of a group on one UTC day, or one kind of credit in it. Texts are printable; an empty
// one is unknown.
struct BillRow {
    base::Day day;
    std::string projectId, projectName, service, skuId, sku, region, zone;
    std::string resource, resourceName; // of the detailed export alone
    std::string machine; // machine type: "a2-highgpu-1g"
    bool isUnusedReservation = false;
    std::string costType; // "regular", "tax", "adjustment" or "rounding_error"
    model::Labels labels; // of the resource, else its tags, else those of its project
    std::string unit; // of the quantity: "hour", "gibibyte hour"
    std::string creditForm; // of the FOCUS export: kNetCost, kGrossCost or kUnclearCost
    std::string credit, creditName; // its type and name; both are empty for a cost
    base::Currency currency;
    base::Decimal amount;
    std::optional<base::Decimal> quantity;

    // `row`: {"f":[{"v":…},…]}. Fails with Parse (another number of cells, a day that can't be of this month, an amount
    // or currency that is none), or Overflow.
    [[nodiscard]] static base::Result<BillRow> of(const nlohmann::json &row, const base::TimeRange &month);
};

// The row as a line of the bill of `month`, without its number. Billed and effective cost are the same: the export
// spreads no fees. Fails with Overflow.
[[nodiscard]] base::Result<model::BillLine> lineOf(const BillRow &row, const BillSettings &settings,
                                                   const base::TimeRange &month);

} // namespace gpuledger::gcp

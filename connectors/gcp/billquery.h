// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/gcp/billsettings.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gpuledger::gcp {

// The columns of the answer, in this order; all are texts or null.
enum class BillColumn : std::size_t {
    Day,
    ProjectId,
    ProjectName,
    Service,
    SkuId,
    Sku,
    Region,
    Zone,
    Resource,
    ResourceName,
    Machine,
    UnusedReservation,
    CostType,
    Labels,
    Tags,
    ProjectLabels,
    Unit,
    Currency,
    CreditForm,
    Credit,
    CreditName,
    Amount,
    Quantity,
};
inline constexpr std::array<std::string_view, 23> kBillColumns{
    "day",         "project_id", "project_name", "service",        "sku_id",  "sku",
    "region",      "zone",       "resource",     "resource_name",  "machine", "unused_reservation",
    "cost_type",   "labels",     "tags",         "project_labels", "unit",    "currency",
    "credit_form", "credit",     "credit_name",  "amount",         "quantity"};
// What a row of the FOCUS export shows of its own BilledCost; empty where there are no credits, and for other exports.
inline constexpr std::string_view kNetCost = "net", kGrossCost = "gross"; // with and without its credits
inline constexpr std::string_view kUnclearCost = "unclear"; // neither, or both

// The bill of one invoice month, grouped by BigQuery: a row for the cost of each group, and one for each kind of credit
// in it, so that no cost is multiplied by its credits. Amounts are NUMERIC, each row of the export rounded to 1e-9 as
// Google's invoices are.
//
// What BilledCost of the FOCUS export is isn't taken for granted: of a row with credits k, ContractedCost is the cost
// before them and EffectiveCost that after them, so that BilledCost is net if it is ContractedCost + k or
// EffectiveCost, and gross if it is ContractedCost or EffectiveCost - k. Credits below kLeastCredit are left in the
// cost.
struct BillQuery {
    std::string sql; // with the parameters @month, @from and @until
    std::string month; // "202610", the invoice's
    base::TimeRange partitions; // the days of export that are scanned
};
BillQuery queryOf(const BillSettings &settings, const base::TimeRange &month);

// How long after the end of the month that follows an invoice month it may still change: as late as rows are exported,
// and as long as a backfill takes.
inline constexpr base::Seconds kSettles = 5 * base::kDay;

// The body of jobs.query. `id`: the same in every try, so that none runs twice; unused in a dry run, which scans
// nothing.
std::string queryBody(const BillQuery &query, const BillSettings &settings, bool isDryRun, const std::string &id);

// "2026-11-01".
std::string dateText(base::UtcTime day);

// Of the FOCUS export, in its currency.
inline constexpr std::string_view kLeastCredit = "0.000001", kSameCost = "0.0000001";

inline constexpr int kMostRowsOfPage = 10'000;

} // namespace gpuledger::gcp

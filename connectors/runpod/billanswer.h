// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/runpod/billrows.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

// Reads the answers of RunPod's billing (API v2). Amounts are taken from the text of their numbers. Plain functions.
namespace gpuledger::runpod {

// How the records of a family look.
struct FamilyShape {
    BillFamily family;
    const char *path; // below /v2/billing/
    const char *id; // member; "": none
    std::array<const char *, 4> parts; // members that add up to totalAmount; "": none
};
inline constexpr std::array<FamilyShape, 5> kFamilies{
    {{BillFamily::Pods, "pods", "podId", {"gpuAmount", "cpuAmount", "diskAmount", ""}},
     {BillFamily::Serverless, "serverless", "serverlessId", {"gpuAmount", "cpuAmount", "diskAmount", "feeAmount"}},
     {BillFamily::Volumes, "network-volumes", "networkVolumeId", {"standardAmount", "highPerformanceAmount", "", ""}},
     {BillFamily::Clusters, "clusters", "clusterId", {"gpuAmount", "diskAmount", "networkingAmount", ""}},
     {BillFamily::Endpoints, "endpoints", "", {"totalAmount", "", "", ""}}}};

inline constexpr std::size_t kMostRows = 200'000; // of a month

// Appends the amounts of an answer for `days`; zeros are left out, and what the parts of a record lack of its total is
// a row of its own. Fails with Parse (no such answer, another number of records than it says, days that were not asked,
// an amount that is none), Overflow, or TooMuch above kMostRows.
[[nodiscard]] base::Result<void> readRecords(const std::string &body, const FamilyShape &shape,
                                             const base::TimeRange &days, std::vector<BillRow> &rows);

// The answer of /v2/billing. Fails as readRecords.
[[nodiscard]] base::Result<AccountTotals> readTotals(const std::string &body, const base::TimeRange &days);

// Appends what the rows lack of the account's totals: each day's difference, and what the days lack of the total of
// `days`. Afterwards the rows add up to AccountTotals::all. Fails with Parse if the totals lack a day that has rows,
// and with Overflow.
[[nodiscard]] base::Result<void> addDifferences(const AccountTotals &totals, const base::TimeRange &days,
                                                std::vector<BillRow> &rows);

} // namespace gpuledger::runpod

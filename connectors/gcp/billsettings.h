// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/settings.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::gcp {

// The setting of the billing account, for tables with a name of their own.
inline constexpr std::string_view kBillingAccountKey = "billing_account";
// The setting of the projects whose committed use is read, separated by commas, or `none`.
inline constexpr std::string_view kCommitmentProjectsKey = "commitment_projects";

// The settings of a source in its own terms. The names are checked: nothing in them has a meaning in SQL or in an
// address. Value type.
struct BillSettings {
    std::string project, dataset, table; // where the export is
    std::string jobProject; // runs the queries, and pays for them
    std::string api; // address without the path of BigQuery: https://bigquery.googleapis.com
    std::string budgetsApi; // the same of the budgets: https://billingbudgets.googleapis.com
    std::string budgetAccount; // the billing account that has them: "01AB23-CD45EF-678901"; empty: not known
    std::string computeApi; // the same as `api` of Compute Engine, which has the commitments
    std::vector<std::string> commitmentProjects; // whose commitments are read, each once; at most 50
    std::uint64_t mostScanned = 20'000'000'000; // bytes of one query
    base::Seconds refresh{86400}; // months that are not final are asked for at most this often

    // The detailed export, which names resources.
    bool isDetailed() const;
    bool isFocus() const; // the FOCUS export, which does so, too
    // Whose bill it is: the billing account in the name of the table, else the table.
    std::string billingAccount() const;
    // Months that were asked with other settings do not belong together.
    std::string identity() const;

    // Fails with InvalidConfig, or with Unsupported (the export of prices).
    [[nodiscard]] static base::Result<BillSettings> of(const model::SourceSettings &settings);
};

// The project that the settings name. Fails with InvalidConfig.
[[nodiscard]] base::Result<std::string> projectOf(const model::SourceSettings &settings);
// Fails with InvalidConfig (neither a token nor none, which is the machine's service account; or another header).
[[nodiscard]] base::Result<void> checkGoogleAccess(const model::SourceSettings &settings);

} // namespace gpuledger::gcp

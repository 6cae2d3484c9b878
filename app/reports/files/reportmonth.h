// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/months/monthrecord.h"

#include <string>
#include <string_view>

// What the documents of a report's month are built from, as text: the same rows as for a closed month, whether or not
// it was closed, and its status. Pure; any thread.
namespace gpuledger::reports {

// The month of a report.
struct KeptMonth {
    MonthRecord record; // with its workloads
    MonthStatus status; // without objections
};

// JSON. Fails like encode().
[[nodiscard]] base::Result<std::string> toText(const KeptMonth &month);
// Parses text from an untrusted source. Fails with StorageCorrupt or StorageNewer.
[[nodiscard]] base::Result<KeptMonth> keptMonthOf(std::string_view text);

} // namespace gpuledger::reports

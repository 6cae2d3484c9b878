// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/reports/monthrecord.h"

#include <string>
#include <string_view>

// What the documents of a report's month are made of, as text: the same rows as of a closed month, whether it was
// closed or not, and how it stood. Pure; any thread.
namespace gpuledger::reports {

struct KeptMonth {
    MonthRecord record; // with its workloads
    MonthStatus status; // without objections
};

// JSON. Fails as encode() does.
[[nodiscard]] base::Result<std::string> toText(const KeptMonth &month);
// Of text from anywhere. Fails with StorageCorrupt or StorageNewer.
[[nodiscard]] base::Result<KeptMonth> keptMonthOf(std::string_view text);

} // namespace gpuledger::reports

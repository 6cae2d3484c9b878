// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/athena/athenasettings.h"
#include "connectors/aws/athena/athenatable.h"
#include "connectors/format/exports/monthquery.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuledger::aws {

// The query for the rows of one month, grouped by everything that the ledger tells apart, with hours as days. Its
// columns have the names that the readers of CUR 2.0 and FOCUS know. Value type.
struct MonthQuestion {
    static constexpr std::size_t kMostText = 262'144; // bytes of a query (StartQueryExecution)

    std::string sql;
    std::vector<std::string> columns; // of the answer, in order
    std::uint64_t bytes = 0; // the most that it scans

    // Fails with Unsupported (another table, or a column is missing without which nothing is counted) or TooMuch
    // (kMostText). Pure.
    [[nodiscard]] static base::Result<MonthQuestion> of(const AthenaSettings &settings, const AthenaTable &table,
                                                        const format::AskedMonthFiles &month);
};

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/costs/costrows.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::azure {

// A month as it was answered last, kept between syncs. Azure does not say which days are final: it restates the current
// month, and the one before until its invoice. So a month is final once it was asked after the end of the month that
// follows it. Value type.
struct KeptMonth {
    base::TimeRange range; // the month
    std::string identity; // of the settings that it was asked with
    base::UtcTime asked{}; // the last time that all answers were complete; the epoch: never
    base::UtcTime until{}; // the end of the days that were asked
    std::int64_t restated = 0; // how often an answer changed the rows
    bool wasImported = false; // lines of it were handed over
    std::vector<CostRow> rows; // ascending by day

    // Asked late enough. A clock that was ahead by more than a day counts as not asked.
    bool isFinal(base::UtcTime now) const;
    // The days to ask for now: the month until yesterday, or none.
    base::TimeRange due(base::UtcTime now, base::Seconds refresh) const;
    // Takes over an answer to due().
    void put(std::vector<CostRow> answer, base::UtcTime end, base::UtcTime now);

    std::string toText() const;
    // std::nullopt if the text is not one of toText() for this month: it is asked again.
    static std::optional<KeptMonth> fromText(const std::string &text, const base::TimeRange &month);
};

} // namespace gpuledger::azure

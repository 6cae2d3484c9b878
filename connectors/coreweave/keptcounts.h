// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "connectors/coreweave/nodecounts.h"

#include <map>
#include <string>

// What was counted in a month. It is kept between syncs, because the server forgets it, and the rate card may change.
namespace gpuledger::coreweave {

struct KeptDay {
    base::UtcTime asked{}; // when it was answered
    DayCount count;

    // Samples may come late, so a day is asked again for two days, at most once an hour.
    bool isDue(base::Day day, base::UtcTime now) const;
    bool operator==(const KeptDay &) const = default;
};

struct MonthCounts {
    std::map<base::Day, KeptDay> days;

    // Takes over an answer, unless it lacks more of the day than an earlier one: the server has forgotten some of it.
    void put(base::Day day, DayCount count, base::UtcTime now);

    std::string toText() const;
    // An empty text is an empty month. Fails with StorageNewer if the text is not one of toText().
    [[nodiscard]] static base::Result<MonthCounts> fromText(const std::string &text);
};

// Fail with the errors of the sink, and with StorageNewer.
[[nodiscard]] base::Result<MonthCounts> countsOf(const base::TimeRange &month, ports::BillSink &sink);
[[nodiscard]] base::Result<void> keepCounts(const base::TimeRange &month, const MonthCounts &counts,
                                            ports::BillSink &sink);

} // namespace gpuledger::coreweave

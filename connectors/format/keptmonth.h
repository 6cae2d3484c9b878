// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::format {

// What is kept between syncs of a month of a service that does not say what is final: not its rows, which the ledger
// has, but what they were. Value type.
struct KeptMonth {
    base::TimeRange range; // the month
    std::string identity; // of the settings that it was asked with
    base::UtcTime asked{}; // the last time that its answer was complete; the epoch: never
    std::string content; // identifies the rows of that answer; empty: none
    std::int64_t restated = 0; // how often an answer changed them
    bool wasImported = false; // lines of it were handed over
    bool isEstimated = false; // never final; not kept
    base::Seconds settles{0}; // how long after the end of the month that follows it may change; not kept

    // Asked after the end of the month that follows, and once it has settled. A clock that was ahead by more than a day
    // counts as not asked.
    bool isFinal(base::UtcTime now) const;
    bool isDue(base::UtcTime now, base::Seconds refresh) const;
    // Takes over an answer.
    void put(const std::string &rows, base::UtcTime now);
    // Identifies the bill of a source of this kind, in place of a hash of a file's bytes. A bill that changes and
    // changes back is a new one.
    std::string fileHash(const std::string &kind) const;

    std::string toText() const;
    // std::nullopt if the text is not one of toText() for this month: it is asked again.
    static std::optional<KeptMonth> fromText(const std::string &text, const base::TimeRange &month);
};

} // namespace gpuledger::format

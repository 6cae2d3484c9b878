// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/aws/costs/costrows.h"

#include <optional>
#include <string>

namespace gpuledger::aws {

// A month whose days have not become final by then is no longer asked for, unless days are missing.
inline constexpr base::Seconds kAskedAfterMonth{60 * 86400};
// After an attempt that cost money and failed, this long passes before the next one.
inline constexpr base::Seconds kPauseAfterFailure{3600};

// A month as it was answered so far. It is kept between syncs, so that no day is paid for twice. Value type.
struct KeptMonth {
    base::TimeRange range; // the month
    std::string identity; // of the query
    std::string account; // number of the account that was asked
    base::UtcTime asked{}; // the last time that an answer was complete
    std::int64_t restated = 0; // how often an answer changed the days, or AWS Organizations the names
    bool wasImported = false; // lines of it were handed over
    base::UtcTime failed{}; // the last time that an attempt cost money and failed; the epoch: none since `asked`
    std::string failure;
    CostDays days;
    AccountNames names; // that Cost Explorer gave
    AccountNames given; // by AWS Organizations, of accounts of this month; they win

    // The days to ask for now: everything from the first day that is missing or not final to yesterday, or nothing
    // while the last answer is younger than `refresh`. A clock that was far ahead counts as none.
    base::TimeRange due(base::UtcTime now, base::Seconds refresh) const;
    bool isPausing(base::UtcTime now) const; // after a failure
    // Takes over an answer.
    void put(const CostDays &answer, const AccountNames &moreNames, base::UtcTime now);

    // Takes over the names of accounts that this month is about. False if they were the same before.
    bool give(const AccountNames &all);
    AccountNames shownNames() const;
    std::string nameOf(const std::string &number) const; // empty: none

    std::string toText() const;
    // std::nullopt if the text is not one of toText() for this month: it is asked again.
    static std::optional<KeptMonth> fromText(const std::string &text, const base::TimeRange &month);
};

} // namespace gpuledger::aws

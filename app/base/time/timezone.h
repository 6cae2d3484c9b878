// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <memory>
#include <string>

namespace gpuledger::base {

// An IANA zone as a table of offsets, read once, so that look-ups are cheap and need no library call. Immutable value
// (shared table); any thread. Covers 1970 to 2100.
class TimeZone {
public:
    TimeZone(); // UTC
    // Fails with NotFound if the system's zone database has no such name.
    [[nodiscard]] static Result<TimeZone> find(std::string_view ianaName);
    // The zone of the system; UTC if it cannot be determined.
    static TimeZone system();

    const std::string &name() const;
    Seconds offsetAt(UtcTime t) const;
    // Wall-clock reading at an instant, as seconds since 1970-01-01 00:00 local.
    std::int64_t localSeconds(UtcTime t) const { return toUnix(t) + offsetAt(t).count(); }
    // 0 = Monday 00:00–01:00 … 167, in this zone. A repeated hour (end of DST) counts twice, a missing one not at all.
    int hourOfWeek(UtcTime t) const;
    int hourOfDay(UtcTime t) const;
    // Days since 1970-01-01 of the local calendar.
    std::int32_t localDay(UtcTime t) const;
    // First instant of a local calendar day; a day has 23, 24 or 25 hours (or a quarter-hour variant).
    UtcTime startOfLocalDay(std::int32_t localDay) const;
    // The instant of a wall-clock reading (as from localSeconds()): the earlier one if the reading occurs twice; if it
    // is skipped, the instant it would denote without the jump.
    UtcTime fromLocalSeconds(std::int64_t localSeconds) const;

private:
    struct Table;
    std::shared_ptr<const Table> m_table;
};

} // namespace gpuledger::base

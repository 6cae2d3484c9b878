// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/schedule/schedule.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

// The figures of a replayed schedule, without words; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

inline constexpr std::size_t kScheduleFewestWeeks = 3; // for a spread

__extension__ using ScheduleWide = __int128;

// An hour of the past lies in one local hour, or in parts of two where zones differ by parts of an hour.
inline constexpr int kScheduleHourQuarters = 4;

// The part of an hour's amount that falls in so many of its quarters.
ScheduleWide quartersOfAmount(std::int64_t nanos, int quarters);
// The work that a stop in these quarters would have cut: all of it if the whole hour is off, else what is more than the
// other quarters can have held.
base::GpuTime scheduleCut(const ScheduleHour &hour, int offQuarters);

// The off hours of one policy in which a workload held something, parts of hours added up. cut + unobserved <= held;
// money in nano-units.
struct ScheduleCount {
    std::int64_t held = 0, cut = 0, unobserved = 0;
    base::GpuTime cutTime; // real work in the cut hours
    ScheduleWide cost = 0, cutCost = 0;
};

enum class ScheduleLimit : std::uint8_t { None, Ended, Protected, Young, Unpriced, Unobserved, RealWork };

// Machine time that ends on machines that the same workloads share, in full, by hour of the past.
struct ScheduleShared {
    std::vector<std::int32_t> workloads; // indices, ascending
    std::map<std::int32_t, base::GpuTime> hours;
};

// What happened to one workload.
struct ScheduleFate {
    ScheduleLimit limit = ScheduleLimit::None; // Ended: it held nothing in the last week, and nothing else is set
    std::size_t policy = 0; // index into the rules'; with a limit, the last one
    ScheduleCount count;
    ScheduleWide saved = 0, ending = 0; // nano-units of the past; saved <= ending
    std::optional<MoneyBand> perMonth; // null: Young or Unpriced
    std::optional<base::Money> avoidable; // per month; null: as `perMonth`, or all of it is of unknown terms
    // Machine time that ends if everybody follows their policy: on machines of its own, by hour of the past (empty:
    // none), and on shared ones. Also in off hours that save nothing because work was cut or nothing was observed.
    std::vector<base::GpuTime> freed;
    std::vector<std::shared_ptr<const ScheduleShared>> shared; // the same for each of their workloads
    std::set<std::int32_t> with; // workloads that must be off too for `saved`
    std::vector<ScheduleWide> savedByHour, endingByHour; // only of the detailed one
    std::vector<int> off; // quarters, by hour of the past, in its owner's calendar; only of the detailed one
};

// One for each workload; `detailed` is one of them, for which amounts are kept by hour. Fails as replaySchedules()
// does.
[[nodiscard]] base::Result<std::vector<ScheduleFate>> scheduleFates(const SchedulePast &past,
                                                                    const ScheduleRules &rules,
                                                                    const std::stop_token &stop,
                                                                    std::optional<std::size_t> detailed = std::nullopt);

} // namespace gpuledger::savings

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/days/daycollector.h"

#include "app/actions/environment/sidebyside.h"
#include "app/services/savingsinputs/days/keptdays.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

// What a walk has to load of the fleet is nearly the same for a day and a week, except for its holders.
constexpr std::int32_t kDaysPerWalk = 7;

class DayWalk {
public:
    DayWalk(store::AttributionReader &attribution, std::span<DayCollector *const> all, KeptDays *kept,
            const std::stop_token &stop)
        : m_attribution(attribution)
        , m_all(all)
        , m_kept(kept)
        , m_stop(stop)
    {
    }

    Result<void> collect(Day first, Day last)
    {
        for (Day day = first; day <= last;) {
            const auto isKept = isStored(day);
            GPULEDGER_TRY(isKept);
            if (*isKept) {
                GPULEDGER_TRY(readStored(day, last));
                ++day.number;
                continue;
            }
            Day end{day.number + 1}; // of those to walk
            while (end <= last && end.number - day.number < kDaysPerWalk) {
                const auto isNextKept = isStored(end);
                GPULEDGER_TRY(isNextKept);
                if (*isNextKept)
                    break;
                ++end.number;
            }
            GPULEDGER_TRY(walk(day, {end.number - 1}));
            day = end;
        }
        return {};
    }

private:
    void begin(Day day)
    {
        m_day = day;
        m_today.clear();
        std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(m_today), [&](const DayCollector *one) {
            return !one->range().intersect({day.start(), day.end()}).empty();
        });
    }

    bool isTakenByAll() const
    {
        return std::all_of(m_today.begin(), m_today.end(),
                           [&](const DayCollector *one) { return one->takesHours(m_day); });
    }

    Result<bool> isStored(Day day)
    {
        if (!m_kept)
            return false;
        begin(day);
        const bool isTaken = isTakenByAll();
        return isTaken ? m_kept->has(day) : Result<bool>(false);
    }

    Result<void> checkStop() const
    {
        return m_stop.stop_requested() ? Result<void>(base::fail(base::ErrorCode::Cancelled, "cancelled"))
                                       : Result<void>();
    }

    // Collectors share nothing, so each has a thread, and one more reads the next day.
    Result<void> readStored(Day day, Day last)
    {
        begin(day);
        const std::span<const HourPiece> pieces = m_kept->pieces();
        std::vector<Result<void>> done(m_today.size());
        actions::sideBySide(m_today.size() + 1, {}, [&](std::size_t i) {
            if (i < m_today.size())
                done[i] = feed(*m_today[i], pieces, day);
            else if (day < last)
                m_kept->readAhead({day.number + 1});
        });
        for (const Result<void> &one : done)
            GPULEDGER_TRY(one);
        return {};
    }

    Result<void> feed(DayCollector &one, std::span<const HourPiece> pieces, Day day) const
    {
        for (const HourPiece &piece : pieces) {
            GPULEDGER_TRY(checkStop());
            GPULEDGER_TRY(one.addHours(piece));
        }
        one.endDay(day);
        return {};
    }

    // A day that somebody needs by parts is walked each time, so storing it would be for nothing.
    void beginWalked(Day day)
    {
        begin(day);
        if (m_kept)
            m_kept->begin(day, isTakenByAll());
    }

    void endBefore(Day next) // also days without any device
    {
        while (m_day < next) {
            for (DayCollector *one : m_today)
                one->endDay(m_day);
            if (m_kept)
                m_kept->end();
            beginWalked({m_day.number + 1});
        }
    }

    Result<void> walk(Day first, Day last)
    {
        beginWalked(first);
        GPULEDGER_TRY(m_attribution.walk(first, last, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
            GPULEDGER_TRY(checkStop());
            endBefore(device.day);
            for (DayCollector *one : m_today)
                GPULEDGER_TRY(one->add(device));
            if (m_kept)
                m_kept->add(device);
            return {};
        }));
        endBefore({last.number + 1});
        if (m_kept)
            m_kept->put();
        return {};
    }

    store::AttributionReader &m_attribution;
    const std::span<DayCollector *const> m_all;
    KeptDays *const m_kept;
    const std::stop_token &m_stop;
    std::vector<DayCollector *> m_today;
    Day m_day;
};

} // namespace

Result<void> collectDays(store::AttributionReader &attribution, std::span<DayCollector *const> collectors,
                         const std::stop_token &stop, KeptDays *kept)
{
    std::vector<DayCollector *> all;
    base::TimeRange whole;
    for (DayCollector *one : collectors) {
        if (one->range().empty())
            continue;
        const base::TimeRange own = one->range();
        whole = all.empty() ? own : base::TimeRange{std::min(whole.start, own.start), std::max(whole.end, own.end)};
        all.push_back(one);
    }
    if (all.empty())
        return {};
    return DayWalk(attribution, all, kept, stop)
        .collect(base::dayOf(whole.start), base::dayOf(whole.end - base::Seconds{1}));
}

} // namespace gpuledger::services

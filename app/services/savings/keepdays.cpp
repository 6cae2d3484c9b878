// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/schedule.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/savingsinputs/days/daycollector.h"
#include "app/services/savingsinputs/days/keptdays.h"

#include <algorithm>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

constexpr std::int32_t kKeptPast = 28; // days of the usual question
constexpr std::int32_t kKeptWeek = 7; // of which it reads stored days in every time zone
constexpr std::int32_t kKeptAtOnce = 7; // days, after which it is known whether they could be stored

// Needs nothing of days but that they are stored.
class OnlyKept final : public DayCollector {
public:
    OnlyKept(Day first, Day last)
        : m_range{first.start(), last.end()}
    {
    }
    base::TimeRange range() const override { return m_range; }
    Result<void> add(const model::DeviceAttribution &) override { return {}; }
    bool takesHours(Day) const override { return true; }
    void endDay(Day) override { }

private:
    const base::TimeRange m_range;
};

// Where local hours lie across those of UTC, the usual question walks the days before its last week each time.
std::int32_t readPast(Day end, const base::TimeZone &zone)
{
    const auto hours = savings::scheduleRange({Day{end.number - kKeptPast}.start(), end.start()}, zone);
    return base::toUnix(hours.start) % 3600 == 0 ? kKeptPast : kKeptWeek;
}

} // namespace

Result<void> SavingsService::keepDays(const std::stop_token &stop)
{
    const Setup &setup = m_engine.setup();
    const auto generation = m_engine.cache().generation();
    GPULEDGER_TRY(generation);
    const auto view = viewOf(m_engine.cache(), *setup.ledger);
    GPULEDGER_TRY(view);
    const auto covered = view->facts->coveredRange();
    GPULEDGER_TRY(covered);
    if (covered->empty())
        return {};
    const auto kept = KeptDays::open(m_engine.cache(), *generation, *setup.ledger, setup.settings, *view->attribution);
    GPULEDGER_TRY(kept);
    const Day end = base::dayOf(covered->end);
    const Day first = std::max(base::dayOf(covered->start), Day{end.number - readPast(end, setup.zone)});
    const auto missing = (*kept)->missing(first, end);
    GPULEDGER_TRY(missing);
    // Stops where another program writes, so that nothing can be stored: walking is slow.
    for (auto from = missing->begin(); from != missing->end() && (*kept)->canPut();) {
        auto next = from + 1;
        while (next != missing->end() && next - from < kKeptAtOnce && next->number == (next - 1)->number + 1)
            ++next;
        OnlyKept stretch(*from, *(next - 1));
        DayCollector *const only = &stretch;
        GPULEDGER_TRY(collectDays(*view->attribution, {&only, 1}, stop, kept->get()));
        from = next;
    }
    return {};
}

} // namespace gpuledger::services

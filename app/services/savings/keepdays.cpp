// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/keepdays.h"

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

constexpr base::Seconds kKeptPast{90 * 86400}; // before the end of the data: as much as the window asks for at most
constexpr std::int32_t kKeptWeek = 7; // of which stored days are read in every time zone
constexpr std::int32_t kKeptAtOnce = 2; // days: a walk holds the names and records of all holders of its days

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

// Where local hours lie across those of UTC, a question walks the days before its last week each time.
Day firstRead(base::TimeRange range, const base::TimeZone &zone)
{
    const Day first = base::dayOf(range.start);
    const bool isOfHours = base::toUnix(savings::scheduleRange(range, zone).start) % 3600 == 0;
    return isOfHours ? first : std::max(first, Day{base::dayOf(range.end).number - kKeptWeek});
}

} // namespace

Result<void> storeMissingDays(Engine &engine, base::TimeRange range, model::CostView cost, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    const auto generation = engine.cache().generation();
    GPULEDGER_TRY(generation);
    auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    const base::TimeRange known = covered->intersect(range);
    if (known.empty())
        return {};
    const Day past{base::dayOf(known.end).number + 1};
    const auto missing =
        missingDays(engine.cache(), *generation, *setup.ledger, setup.settings, firstRead(known, setup.zone), past);
    GPULEDGER_TRY(missing);
    if (missing->empty())
        return {};
    const auto view = viewOf(engine.cache(), *setup.ledger, cost);
    GPULEDGER_TRY(view);
    if (!view->attribution->hasStoredCost())
        return {};
    const auto kept = KeptDays::open(engine.cache(), *generation, *setup.ledger, setup.settings, *view->attribution);
    GPULEDGER_TRY(kept);
    // Stops where another program writes, so that nothing can be stored: walking is slow.
    for (auto end = missing->end(); end != missing->begin() && (*kept)->canPut();) {
        auto from = end - 1;
        while (from != missing->begin() && end - from < kKeptAtOnce && (from - 1)->number == from->number - 1)
            --from;
        OnlyKept stretch(*from, *(end - 1));
        DayCollector *const only = &stretch;
        GPULEDGER_TRY(collectDays(*view->attribution, {&only, 1}, stop, kept->get()));
        end = from;
    }
    return {};
}

Result<void> SavingsService::keepDays(const std::stop_token &stop)
{
    const auto facts = m_engine.cache().facts();
    GPULEDGER_TRY(facts);
    const auto covered = (*facts)->coveredRange();
    GPULEDGER_TRY(covered);
    return storeMissingDays(m_engine, {covered->end - kKeptPast, covered->end}, model::CostView::Effective, stop);
}

} // namespace gpuledger::services

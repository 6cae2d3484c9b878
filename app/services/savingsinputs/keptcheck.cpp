// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/keptcheck.h"

#include "app/services/savingsinputs/days/hourrecorder.h"
#include "app/services/savingsinputs/days/keptdays.h"
#include "app/store/dayfacts/dayfactstore.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace gpuledger::services {

using base::Day;
using base::Result;

namespace {

// So many of them, evenly spread.
std::vector<Day> spreadOver(const std::vector<Day> &days, std::optional<std::size_t> most)
{
    if (!most || days.size() <= *most)
        return days;
    std::vector<Day> some;
    for (std::size_t i = 0; i < *most; ++i)
        some.push_back(days[*most == 1 ? days.size() - 1 : i * (days.size() - 1) / (*most - 1)]);
    return some;
}

// std::nullopt: the day can't be kept.
Result<std::optional<std::string>> madeAgain(store::AttributionReader &attribution, Day day, std::uint16_t threshold)
{
    HourRecorder recorder(day, threshold);
    GPULEDGER_TRY(attribution.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
        recorder.add(device);
        return {};
    }));
    return recorder.take();
}

} // namespace

Result<KeptCheck> checkKeptDays(store::LedgerStore &cache, std::int64_t generation, const ledger::Ledger &ledger,
                                const model::Settings &settings, store::AttributionReader &attribution,
                                std::optional<std::size_t> most)
{
    KeptCheck check;
    store::FactReader *const facts = attribution.facts();
    if (!facts || !attribution.hasStoredCost())
        return check;
    const auto covered = facts->coveredRange();
    GPULEDGER_TRY(covered);
    const std::string rules = keptDayRules(ledger, settings);
    store::DayFactStore stored = cache.dayFacts();
    const auto all = stored.days(rules, generation);
    GPULEDGER_TRY(all);
    if (!*all)
        return check;
    std::vector<Day> days;
    std::copy_if((*all)->begin(), (*all)->end(), std::back_inserter(days),
                 [&](Day day) { return base::dayOf(covered->start) <= day && day.end() <= covered->end; });
    for (const Day day : spreadOver(days, most)) {
        const auto blob = stored.read(day, rules, generation);
        GPULEDGER_TRY(blob);
        if (!*blob) // another program wrote it
            continue;
        const auto again = madeAgain(attribution, day, model::toShare(settings.idle.threshold));
        GPULEDGER_TRY(again);
        ++check.compared;
        if (*again != *blob)
            check.wrong.push_back(day);
    }
    return check;
}

} // namespace gpuledger::services

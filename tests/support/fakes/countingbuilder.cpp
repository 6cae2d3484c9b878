// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakes/countingbuilder.h"

#include "app/base/time/gputime.h"

#include <map>

namespace gpuledger::tests {

using base::Result;

namespace {

using Names = std::map<std::int64_t, store::GroupKey>;

void addSpan(store::CellRow &row, base::Day day, base::TimeRange span)
{
    for (int cell = 0; cell < base::kCellsPerDay; ++cell) {
        const base::UtcTime start = day.start() + cell * base::kCell;
        row[static_cast<std::size_t>(cell)] +=
            base::GpuTime::wholeDevice(span.intersect({start, start + base::kCell}).length()).ticks;
    }
}

} // namespace

Result<void> CountingBuilder::rebuild(std::span<const base::Day> days, store::FactReader &facts,
                                      store::CubeWriter &cube)
{
    asked.insert(asked.end(), days.begin(), days.end());
    const auto subjects = facts.subjects();
    GPULEDGER_TRY(subjects);
    Names names;
    for (const model::Subject &s : *subjects)
        names[s.id.value] = {s.nameSpace, s.cluster, {}, {}, {}, "pod", s.name, {}};
    for (const base::Day day : days) {
        std::map<store::GroupKey, store::GroupDay> groups;
        const auto holders = facts.holders({day.start(), day.end()});
        const auto spans = facts.holderSpans({day.start(), day.end()});
        GPULEDGER_TRY(holders);
        GPULEDGER_TRY(spans);
        std::map<std::int64_t, store::GroupKey> held;
        for (const model::Holder &h : *holders)
            held[h.id.value] = {h.nameSpace, h.cluster, {}, {}, {}, "held", h.name + "/" + h.uid, {}};
        for (const store::HolderSpan &s : *spans)
            addSpan(groups[held[s.holder.value]].cells[static_cast<std::size_t>(store::Measure::UnobservedHeldTicks)],
                    day, s.range);
        GPULEDGER_TRY(facts.deviceDays(day, day, {}, [&](const model::DeviceDay &d) -> Result<void> {
            for (const model::UsageTrack &t : d.tracks) {
                store::GroupDay &group = groups[names[t.subject.value]];
                for (const model::UsageBucket &b : t.buckets) {
                    const auto cell = static_cast<std::size_t>(b.index / base::kBucketsPerCell);
                    group.cells[static_cast<std::size_t>(store::Measure::ActiveTicks)][cell] +=
                        base::GpuTime::wholeDevice(base::Seconds{b.observed}).ticks;
                    if (b.activity != model::kNoShare)
                        group.cells[static_cast<std::size_t>(store::Measure::ActivityTicks)][cell] += b.activity;
                }
            }
            return {};
        }));
        GPULEDGER_TRY(cube.replaceDay(day, groups));
    }
    return {};
}

} // namespace gpuledger::tests

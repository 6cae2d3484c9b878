// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ingest/sourcesync.h"
#include "app/ledger/ledger.h"
#include "tests/support/fakes/fakesource.h"

#include <QTemporaryDir>

#include <sstream>

namespace gpuledger::tests {

inline const base::UtcTime kNow = base::fromUnix(1'783'684'800); // 2026-07-10T12:00:00Z
inline constexpr base::Seconds kHour{3600};

// A cache of its own, with the ledger of the default settings.
struct SyncBench {
    QTemporaryDir folder;
    std::unique_ptr<ledger::Ledger> ledger;
    std::unique_ptr<store::LedgerStore> cache;
    base::UtcTime now = kNow;
    ingest::SyncPolicy policy;

    SyncBench()
    {
        ledger = std::move(*ledger::Ledger::create(model::Settings{}));
        cache = std::move(*store::LedgerStore::open(folder.path().toStdString()));
        policy.firstSync = 48 * kHour;
        policy.settle = base::Seconds{0};
    }
    ingest::Outcome sync(FakePlan plan, std::stop_token stop = {}, const ingest::ProgressFn &progress = {})
    {
        FakeSource source(std::move(plan));
        ledger::LedgerWriter writer(*cache, ledger->rollup());
        return ingest::syncSource(source, writer, policy, base::FrozenClock(now), std::move(stop), progress);
    }
    store::SyncState state() const
    {
        const auto states = cache->syncStates();
        return states && !states->empty() ? states->front() : store::SyncState{};
    }
    // Everything that a query could return, as text.
    std::string content() const
    {
        std::ostringstream out;
        auto facts = std::move(*cache->facts());
        const auto devices = facts->devices();
        for (const model::Device &d : *devices)
            out << "device " << d.cluster << ' ' << d.uuid << '\n';
        const base::TimeRange all{kNow - 60 * base::kDay, kNow + base::kDay};
        const auto holderSpans = facts->holderSpans(all);
        for (const store::HolderSpan &s : *holderSpans)
            out << "span " << base::toRfc3339(s.range.start) << ' ' << base::toRfc3339(s.range.end) << '\n';
        const auto nodeSpans = facts->nodeSpans(all);
        for (const store::NodeSpan &s : *nodeSpans)
            out << "node " << base::toRfc3339(s.range.start) << ' ' << base::toRfc3339(s.range.end) << '\n';
        const auto walked = facts->deviceDays(
            base::dayOf(all.start), base::dayOf(all.end), {}, [&](const model::DeviceDay &day) -> base::Result<void> {
                for (const model::UsageTrack &track : day.tracks) {
                    for (const model::UsageBucket &b : track.buckets)
                        out << day.device.value << ' ' << day.day.number << ' ' << b.index << ' ' << b.observed << ' '
                            << b.activity << '\n';
                }
                return {};
            });
        auto cube = std::move(*cache->cube());
        const std::vector<char> wanted(100, 1);
        std::vector<store::Measure> measures;
        for (int m = 0; m < store::kMeasureCount; ++m)
            measures.push_back(static_cast<store::Measure>(m));
        const auto rows = cube->rows(base::dayOf(all.start), base::dayOf(all.end), measures, wanted,
                                     [&](base::GroupId, base::Day day, store::Measure m, const store::CellRow &row) {
                                         for (std::size_t i = 0; i < row.size(); ++i) {
                                             if (row[i] != 0)
                                                 out << "cell " << day.number << ' ' << static_cast<int>(m) << ' ' << i
                                                     << ' ' << row[i] << '\n';
                                         }
                                     });
        return walked && rows ? out.str() : "unreadable";
    }
    std::int64_t ticks(store::Measure wantedMeasure) const
    {
        std::int64_t sum = 0;
        auto cube = std::move(*cache->cube());
        const auto rows = cube->rows(base::dayOf(kNow - 60 * base::kDay), base::dayOf(kNow), {wantedMeasure},
                                     std::vector<char>(100, 1),
                                     [&](base::GroupId, base::Day, store::Measure, const store::CellRow &row) {
                                         for (const std::int64_t v : row)
                                             sum += v;
                                     });
        return rows ? sum : -1;
    }
};

} // namespace gpuledger::tests

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/ledger.h"
#include "app/store/facts/measures.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <rapidcheck.h>

#include <map>
#include <random>
#include <tuple>

namespace tst_attributionproperties {

using namespace gpuledger;
using model::GpuState;
using tests::MemoryCube;
using tests::MemoryFacts;
using tests::PartRow;
using tests::Scenario;

namespace {

constexpr std::int64_t kTicks = base::GpuTime::kTicksPerSecond;
constexpr std::int64_t kBucketSeconds = 300;
constexpr std::int64_t kNanosPerSecond = 1'000'000; // pricedSettings()

using Random = std::mt19937_64;

std::int64_t pick(Random &random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>(from, to - 1)(random);
}

// What really happened on one device: for each second, who held it and what its exporter reported.
struct Timeline {
    static constexpr std::int64_t kSeconds = 86400;
    std::vector<int> holder = std::vector<int>(kSeconds, -1);
    std::vector<int> activity = std::vector<int>(kSeconds, -1); // percent, -1: no telemetry
    int holders = 0;
};

Timeline anyTimeline(Random &random)
{
    Timeline t;
    for (std::int64_t s = 0; s < Timeline::kSeconds;) {
        const std::int64_t end = std::min(s + pick(random, 1, 20'000), Timeline::kSeconds);
        const int who = pick(random, 0, 3) == 0 ? -1 : t.holders++;
        for (; s < end; ++s)
            t.holder[static_cast<std::size_t>(s)] = who;
    }
    for (std::int64_t s = 0; s < Timeline::kSeconds;) {
        const std::int64_t end = std::min(s + pick(random, 1, 4'000), Timeline::kSeconds);
        const bool gap = pick(random, 0, 4) == 0;
        const int busy = static_cast<int>(pick(random, 0, 3) == 0 ? 0 : pick(random, 0, 12));
        for (; s < end; ++s)
            t.activity[static_cast<std::size_t>(s)] = gap ? -1 : busy;
    }
    return t;
}

std::string uidOf(int holder)
{
    return holder < 0 ? std::string() : "uid-" + std::to_string(holder);
}

// Runs of equal values, as (first, end).
template <typename Same> std::vector<std::pair<std::int64_t, std::int64_t>> runsOf(const Same &same)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    for (std::int64_t s = 0; s < Timeline::kSeconds;) {
        std::int64_t end = s + 1;
        while (end < Timeline::kSeconds && same(s, end))
            ++end;
        out.emplace_back(s, end);
        s = end;
    }
    return out;
}

Scenario factsOf(const Timeline &t)
{
    Scenario scenario;
    const std::uint32_t node = scenario.node("n1");
    const std::uint32_t device = scenario.device("GPU-1");
    std::vector<std::uint32_t> labels;
    for (int h = 0; h < t.holders; ++h) {
        scenario.pod("train", uidOf(h), "n1");
        labels.push_back(scenario.label("train", uidOf(h)));
    }
    const auto sameHolder = [&](std::int64_t a, std::int64_t b) {
        return t.holder[static_cast<std::size_t>(a)] == t.holder[static_cast<std::size_t>(b)];
    };
    for (const auto &[from, to] : runsOf(sameHolder)) {
        const int h = t.holder[static_cast<std::size_t>(from)];
        if (h >= 0)
            scenario.runs(static_cast<std::uint32_t>(h), from, to);
    }
    // Aggregates samples second by second into the buckets of each label.
    std::map<int, std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>>> sums; // seconds, sum of percent
    for (std::int64_t s = 0; s < Timeline::kSeconds; ++s) {
        const int a = t.activity[static_cast<std::size_t>(s)];
        if (a < 0)
            continue;
        auto &[seconds, sum] = sums[t.holder[static_cast<std::size_t>(s)]][s / kBucketSeconds];
        ++seconds;
        sum += a;
    }
    const std::int64_t origin = base::toUnix(scenario.at(0)) / kBucketSeconds;
    for (const auto &[h, buckets] : sums) {
        ports::FactBatch::Series series;
        series.device = device;
        series.node = node;
        series.subject = h < 0 ? Scenario::kNone : labels[static_cast<std::size_t>(h)];
        for (const auto &[b, sum] : buckets) {
            series.bucketNumbers.push_back(origin + b);
            model::UsageBucket bucket;
            bucket.observed = static_cast<std::uint16_t>(sum.first);
            bucket.activity = model::toShare(static_cast<double>(sum.second) / 100 / static_cast<double>(sum.first));
            bucket.signal = model::ActivitySignal::SmActive;
            series.buckets.push_back(bucket);
        }
        scenario.batch.series.push_back(std::move(series));
    }
    return scenario;
}

using Totals = std::map<std::tuple<std::int64_t, std::string, GpuState>, std::int64_t>; // seconds

// The definitions, second by second.
Totals expectedOf(const Timeline &t)
{
    Totals out;
    for (std::int64_t b = 0; b * kBucketSeconds < Timeline::kSeconds; ++b) {
        std::map<int, std::pair<std::int64_t, std::int64_t>> readings; // holder: seconds, sum of percent
        for (std::int64_t s = b * kBucketSeconds; s < (b + 1) * kBucketSeconds; ++s) {
            const int a = t.activity[static_cast<std::size_t>(s)], h = t.holder[static_cast<std::size_t>(s)];
            if (a >= 0) {
                ++readings[h].first;
                readings[h].second += a;
            } else {
                ++out[{b, uidOf(h), h < 0 ? GpuState::UnobservedFree : GpuState::UnobservedHeld}];
            }
        }
        for (const auto &[h, reading] : readings) {
            const bool active = reading.second >= 5 * reading.first;
            out[{b, uidOf(h),
                 h < 0        ? GpuState::Unallocated
                     : active ? GpuState::Active
                              : GpuState::Idle}] += reading.first;
        }
    }
    return out;
}

// A device of any kind with arbitrary series and records, for which only invariants are known.
void addAnyDevice(Scenario &s, Random &random, int number)
{
    const std::string nodeName = "n" + std::to_string(number);
    const int kind = static_cast<int>(pick(random, 0, 4)); // whole, MIG, time-sliced, process shares
    const bool shared = kind >= 2;
    const std::uint32_t node = s.node(nodeName, {}, pick(random, 0, 4) > 0);
    s.batch.nodes[node].sharedGpus = shared;
    const std::uint32_t device = s.device("GPU-" + std::to_string(number));
    std::vector<std::string> instances{""};
    if (kind == 1) {
        static const std::vector<std::vector<int>> kLayouts{{1, 1, 1, 1, 1, 1, 1}, {3, 4}, {2, 2, 1}, {1}, {7},
                                                            {4, 2, 1, 3}};
        instances.clear();
        for (const int part : kLayouts[static_cast<std::size_t>(pick(random, 0, 6))]) {
            instances.push_back(std::to_string(instances.size() + 1));
            s.slice(device, instances.back(), {part, 7});
        }
        if (pick(random, 0, 2) == 0)
            instances.push_back("");
    }
    const std::int64_t end = Scenario::kDaySeconds;
    for (std::int64_t i = 0, n = pick(random, 0, 6); i < n; ++i) {
        const std::string name = nodeName + "-pod" + std::to_string(pick(random, 0, 3));
        const std::string uid = name + "-uid" + std::to_string(i);
        if (pick(random, 0, 5) > 0) {
            const std::uint32_t holder = s.pod(
                name, uid, nodeName, 1, shared && pick(random, 0, 2) ? "nvidia_com_gpu_shared" : "nvidia_com_gpu");
            for (std::int64_t k = 0; k < 2; ++k) {
                const std::int64_t from = pick(random, 0, end - 1);
                s.runs(holder, from, std::min(end, from + pick(random, 1, 40'000)));
            }
        }
        const std::uint32_t label = s.label(name, pick(random, 0, 2) ? uid : std::string(), pick(random, 0, 6) == 0);
        for (std::int64_t k = 0, times = pick(random, 0, 3); k < times; ++k) {
            const std::int64_t from = k * end / 3 + pick(random, 0, end / 4);
            const auto role = kind == 2 ? static_cast<model::SeriesRole>(pick(random, 0, 2))
                : kind == 3             ? model::SeriesRole::ProcessShare
                                        : model::SeriesRole::Slice;
            s.reports(device, label, pick(random, 0, 9) ? node : Scenario::kNone, from,
                      std::min((k + 1) * end / 3, from + pick(random, 1, 20'000)),
                      static_cast<double>(pick(random, 0, 20)) - 2,
                      instances[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(instances.size())))],
                      role);
        }
    }
    if (pick(random, 0, 3) > 0)
        s.reports(device, Scenario::kNone, node, pick(random, 0, end / 2), pick(random, end / 2, end), 3);
}

Scenario anyFleet(Random &random, int devices)
{
    Scenario s;
    for (int i = 0; i < devices; ++i)
        addAnyDevice(s, random, i);
    return s;
}

// Seconds of a bucket observed by any series of the device: an upper bound for active, idle and unallocated time.
std::map<std::pair<std::string, std::int64_t>, std::int64_t> observedOf(const Scenario &s)
{
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> out;
    const std::int64_t origin = base::toUnix(s.at(0)) / kBucketSeconds;
    for (const auto &series : s.batch.series) {
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            auto &seconds = out[{s.batch.devices[series.device].uuid, series.bucketNumbers[i] - origin}];
            if (series.buckets[i].activity != model::kNoShare)
                seconds = std::min<std::int64_t>(seconds + series.buckets[i].observed, kBucketSeconds);
        }
    }
    return out;
}

std::string explain(const PartRow &row)
{
    return row.device + " bucket " + std::to_string(row.bucket) + " holder " + row.uid + " state "
        + std::to_string(static_cast<int>(row.part.state)) + " ticks " + std::to_string(row.part.ticks);
}

} // namespace

class TestAttributionProperties : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsTheSecondBySecondSimulation();
    void partsAddUpToPaidTimeAndCost();
    void missingDataIsNeverIdle();
    void cubeEqualsTheSumOfTheParts();
};

void TestAttributionProperties::equalsTheSecondBySecondSimulation()
{
    QVERIFY(rc::check([] {
        Random random(*rc::gen::arbitrary<std::uint64_t>());
        const Timeline truth = anyTimeline(random);
        RC_PRE(std::any_of(truth.activity.begin(), truth.activity.end(), [](int a) { return a >= 0; }));
        Totals got;
        for (const PartRow &row : tests::attributed(factsOf(truth), tests::pricedSettings())) {
            RC_ASSERT(row.part.ticks % kTicks == 0);
            got[{row.bucket, row.uid, row.part.state}] += row.part.ticks / kTicks;
        }
        const Totals expected = expectedOf(truth);
        for (const auto &[key, seconds] : expected) {
            const auto it = got.find(key);
            if (it == got.end() || it->second != seconds)
                RC_LOG() << "bucket " << std::get<0>(key) << " holder " << std::get<1>(key) << " state "
                         << static_cast<int>(std::get<2>(key)) << ": expected " << seconds << " got "
                         << (it == got.end() ? 0 : it->second) << '\n';
        }
        RC_ASSERT(got == expected);
    }));
}

void TestAttributionProperties::partsAddUpToPaidTimeAndCost()
{
    QVERIFY(rc::check([] {
        Random random(*rc::gen::arbitrary<std::uint64_t>());
        const Scenario fleet = anyFleet(random, 4);
        const auto observed = observedOf(fleet);
        std::map<std::pair<std::string, std::int64_t>, std::int64_t> ticks, seen, cost;
        for (const PartRow &row : tests::attributed(fleet, tests::pricedSettings())) {
            const std::pair key(row.device, row.bucket);
            RC_ASSERT(row.part.ticks > 0);
            RC_ASSERT(row.part.priced);
            ticks[key] += row.part.ticks;
            cost[key] += row.part.costNanos;
            const bool held = !row.holder.empty();
            switch (row.part.state) {
            case GpuState::Active:
            case GpuState::Idle:
                RC_ASSERT(held);
                RC_ASSERT(row.part.activity != model::kNoShare);
                RC_ASSERT((row.part.activity >= 3000) == (row.part.state == GpuState::Active));
                seen[key] += row.part.ticks;
                break;
            case GpuState::Unallocated:
                RC_ASSERT(!held);
                seen[key] += row.part.ticks;
                break;
            case GpuState::UnobservedHeld:
                RC_ASSERT(held);
                break;
            case GpuState::UnobservedFree:
                RC_ASSERT(!held);
                break;
            }
            const auto it = observed.find(key);
            const std::int64_t limit = it == observed.end() ? 0 : it->second;
            if (seen[key] > limit * kTicks)
                RC_LOG() << explain(row) << " observed " << limit << '\n';
            RC_ASSERT(seen[key] <= limit * kTicks);
        }
        for (const auto &[key, sum] : ticks) {
            RC_ASSERT(sum % kTicks == 0);
            RC_ASSERT(sum <= kBucketSeconds * kTicks);
            RC_ASSERT(cost[key] == sum / kTicks * kNanosPerSecond);
        }
        // If the node's record covers the whole day, every second of it is paid for.
        for (const auto &span : fleet.batch.nodeSpans) {
            const std::string device = "GPU-" + fleet.batch.nodes[span.node].name.substr(1);
            const bool reported = std::any_of(fleet.batch.series.begin(), fleet.batch.series.end(), [&](const auto &s) {
                return fleet.batch.devices[s.device].uuid == device && s.node == span.node;
            });
            for (std::int64_t b = 0; reported && b < base::kBucketsPerDay; ++b)
                RC_ASSERT((ticks[{device, b}]) == kBucketSeconds * kTicks);
        }
    }));
}

// 10,000 series with missing data, which never becomes idle time.
void TestAttributionProperties::missingDataIsNeverIdle()
{
    constexpr int kFleets = 200, kDevices = 50;
    Random random(20261102);
    std::int64_t held = 0, idle = 0;
    for (int f = 0; f < kFleets; ++f) {
        Scenario s;
        for (int d = 0; d < kDevices; ++d) {
            const std::string name = std::to_string(d), node = "n" + name;
            const std::uint32_t n = s.node(node), device = s.device("GPU-" + name);
            const std::uint32_t pod = s.pod("pod" + name, "uid" + name, node), label = s.label("pod" + name);
            s.runs(pod, 0, 7200);
            // Busy when it reports a value; otherwise silent, or reporting without a value.
            for (std::int64_t at = 0; at < 7200;) {
                const std::int64_t end = std::min<std::int64_t>(7200, at + pick(random, 15, 1200));
                const std::int64_t what = pick(random, 0, 3);
                if (what > 0)
                    s.reports(device, label, n, at, end, what == 1 ? 60 : -1);
                at = end;
            }
        }
        // A value without observed time and observed time without a value.
        for (auto &series : s.batch.series) {
            for (auto &bucket : series.buckets) {
                if (bucket.observed == 0 && pick(random, 0, 3) == 0)
                    bucket.observed = 300;
                if (bucket.observed == 0 && pick(random, 0, 3) == 0)
                    bucket.activity = 0;
            }
        }
        for (const PartRow &row : tests::attributed(s, tests::pricedSettings())) {
            held += !row.holder.empty();
            idle += row.part.state == GpuState::Idle;
        }
    }
    QVERIFY(held > 10'000);
    QCOMPARE(idle, std::int64_t{0});
}

void TestAttributionProperties::cubeEqualsTheSumOfTheParts()
{
    QVERIFY(rc::check([] {
        Random random(*rc::gen::arbitrary<std::uint64_t>());
        const Scenario fleet = anyFleet(random, 6);
        const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
        MemoryFacts facts;
        facts.add(fleet.batch);
        MemoryCube cube;
        const std::vector<base::Day> days{fleet.day()};
        RC_ASSERT(ledger->rollup().rebuild(days, facts, cube).has_value());
        using Key = std::tuple<std::string, int, int>; // team and kind, cell, measure
        std::map<Key, std::int64_t> fromFacts, fromCube;
        const auto reader = ledger->attribution(facts);
        RC_ASSERT(reader
                      ->walk(days[0], days[0], {},
                             [&](const model::DeviceAttribution &d) -> base::Result<void> {
                                 for (const model::UsagePart &part : d.parts) {
                                     const store::GroupKey group = store::groupKeyOf(d, part.holder);
                                     store::forEachMeasure(d, part, [&](store::Measure m, std::int64_t amount) {
                                         if (amount != 0)
                                             fromFacts[{group.team + '/' + group.workloadKind, part.bucket / 3,
                                                        static_cast<int>(m)}] += amount;
                                     });
                                 }
                                 return {};
                             })
                      .has_value());
        const auto groups = cube.groups().value();
        std::vector<store::Measure> measures;
        for (int m = 0; m < store::kMeasureCount; ++m)
            measures.push_back(static_cast<store::Measure>(m));
        RC_ASSERT(cube.rows(days[0], days[0], measures, std::vector<char>(groups.size() + 1, 1),
                            [&](base::GroupId id, base::Day, store::Measure m, const store::CellRow &row) {
                                const store::GroupKey &g = groups[static_cast<std::size_t>(id.value - 1)].second;
                                for (int c = 0; c < base::kCellsPerDay; ++c) {
                                    if (row[static_cast<std::size_t>(c)] != 0)
                                        fromCube[{g.team + '/' + g.workloadKind, c, static_cast<int>(m)}] +=
                                            row[static_cast<std::size_t>(c)];
                                }
                            })
                      .has_value());
        RC_ASSERT(fromCube == fromFacts);
    }));
}

GPULEDGER_PLAIN_SUITE(TestAttributionProperties)

} // namespace tst_attributionproperties

#include "tst_attributionproperties.moc"

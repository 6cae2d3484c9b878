// SPDX-License-Identifier: GPL-3.0-or-later
// What a fetch keeps in memory: the cells of each series, and the answers that wait to be read.
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/usage/usagecells.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/usagefleet.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

namespace tst_fetchmemory {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;

namespace {

constexpr double kNoSample = -2000;
constexpr std::size_t kMiB = std::size_t{1} << 20;

// One pod's or replica's reports about a unit, in the buckets of [from, to) that are not left out.
struct Reporter {
    std::vector<std::pair<std::string, std::string>> labels;
    Values means, counts, memory;
};

std::vector<Reporter> randomReporters(std::mt19937 &random, int buckets)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<Reporter> out;
    const int count = 1 + below(12);
    for (int n = 0; n < count; ++n) {
        Reporter r;
        r.labels = {{"Hostname", "n" + std::to_string(below(2))},
                    {"UUID", "GPU-" + std::to_string(below(3))},
                    {"instance", "10.0.0." + std::to_string(below(3)) + ":9400"},
                    {"job", below(4) == 0 ? "other" : "dcgm"}};
        if (below(4) == 0)
            r.labels.push_back({"GPU_I_ID", std::to_string(below(2))});
        if (below(3) > 0) {
            r.labels.push_back({"namespace", "x"});
            r.labels.push_back({"pod", "pod-" + std::to_string(below(4))});
        }
        if (below(4) == 0)
            r.labels.push_back({"prometheus_replica", std::to_string(below(2))});
        std::sort(r.labels.begin(), r.labels.end());
        // Often at the edges, often a single bucket.
        const int from = below(3) == 0 ? 0 : below(buckets);
        const int to = below(3) == 0 ? buckets : std::min(buckets, from + 1 + below(4));
        for (int b = 0; b < buckets; ++b) {
            const bool speaks = b >= from && b < to && (b == from || below(6) > 0);
            r.means.push_back(speaks ? below(101) : kNoSample);
            r.counts.push_back(speaks ? 1 + below(5) : kNoSample);
            r.memory.push_back(speaks && below(2) == 0 ? 1000 + below(1000) : kNoSample);
        }
        out.push_back(std::move(r));
    }
    return out;
}

// `padded`: a value that is not a measurement in the first and in the last bucket makes each series keep all buckets.
void report(Fleet &fleet, const std::vector<Reporter> &reporters, bool padded)
{
    for (const Reporter &r : reporters) {
        std::vector<format::Label> labels;
        for (const auto &[name, value] : r.labels)
            labels.push_back({name, value});
        if (padded) {
            Values edges(r.means.size(), kNoSample);
            edges.front() = edges.back() = std::numeric_limits<double>::infinity();
            fleet.give("DCGM_FI_DEV_POWER_USAGE", Aggregate::Mean, labels, edges);
        }
        fleet.signal("DCGM_FI_DEV_GPU_UTIL", labels, r.means, r.counts);
        fleet.give("DCGM_FI_DEV_FB_USED", Aggregate::Mean, labels, r.memory);
    }
}

auto partsOf(const ports::FactBatch::Series &s)
{
    return std::tie(s.device, s.subject, s.node, s.gpuInstance, s.role, s.bucketNumbers, s.buckets);
}

bool sameFacts(const ports::FactBatch &a, const ports::FactBatch &b)
{
    const auto equal = [](const auto &x, const auto &y, const auto &same) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
    };
    return a.acceptedSamples == b.acceptedSamples && a.gapBuckets == b.gapBuckets
        && equal(a.series, b.series, [](const auto &x, const auto &y) { return partsOf(x) == partsOf(y); })
        && equal(a.devices, b.devices, [](const auto &x, const auto &y) { return x.uuid == y.uuid; })
        && equal(a.nodes, b.nodes, [](const auto &x, const auto &y) { return x.name == y.name; })
        && equal(a.subjects, b.subjects, [](const auto &x, const auto &y) { return x.name == y.name; });
}

class Ignore final : public format::SeriesVisitor {
public:
    void series(std::span<const format::Label>, std::span<const format::Sample>) override { }
    void refused(std::string_view) override { }
};

// How many queries are sent before an answer is read, after one answer of that size; 0: after none.
int sentAtOnce(std::size_t bytesBefore, const ApiCall &call)
{
    const std::string good = js("{'status':'success','data':{'resultType':'matrix','result':[]}}");
    ScriptedClient client([&](const http::Request &) {
        return answer(good + std::string(bytesBefore > good.size() ? bytesBefore - good.size() : 0, ' '));
    });
    SimulatedPause pause;
    Connection connection(client, {}, pause);
    connection.endpoint.base = "http://127.0.0.1:9";
    Ignore ignore;
    if (bytesBefore > 0 && !QueryRunner(connection, {{call, &ignore}}, {}).finish())
        return -1;
    const int before = client.requests;
    QueryRunner runner(connection, std::vector<Query>(20, Query{call, &ignore}), {});
    runner.start();
    return client.requests - before;
}

} // namespace

class TestFetchMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsCellsFromTheFirstToTheLastWritten()
    {
        UsageCells cells;
        QCOMPARE(cells.first(), cells.end());
        QVERIFY(cells.at(0) == UsageCell() && cells.at(287) == UsageCell());
        cells.keep(7).power = 70;
        QCOMPARE(cells.first(), std::size_t(7));
        QCOMPARE(cells.end(), std::size_t(8));
        cells.keep(9).power = 90;
        cells.keep(5).power = 50; // an earlier one moves the others
        QCOMPARE(cells.first(), std::size_t(5));
        QCOMPARE(cells.end(), std::size_t(10));
        QCOMPARE(int(cells.at(5).power), 50);
        QCOMPARE(int(cells.at(7).power), 70);
        QCOMPARE(int(cells.at(9).power), 90);
        for (const std::size_t silent : {0, 4, 6, 8, 10, 1000})
            QVERIFY(cells.at(silent) == UsageCell());
        cells.release();
        QCOMPARE(cells.first(), cells.end());
        QVERIFY(cells.at(7) == UsageCell());
    }

    void cellsAreTheSameInAnyOrder()
    {
        constexpr std::size_t kBuckets = 40;
        std::mt19937 random(20261125);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::size_t> order(kBuckets);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::shuffle(order.begin(), order.end(), random);
            order.resize(1 + random() % kBuckets);
            std::vector<UsageCell> all(kBuckets);
            UsageCells cells;
            if (random() % 2 == 0)
                cells.reserve(order.size());
            for (const std::size_t b : order)
                all[b].samples[1] = cells.keep(b).samples[1] = static_cast<std::uint16_t>(b + 1);
            const auto [least, most] = std::minmax_element(order.begin(), order.end());
            QCOMPARE(cells.first(), *least);
            QCOMPARE(cells.end(), *most + 1);
            for (std::size_t b = 0; b < kBuckets; ++b)
                QVERIFY(cells.at(b) == all[b]);
        }
    }

    // A short pod costs its own buckets only, and is the same fact as with all buckets of the day.
    void absentCellsAreEmptyCells()
    {
        constexpr int kBuckets = 8;
        std::mt19937 random(7);
        std::size_t shorter = 0;
        for (int round = 0; round < 300; ++round) {
            const std::vector<Reporter> reporters = randomReporters(random, kBuckets);
            Fleet sparse(kBuckets), full(kBuckets);
            report(sparse, reporters, false);
            report(full, reporters, true);
            const auto probes = sparse.assembler.intervalProbes(), fullProbes = full.assembler.intervalProbes();
            QCOMPARE(probes.size(), fullProbes.size());
            for (std::size_t i = 0; i < probes.size(); ++i) {
                QCOMPARE(probes[i].bucketNumber, fullProbes[i].bucketNumber);
                QCOMPARE(probes[i].samples, fullProbes[i].samples);
                QCOMPARE(probes[i].instance, fullProbes[i].instance);
            }
            const auto facts = sparse.finish();
            QVERIFY2(sameFacts(facts, full.finish()), std::to_string(round).c_str());
            for (const auto &series : facts.series)
                shorter += series.buckets.size() < kBuckets ? 1 : 0;
        }
        QVERIFY(shorter > 200);
    }

    // The bucket before a series begins and the one after it ends are what a handover is recognised by.
    void joinsSeriesThatMeetInOneBucket()
    {
        for (const int at : {1, 2, 6}) { // of eight buckets; the first and the last show only one side
            Fleet f(8);
            const LabelSet a{{"UUID", "GPU-1"}, {"job", "d"}, {"instance", "10.0.0.1:9400"}};
            const LabelSet b{{"UUID", "GPU-1"}, {"job", "d"}, {"instance", "10.0.0.2:9400"}};
            Values before(8, kNoSample), beforeCounts(8, kNoSample), after(8, kNoSample), afterCounts(8, kNoSample);
            const auto n = static_cast<std::size_t>(at);
            before[n - 1] = 50, beforeCounts[n - 1] = 5;
            before[n] = 100, beforeCounts[n] = 2;
            after[n] = 50, afterCounts[n] = 3;
            after[n + 1] = 50, afterCounts[n + 1] = 5;
            f.signal("DCGM_FI_DEV_GPU_UTIL", a, before, beforeCounts);
            f.signal("DCGM_FI_DEV_GPU_UTIL", b, after, afterCounts);
            const auto batch = f.finish();
            const auto &s = batch.series.at(0);
            QCOMPARE(s.buckets.size(), std::size_t(3));
            QCOMPARE(s.bucketNumbers.front(), kBegin / 300 + at - 1);
            QCOMPARE(int(s.buckets[1].observed), 300);
        }
    }

    void buffersFewAnswersThatAreLarge()
    {
        const auto range = rangeQuery("up", base::fromUnix(300), base::fromUnix(600), base::kBucket);
        const auto instant = instantQuery("up", base::fromUnix(300));
        QCOMPARE(sentAtOnce(1000, range), QueryRunner::kWindow);
        QCOMPARE(sentAtOnce(QueryRunner::kMaxBuffered / 3, range), 3);
        QCOMPARE(sentAtOnce(QueryRunner::kMaxBuffered + kMiB, range), 1); // never none
        QCOMPARE(sentAtOnce(0, range), 2); // the size is not known yet
        QCOMPARE(sentAtOnce(0, instant), QueryRunner::kWindow);
        QCOMPARE(sentAtOnce(QueryRunner::kMaxBuffered / 2, instant), 2);
    }
};

GPULEDGER_PLAIN_SUITE(TestFetchMemory)

} // namespace tst_fetchmemory

#include "tst_fetchmemory.moc"

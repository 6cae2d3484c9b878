// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/ledgerstore.h"
#include "tests/support/countingbuilder.h"
#include "tests/support/storefixture.h"

#include <QTemporaryDir>
#include <QtTest>

#include <set>

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kDay = base::kBucketsPerDay;

#define OK(expression)                                                                                                 \
    do {                                                                                                               \
        const auto &okResult = (expression);                                                                           \
        QVERIFY2(okResult.has_value(), okResult ? "" : okResult.error().text.c_str());                                 \
    } while (false)

std::unique_ptr<store::LedgerStore> openIn(const QTemporaryDir &dir)
{
    auto store = store::LedgerStore::open(dir.path().toStdString());
    if (!store)
        qWarning("%s", store.error().text.c_str());
    return store ? std::move(*store) : nullptr;
}

// What the cache holds after the batches, one commit each.
std::string dumpAfter(const std::vector<ports::FactBatch> &batches)
{
    QTemporaryDir dir;
    CountingBuilder builder;
    {
        const auto store = openIn(dir);
        for (const ports::FactBatch &batch : batches) {
            if (const auto done = store->commit("prom", batch, builder); !done)
                return "commit failed: " + done.error().text;
        }
        const auto problems = store->verify(builder);
        if (!problems || !problems->empty())
            return "verify failed: " + (problems ? problems->front().what : problems.error().text);
    }
    return dumpOf(dir.filePath(QStringLiteral("ledger.db")).toStdString());
}

} // namespace

class TestLedgerStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensCommitsAndReadsBack()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        QVERIFY(store);
        QCOMPARE(store->notes().size(), std::size_t{0});
        OK(store->commit("prom", fleetBatch(kFirstBucket, kFirstBucket + kDay), builder));

        const auto facts = store->facts();
        OK(facts);
        QCOMPARE((*facts)->nodes()->size(), std::size_t{2});
        QCOMPARE((*facts)->nodes()->front().labels.at("pool"), std::string("a"));
        const auto devices = (*facts)->devices();
        QCOMPARE(devices->size(), std::size_t{3});
        QCOMPARE(devices->at(2).slices.size(), std::size_t{1});
        QCOMPARE(devices->at(2).slices[0].fraction.of, std::int64_t{7});
        QCOMPARE((*facts)->placements({})->size(), std::size_t{3});
        QVERIFY(*(*facts)->coveredRange() == bucketRange(kFirstBucket, kFirstBucket + kDay));
        const auto holders = (*facts)->holders(bucketRange(kFirstBucket, kFirstBucket + kDay));
        QCOMPARE(holders->size(), std::size_t{4});
        QVERIFY(holders->at(1).seen == bucketRange(kFirstBucket + 90, kFirstBucket + 190));
        QCOMPARE(holders->at(1).gpuRequests.at("nvidia_com_gpu"), std::int64_t{1});

        int days = 0, buckets = 0;
        OK((*facts)->deviceDays({20400}, {20400}, {}, [&](const model::DeviceDay &d) -> base::Result<void> {
            ++days;
            for (const auto &t : d.tracks) {
                buckets += static_cast<int>(t.buckets.size());
                for (auto b : t.buckets) {
                    auto expected = usageAt(kFirstBucket + b.index, static_cast<int>(d.device.value) - 1);
                    expected.index = b.index;
                    if (!(b == expected))
                        return base::fail(base::ErrorCode::Internal, "a bucket came back changed");
                }
            }
            return {};
        }));
        QCOMPARE(days, 3);
        int perDevice = 0;
        for (std::int64_t b = kFirstBucket; b < kFirstBucket + kDay; ++b)
            perDevice += b % 37 != 0;
        QCOMPARE(buckets, 3 * perDevice);
        OK(store->verify(builder));
        QVERIFY(store->verify(builder)->empty());
    }

    void readsTheCubeBack()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(store->commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay), builder));
        const auto cube = store->cube();
        OK(cube);
        const auto groups = (*cube)->groups();
        OK(groups);
        std::vector<char> wanted;
        std::set<std::string> names;
        for (const auto &[id, key] : *groups) {
            names.insert(key.team + "/" + key.workloadKind);
            wanted.resize(static_cast<std::size_t>(id.value) + 1, 0);
            wanted.back() = key.workloadKind == "pod";
        }
        QVERIFY(names.contains("ml/pod") && names.contains("ml/held") && names.contains("/"));
        std::int64_t ticks = 0, rows = 0;
        OK((*cube)->rows({20400}, {20401}, {store::Measure::ActiveTicks, store::Measure::CostIdle}, wanted,
                         [&](base::GroupId, base::Day, store::Measure measure, const store::CellRow &cells) {
                             QCOMPARE(measure, store::Measure::ActiveTicks);
                             ++rows;
                             for (const std::int64_t cell : cells)
                                 ticks += cell;
                         }));
        std::int64_t expected = 0;
        for (std::int64_t b = kFirstBucket; b < kFirstBucket + 2 * kDay; ++b)
            expected += b % 37 == 0 ? 0 : usageAt(b, 0).observed * 2520;
        QCOMPARE(rows, 2);
        QCOMPARE(ticks, expected);
    }

    void givesTheSameRowsHoweverTheTimeIsCut()
    {
        const std::int64_t end = kFirstBucket + 3 * kDay + 77;
        const std::string whole = dumpAfter({fleetBatch(kFirstBucket, end)});
        QVERIFY2(whole.find("failed") == std::string::npos, whole.c_str());
        QVERIFY(whole.size() > 10000);
        QCOMPARE(dumpAfter({fleetBatch(kFirstBucket, end), fleetBatch(kFirstBucket, end)}), whole);
        std::vector<ports::FactBatch> chunks, overlapping, backwards;
        for (std::int64_t from = kFirstBucket; from < end; from += 131) {
            chunks.push_back(fleetBatch(from, std::min(end, from + 131)));
            overlapping.push_back(fleetBatch(std::max(kFirstBucket, from - 24), std::min(end, from + 131)));
        }
        backwards.assign(chunks.rbegin(), chunks.rend());
        QCOMPARE(dumpAfter(chunks), whole);
        QCOMPARE(dumpAfter(overlapping), whole);
        QCOMPARE(dumpAfter(backwards), whole);
    }
};

QTEST_GUILESS_MAIN(TestLedgerStore)
#include "tst_ledgerstore.moc"

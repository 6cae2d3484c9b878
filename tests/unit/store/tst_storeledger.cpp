// SPDX-License-Identifier: GPL-3.0-or-later
// The store with the real ledger: whatever was fetched in whatever order, the roll-up agrees with its facts.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/ledger/ledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

namespace tst_storeledger {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kDay = base::kBucketsPerDay;

std::unique_ptr<ledger::Ledger> makeLedger()
{
    auto ledger = ledger::Ledger::create(model::Settings{});
    if (!ledger)
        qWarning("%s", ledger.error().text.c_str());
    return ledger ? std::move(*ledger) : nullptr;
}

// The dump after the batches, or the error; `verifyEach` checks the roll-up after every commit.
std::string dumpAfter(const std::vector<ports::FactBatch> &batches, bool verifyEach)
{
    QTemporaryDir dir;
    const auto ledger = makeLedger();
    {
        auto store = store::LedgerStore::open(dir.path().toStdString());
        if (!store || !ledger)
            return "failed to begin";
        for (std::size_t i = 0; i < batches.size(); ++i) {
            if (const auto done = ledger::LedgerWriter(**store, ledger->rollup()).commit("prom", batches[i]); !done)
                return "commit failed: " + done.error().text;
            if (!verifyEach && i + 1 < batches.size())
                continue;
            const auto problems = ledger::verify(**store, ledger->rollup());
            if (!problems || !problems->empty())
                return "verify failed after batch " + std::to_string(i) + ": "
                    + (problems ? problems->front().what : problems.error().text);
        }
    }
    return dumpOf(dir.filePath(QStringLiteral("ledger.db")).toStdString());
}

std::vector<ports::FactBatch> cutAt(std::int64_t end, std::int64_t step, std::int64_t overlap)
{
    std::vector<ports::FactBatch> batches;
    for (std::int64_t from = kFirstBucket; from < end; from += step)
        batches.push_back(fleetBatch(std::max(kFirstBucket, from - overlap), std::min(end, from + step)));
    return batches;
}

// A pod that runs all the time on a device with an exporter that pauses for three hours at noon and ten minutes at
// midnight.
ports::FactBatch pausingBatch(std::int64_t first, std::int64_t end)
{
    ports::FactBatch batch = fleetBatch(first, end);
    batch.holders.clear();
    batch.holderSpans.clear();
    batch.series.erase(batch.series.begin() + 1, batch.series.end());
    model::Holder pod;
    pod.cluster = "c1";
    pod.nameSpace = "ml";
    pod.name = "train-0";
    pod.uid = "uid";
    pod.node = "n0";
    pod.gpuRequests = {{"nvidia_com_gpu", 1}};
    batch.holders.push_back(pod);
    batch.holderSpans.push_back({0, batch.covered});
    ports::FactBatch::Series &series = batch.series.front();
    series.bucketNumbers.clear();
    series.buckets.clear();
    for (std::int64_t b = first; b < end; ++b) {
        const std::int64_t ofDay = b % kDay;
        if (ofDay < 1 || ofDay == kDay - 1 || (ofDay >= 144 && ofDay < 180))
            continue;
        series.bucketNumbers.push_back(b);
        series.buckets.push_back(usageAt(b, 0));
    }
    return batch;
}

std::string daysText(int commit, const std::vector<base::Day> &asked, base::Day only)
{
    std::string text = "commit " + std::to_string(commit) + " resolved";
    for (const base::Day day : asked)
        text += ' ' + std::to_string(day.number - only.number);
    return text + " days from its own";
}

// Records the days for which it is called.
class CountingRollup final : public ledger::RollupBuilder {
public:
    explicit CountingRollup(ledger::RollupBuilder &real)
        : m_real(real)
    {
    }
    base::Result<void> rebuild(std::span<const base::Day> days, store::FactReader &facts,
                               store::CubeWriter &cube) override
    {
        asked.insert(asked.end(), days.begin(), days.end());
        return m_real.rebuild(days, facts, cube);
    }
    std::string fingerprint() const override { return m_real.fingerprint(); }

    std::vector<base::Day> asked;

private:
    ledger::RollupBuilder &m_real;
};

} // namespace

class TestStoreLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rollUpFollowsTheFactsAfterEveryCommit_data()
    {
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("overlap");
        QTest::newRow("hours") << 12 << 0;
        QTest::newRow("odd") << 131 << 24;
        QTest::newRow("days") << 288 << 12;
    }
    void rollUpFollowsTheFactsAfterEveryCommit()
    {
        QFETCH(int, step);
        QFETCH(int, overlap);
        const std::int64_t end = kFirstBucket + 2 * kDay + 77;
        const std::string cut = dumpAfter(cutAt(end, step, overlap), true);
        QVERIFY2(cut.find("failed") == std::string::npos, cut.substr(0, 300).c_str());
        QVERIFY(cut == dumpAfter({fleetBatch(kFirstBucket, end)}, true));
    }

    void rollUpFollowsTheFactsInAnyOrder()
    {
        const std::int64_t end = kFirstBucket + 3 * kDay;
        const std::string whole = dumpAfter({fleetBatch(kFirstBucket, end)}, true);
        std::mt19937 random(20251108);
        for (int round = 0; round < 4; ++round) {
            auto batches = cutAt(end, 70 + static_cast<std::int64_t>(random() % 100), 0);
            std::shuffle(batches.begin(), batches.end(), random);
            const std::string shuffled = dumpAfter(batches, true);
            QVERIFY2(shuffled.find("failed") == std::string::npos, shuffled.substr(0, 300).c_str());
            QVERIFY(shuffled == whole);
        }
    }

    void pausesOfTelemetryResolveNoOtherDay()
    {
        QTemporaryDir dir;
        const auto ledger = makeLedger();
        auto store = store::LedgerStore::open(dir.path().toStdString());
        QVERIFY(store && ledger);
        QVERIFY(ledger::LedgerWriter(**store, ledger->rollup())
                    .refreshRollup()); // the settings are known before the first facts
        const std::int64_t midnight = (kFirstBucket / kDay + 1) * kDay;
        for (int day = 0; day < 5; ++day) {
            const std::int64_t first = midnight + day * kDay;
            CountingRollup rollup(ledger->rollup());
            QVERIFY(ledger::LedgerWriter(**store, rollup).commit("prom", pausingBatch(first, first + kDay)));
            const std::vector<base::Day> only{{static_cast<std::int32_t>(first / kDay)}};
            QVERIFY2(rollup.asked == only, daysText(day, rollup.asked, only.front()).c_str());
            const auto problems = ledger::verify(**store, ledger->rollup());
            QVERIFY(problems && problems->empty());
        }
    }

    void pausesOfTelemetryInAnyOrder()
    {
        const std::int64_t first = kFirstBucket, end = kFirstBucket + 4 * kDay;
        const std::string whole = dumpAfter({pausingBatch(first, end)}, true);
        std::mt19937 random(20251121);
        for (int round = 0; round < 6; ++round) {
            std::vector<ports::FactBatch> batches;
            for (std::int64_t from = first; from < end;) {
                const std::int64_t to = std::min(end, from + 20 + static_cast<std::int64_t>(random() % 150));
                batches.push_back(pausingBatch(from, to));
                from = to;
            }
            std::shuffle(batches.begin(), batches.end(), random);
            const std::string shuffled = dumpAfter(batches, true);
            QVERIFY2(shuffled.find("failed") == std::string::npos, shuffled.substr(0, 300).c_str());
            QVERIFY(shuffled == whole);
        }
    }
};

GPULEDGER_SUITE(TestStoreLedger)

} // namespace tst_storeledger

#include "tst_storeledger.moc"

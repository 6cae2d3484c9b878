// SPDX-License-Identifier: GPL-3.0-or-later
// The store with the real ledger: whatever was fetched in which order, the roll-up is what its facts say.
#include "app/ledger/ledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/storefixture.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <random>

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

// The dump after the batches, or what went wrong; `verifyEach` checks the roll-up after every commit.
std::string dumpAfter(const std::vector<ports::FactBatch> &batches, bool verifyEach)
{
    QTemporaryDir dir;
    const auto ledger = makeLedger();
    {
        auto store = store::LedgerStore::open(dir.path().toStdString());
        if (!store || !ledger)
            return "failed to begin";
        for (std::size_t i = 0; i < batches.size(); ++i) {
            if (const auto done = (*store)->commit("prom", batches[i], ledger->rollup()); !done)
                return "commit failed: " + done.error().text;
            if (!verifyEach && i + 1 < batches.size())
                continue;
            const auto problems = (*store)->verify(ledger->rollup());
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
};

QTEST_GUILESS_MAIN(TestStoreLedger)
#include "tst_storeledger.moc"

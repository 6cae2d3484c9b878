// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a fleet does and in whatever order its facts arrive, after every commit the roll-up agrees with the facts.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_storehistories {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

// The first finding of verify() after any commit; empty if there is none.
std::string firstProblem(Telling telling, std::uint64_t seed)
{
    Random random(seed);
    const Scenario fleet = randomFleet(random, telling);
    const auto ledger = ledger::Ledger::create(pricedSettings()).value();
    QTemporaryDir dir;
    const auto store = store::LedgerStore::open(dir.path().toStdString()).value();
    int commits = 0;
    for (const Piece &piece : randomPieces(fleet, random, telling)) {
        ++commits;
        if (const auto done = ledger::LedgerWriter(*store, ledger->rollup()).commit(piece.source, piece.batch); !done)
            return done.error().text;
        const auto problems = ledger::verify(*store, ledger->rollup());
        if (!problems)
            return problems.error().text;
        if (!problems->empty())
            return "after commit " + std::to_string(commits) + " of " + piece.source + " ["
                + base::toRfc3339(piece.batch.covered.start) + ", " + base::toRfc3339(piece.batch.covered.end)
                + "): " + std::to_string(problems->size()) + " problems, " + problems->front().what;
    }
    return commits > 4 ? std::string() : "too short a history";
}

} // namespace

class TestStoreHistories : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rollUpFollowsTheFacts_data()
    {
        QTest::addColumn<int>("telling");
        QTest::addColumn<int>("seed");
        // For more of them: GPULEDGER_HISTORIES=first-last.
        const QList<QByteArray> range = qgetenv("GPULEDGER_HISTORIES").split('-');
        const int first = range.size() == 2 ? range[0].toInt() : 1, last = range.size() == 2 ? range[1].toInt() : 1;
        for (int seed = first; seed <= last; ++seed) {
            QTest::addRow("tidy %d", seed) << static_cast<int>(Telling::Tidy) << seed;
            QTest::addRow("loose %d", seed) << static_cast<int>(Telling::Loose) << seed;
            QTest::addRow("wild %d", seed) << static_cast<int>(Telling::Wild) << seed;
        }
    }
    void rollUpFollowsTheFacts()
    {
        QFETCH(int, telling);
        QFETCH(int, seed);
        const std::string problem = firstProblem(static_cast<Telling>(telling), static_cast<std::uint64_t>(seed));
        QVERIFY2(problem.empty(), problem.c_str());
    }
};

GPULEDGER_SUITE(TestStoreHistories)

} // namespace tst_storehistories

#include "tst_storehistories.moc"

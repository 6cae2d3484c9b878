// SPDX-License-Identifier: GPL-3.0-or-later
// Machines with GPUs of a type that the price list lacks are named with their money.
#include "app/insight/spend/reconciler.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_reconciler {

using namespace gpuledger;
using namespace gpuledger::insight;
using model::LedgerAmounts;
using model::LedgerCategory;
using model::LedgerKey;

namespace {

LedgerKey unseen(const std::string &gpuModel, const std::string &type, const std::string &cloud = "aws")
{
    LedgerKey key;
    key.currency = base::Currency::usd();
    key.category = LedgerCategory::Gpu;
    key.state = "unobserved";
    key.match = model::LedgerMatch::None;
    key.cloud = cloud;
    key.gpuModel = gpuModel;
    key.instanceType = type;
    return key;
}

LedgerAmounts costing(std::int64_t billed, std::int64_t effective, bool hasTime)
{
    LedgerAmounts amounts;
    amounts.billed = billed;
    amounts.effective = effective;
    amounts.unknownTime = hasTime ? 0 : 1;
    return amounts;
}

} // namespace

class TestReconciler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unknownTypesAreALineOfTheirOwn()
    {
        Reconciler sums(base::Currency::usd());
        QVERIFY(sums.add(unseen("H100 SXM", {}), costing(5, 4, true)));
        QVERIFY(sums.add(unseen({}, {}), costing(3, 2, false)));
        const auto answer = sums.take({}, {});
        QVERIFY(answer && answer->hasUnknownTypes());
        const auto &lines = answer->totals.front().lines;
        QCOMPARE(lines.size(), std::size_t{2});
        QVERIFY(lines[0].kind == ReconcileKind::Unobserved && lines[0].gpuTime);
        QVERIFY(lines[1].kind == ReconcileKind::UnknownType && !lines[1].gpuTime);
        QCOMPARE(lines[1].billed->nanos(), std::int64_t{3});
        QCOMPARE(lines[1].detail, std::string("aws"));
    }

    void withoutThemThereIsNone()
    {
        Reconciler sums(base::Currency::usd());
        QVERIFY(sums.add(unseen("H100 SXM", {}), costing(5, 4, true)));
        const auto answer = sums.take({}, {});
        QVERIFY(answer && !answer->hasUnknownTypes());
    }

    // Billed hours that telemetry did not see have no price to compare with, however few they are.
    void hoursThatNobodySawAreNotCompared()
    {
        Reconciler sums(base::Currency::usd());
        LedgerKey key = unseen("H100 SXM", {});
        key.cluster = "prod";
        LedgerAmounts amounts = costing(5, 4, true);
        QVERIFY(sums.add(key, amounts));
        key.match = model::LedgerMatch::InstanceId;
        amounts.ticks = 7;
        amounts.priced = 3;
        QVERIFY(sums.add(key, amounts));
        const auto answer = sums.take({}, {});
        QVERIFY(answer);
        const ReconcileLine &last = answer->totals.front().lines.back();
        QVERIFY(last.kind == ReconcileKind::Adjustment);
        QCOMPARE(last.effective->nanos(), std::int64_t{1});
        QCOMPARE(last.billed->nanos(), std::int64_t{2});
    }

    void eachTypeWithItsMoney()
    {
        UnknownTypes types;
        QVERIFY(types.add(unseen({}, "p9.48xlarge"), costing(3, 2, false)));
        QVERIFY(types.add(unseen({}, "p9.48xlarge"), costing(30, 20, false)));
        QVERIFY(types.add(unseen({}, "nd9", "azure"), costing(7, 7, false)));
        QVERIFY(types.add(unseen("H100 SXM", "p5.48xlarge"), costing(100, 100, true)));
        LedgerKey seen = unseen({}, "p9.48xlarge");
        seen.match = model::LedgerMatch::InstanceId; // telemetry knows its GPUs
        QVERIFY(types.add(seen, costing(1000, 1000, true)));
        const auto all = types.take();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(all[0].type + " of " + all[0].cloud, std::string("p9.48xlarge of aws"));
        QCOMPARE(all[0].billed.nanos(), std::int64_t{33});
        QCOMPARE(all[0].effective.nanos(), std::int64_t{22});
        QCOMPARE(all[1].type + " of " + all[1].cloud, std::string("nd9 of azure"));
    }
};

GPULEDGER_PLAIN_SUITE(TestReconciler)

} // namespace tst_reconciler

#include "tst_reconciler.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// How the price of a machine is split: computed examples, and parts that always add up.
#include "app/ledger/ledger.h"
#include "app/ledger/prices/splitpolicy.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <numeric>

namespace tst_splitpolicy {

using namespace gpuledger;
using ledger::MachineShape;
using model::SplitPolicy;

namespace {

constexpr std::array kPolicies{SplitPolicy::GpuFirst, SplitPolicy::Aws, SplitPolicy::OpenCost, SplitPolicy::Fixed};
constexpr MachineShape kEightGpus{8'000, 192'000, 2'048'000};

// The GPUs' part of 1,000, in tenths of a percent.
std::int64_t gpuPart(SplitPolicy policy, const MachineShape &shape)
{
    return base::allocateInteger(1000, *ledger::splitWeights(policy, shape))[ledger::GpuPart];
}

} // namespace

class TestSplitPolicy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // An 8-GPU node (192 vCPU, 2,048 GB) charges its holder 100, 16, 34 or 95 %: 72 of 449.6 is 16 %, and 7.6 of
    // 22.3467 is 34 %.
    void eightGpuNode()
    {
        QCOMPARE(gpuPart(SplitPolicy::GpuFirst, kEightGpus), 1000);
        QCOMPARE(gpuPart(SplitPolicy::Aws, kEightGpus), 160);
        QCOMPARE(gpuPart(SplitPolicy::OpenCost, kEightGpus), 340);
        QCOMPARE(gpuPart(SplitPolicy::Fixed, kEightGpus), 950);
    }

    void allParts()
    {
        const auto aws = base::allocateInteger(449'600, *ledger::splitWeights(SplitPolicy::Aws, kEightGpus));
        QVERIFY(aws == (std::vector<std::int64_t>{72'000, 172'800, 204'800}));
        const auto fixed = base::allocateInteger(100, *ledger::splitWeights(SplitPolicy::Fixed, kEightGpus));
        QVERIFY(fixed == (std::vector<std::int64_t>{95, 3, 2}));
    }

    void unknownShape()
    {
        QVERIFY(ledger::splitWeights(SplitPolicy::GpuFirst, {}));
        QVERIFY(ledger::splitWeights(SplitPolicy::Fixed, {}));
        QVERIFY(!ledger::splitWeights(SplitPolicy::Aws, {}));
        QVERIFY(!ledger::splitWeights(SplitPolicy::OpenCost, {8'000, 0, 2'048'000}));
    }

    // The machine of the price list has exactly this shape.
    void listedMachine()
    {
        const auto ledger = ledger::Ledger::create(model::Settings()).value();
        QVERIFY(ledger->splitOf(SplitPolicy::Aws, "P5.48xlarge") == ledger::splitWeights(SplitPolicy::Aws, kEightGpus));
        QVERIFY(!ledger->splitOf(SplitPolicy::Aws, "never-heard-of"));
        QVERIFY(ledger->splitOf(SplitPolicy::Fixed, "never-heard-of"));
    }

    void partsAddUp()
    {
        tests::Random random(7);
        for (int i = 0; i < 1000; ++i) {
            const MachineShape shape{tests::pick(random, 1, 16'001), tests::pick(random, 1, 512'001),
                                     tests::pick(random, 1, 4'096'001)};
            const std::int64_t price = tests::pick(random, -1'000'000'000'000'000, 1'000'000'000'000'000);
            for (const SplitPolicy policy : kPolicies) {
                const auto parts = base::allocateInteger(price, *ledger::splitWeights(policy, shape));
                QCOMPARE(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), price);
                QVERIFY(std::all_of(parts.begin(), parts.end(),
                                    [&](std::int64_t part) { return price >= 0 ? part >= 0 : part <= 0; }));
            }
        }
    }

    void names()
    {
        for (const SplitPolicy policy : kPolicies)
            QVERIFY(model::splitPolicyFromString(model::toString(policy)) == policy);
        QVERIFY(!model::splitPolicyFromString("GPU-first"));
    }
};

GPULEDGER_SUITE(TestSplitPolicy)

} // namespace tst_splitpolicy

#include "tst_splitpolicy.moc"

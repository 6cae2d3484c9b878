// SPDX-License-Identifier: GPL-3.0-or-later
// Smaller machines for hand-made pasts: what is proposed, what it saves, and why something does not count.
#include "app/savings/rightsize/rightsize.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

namespace tst_rightsize {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kUsd = 1'000'000'000;
constexpr std::int32_t kHours = 28 * 24;
constexpr std::int64_t kHourTicks = base::GpuTime::kTicksPerSecond * 3600;

RightSizeGpu gpu(const char *model, std::int64_t gib, double tflops, const char *capability, double bandwidth = 1000)
{
    RightSizeGpu one;
    one.model = model;
    one.vendor = "nvidia";
    one.memoryMib = gib * 1024;
    one.fp16Tflops = tflops;
    one.bandwidthGbs = bandwidth;
    one.nvlinkGbs = 0;
    one.capability = capability;
    return one;
}

RightSizeGpu a100()
{
    RightSizeGpu one = gpu("A100 80GB", 80, 312, "8.0", 2000);
    one.nvlinkGbs = 600;
    one.slices = 7;
    one.profiles = {"1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"};
    return one;
}

RightSizeOffer offer(const char *type, const RightSizeGpu &model, int gpus, double usd)
{
    return {type,   model, gpus, base::Rate(static_cast<std::int64_t>(usd * kUsd), base::Currency::usd()),
            "list", 0,     0,    PriceRegion::Own};
}

std::vector<RightSizeOffer> market()
{
    return {offer("t4", gpu("T4", 16, 65, "7.5", 320), 1, 0.5),
            offer("l4", gpu("L4", 24, 121, "8.9", 300), 1, 0.8),
            offer("l4x4", gpu("L4", 24, 121, "8.9", 300), 4, 4.6),
            offer("l40s", gpu("L40S", 48, 362, "8.9", 864), 1, 1.9),
            offer("a100", a100(), 1, 4),
            offer("a100x4", a100(), 4, 16),
            offer("a100x8", a100(), 8, 32)};
}

// Memory in GiB and activity in percent, in so many hours.
void addLoad(RightSizeWorkload &one, std::int64_t gib, int activity, std::int64_t hours)
{
    one.loads[{static_cast<std::int32_t>(gib * 1024 / kRightSizeMemoryUnit), activity}] += hours * kHourTicks;
}

// Alone on a machine with one A100 at 4 USD an hour, all the time.
RightSizeWorkload workload(const std::string &name, std::int64_t gib, int activity)
{
    RightSizeWorkload one;
    one.id = "right-size:prod/" + name;
    one.target = name;
    one.cluster = "prod";
    one.nameSpace = "ml";
    one.controllerKind = "Deployment";
    one.controllerName = name;
    one.pod = true;
    one.gpu = 0;
    one.market = 0;
    one.machine = "a100";
    one.machineGpus = one.heldGpus = one.usedGpus = one.podGpus = 1;
    one.held = {kHours * kHourTicks};
    one.lastHour = kHours - 1;
    one.cost = kHours * 4 * kUsd;
    one.resources = {"17"};
    for (std::int32_t h = 0; h < kHours; ++h)
        one.hours.push_back({h, 3600, 4 * kUsd, 4 * kUsd});
    addLoad(one, gib, activity, kHours);
    return one;
}

RightSizePast pastOf(std::vector<RightSizeWorkload> workloads)
{
    RightSizePast past;
    past.hours = kHours;
    past.currency = base::Currency::usd();
    past.gpus = {a100()};
    past.markets = {market()};
    past.workloads = std::move(workloads);
    return past;
}

Proposal proposalOf(const RightSizeWorkload &one)
{
    return tests::checked(proposeRightSizes(pastOf({one})).value()).front();
}

} // namespace

class TestRightSize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCheapestThatHoldsIsProposed()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        one.tier = WorkTier::Development;
        const Proposal p = proposalOf(one); // T4 is cheaper, but of an older generation
        QVERIFY(!p.excludedBy);
        QCOMPARE(p.id, std::string("right-size:prod/a"));
        QCOMPARE(tests::evidenceOf(p, "proposed machine"), std::string("l4 (1 x L4)"));
        QCOMPARE(tests::evidenceOf(p, "MIG slice that holds it"), std::string("2g.20gb of a A100 80GB"));
        QCOMPARE(tests::evidenceOf(p, "GPU-hours in which it would have been too small"), std::string("0.0"));
        QCOMPARE(p.avoidable->nanos(), 730 * 4 * kUsd);
        for (const auto &amount : {p.perMonth->p10, p.perMonth->p50, p.perMonth->p90})
            QCOMPARE(amount.nanos(), 730 * 32 * kUsd / 10); // 4 - 0.8
        QVERIFY(p.how.find("instance-type: l4\n") != std::string::npos);
        QVERIFY((p.resources == std::vector<std::string>{"17"}));
        QCOMPARE(tests::evidenceOf(proposalOf(workload("a", 30, 20)), "proposed machine"),
                 std::string("l40s (1 x L40S)"));
        QCOMPARE(tests::evidenceOf(proposalOf(workload("a", 10, 50)), "proposed machine"),
                 std::string("l40s (1 x L40S)"));
        one.inference = true; // 2000 GB/s x 20 % x 1.2
        QCOMPARE(tests::evidenceOf(proposalOf(one), "proposed machine"), std::string("l40s (1 x L40S)"));
    }

    void theManifestIsOneOfAPodSpec()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        QCOMPARE(proposalOf(one).how,
                 std::string("# In the pod template of Deployment/a, namespace ml:\nspec:\n  nodeSelector:\n"
                             "    node.kubernetes.io/instance-type: l4\n  containers:\n"
                             "    - name: CONTAINER  # the one that uses the GPUs\n      resources:\n"
                             "        limits:\n          nvidia.com/gpu: 1\n"));
        one.controllerName = "a\nhostNetwork: true";
        one.nameSpace = "ml\x1b[2J\nhostPID: true" + std::string(1000, 'x');
        const std::string how = proposalOf(one).how;
        QCOMPARE(std::count(how.begin(), how.end(), '\n'), std::ptrdiff_t(9));
        QVERIFY(how.find('\x1b') == std::string::npos && how.find("\nhost") == std::string::npos && how.size() < 700);
        one.pod = false;
        one.target = "job\nrm -rf x";
        QVERIFY(proposalOf(one).how.starts_with("Run job rm -rf x on l4 (1 x L4)"));
    }

    void risksNameDoublesAndOtherRegions()
    {
        const auto hasRisk = [](const RightSizePast &past, RemarkText risk) {
            return tests::hasRisk(tests::checked(proposeRightSizes(past).value().front()), risk);
        };
        RightSizePast past = pastOf({workload("a", 10, 20)});
        QVERIFY(hasRisk(past, RemarkText::DoublesSlower) && !hasRisk(past, RemarkText::PriceOfOtherRegion)
                && !hasRisk(past, RemarkText::PriceOfUnknownRegion));
        for (RightSizeOffer &o : past.markets[0])
            o.region = PriceRegion::Other;
        QVERIFY(hasRisk(past, RemarkText::PriceOfOtherRegion));
        for (RightSizeOffer &o : past.markets[0])
            o.region = PriceRegion::Unknown;
        QVERIFY(hasRisk(past, RemarkText::PriceOfUnknownRegion));
        RightSizeWorkload fewer = workload("b", 60, 100); // the same model
        fewer.machineGpus = fewer.heldGpus = 8;
        for (RightSizeHour &h : fewer.hours)
            h.cost = h.base = 32 * kUsd;
        QVERIFY(!hasRisk(pastOf({fewer}), RemarkText::DoublesSlower));
    }

    void creditsAreNoSaving()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        for (RightSizeHour &h : one.hours)
            h.cost = h.base = -kUsd;
        const Proposal p = proposalOf(one);
        QVERIFY(!p.perMonth && p.excludedBy);
        QCOMPARE(p.avoidable->nanos(), std::int64_t(0));
        one.hours[0].cost = one.hours[1].cost = std::numeric_limits<std::int64_t>::min();
        const auto failed = proposeRightSizes(pastOf({one}));
        QVERIFY(!failed && failed.error().code == base::ErrorCode::Overflow);
    }

    void aFullCardIsLeftAlone()
    {
        const Proposal p = proposalOf(workload("a", 69, 1)); // 86 %
        QCOMPARE(tests::said(p.excludedBy),
                 std::string("its memory use is above 85.0 % of the card (p99), so nothing smaller is safe"));
        QVERIFY(!p.perMonth && p.how.empty());
        RightSizeWorkload partly = workload("a", 69, 1);
        partly.machineGpus = partly.heldGpus = 8;
        QVERIFY(tests::isExcludedBy(proposalOf(partly), RemarkText::MemoryUseHigh));
    }

    void unusedGpusOfAMachineGo()
    {
        RightSizeWorkload one = workload("a", 60, 100);
        one.machine = "a100x8";
        one.machineGpus = one.heldGpus = 8;
        one.usedGpus = one.podGpus = 3;
        for (RightSizeHour &h : one.hours)
            h.cost = h.base = 32 * kUsd;
        const Proposal p = proposalOf(one);
        QVERIFY(!p.excludedBy);
        QCOMPARE(tests::evidenceOf(p, "proposed machine"), std::string("a100x4 (4 x A100 80GB)"));
        QCOMPARE(tests::evidenceOf(p, "most GPUs in use at the same time"), std::string("3 of 8 held on a machine"));
        QCOMPARE(p.perMonth->p50.nanos(), 730 * 16 * kUsd);
        one.usedGpus = one.podGpus = 5;
        QVERIFY(proposalOf(one).excludedBy);
    }

    void severalGpusOfAJobKeepNvlink()
    {
        RightSizeWorkload one = workload("a", 10, 10);
        one.machine = "a100x4";
        one.machineGpus = one.heldGpus = one.usedGpus = 4;
        for (RightSizeHour &h : one.hours)
            h.cost = h.base = 16 * kUsd;
        QCOMPARE(tests::evidenceOf(proposalOf(one), "proposed machine"), std::string("l4x4 (4 x L4)")); // four pods
        one.podGpus = 4;
        QVERIFY(proposalOf(one).excludedBy);
        one.spread = true;
        QVERIFY(tests::isExcludedBy(proposalOf(one), RemarkText::JobOnSeveralMachines));
    }

    void whatIsUnknownExcludes()
    {
        const auto excluded = [](const std::function<void(RightSizeWorkload &)> &change, RemarkText reason) {
            RightSizeWorkload one = workload("a", 10, 20);
            change(one);
            const Proposal p = proposalOf(one);
            return tests::isExcludedBy(p, reason) && !p.perMonth;
        };
        const base::GpuTime quarter{kHours * kHourTicks / 4}, all{kHours * kHourTicks};
        QVERIFY(excluded([&](auto &one) { one.memoryUnknown = quarter; }, RemarkText::MemoryUseUnknown));
        RightSizeWorkload unknown = workload("a", 10, 20);
        unknown.memoryUnknown = quarter;
        QCOMPARE(tests::said(proposalOf(unknown).excludedBy),
                 std::string("its memory use is unknown in 25.0 % of its time"));
        QVERIFY(excluded([&](auto &one) { one.unobserved = quarter; }, RemarkText::ActivityUnknown));
        QVERIFY(excluded([&](auto &one) { one.unpriced = quarter; }, RemarkText::TooMuchUnpriced));
        QVERIFY(excluded([&](auto &one) { one.firstHour = kHours - 335; }, RemarkText::TooYoung));
        QVERIFY(excluded([&](auto &one) { one.loads.clear(); }, RemarkText::UsedNoGpu));
        QVERIFY(excluded([&](auto &one) { one.gpu = -1; }, RemarkText::ModelNotInCatalogue));
        QVERIFY(excluded([&](auto &one) { one.severalModels = true; }, RemarkText::SeveralModels));
        QVERIFY(excluded([&](auto &one) { one.sliced = true; }, RemarkText::HasSlices));
        QVERIFY(excluded([&](auto &one) { one.market = -1; }, RemarkText::CloudUnknown));
        QVERIFY(excluded([&](auto &one) { one.shared = quarter; }, RemarkText::OthersUseMachines));
        const auto without = [&](base::GpuTime RightSizeWorkload::*part) {
            return [=](RightSizeWorkload &one) {
                one.hours.clear();
                one.*part = all;
            };
        };
        QVERIFY(excluded(without(&RightSizeWorkload::sunk), RemarkText::MachinesSunk));
        QVERIFY(excluded(without(&RightSizeWorkload::shared), RemarkText::OthersUseMachines));
        QVERIFY(excluded(without(&RightSizeWorkload::unknown), RemarkText::MachinesOfUnknownTerms));
    }

    void aBillAboveTheListPriceIsNoSize()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        for (RightSizeHour &h : one.hours)
            h.cost = 40 * kUsd;
        const Proposal p = proposalOf(one);
        QCOMPARE(p.perMonth->p90.nanos(), 730 * 32 * kUsd / 10);
        QCOMPARE(p.avoidable->nanos(), 730 * 40 * kUsd);
        for (RightSizeHour &h : one.hours)
            h.cost = h.base = kUsd / 2; // spot machines, cheaper than any other
        QVERIFY(!proposalOf(one).perMonth);
        QVERIFY(tests::isExcludedBy(proposalOf(one), RemarkText::NothingCheaper));
    }

    void productionIsStricter()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        one.loads.clear();
        addLoad(one, 10, 20, 980);
        addLoad(one, 10, 80, 20); // an L4 has 38.8 % of an A100
        one.tier = WorkTier::Batch;
        const Proposal batch = proposalOf(one);
        QCOMPARE(tests::evidenceOf(batch, "proposed machine"), std::string("l4 (1 x L4)"));
        QCOMPARE(tests::evidenceOf(batch, "GPU-hours in which it would have been too small"), std::string("20.0"));
        QCOMPARE(tests::evidenceOf(batch, "part of the time in use"), std::string("2.0 %"));
        one.tier = WorkTier::Production;
        QCOMPARE(tests::evidenceOf(proposalOf(one), "proposed machine"), std::string("l40s (1 x L40S)"));
    }

    void smallWorkloadsArePackedButCountForNothing()
    {
        std::vector<RightSizeWorkload> all;
        for (int i = 0; i < 5; ++i)
            all.push_back(workload("w" + std::to_string(i), 8, 10));
        const auto list = tests::checked(proposeRightSizes(pastOf(std::move(all))).value());
        QCOMPARE(list.size(), std::size_t(6));
        const Proposal &packed = list.back();
        QCOMPARE(packed.id, std::string("right-size:slices:prod/A100 80GB"));
        QVERIFY(tests::isExcludedBy(packed, RemarkText::SliceUnpriced) && !packed.perMonth);
        QCOMPARE(packed.target, std::string("A100 80GB in prod (MIG)"));
        QCOMPARE(tests::evidenceOf(packed, "cards that they held"), std::string("5"));
        QCOMPARE(tests::evidenceOf(packed, "cards if packed onto slices"), std::string("1"));
    }

    void onlyTheCostliestExcludedAreListed()
    {
        std::vector<RightSizeWorkload> all;
        for (int i = 0; i < 40; ++i) {
            all.push_back(workload("w" + std::to_string(100 + i), 70, 10));
            all.back().cost += i * kUsd;
        }
        all.push_back(workload("small", 10, 20));
        all.back().cost = 1;
        const auto list = proposeRightSizes(pastOf(std::move(all))).value();
        QCOMPARE(list.size(), std::size_t(21));
        QCOMPARE(list.front().target, std::string("w139"));
        QCOMPARE(list.back().target, std::string("small"));
        QVERIFY(!list.back().excludedBy);
    }

    void labelsAreUniqueAndSavingsWithinTheAvoidable()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        one.coarse = one.held;
        one.shared = one.unpriced = one.unobserved = one.memoryUnknown = one.sunk = one.unknown = {kHourTicks};
        for (RightSizeHour &h : one.hours)
            h.cost = h.base = h.hour / 168 % 2 == 0 ? 8 * kUsd : 2 * kUsd;
        const Proposal p = proposalOf(one);
        QVERIFY(!p.excludedBy && p.perMonth->p10.nanos() < p.perMonth->p90.nanos());
        QVERIFY(p.perMonth->p10.nanos() > 0 && p.perMonth->p90.nanos() <= p.avoidable->nanos());
        std::set<std::string> labels, names;
        for (const auto &[label, value] : p.evidence)
            QVERIFY2(labels.insert(tests::said(label)).second && !ui::valueOf(value).english().empty(),
                     tests::said(label).c_str());
        for (const Assumption &a : p.assumptions)
            QVERIFY(names.insert(a.name).second);
        QVERIFY(labels.contains("GPU-hours with utilization alone"));
    }

    void curveIsTheDistributionOfMemory()
    {
        RightSizeWorkload one = workload("mixed", 4, 20);
        addLoad(one, 10, 20, kHours); // as long as 4 GiB
        const Proposal proposal = proposalOf(one);
        QVERIFY(!proposal.excludedBy);
        const auto curve = rightSizeCurve(pastOf({one}), one.id).value();
        QVERIFY(curve.has_value());
        const auto &share = curve->lines.front().y;
        QVERIFY(std::is_sorted(share.begin(), share.end()));
        for (std::size_t i = 0; i < share.size(); ++i)
            QCOMPARE(share[i], curve->x[i] < 4 ? 0.0 : curve->x[i] < 10 ? 0.5 : 1.0);
        // The present card, the proposed one and what is needed: the p99 and 20 %.
        QCOMPARE(curve->marks.size(), std::size_t{3});
        QCOMPARE(curve->marks[0].x, static_cast<double>(usableMib(a100())) / 1024);
        QCOMPARE(curve->marks[2].x, 12.0);
        QVERIFY(curve->marks[1].x >= curve->marks[2].x && curve->marks[1].x < curve->marks[0].x);
        QVERIFY(curve->x.back() >= curve->marks[0].x);
        RightSizeRules strict;
        strict.headroom.memory = 100;
        QCOMPARE(rightSizeCurve(pastOf({one}), one.id, strict).value()->marks.back().x, 20.0);
        QVERIFY(!rightSizeCurve(pastOf({one}), "right-size:other").value());
        one.loads.clear();
        QVERIFY(!rightSizeCurve(pastOf({one}), one.id).value());
    }

    void endedWorkIsNotListedAndStopIsObeyed()
    {
        RightSizeWorkload one = workload("a", 10, 20);
        one.lastHour = kHours - 169;
        QVERIFY(proposeRightSizes(pastOf({one})).value().empty());
        std::stop_source source;
        source.request_stop();
        const auto stopped = proposeRightSizes(pastOf({workload("a", 10, 20)}), {}, source.get_token());
        QVERIFY(!stopped && stopped.error().code == base::ErrorCode::Cancelled);
        RightSizeWorkload huge = workload("a", 10, 20);
        huge.hours[0].cost = huge.hours[1].cost = std::numeric_limits<std::int64_t>::max();
        const auto failed = proposeRightSizes(pastOf({huge}));
        QVERIFY(!failed && failed.error().code == base::ErrorCode::Overflow);
    }
};

GPULEDGER_PLAIN_SUITE(TestRightSize)

} // namespace tst_rightsize

#include "tst_rightsize.moc"

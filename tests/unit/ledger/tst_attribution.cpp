// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_attribution {
using namespace gpuledger;
using model::GpuState;
using model::SeriesRole;
using tests::attributed;
using tests::PartRow;
using tests::pricedSettings;
using tests::Scenario;
using tests::secondsOf;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::uint32_t kNone = Scenario::kNone;

double costOf(const std::vector<PartRow> &rows, const std::string &holder)
{
    std::int64_t nanos = 0;
    for (const PartRow &row : rows)
        nanos += row.holder == holder ? row.part.costNanos : 0;
    return static_cast<double>(nanos) / 1e9;
}

double totalSeconds(const std::vector<PartRow> &rows, const std::string &device)
{
    std::int64_t ticks = 0;
    for (const PartRow &row : rows)
        ticks += row.device == device ? row.part.ticks : 0;
    return static_cast<double>(ticks) / base::GpuTime::kTicksPerSecond;
}

// One node, one device, all day.
struct OneDevice : Scenario {
    std::uint32_t node, device;
    explicit OneDevice(int days = 1)
        : Scenario(days)
        , node(Scenario::node("n1"))
        , device(Scenario::device("GPU-1"))
    {
    }
    std::vector<PartRow> rows(const model::Settings &settings = pricedSettings(), int first = 0, int last = 0) const
    {
        return attributed(*this, settings, first, last);
    }
};

} // namespace

class TestAttribution : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thresholdIsInclusive();
    void twoHoldersInOneBucket();
    void recreatedPodIsAnotherHolder();
    void exportersOwnPodIsNeverAHolder();
    void exportersOwnPodIsNeverASharer();
    void gapInMidRunIsPaidByTheHolder();
    void gapAtTheEndIsPaidByTheHolder();
    void podWithinAGapIsFound();
    void podWithinAGapIsNotGivenToAReplacedDevice();
    void deviceMayChangeItsNode();
    void replacedDeviceIsPaidOnce();
    void slotIsPaidOnceWhenADeviceMovesAway();
    void strandedRemainderIsUnallocated();
    void slicesMayVanish();
    void deviceSeriesBesideInstancesIsNotCounted();
    void copiesAreOneDevice();
    void copyOfOneHolderIsItsOwnReading();
    void aloneOnASharedDeviceIsNotShared();
    void labelFlipsAreSplitByTheRecords();
    void processSharesWeigh();
    void holderWithoutProcessKeepsItsTime();
    void sharersWithoutSchedulerAreEqual();
    void sharedNameBeforeItsRecordIsThatHolder();
    void inferredHolderOfTheOnlyDevice();
    void inferenceIgnoresReplacedDevices();
    void finishedPodHoldsNothing();
    void withoutSchedulerTheLabelsSpeak();
    void machineIsItsOwnHolder();
    void machineBelongsToWhomItsLabelsSay();
    void scrapeSkewIsBridged();
    void ruleThatEndsAtNoonChangesTheOwner();
    void nodePoolOwnsUnallocatedTime();
    void unpricedDeviceHasNoCost();
    void costOfASliceIsItsFraction();
    void silentDeviceIsUnobservedNotFree();
};

void TestAttribution::thresholdIsInclusive()
{
    for (const auto &[percent, state] : {std::pair(5.0, GpuState::Active), std::pair(4.99, GpuState::Idle),
                                         std::pair(5.01, GpuState::Active), std::pair(0.0, GpuState::Idle)}) {
        OneDevice s;
        const auto pod = s.pod("a", "u", "n1"), label = s.label("a");
        s.runs(pod, 0, kHour);
        s.reports(s.device, label, s.node, 0, kHour, percent);
        QCOMPARE(secondsOf(s.rows(), "a", state), 3600.0);
    }
}

void TestAttribution::twoHoldersInOneBucket()
{
    OneDevice s;
    const auto a = s.pod("a", "ua", "n1"), b = s.pod("b", "ub", "n1");
    const auto la = s.label("a"), lb = s.label("b");
    s.runs(a, 0, 400);
    s.runs(b, 400, 900);
    s.reports(s.device, la, s.node, 0, 400, 50);
    s.reports(s.device, lb, s.node, 400, 900, 1);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 400.0);
    QCOMPARE(secondsOf(rows, "b", GpuState::Idle), 500.0);
    QCOMPARE(costOf(rows, "a"), 0.4);
    QCOMPARE(costOf(rows, "b"), 0.5);
    QCOMPARE(totalSeconds(rows, "GPU-1"), double(kDay));
}

void TestAttribution::recreatedPodIsAnotherHolder()
{
    OneDevice s;
    const auto first = s.pod("train-0", "old", "n1"), second = s.pod("train-0", "new", "n1");
    const auto label = s.label("train-0");
    s.runs(first, 0, 450);
    s.runs(second, 450, 900);
    s.reports(s.device, label, s.node, 0, 900, 20);
    double old = 0, young = 0;
    for (const PartRow &row : s.rows()) {
        old += row.uid == "old" ? double(row.part.ticks) / 2520 : 0;
        young += row.uid == "new" ? double(row.part.ticks) / 2520 : 0;
    }
    QCOMPARE(old, 450.0);
    QCOMPARE(young, 450.0);
}

void TestAttribution::exportersOwnPodIsNeverAHolder()
{
    for (const bool exporterLike : {true, false}) {
        OneDevice s;
        const auto other = s.pod("a", "u", "n1"); // so that there are records of a scheduler
        s.runs(other, 0, 300);
        const auto exporter = s.label("dcgm-exporter-x7k", {}, exporterLike);
        s.reports(s.device, exporter, s.node, 6 * kHour, 7 * kHour, 0);
        const auto rows = s.rows();
        QCOMPARE(secondsOf(rows, "dcgm-exporter-x7k"), 0.0);
        QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 3600.0);
    }
    OneDevice alone; // no scheduler: only the labels could name a holder
    alone.reports(alone.device, alone.label("dcgm-exporter-x7k", {}, true), alone.node, 0, kHour, 0);
    QCOMPARE(secondsOf(alone.rows(), "dcgm-exporter-x7k"), 0.0);
}

void TestAttribution::exportersOwnPodIsNeverASharer()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    const auto a = s.pod("a", "u", "n1", 1, "nvidia_com_gpu_shared");
    s.runs(a, 0, kHour);
    s.reports(s.device, s.label("a"), s.node, 0, kHour, 30, {}, SeriesRole::CopyPerHolder);
    s.reports(s.device, s.label("node-agent"), s.node, 0, kHour, 30, {}, SeriesRole::CopyPerHolder);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "node-agent"), 0.0);
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3600.0);
}

void TestAttribution::gapInMidRunIsPaidByTheHolder()
{
    OneDevice s;
    const auto pod = s.pod("a", "u", "n1"), label = s.label("a");
    s.runs(pod, 0, 2 * kHour);
    s.reports(s.device, label, s.node, 0, 1000, 50);
    s.reports(s.device, label, s.node, 5000, 2 * kHour, 50);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3200.0);
    QCOMPARE(secondsOf(rows, "a", GpuState::UnobservedHeld), 4000.0);
    QCOMPARE(costOf(rows, "a"), 7.2);
    QCOMPARE(secondsOf(rows, "", GpuState::UnobservedFree), double(kDay - 2 * kHour));
}

void TestAttribution::gapAtTheEndIsPaidByTheHolder()
{
    OneDevice s;
    const auto pod = s.pod("a", "u", "n1"), label = s.label("a");
    s.runs(pod, 0, 3700);
    s.reports(s.device, label, s.node, 0, 3350, 50);
    s.reports(s.device, kNone, s.node, 3900, 4200, 0);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3350.0);
    QCOMPARE(secondsOf(rows, "a", GpuState::UnobservedHeld), 350.0);
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 300.0);
}

void TestAttribution::podWithinAGapIsFound()
{
    OneDevice s;
    const auto pod = s.pod("ghost", "u", "n1");
    s.runs(pod, 4000, 5000);
    s.reports(s.device, kNone, s.node, 0, 3600, 0);
    s.reports(s.device, kNone, s.node, 7200, kDay, 0);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "ghost", GpuState::UnobservedHeld), 1000.0);
    QCOMPARE(secondsOf(rows, "", GpuState::UnobservedFree), 2600.0);
    for (const PartRow &row : rows)
        QVERIFY(row.holder != "ghost" || row.inferred);
}

void TestAttribution::podWithinAGapIsNotGivenToAReplacedDevice()
{
    OneDevice s;
    const auto newer = s.Scenario::device("GPU-2");
    s.reports(s.device, kNone, s.node, 0, 6 * kHour, 0);
    s.reports(newer, kNone, s.node, 6 * kHour, 8 * kHour, 0);
    s.reports(newer, kNone, s.node, 12 * kHour, kDay, 0);
    s.runs(s.pod("ghost", "u", "n1"), 9 * kHour, 10 * kHour);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "ghost", GpuState::UnobservedHeld), 3600.0);
    for (const PartRow &row : rows)
        QVERIFY(row.holder != "ghost" || row.device == "GPU-2");
}

void TestAttribution::deviceMayChangeItsNode()
{
    OneDevice s;
    const auto second = s.Scenario::node("n2", {{"pool", "research"}});
    s.reports(s.device, kNone, s.node, 0, 10 * kHour, 0);
    s.reports(s.device, kNone, second, 10 * kHour, kDay, 0);
    model::Settings settings = pricedSettings();
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::NodePool;
    settings.owners.push_back(rule);
    double first = 0, later = 0;
    for (const PartRow &row : s.rows(settings)) {
        QCOMPARE(row.node, std::string(row.bucket < 120 ? "n1" : "n2"));
        QCOMPARE(row.team, std::string(row.bucket < 120 ? "shared" : "research"));
        (row.node == "n1" ? first : later) += double(row.part.ticks) / 2520;
    }
    QCOMPARE(first, 36000.0);
    QCOMPARE(later, 50400.0);
}

void TestAttribution::replacedDeviceIsPaidOnce()
{
    OneDevice s;
    const auto newer = s.Scenario::device("GPU-2");
    s.reports(s.device, kNone, s.node, 300, 6 * kHour, 0);
    s.reports(newer, kNone, s.node, 8 * kHour, kDay - 600, 0);
    const auto rows = s.rows();
    QCOMPARE(totalSeconds(rows, "GPU-1") + totalSeconds(rows, "GPU-2"), double(kDay));
    QCOMPARE(totalSeconds(rows, "GPU-1"), 8.0 * kHour); // the gap belongs to the previous device
}

void TestAttribution::slotIsPaidOnceWhenADeviceMovesAway()
{
    OneDevice s;
    const auto second = s.Scenario::node("n2");
    const auto newer = s.Scenario::device("GPU-2"); // replaces it on n1
    s.reports(s.device, kNone, s.node, 0, 6 * kHour, 0);
    s.reports(s.device, kNone, second, 6 * kHour, kDay, 0);
    s.reports(newer, kNone, s.node, 6 * kHour, kDay, 0);
    const auto rows = s.rows();
    QCOMPARE(totalSeconds(rows, "GPU-1"), double(kDay));
    QCOMPARE(totalSeconds(rows, "GPU-2"), 18.0 * kHour);
}

void TestAttribution::strandedRemainderIsUnallocated()
{
    OneDevice s;
    s.slice(s.device, "1", {3, 7});
    s.slice(s.device, "2", {2, 7});
    s.runs(s.pod("a", "ua", "n1"), 0, kDay);
    s.reports(s.device, s.label("a"), s.node, 0, kDay, 50, "1");
    s.reports(s.device, kNone, s.node, 0, kDay, 0, "2");
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), kDay * 3 / 7.0);
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), kDay * 4 / 7.0);
    QCOMPARE(totalSeconds(rows, "GPU-1"), double(kDay));
}

void TestAttribution::slicesMayVanish()
{
    OneDevice s;
    s.slice(s.device, "1", {4, 7});
    s.slice(s.device, "2", {3, 7});
    s.runs(s.pod("a", "ua", "n1"), 0, 6 * kHour);
    s.runs(s.pod("b", "ub", "n1"), 6 * kHour, 12 * kHour);
    const auto la = s.label("a"), lb = s.label("b");
    s.reports(s.device, la, s.node, 0, 6 * kHour, 50, "1");
    s.reports(s.device, kNone, s.node, 0, 6 * kHour, 0, "2");
    s.reports(s.device, lb, s.node, 6 * kHour, 12 * kHour, 50); // no longer partitioned
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 6.0 * kHour * 4 / 7);
    QCOMPARE(secondsOf(rows, "b", GpuState::Active), 6.0 * kHour);
    QCOMPARE(totalSeconds(rows, "GPU-1"), double(kDay));
}

void TestAttribution::deviceSeriesBesideInstancesIsNotCounted()
{
    OneDevice s;
    s.slice(s.device, "1", {7, 7});
    s.runs(s.pod("a", "ua", "n1"), 0, kDay);
    s.reports(s.device, s.label("a"), s.node, 0, kDay, 1, "1");
    s.reports(s.device, kNone, s.node, 0, kDay, 90);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Idle), double(kDay));
    QCOMPARE(totalSeconds(rows, "GPU-1"), double(kDay));
}

void TestAttribution::copiesAreOneDevice()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    for (const std::string name : {"a", "b", "c", "d"}) {
        s.runs(s.pod(name, "u" + name, "n1"), 0, kHour);
        s.reports(s.device, s.label(name), s.node, 0, kHour, 40, {}, SeriesRole::CopyPerHolder);
    }
    const auto rows = s.rows();
    for (const char *name : {"a", "b", "c", "d"})
        QCOMPARE(secondsOf(rows, name, GpuState::Active), 900.0);
    for (const PartRow &row : rows) {
        if (!row.holder.empty()) {
            QCOMPARE(int(row.part.activity), int(0.4 * model::kShareScale));
            QVERIFY(row.part.sharedEqually);
        }
    }
}

void TestAttribution::copyOfOneHolderIsItsOwnReading()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    // Empty for 200 s, then a pod that works at 6 %: its own mean is above the threshold, but the bucket's is not.
    s.runs(s.pod("a", "u", "n1"), 200, 300);
    s.reports(s.device, kNone, s.node, 0, 200, 0);
    s.reports(s.device, s.label("a"), s.node, 200, 300, 6, {}, SeriesRole::CopyPerHolder);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 100.0);
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 200.0);
}

void TestAttribution::aloneOnASharedDeviceIsNotShared()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    s.runs(s.pod("a", "u", "n1"), 0, kHour);
    s.reports(s.device, s.label("a"), s.node, 0, kHour, 6, {}, SeriesRole::CopyPerHolder);
    for (const PartRow &row : s.rows())
        QVERIFY(!row.part.sharedEqually);
}

void TestAttribution::labelFlipsAreSplitByTheRecords()
{
    // The exporter names only one of two sharers, alternating; the records show both.
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    s.runs(s.pod("a", "ua", "n1"), 0, kHour);
    s.runs(s.pod("b", "ub", "n1"), 0, kHour);
    const auto la = s.label("a"), lb = s.label("b");
    for (std::int64_t t = 0; t < kHour; t += 100)
        s.reports(s.device, t / 100 % 2 ? lb : la, s.node, t, t + 100, 50);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 1800.0);
    QCOMPARE(secondsOf(rows, "b", GpuState::Active), 1800.0);
}

void TestAttribution::processSharesWeigh()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    s.runs(s.pod("a", "ua", "n1"), 0, kHour);
    s.runs(s.pod("b", "ub", "n1"), 0, kHour);
    s.reports(s.device, kNone, s.node, 0, kHour, 80);
    s.reports(s.device, s.label("a"), s.node, 0, kHour, 60, {}, SeriesRole::ProcessShare);
    s.reports(s.device, s.label("b"), s.node, 0, kHour, 20, {}, SeriesRole::ProcessShare);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 2700.0);
    QCOMPARE(secondsOf(rows, "b", GpuState::Active), 900.0);
    for (const PartRow &row : rows)
        QVERIFY(!row.part.sharedEqually);
}

void TestAttribution::holderWithoutProcessKeepsItsTime()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    s.runs(s.pod("a", "ua", "n1"), 0, 150); // works, then ends
    s.runs(s.pod("b", "ub", "n1"), 0, 300); // runs nothing
    s.reports(s.device, kNone, s.node, 0, 300, 30);
    s.reports(s.device, s.label("a"), s.node, 0, 150, 60, {}, SeriesRole::ProcessShare);
    s.reports(s.device, s.label("b"), s.node, 0, 300, 0, {}, SeriesRole::ProcessShare);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a"), 150.0);
    QCOMPARE(secondsOf(rows, "b"), 150.0);
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 0.0);
}

void TestAttribution::sharersWithoutSchedulerAreEqual()
{
    OneDevice s;
    const auto la = s.label("a"), lb = s.label("b");
    s.reports(s.device, la, s.node, 0, 240, 50, {}, SeriesRole::CopyPerHolder);
    s.reports(s.device, lb, s.node, 0, 240, 50, {}, SeriesRole::CopyPerHolder);
    const auto rows = s.rows();
    for (const char *name : {"a", "b"}) {
        QCOMPARE(secondsOf(rows, name, GpuState::Active), 120.0);
        QCOMPARE(secondsOf(rows, name, GpuState::UnobservedHeld), 30.0);
    }
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 0.0);
}

void TestAttribution::sharedNameBeforeItsRecordIsThatHolder()
{
    OneDevice s;
    s.batch.nodes[s.node].sharedGpus = true;
    s.runs(s.pod("a", "ua", "n1", 1, "nvidia_com_gpu_shared"), 600, kHour);
    s.reports(s.device, s.label("a"), s.node, 300, kHour, 50, {}, SeriesRole::CopyPerHolder);
    QCOMPARE(secondsOf(s.rows(), "a", GpuState::Active), 3300.0);
}

void TestAttribution::inferredHolderOfTheOnlyDevice()
{
    OneDevice s;
    s.runs(s.pod("a", "ua", "n1"), 0, kHour);
    s.reports(s.device, kNone, s.node, 0, 2 * kHour, 50);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3600.0);
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 3600.0);
    for (const PartRow &row : rows)
        QVERIFY(row.holder.empty() || row.inferred);
    // Two devices and a pod that requests one of them: no guess is made.
    s.reports(s.Scenario::device("GPU-2", 1), kNone, s.node, 0, 2 * kHour, 50);
    QCOMPARE(secondsOf(s.rows(), "a", GpuState::Active), 0.0);
}

void TestAttribution::inferenceIgnoresReplacedDevices()
{
    OneDevice s;
    s.reports(s.device, kNone, s.node, 0, 6 * kHour, 0);
    s.reports(s.Scenario::device("GPU-2"), kNone, s.node, 6 * kHour, kDay, 50);
    s.runs(s.pod("a", "ua", "n1"), 8 * kHour, 9 * kHour);
    QCOMPARE(secondsOf(s.rows(), "a", GpuState::Active), 3600.0);
}

void TestAttribution::finishedPodHoldsNothing()
{
    OneDevice s;
    const auto pod = s.pod("a", "ua", "n1"), label = s.label("a");
    s.runs(pod, 0, kHour);
    s.batch.holders[pod].completedAt = s.at(kHour);
    s.reports(s.device, label, s.node, 0, kHour, 50);
    // The exporter still names the pod that succeeded long ago.
    s.reports(s.device, label, s.node, kHour, 6 * kHour, 0);
    const auto rows = s.rows();
    QVERIFY(secondsOf(rows, "a") <= 3600.0 + 900.0); // no more than the skew of two scrapes
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3600.0);
    QVERIFY(secondsOf(rows, "", GpuState::Unallocated) >= 5.0 * kHour - 900);
}

void TestAttribution::withoutSchedulerTheLabelsSpeak()
{
    Scenario s;
    const auto node = s.node("n1", {}, false), device = s.device("GPU-1");
    const auto a = s.label("a", "ua"), b = s.label("b", "ub");
    s.reports(device, a, node, 0, 1000, 50);
    s.reports(device, a, node, 1600, kHour, 50); // a gap within its life
    s.reports(device, b, node, kHour, 2 * kHour, 1);
    const auto rows = attributed(s, pricedSettings());
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3000.0);
    QCOMPARE(secondsOf(rows, "a", GpuState::UnobservedHeld), 600.0);
    QCOMPARE(secondsOf(rows, "b", GpuState::Idle), 3600.0);
    QCOMPARE(totalSeconds(rows, "GPU-1"), 3.0 * kHour); // and one more paid hour
}

// Devices outside any scheduler are idle or active, never unallocated.
void TestAttribution::machineIsItsOwnHolder()
{
    OneDevice s;
    const auto box = s.label("i-1");
    s.batch.subjects[box].kind = model::SubjectKind::Machine;
    s.reports(s.device, box, s.node, 0, kHour, 1);
    s.reports(s.device, box, s.node, kHour, 2 * kHour, 80);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "i-1", GpuState::Idle), 3600.0);
    QCOMPARE(secondsOf(rows, "i-1", GpuState::Active), 3600.0);
    QCOMPARE(secondsOf(rows, ""), 86400.0 - 7200.0); // unobserved
}

// These labels do not decide about a job on the same machine.
void TestAttribution::machineBelongsToWhomItsLabelsSay()
{
    OneDevice s;
    const auto box = s.label("i-1");
    s.batch.subjects[box].kind = model::SubjectKind::Machine;
    const auto job = s.label("4711");
    s.batch.subjects[job].kind = model::SubjectKind::SlurmJob;
    s.batch.nodes[s.node].labels = {{"team", "vision"}};
    s.reports(s.device, box, s.node, 0, kHour, 1);
    s.reports(s.device, job, s.node, kHour, 2 * kHour, 80);
    const auto rows = s.rows();
    const auto teamOf = [&](const std::string &holder) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const PartRow &r) { return r.holder == holder; });
        return row == rows.end() ? "no row" : row->team;
    };
    QCOMPARE(teamOf("i-1"), std::string("vision"));
    QCOMPARE(teamOf("4711"), std::string("ml"));
}

void TestAttribution::scrapeSkewIsBridged()
{
    OneDevice s;
    s.runs(s.pod("a", "ua", "n1"), 330, kHour); // its record starts 60 s after the first sample
    const auto label = s.label("a");
    s.reports(s.device, label, s.node, 270, kHour, 50);
    const auto rows = s.rows();
    QCOMPARE(secondsOf(rows, "a", GpuState::Active), 3330.0);
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 0.0);
}

void TestAttribution::ruleThatEndsAtNoonChangesTheOwner()
{
    OneDevice s;
    const auto pod = s.pod("a", "ua", "n1");
    s.runs(pod, 0, kDay);
    s.batch.nodes[s.node].labels["pool"] = "p";
    s.reports(s.device, s.label("a"), s.node, 0, 18 * kHour, 50);
    model::Settings settings = pricedSettings();
    model::OwnerRule before, after;
    before.kind = after.kind = model::OwnerRule::Kind::NodePool;
    before.team = "old";
    before.until = after.from = s.at(12 * kHour);
    after.team = "new";
    settings.owners = {before, after};
    s.batch.holderSpans.back().range.end = s.at(6 * kHour);
    for (const PartRow &row : s.rows(settings))
        QCOMPARE(row.team, std::string(row.bucket < 144 ? "old" : "new"));
}

void TestAttribution::nodePoolOwnsUnallocatedTime()
{
    OneDevice s;
    s.batch.nodes[s.node].labels["cloud_google_com_gke_nodepool"] = "a100-research";
    s.reports(s.device, kNone, s.node, 0, kDay, 0);
    model::Settings settings = pricedSettings();
    for (const PartRow &row : s.rows(settings))
        QCOMPARE(row.team, std::string("shared"));
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::NodePool;
    rule.match = model::OwnerRule::Match::Regex;
    rule.pattern = "^a100-(?P<team>[a-z]+)$";
    settings.owners = {rule};
    for (const PartRow &row : s.rows(settings))
        QCOMPARE(row.team, std::string("research"));
}

void TestAttribution::unpricedDeviceHasNoCost()
{
    OneDevice s;
    s.batch.devices[s.device].model = "Unheard-of 9000";
    s.reports(s.device, kNone, s.node, 0, kDay, 0);
    for (const PartRow &row : s.rows({})) {
        QVERIFY(!row.part.priced);
        QCOMPARE(row.part.costNanos, std::int64_t{0});
    }
}

void TestAttribution::costOfASliceIsItsFraction()
{
    OneDevice s;
    for (int i = 1; i <= 7; ++i)
        s.slice(s.device, std::to_string(i), {1, 7});
    s.runs(s.pod("a", "ua", "n1"), 0, kDay);
    const auto label = s.label("a");
    for (int i = 1; i <= 7; ++i)
        s.reports(s.device, i == 3 ? label : kNone, s.node, 0, kDay, 50, std::to_string(i));
    const auto rows = s.rows();
    QVERIFY(std::abs(costOf(rows, "a") - 86.4 / 7) < 1e-6);
    QVERIFY(std::abs(costOf(rows, "a") + costOf(rows, "") - 86.4) < 1e-9);
    QCOMPARE(secondsOf(rows, "a"), kDay / 7.0);
}

void TestAttribution::silentDeviceIsUnobservedNotFree()
{
    OneDevice s(2);
    s.reports(s.device, kNone, s.node, 0, kHour, 0);
    const auto rows = s.rows(pricedSettings(), 1, 1);
    QCOMPARE(secondsOf(rows, "", GpuState::UnobservedFree), double(kDay));
    QCOMPARE(secondsOf(rows, "", GpuState::Unallocated), 0.0);
}

GPULEDGER_PLAIN_SUITE(TestAttribution)
} // namespace tst_attribution
#include "tst_attribution.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What a day's attribution says does not depend on the days that are read with it.
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <span>

namespace tst_attributionranges {

using namespace gpuledger;
using model::GpuState;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600, kDay = 86400, kBucketSeconds = 300;
constexpr int kDays = 15;
constexpr std::int64_t kEnd = kDays * kDay;
const std::string kRecorded = "prod", kDark = "dark"; // clusters; "dark" has few records of holders and none of nodes

// A small fleet whose facts have gaps of every kind.
class AnyFleet : public Scenario {
public:
    explicit AnyFleet(std::uint64_t seed)
        : Scenario(kDays)
        , m_random(seed)
    {
        addKnownCases();
        addPlain(kRecorded, "plain", true);
        addPlain(kRecorded, "lost", false);
        addPlain(kDark, "dark", false);
        addReplaced();
        addMoved();
        addSliced();
        addShared();
        addUnlabelled();
    }

private:
    struct Place {
        std::string cluster, name;
        std::uint32_t node = 0;
    };

    std::int64_t pick(std::int64_t from, std::int64_t to)
    {
        return std::uniform_int_distribution<std::int64_t>(from, to - 1)(m_random);
    }

    Place placeIn(const std::string &cluster, const std::string &name, bool recorded)
    {
        const Place place{cluster, name, node(name, {}, recorded)};
        batch.nodes[place.node].cluster = cluster;
        return place;
    }
    std::uint32_t deviceIn(const Place &place, const std::string &uuid, int index = 0)
    {
        const std::uint32_t at = device(uuid, index);
        batch.devices[at].cluster = place.cluster;
        return at;
    }
    std::uint32_t labelIn(const Place &place, const std::string &name, const std::string &uid = {},
                          bool exporterLike = false)
    {
        const std::uint32_t at = label(name, uid, exporterLike);
        batch.subjects[at].cluster = place.cluster;
        return at;
    }
    std::uint32_t podIn(const Place &place, const std::string &name, const std::string &uid, std::int64_t requested = 1,
                        const std::string &resource = "nvidia_com_gpu")
    {
        const std::uint32_t at = pod(name, uid, place.name, requested, resource);
        batch.holders[at].cluster = place.cluster;
        return at;
    }

    // Up to three days, sometimes exactly the longest that counts as no gap.
    std::int64_t anyGap() { return pick(0, 5) == 0 ? kDay : pick(kHour, 3 * kDay); }

    // Names on a device between two instants, some with records, of which some were created anew under the same name.
    void addNames(const Place &place, std::uint32_t on, std::int64_t from, std::int64_t to,
                  const std::string &instance = {}, model::SeriesRole role = model::SeriesRole::Slice)
    {
        const bool shared = role != model::SeriesRole::Slice;
        for (int n = 0; n < 3; ++n) {
            const std::string name = batch.devices[on].uuid + '-' + place.name + instance + "-pod" + std::to_string(n);
            const std::uint32_t named =
                labelIn(place, name, pick(0, 2) ? name + "-uid0" : std::string(), pick(0, 8) == 0);
            for (std::int64_t start = from + pick(0, 4 * kDay); start < to;) {
                const std::int64_t end = std::min(to, start + pick(kHour / 2, 2 * kDay));
                reports(on, named, place.node, start, end, static_cast<double>(pick(0, 20)) - 2, instance, role);
                start = end + anyGap();
            }
            for (int i = 0; i < 2; ++i) {
                if (pick(0, 3) == 0)
                    continue;
                const std::uint32_t holder = podIn(place, name, name + "-uid" + std::to_string(i), 1,
                                                   shared ? "nvidia_com_gpu_shared" : "nvidia_com_gpu");
                for (int k = 0; k < 2; ++k)
                    anyRun(holder);
            }
        }
    }

    void anyRun(std::uint32_t holder)
    {
        const std::int64_t start = pick(0, kEnd - kHour);
        // In the dark cluster they are rare: records of any holder say that the scheduler's are complete.
        const bool rare = batch.holders[holder].cluster == kDark;
        const std::int64_t from = rare ? 9 * kDay + start % kDay : start;
        runs(holder, from, std::min(kEnd, from + pick(kHour, rare ? kDay : 3 * kDay)));
    }

    void addPlain(const std::string &cluster, const std::string &name, bool recorded)
    {
        const Place place = placeIn(cluster, name, recorded);
        addNames(place, deviceIn(place, "GPU-" + name), 0, kEnd);
        const std::uint32_t other = deviceIn(place, "GPU-machine-" + name, 1);
        const std::uint32_t machine = labelIn(place, name);
        batch.subjects[machine].kind = model::SubjectKind::Machine;
        batch.subjects[machine].nameSpace.clear();
        for (std::int64_t start = pick(0, kDay); start < kEnd;) {
            const std::int64_t end = std::min(kEnd, start + pick(kHour, 2 * kDay));
            reports(other, machine, place.node, start, end, static_cast<double>(pick(0, 20)));
            start = end + anyGap();
        }
    }

    // Another device takes the same position.
    void addReplaced()
    {
        const Place place = placeIn(kRecorded, "repaired", true);
        const std::int64_t when = pick(4 * kDay, 10 * kDay);
        addNames(place, deviceIn(place, "GPU-broken"), 0, when);
        addNames(place, deviceIn(place, "GPU-new"), when + pick(kHour, 2 * kDay), kEnd);
    }

    void addMoved()
    {
        const Place first = placeIn(kRecorded, "first", true), second = placeIn(kRecorded, "second", true);
        const std::uint32_t moved = deviceIn(first, "GPU-moved");
        const std::int64_t when = pick(5 * kDay, 10 * kDay);
        addNames(first, moved, 0, when);
        addNames(second, moved, when, kEnd);
    }

    void addSliced()
    {
        const Place place = placeIn(kRecorded, "sliced", true);
        const std::uint32_t mig = deviceIn(place, "GPU-mig");
        slice(mig, "1", {3, 7});
        slice(mig, "2", {4, 7});
        addNames(place, mig, 0, kEnd, "1");
        addNames(place, mig, 0, kEnd, "2");
    }

    void addShared()
    {
        const Place place = placeIn(kRecorded, "shared", true);
        batch.nodes[place.node].sharedGpus = true;
        addNames(place, deviceIn(place, "GPU-shared"), 0, kEnd, {}, model::SeriesRole::CopyPerHolder);
        for (const std::string &name : {std::string("together"), std::string("beside")})
            runs(podIn(place, name, name + "-uid", 1, "nvidia_com_gpu_shared"), 3 * kDay, 4 * kDay);
    }

    // An exporter without names, and pods that come and go.
    void addUnlabelled()
    {
        const Place place = placeIn(kRecorded, "unlabelled", true);
        for (int i = 0; i < 2; ++i)
            reports(deviceIn(place, "GPU-unlabelled-" + std::to_string(i), i), kNone, place.node, pick(0, kDay), kEnd,
                    30);
        for (int i = 0; i < 6; ++i)
            anyRun(podIn(place, "quiet" + std::to_string(i), "quiet-uid" + std::to_string(i), pick(1, 3)));
    }

    void addKnownCases()
    {
        // Silent on exactly one day, which counts as held by the name before and after.
        const Place silent = placeIn(kDark, "silent", false);
        const std::uint32_t pausing = deviceIn(silent, "GPU-pausing"), name = labelIn(silent, "pausing");
        reports(pausing, name, silent.node, 4 * kDay + 18 * kHour, 5 * kDay, 40);
        reports(pausing, name, silent.node, 6 * kDay, 7 * kDay, 40);
        // Named once, long before a pod that requests the node's only device.
        const Place once = placeIn(kRecorded, "once", true);
        const std::uint32_t early = deviceIn(once, "GPU-once");
        reports(early, labelIn(once, "early"), once.node, 0, kHour, 40);
        reports(early, kNone, once.node, kHour, kEnd, 40);
        runs(podIn(once, "later", "later-uid"), 9 * kDay, 12 * kDay);
        // Never named: the only pod has the only device.
        const Place lone = placeIn(kRecorded, "lone", true);
        reports(deviceIn(lone, "GPU-lone"), kNone, lone.node, 0, kEnd, 40);
        runs(podIn(lone, "alone", "alone-uid"), 6 * kDay, 8 * kDay);
    }

    std::mt19937_64 m_random;
};

std::string number(std::int64_t value)
{
    return std::to_string(value) + ' ';
}

std::string textOf(const model::AttributedHolder &who)
{
    std::string out = number(who.holder.value) + number(who.subject.value) + number(static_cast<int>(who.what))
        + number(static_cast<int>(who.kind)) + number(who.startedAt ? base::toUnix(*who.startedAt) : -1)
        + number(base::toUnix(who.seen.start)) + number(base::toUnix(who.seen.end)) + number(who.inferred);
    for (const std::string *text : {&who.cluster, &who.nameSpace, &who.name, &who.uid, &who.ownerKind, &who.ownerName,
                                    &who.team, &who.environment, &who.node, &who.protection})
        out += *text + '/';
    return out;
}

std::string textOf(const model::UsagePart &part)
{
    std::string out;
    for (const std::int64_t value :
         {std::int64_t{part.bucket}, static_cast<std::int64_t>(part.state), static_cast<std::int64_t>(part.signal),
          std::int64_t{part.shared}, std::int64_t{part.sharedEqually}, std::int64_t{part.slice}, part.ticks,
          part.costNanos, part.listNanos, std::int64_t{part.priced}, std::int64_t{part.listed},
          std::int64_t{part.activity}, std::int64_t{part.smActive}, std::int64_t{part.tensorActive},
          std::int64_t{part.memoryMeanMib}, std::int64_t{part.memoryMaxMib}, std::int64_t{part.powerDeciwatt}})
        out += number(value);
    return out;
}

std::string textOf(const model::DeviceAttribution &device)
{
    return number(device.device->id.value) + number(device.node ? device.node->id.value : -1)
        + number(device.rate.nanosPerHour()) + number(device.priced) + number(static_cast<int>(device.basis))
        + device.gpuModel + '/' + device.nodeOwner + '/' + device.priceSource + '/' + device.listSource;
}

struct Read {
    std::map<std::int32_t, std::vector<std::string>> days; // by offset: one line for each piece and each part
    std::size_t mostHolders = 0; // in one table
    std::set<std::string> names; // of holders
    // How often the cases occur that this suite is about.
    int inferred = 0, recorded = 0, namedOnly = 0, silentButNamed = 0, slices = 0, shared = 0;
    int pausing = 0, once = 0; // of the known cases
};

void count(Read &read, const model::DeviceAttribution &device, const model::UsagePart &part, std::int32_t day)
{
    read.slices += part.slice >= 0;
    read.shared += part.shared;
    if (part.holder == model::kNobody)
        return;
    const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
    read.names.insert(who.name);
    read.inferred += who.inferred;
    read.recorded += !who.inferred && who.holder;
    read.namedOnly += !who.holder;
    read.silentButNamed += !who.holder && part.state == GpuState::UnobservedHeld;
    read.pausing += device.device->uuid == "GPU-pausing" && day == 5 && part.state == GpuState::UnobservedHeld;
    read.once += device.device->uuid == "GPU-once" && day == 10;
}

// The days of [first, last].
using Walk = std::pair<int, int>;

base::Result<void> readWalk(store::AttributionReader &reader, const Scenario &fleet, Walk walk, Read &read)
{
    return reader.walk(fleet.day(walk.first), fleet.day(walk.second), {},
                       [&](const model::DeviceAttribution &device) -> base::Result<void> {
                           const std::int32_t day = device.day.number - fleet.day().number;
                           std::vector<std::string> &lines = read.days[day];
                           read.mostHolders = std::max(read.mostHolders, device.holders->size());
                           lines.push_back(textOf(device));
                           for (const model::UsagePart &part : device.parts) {
                               std::string line = textOf(part);
                               if (part.holder != model::kNobody)
                                   line += textOf((*device.holders)[static_cast<std::size_t>(part.holder)]);
                               lines.push_back(std::move(line));
                               count(read, device, part, day);
                           }
                           return {};
                       });
}

enum class Reader { Fresh, Same }; // for each walk, or for all of them

Read readAll(const ledger::Ledger &ledger, MemoryFacts &facts, const Scenario &fleet, std::span<const Walk> walks,
             Reader reader)
{
    Read out;
    auto attribution = ledger.attribution(facts);
    for (const Walk &walk : walks) {
        if (reader == Reader::Fresh)
            attribution = ledger.attribution(facts);
        if (const auto done = readWalk(*attribution, fleet, walk, out); !done)
            qFatal("%s", done.error().text.c_str());
    }
    return out;
}

std::vector<Walk> walksOf(int days, int each)
{
    std::vector<Walk> out;
    for (int first = 0; first < days; first += each)
        out.emplace_back(first, std::min(first + each, days) - 1);
    return out;
}

// The first line that differs; empty if none does.
std::string difference(const Read &expected, const Read &got)
{
    if (expected.days.size() != got.days.size())
        return "other days";
    for (const auto &[day, lines] : expected.days) {
        const auto found = got.days.find(day);
        if (found == got.days.end())
            return "no day " + std::to_string(day);
        const auto [a, b] = std::mismatch(lines.begin(), lines.end(), found->second.begin(), found->second.end());
        if (a != lines.end() || b != found->second.end())
            return "day " + std::to_string(day) + ": " + (a == lines.end() ? "nothing" : *a) + " but "
                + (b == found->second.end() ? "nothing" : *b);
    }
    return {};
}

model::Settings pricedClusters()
{
    model::Settings settings = tests::pricedSettings();
    settings.prices.overrides.push_back(settings.prices.overrides.front());
    settings.prices.overrides.back().cluster = kDark;
    return settings;
}

} // namespace

class TestAttributionRanges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dayIsTheSameInEveryRange_data();
    void dayIsTheSameInEveryRange();
    void endedHoldersAreForgotten();
};

void TestAttributionRanges::dayIsTheSameInEveryRange_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 4; ++seed)
        QTest::addRow("fleet %d", seed) << seed;
}

// One day with a reader of its own, all days at once, weeks, and days backwards, for which a reader joins days.
void TestAttributionRanges::dayIsTheSameInEveryRange()
{
    QFETCH(int, seed);
    const AnyFleet fleet(static_cast<std::uint64_t>(seed));
    const auto ledger = ledger::Ledger::create(pricedClusters()).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const std::vector<Walk> days = walksOf(kDays, 1), all = walksOf(kDays, kDays), weeks = walksOf(kDays, 7);
    const std::vector<Walk> backwards(days.rbegin(), days.rend());
    const Read alone = readAll(*ledger, facts, fleet, days, Reader::Fresh);
    QCOMPARE(alone.days.size(), static_cast<std::size_t>(kDays));
    for (const auto &[walks, reader] :
         {std::pair(&all, Reader::Fresh), std::pair(&weeks, Reader::Same), std::pair(&backwards, Reader::Same)}) {
        const Read read = readAll(*ledger, facts, fleet, *walks, reader);
        QCOMPARE(QString::fromStdString(difference(alone, read)), QString());
        QCOMPARE(read.pausing, static_cast<int>(base::kBucketsPerDay));
        QCOMPARE(read.once, 0);
    }
    QCOMPARE(alone.pausing, static_cast<int>(base::kBucketsPerDay));
    QCOMPARE(alone.once, 0);
    for (const int times :
         {alone.inferred, alone.recorded, alone.namedOnly, alone.silentButNamed, alone.slices, alone.shared})
        QVERIFY(times > 0);
}

// Short jobs: the table of a long walk holds those of a few days, and what it says stays right.
void TestAttributionRanges::endedHoldersAreForgotten()
{
    constexpr int kWalked = 6, kDevices = 4;
    constexpr std::int64_t kJob = 3 * kBucketSeconds;
    constexpr auto kJobsOfDay = static_cast<std::size_t>(kDevices * kDay / kJob);
    Scenario fleet(kWalked);
    const std::uint32_t node = fleet.node("n1", {}, false);
    for (int d = 0; d < kDevices; ++d) {
        const std::string uuid = "GPU-" + std::to_string(d);
        const std::uint32_t device = fleet.device(uuid, d);
        for (std::int64_t at = 0; at < kWalked * kDay; at += kJob)
            fleet.reports(device, fleet.label(uuid + '-' + std::to_string(at)), node, at, at + kJob, 40);
    }
    const auto ledger = ledger::Ledger::create(pricedClusters()).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const std::vector<Walk> days = walksOf(kWalked, 1), all = walksOf(kWalked, kWalked);
    const Read alone = readAll(*ledger, facts, fleet, days, Reader::Fresh);
    const Read together = readAll(*ledger, facts, fleet, all, Reader::Fresh);
    QCOMPARE(QString::fromStdString(difference(alone, together)), QString());
    QCOMPARE(alone.mostHolders, kJobsOfDay);
    QCOMPARE(together.names.size(), kWalked * kJobsOfDay);
    QVERIFY(together.mostHolders <= 3 * kJobsOfDay);
}

GPULEDGER_PLAIN_SUITE(TestAttributionRanges)

} // namespace tst_attributionranges

#include "tst_attributionranges.moc"

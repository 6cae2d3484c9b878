// SPDX-License-Identifier: GPL-3.0-or-later
// Holders that work on some of their devices and not on others, against a slow search through all attributed parts.
#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlecause.h"
#include "app/insight/proof/idleproof.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_idlepartly {

using namespace gpuledger;
using insight::IdleItem;
using insight::IdleList;
using model::GpuState;
using tests::MemoryFacts;
using tests::oneIn;
using tests::pick;
using tests::Random;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kBucket = 300;
constexpr int kDays = 2;
constexpr std::int64_t kNanosPerHour = 3'600'000'000; // of pricedSettings()

std::uint32_t training(Scenario &fleet, const std::string &name, std::int64_t devices, std::int64_t from)
{
    const auto pod = fleet.pod(name, "uid-" + name, "n1", devices);
    fleet.batch.holders[pod].labels["workload_kind"] = "training"; // a grace window of 1 h
    fleet.runs(pod, from, kDays * kDay);
    return fleet.label(name);
}

// One node whose 12 devices belong to pods of 1 to 5 devices. Each device works, rests or is silent for a while.
Scenario randomPods(Random &random)
{
    Scenario fleet(kDays);
    const auto node = fleet.node("n1");
    for (int device = 0, pod = 0; device < 12; ++pod) {
        const int size = static_cast<int>(std::min<std::int64_t>(pick(random, 1, 6), 12 - device));
        const std::int64_t from = oneIn(random, 3) ? pick(random, 0, kDays * kDay / kBucket) * kBucket : 0;
        const auto label = training(fleet, "pod" + std::to_string(pod), size, from);
        for (int i = 0; i < size; ++i, ++device) {
            const auto gpu = fleet.device("GPU-" + std::to_string(device), device);
            for (std::int64_t t = from; t < kDays * kDay;) {
                const std::int64_t longest = oneIn(random, 2) ? 6 : 100; // buckets
                const std::int64_t to = std::min(kDays * kDay, t + pick(random, 1, longest) * kBucket);
                const double percents[] = {0, 1, 4, 80, 30, oneIn(random, 3) ? -1.0 : 0.0};
                fleet.reports(gpu, label, node, t, to, percents[pick(random, 0, 6)]);
                t = to;
            }
        }
    }
    return fleet;
}

struct Seen {
    bool active = false;
    double observed = 0; // seconds
    std::int64_t idleNanos = 0;
};
struct HeldBy {
    base::UtcTime start{};
    std::map<std::string, std::map<base::UtcTime, Seen>> devices; // by UUID, then by the end of the bucket
};
using Holders = std::map<std::string, HeldBy>; // by id

Holders partsOf(store::AttributionReader &reader, const Scenario &fleet)
{
    Holders all;
    const auto walked = reader.walk(fleet.day(), fleet.day(kDays - 1), {}, [&](const model::DeviceAttribution &device) {
        for (const model::UsagePart &part : device.parts) {
            if (part.holder == model::kNobody)
                continue;
            const auto &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
            HeldBy &held = all[insight::idleIdOf(who)];
            held.start = who.startedAt.value_or(who.seen.start);
            Seen &seen = held.devices[device.device->uuid][device.day.start() + (part.bucket + 1) * base::kBucket];
            seen.active = seen.active || part.state == GpuState::Active;
            if (part.state != GpuState::UnobservedHeld)
                seen.observed += static_cast<double>(part.ticks) / base::GpuTime::kTicksPerSecond;
            if (part.state == GpuState::Idle)
                seen.idleNanos += part.costNanos;
        }
        return base::Result<void>{};
    });
    if (!walked)
        qFatal("the facts can't be read");
    return all;
}

std::string lineOf(const std::string &id, std::vector<std::string> devices, std::size_t held, base::UtcTime since,
                   std::int64_t nanosPerHour, std::int64_t wasted)
{
    std::sort(devices.begin(), devices.end());
    std::string text = id + " idle";
    for (const std::string &device : devices)
        text += ' ' + device;
    return text + " of " + std::to_string(held) + " since " + base::toRfc3339(since) + " at "
        + std::to_string(nanosPerHour) + " wasted " + std::to_string(wasted);
}

std::string lineOf(const IdleItem &item)
{
    return lineOf(item.id, item.devices, item.heldDevices, item.since, item.ratePerHour.value().nanos(),
                  item.wasted.value().nanos());
}

struct Expected {
    std::multiset<std::string> partly, idle;
};

Expected expectedAt(const Holders &holders, base::UtcTime at)
{
    Expected out;
    const base::UtcTime window = at - base::Seconds{kHour};
    for (const auto &[id, held] : holders) {
        if (held.start > window)
            continue;
        std::vector<std::string> quiet, seenEnough;
        std::size_t all = 0;
        base::UtcTime since = held.start;
        for (const auto &[uuid, buckets] : held.devices) {
            if (!buckets.contains(at))
                continue; // no longer held
            ++all;
            bool worked = false;
            double observed = 0;
            base::UtcTime last{};
            for (const auto &[end, seen] : buckets) {
                if (end > at)
                    break;
                worked = worked || (seen.active && end > window);
                observed += end > window ? seen.observed : 0;
                last = seen.active ? end : last;
            }
            if (worked)
                continue;
            quiet.push_back(uuid);
            since = std::max(since, last);
            if (observed >= 0.9 * kHour - 1e-6)
                seenEnough.push_back(uuid);
        }
        if (seenEnough.empty() || (quiet.size() == all && seenEnough.size() < all))
            continue; // it works on all of them, or can't be judged
        std::int64_t wasted = 0;
        for (const std::string &uuid : seenEnough) {
            for (const auto &[end, seen] : held.devices.at(uuid))
                wasted += end > since && end <= at ? seen.idleNanos : 0;
        }
        auto &lines = quiet.size() == all ? out.idle : out.partly;
        lines.insert(
            lineOf(id, seenEnough, all, since, static_cast<std::int64_t>(seenEnough.size()) * kNanosPerHour, wasted));
    }
    return out;
}

std::multiset<std::string> linesOf(const std::vector<IdleItem> &items)
{
    std::multiset<std::string> out;
    for (const IdleItem &item : items)
        out.insert(lineOf(item));
    return out;
}

QString joined(const std::multiset<std::string> &lines)
{
    QStringList all;
    for (const std::string &line : lines)
        all << QString::fromStdString(line);
    return all.join(QLatin1Char('\n'));
}

} // namespace

class TestIdlePartly : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threeOfEight();
    void agreesWithASearchThroughAllParts_data();
    void agreesWithASearchThroughAllParts();
    void filterAsksForTheIdleDevices();
    void isProved();
};

void TestIdlePartly::threeOfEight()
{
    Scenario fleet(kDays);
    const auto node = fleet.node("n1");
    const auto label = training(fleet, "a", 8, 0);
    for (int i = 0; i < 8; ++i) {
        const auto gpu = fleet.device("GPU-" + std::to_string(i), i);
        fleet.reports(gpu, label, node, 0, 4 * kHour, 80);
        fleet.reports(gpu, label, node, 4 * kHour, kDay, i < 3 ? 1 : 80);
    }
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    const auto at = [&](std::int64_t second) {
        return insight::idleAt(*reader, fleet.at(second), {}, settings.idle, base::Currency::usd()).value();
    };
    QVERIFY(at(5 * kHour - kBucket).partly.empty()); // within its grace window
    const IdleList list = at(10 * kHour);
    QVERIFY(list.items.empty() && list.unknown.empty());
    QCOMPARE(list.partly.size(), std::size_t{1});
    const IdleItem &item = list.partly.front();
    QCOMPARE(item.devices, (std::vector<std::string>{"GPU-0", "GPU-1", "GPU-2"}));
    QCOMPARE(item.heldDevices, std::size_t{8});
    QCOMPARE(item.gpus, 3.0);
    QCOMPARE(item.heldGpus, 8.0);
    QCOMPARE(base::toUnix(item.since), base::toUnix(fleet.at(4 * kHour)));
    QCOMPARE(item.idleHours, 6.0);
    QCOMPARE(item.ratePerHour->nanos(), 3 * kNanosPerHour);
    QCOMPARE(item.wasted->nanos(), 18 * kNanosPerHour);
    QVERIFY(item.recoverable == model::Recovery::Unknown && !item.avoidablePerMonth);
    QCOMPARE(insight::totalsOf(list.items).all.items, std::size_t{0}); // in no sum
}

void TestIdlePartly::agreesWithASearchThroughAllParts_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 8; ++seed)
        QTest::addRow("fleet %d", seed) << seed;
}

void TestIdlePartly::agreesWithASearchThroughAllParts()
{
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Scenario fleet = randomPods(random);
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    const Holders holders = partsOf(*reader, fleet);
    std::size_t partly = 0;
    for (int i = 0; i < 25; ++i) {
        const base::UtcTime at = fleet.at(pick(random, kHour / kBucket, kDays * kDay / kBucket) * kBucket);
        const IdleList list = insight::idleAt(*reader, at, {}, settings.idle, base::Currency::usd()).value();
        const Expected expected = expectedAt(holders, at);
        QCOMPARE(joined(linesOf(list.partly)), joined(expected.partly));
        QCOMPARE(joined(linesOf(list.items)), joined(expected.idle));
        partly += list.partly.size();
        std::set<std::string> once; // nothing is counted twice, and nothing costs more than it holds
        for (const auto *items : {&list.items, &list.partly}) {
            for (const IdleItem &item : *items) {
                QVERIFY(once.insert(item.id).second);
                const auto all = static_cast<std::int64_t>(item.heldDevices) * kNanosPerHour;
                QVERIFY(items == &list.items ? item.ratePerHour->nanos() == all : item.ratePerHour->nanos() < all);
            }
        }
    }
    QVERIFY2(partly > 10, qPrintable(QString::number(partly)));
}

void TestIdlePartly::filterAsksForTheIdleDevices()
{
    Scenario fleet(kDays);
    const auto node = fleet.node("n1");
    const auto label = training(fleet, "a", 2, 0);
    fleet.reports(fleet.device("GPU-0"), label, node, 0, kDay, 1);
    fleet.reports(fleet.device("GPU-1", 1), label, node, 0, kDay, 80);
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    for (const auto &[device, count] : {std::pair("GPU-0", 1), std::pair("GPU-1", 0)}) {
        insight::Filter filter;
        filter.include[insight::Dimension::Device] = {device};
        const IdleList list =
            insight::idleAt(*reader, fleet.at(10 * kHour), filter, settings.idle, base::Currency::usd()).value();
        QCOMPARE(list.partly.size(), static_cast<std::size_t>(count));
    }
}

void TestIdlePartly::isProved()
{
    Random random(3);
    const Scenario fleet = randomPods(random);
    const model::Settings settings = tests::pricedSettings();
    const auto ledger = ledger::Ledger::create(settings).value();
    MemoryFacts facts;
    facts.add(fleet.batch);
    const auto reader = ledger->attribution(facts);
    int proved = 0;
    for (std::int64_t hour = 4; hour < 44; hour += 4) {
        const base::UtcTime at = fleet.at(hour * kHour);
        const IdleList list = insight::idleAt(*reader, at, {}, settings.idle, base::Currency::usd()).value();
        for (const IdleItem &item : list.partly) {
            const auto proof = insight::idleProof(*reader, insight::idleFigure(at, item.id, "wasted"), settings.idle,
                                                  base::Currency::usd());
            QVERIFY(proof);
            QVERIFY(proof->agrees);
            QCOMPARE(proof->shown, insight::FigureValue::of(*item.wasted));
            ++proved;
        }
    }
    QVERIFY(proved > 3);
}

GPULEDGER_SUITE(TestIdlePartly)

} // namespace tst_idlepartly

#include "tst_idlepartly.moc"

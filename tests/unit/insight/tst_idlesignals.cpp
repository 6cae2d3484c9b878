// SPDX-License-Identifier: GPL-3.0-or-later
// What hosts, buses and inference servers did while a GPU was idle: which cause follows, and what is not known.
#include "app/insight/idle/idlesignals.h"

#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlereplay.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"
#include "ui/format/phrases/phrase.h"

#include <QTest>

namespace tst_idlesignals {

using namespace gpuledger;
using insight::IdleCause;
using insight::IdleItem;
using insight::IdleList;
using insight::IdleSignal;
using insight::InputSignals;
using model::HourSignal;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kShare = model::kSignalShareScale;

store::IdleCandidate held(std::int64_t memoryMib, double activity)
{
    store::IdleCandidate c;
    store::IdleUnit &u = c.units.emplace_back();
    u.device = base::DeviceId{1};
    u.memoryMib = memoryMib;
    u.peakActivity = activity;
    return c;
}

// One pod on one GPU of one host, idle all day; signals are added by the hour.
struct Site : Scenario {
    explicit Site(const std::string &podName = "train")
        : Scenario(2)
        , machine(node("n1"))
        , gpu(device("GPU-1"))
        , subject(label(podName, "uid"))
    {
        runs(pod(podName, "uid", "n1"), 0, 2 * kDay);
        reports(gpu, subject, machine, 0, 2 * kDay, 1);
        for (auto &bucket : batch.series.front().buckets)
            bucket.memoryMeanMib = bucket.memoryMaxMib = 40 * 1024;
    }
    void signal(HourSignal what, std::uint32_t of, std::int64_t firstHour, std::int64_t endHour, std::int64_t value,
                std::int32_t seconds = 3600);
    IdleList list(std::int64_t second) const
    {
        model::Settings settings = tests::pricedSettings();
        for (const auto &[kind, length] : grace)
            settings.idle.grace[kind] = length;
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(batch);
        const auto reader = ledger->attribution(facts);
        return insight::idleAt(*reader, at(second), {}, settings.idle, base::Currency::usd()).value();
    }
    // The stops of a replay of both days.
    std::vector<insight::ReplayStop> stops() const
    {
        insight::ReplayQuery query;
        query.range = batch.covered;
        for (const auto &[kind, length] : grace)
            query.rule.grace[kind] = length;
        const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
        MemoryFacts facts;
        facts.add(batch);
        const auto reader = ledger->attribution(facts);
        return insight::replayIdle(*reader, query, base::Currency::usd()).value().stops;
    }
    IdleItem item(std::int64_t second) const
    {
        const IdleList all = list(second);
        if (all.items.size() != 1)
            qFatal("one idle item was expected, not %d", static_cast<int>(all.items.size()));
        return all.items[0];
    }

    std::uint32_t machine, gpu, subject;
    std::map<model::WorkloadKind, base::Seconds> grace; // in place of the default
};

// Outside of its class, where moc takes the name of the member for a section.
void Site::signal(HourSignal what, std::uint32_t of, std::int64_t firstHour, std::int64_t endHour, std::int64_t value,
                  std::int32_t seconds)
{
    for (std::int64_t hour = firstHour; hour < endHour; ++hour)
        batch.signals.push_back({what, of, {base::toUnix(at(hour * kHour)) / kHour, seconds, value}});
}

bool has(const IdleItem &item, IdleSignal::Kind kind)
{
    return std::any_of(item.signals.begin(), item.signals.end(), [&](const IdleSignal &s) { return s.kind == kind; });
}

} // namespace

class TestIdleSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneBusyReadingIsEnough();
    void nothingLoadedIsNeverStarved();
    void aQuietServerIsNotStarved();
    void theBusTellsThatItWaits();
    void whatIsMissingIsNotKnown();
    void hoursOutsideDoNotCount();
    void aHostWithOthersTellsNothing();
    void requestsEndIdleness();
    void requestsCountForADayWhateverTheGraceWindow();
    void noRequestNeedsTheWholeWindow();
    void aReplayCountsThemToo();
    void theCausesAddUp();
};

void TestIdleSignals::oneBusyReadingIsEnough()
{
    const store::IdleCandidate loaded = held(40 * 1024, 0);
    const auto cause = [&](const InputSignals &input) { return insight::causeOf(loaded, {}, input); };
    using Member = std::optional<double> InputSignals::*;
    const std::pair<Member, double> limits[] = {{&InputSignals::pcieBytes, insight::kBusyBytes},
                                                {&InputSignals::copies, insight::kBusyCopies},
                                                {&InputSignals::hostCpu, insight::kBusyHost},
                                                {&InputSignals::ioWait, insight::kMuchIoWait},
                                                {&InputSignals::storageWait, insight::kMuchStorageWait}};
    InputSignals quiet;
    for (const auto &[member, limit] : limits) {
        quiet.*member = limit * 0.99;
        InputSignals one; // the others are missing
        one.*member = limit;
        QVERIFY(cause(one) == IdleCause::Starved);
        one.*member = limit * 0.99;
        QVERIFY(cause(one) == IdleCause::Loaded);
        one.*member = 0;
        QVERIFY(cause(one) == IdleCause::Loaded);
    }
    QVERIFY(cause({}) == IdleCause::Loaded);
    QVERIFY(cause(quiet) == IdleCause::Loaded);
    for (const auto &[member, limit] : limits) {
        InputSignals all = quiet;
        all.*member = limit;
        QVERIFY(cause(all) == IdleCause::Starved);
    }
    InputSignals peers; // traffic between GPUs is no input
    peers.nvlinkBytes = 100 * insight::kBusyBytes;
    QVERIFY(cause(peers) == IdleCause::Loaded);
}

void TestIdleSignals::nothingLoadedIsNeverStarved()
{
    InputSignals busy;
    busy.hostCpu = 1;
    busy.pcieBytes = 1e9;
    QVERIFY(insight::causeOf(held(200, 0), {}, busy) == IdleCause::Empty);
    QVERIFY(insight::causeOf(held(-1, 0), {}, busy) == IdleCause::Unknown);
    QVERIFY(insight::causeOf(held(-1, 0.01), {}, busy) == IdleCause::Starved); // something ran
    QVERIFY(insight::causeOf(held(200, 0.01), {{base::DeviceId{1}, 80 * 1024}}, busy) == IdleCause::Starved);
    QVERIFY(insight::causeOf(held(200, 0.01), {{base::DeviceId{1}, 80 * 1024}}) == IdleCause::Oversized);
}

void TestIdleSignals::aQuietServerIsNotStarved()
{
    InputSignals busy;
    busy.hostCpu = 1;
    busy.requests = 0;
    QVERIFY(insight::causeOf(held(40 * 1024, 0), {}, busy) == IdleCause::Loaded);
    busy.requests = 3;
    QVERIFY(insight::causeOf(held(40 * 1024, 0), {}, busy) == IdleCause::Starved);
    QVERIFY(busy.showsService(model::WorkloadKind::Inference));
    QVERIFY(!busy.showsService(model::WorkloadKind::Training));
    QVERIFY(!InputSignals().showsService(model::WorkloadKind::Inference));
}

void TestIdleSignals::theBusTellsThatItWaits()
{
    Site site;
    site.signal(HourSignal::PcieBytes, site.gpu, 0, 10, 30'000'000);
    site.signal(HourSignal::HostIoWait, site.machine, 0, 10, kShare / 4);
    site.signal(HourSignal::HostCpu, site.machine, 0, 10, kShare / 10);
    const IdleItem item = site.item(10 * kHour);
    QVERIFY(item.cause == IdleCause::Starved);
    QCOMPARE(QString::fromStdString(ui::causeOf(item).english()),
             QStringLiteral("it waits for input while the GPU does no work: CPUs of its host waited 25.0 % of the time "
                            "for input or output (10.0 % or more is high)"));
    const auto pcie = std::find_if(item.signals.begin(), item.signals.end(),
                                   [](const IdleSignal &s) { return s.kind == IdleSignal::Kind::PcieTraffic; });
    QVERIFY(pcie != item.signals.end() && !pcie->speaksForIdle);
    QCOMPARE(QString::fromStdString(ui::phraseOf(*pcie).english()),
             QStringLiteral("30 MB/s moved over PCIe (busy at 10 MB/s or more)"));
    const auto cpu = std::find_if(item.signals.begin(), item.signals.end(),
                                  [](const IdleSignal &s) { return s.kind == IdleSignal::Kind::HostCpu; });
    QVERIFY(cpu != item.signals.end() && cpu->speaksForIdle);
}

void TestIdleSignals::whatIsMissingIsNotKnown()
{
    const IdleItem plain = Site().item(10 * kHour);
    QVERIFY(plain.cause == IdleCause::Loaded);
    for (int kind = static_cast<int>(IdleSignal::Kind::PcieTraffic);
         kind <= static_cast<int>(IdleSignal::Kind::NoRequests); ++kind)
        QVERIFY(!has(plain, static_cast<IdleSignal::Kind>(kind)));

    Site two; // one of its two GPUs reports no traffic
    const auto second = two.device("GPU-2", 1);
    two.reports(second, two.subject, two.machine, 0, 2 * kDay, 1);
    two.batch.holders[0].gpuRequests["nvidia_com_gpu"] = 2;
    two.signal(HourSignal::PcieBytes, two.gpu, 0, 10, 30'000'000);
    QVERIFY(!has(two.item(10 * kHour), IdleSignal::Kind::PcieTraffic));
    two.signal(HourSignal::PcieBytes, second, 0, 10, 0);
    QVERIFY(has(two.item(10 * kHour), IdleSignal::Kind::PcieTraffic));
}

// Half an hour of the newest hour is used; an hour that reaches beyond the instant, or began before the idle time, is
// not.
void TestIdleSignals::hoursOutsideDoNotCount()
{
    Site site;
    auto &buckets = site.batch.series.front().buckets;
    for (int b = 0; b < 90; ++b) // works until 07:30
        buckets[static_cast<std::size_t>(b)].activity = model::toShare(0.5);
    site.signal(HourSignal::PcieBytes, site.gpu, 0, 8, 90'000'000);
    site.signal(HourSignal::PcieBytes, site.gpu, 8, 10, 1'000'000);
    site.signal(HourSignal::PcieBytes, site.gpu, 10, 11, 90'000'000);
    const IdleItem item = site.item(10 * kHour + 1800);
    QVERIFY(item.cause == IdleCause::Loaded);
    Site newest = site;
    newest.batch.signals.back().hour.seconds = 1800;
    QVERIFY(newest.item(10 * kHour + 1800).cause == IdleCause::Starved); // (2 x 1 + 0.5 x 90) / 2.5 MB/s
}

void TestIdleSignals::aHostWithOthersTellsNothing()
{
    Site site;
    site.signal(HourSignal::HostCpu, site.machine, 0, 10, kShare);
    QVERIFY(site.item(10 * kHour).cause == IdleCause::Starved);
    const auto other = site.label("other", "uid-other");
    const auto gpu = site.device("GPU-9", 1);
    site.runs(site.pod("other", "uid-other", "n1"), 0, 2 * kDay);
    site.reports(gpu, other, site.machine, 0, 2 * kDay, 90);
    const IdleItem item = site.item(10 * kHour);
    QVERIFY(item.cause == IdleCause::Loaded);
    QVERIFY(!has(item, IdleSignal::Kind::HostCpu));
}

void TestIdleSignals::requestsEndIdleness()
{
    Site site;
    site.batch.holders[0].ownerKind = "InferenceService";
    site.batch.holders[0].ownerName = "llm";
    const IdleItem before = site.item(30 * kHour);
    QVERIFY(before.workloadKind == model::WorkloadKind::Inference);
    site.signal(HourSignal::Requests, site.subject, 6, 30, 0);
    const IdleItem quiet = site.item(30 * kHour);
    QVERIFY(has(quiet, IdleSignal::Kind::NoRequests));
    QCOMPARE(QString::fromStdString(ui::phraseOf(quiet.signals.back()).english()),
             QStringLiteral("no request in the last 24 h"));
    site.batch.signals.back().hour.value = 2;
    const IdleList after = site.list(30 * kHour);
    QVERIFY(after.items.empty() && after.unknown.empty());
    site.batch.holders[0].ownerKind = "Job"; // no server: evidence against, no more
    const IdleItem job = site.item(30 * kHour);
    QVERIFY(!has(job, IdleSignal::Kind::NoRequests));
    QCOMPARE(QString::fromStdString(ui::phraseOf(job.signals.back()).english()),
             QStringLiteral("about 2 requests served in the last 24 h"));
    QVERIFY(!job.signals.back().speaksForIdle);
}

void TestIdleSignals::requestsCountForADayWhateverTheGraceWindow()
{
    Site site;
    site.batch.holders[0].ownerKind = "InferenceService";
    site.batch.holders[0].ownerName = "llm";
    site.grace[model::WorkloadKind::Inference] = base::Seconds{kHour};
    site.signal(HourSignal::Requests, site.subject, 6, 32, 0);
    QVERIFY(has(site.item(30 * kHour), IdleSignal::Kind::NoRequests));
    site.batch.signals.front().hour.value = 3; // from 6:00 to 7:00
    const IdleList served = site.list(30 * kHour);
    QVERIFY(served.items.empty() && served.unknown.empty());
    QVERIFY(has(site.item(31 * kHour), IdleSignal::Kind::NoRequests)); // a day later
}

void TestIdleSignals::noRequestNeedsTheWholeWindow()
{
    Site site; // a grace window of one hour; requests count for a day
    site.signal(HourSignal::Requests, site.subject, 29, 30, 0);
    QVERIFY(!has(site.item(30 * kHour), IdleSignal::Kind::NoRequests));
    site.batch.signals.clear();
    site.signal(HourSignal::Requests, site.subject, 6, 30, 0);
    QVERIFY(has(site.item(30 * kHour), IdleSignal::Kind::NoRequests));
    QVERIFY(!has(site.item(30 * kHour + 1800), IdleSignal::Kind::NoRequests)); // the newest half hour is missing
    site.signal(HourSignal::Requests, site.subject, 30, 31, 0, 1800);
    const IdleItem item = site.item(30 * kHour + 1800);
    QVERIFY(has(item, IdleSignal::Kind::NoRequests));
    QCOMPARE(QString::fromStdString(ui::phraseOf(item.signals.back()).english()),
             QStringLiteral("no request in the last 24 h"));
    site.batch.signals.front().hour.value = 5; // perhaps before the window: neither is known
    QVERIFY(!has(site.item(30 * kHour + 1800), IdleSignal::Kind::NoRequests));
    QVERIFY(!has(site.item(30 * kHour + 1800), IdleSignal::Kind::RequestsServed));
}

// It stops a server at the first instant at which the idle list contains it: a day after its last request.
void TestIdleSignals::aReplayCountsThemToo()
{
    Site site;
    site.batch.holders[0].ownerKind = "InferenceService";
    site.batch.holders[0].ownerName = "llm";
    site.grace[model::WorkloadKind::Inference] = base::Seconds{kHour};
    QCOMPARE(site.stops().size(), std::size_t{1});
    QCOMPARE(site.stops().front().at, site.at(kHour));
    site.signal(HourSignal::Requests, site.subject, 0, 48, 0);
    QCOMPARE(site.stops().front().at, site.at(kHour)); // none served
    site.batch.signals[0].hour.value = 3; // from 0:00 to 1:00
    QCOMPARE(site.stops().size(), std::size_t{1});
    const base::UtcTime stopped = site.stops().front().at;
    QCOMPARE(stopped, site.at(kDay + 300)); // the first bucket whose window leaves out the hour's first seconds
    QVERIFY(site.list(kDay).items.empty());
    QCOMPARE(site.list(kDay + 300).items.size(), std::size_t{1});
    site.batch.holders[0].ownerKind = "Job"; // no server
    site.grace[model::WorkloadKind::Batch] = site.grace[model::WorkloadKind::Training] = base::Seconds{kHour};
    QCOMPARE(site.stops().front().at, site.at(kHour));
    site.batch.holders[0].ownerKind = "InferenceService";
    for (int hour = 0; hour < 48; hour += 6)
        site.batch.signals[static_cast<std::size_t>(hour)].hour.value = 1;
    QVERIFY(site.stops().empty());
}

// To the nano-unit, whatever the signals say.
void TestIdleSignals::theCausesAddUp()
{
    std::map<IdleCause, int> seen;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        tests::Random random(seed);
        Scenario fleet = tests::randomFleet(random, seed % 2 ? tests::Telling::Loose : tests::Telling::Wild);
        for (auto &series : fleet.batch.series) {
            const auto memory = static_cast<std::uint32_t>(tests::pick(random, 0, 3)) * 30'000;
            for (auto &bucket : series.buckets)
                bucket.memoryMeanMib = bucket.memoryMaxMib = memory;
        }
        const std::int64_t first = base::toUnix(fleet.at(0)) / kHour;
        for (int kind = 1; kind <= model::kHourSignals; ++kind) {
            const auto signal = static_cast<HourSignal>(kind);
            const std::size_t count = model::subjectOf(signal) == model::SignalOf::Device ? fleet.batch.devices.size()
                : model::subjectOf(signal) == model::SignalOf::Node                       ? fleet.batch.nodes.size()
                                                                                          : fleet.batch.subjects.size();
            for (std::uint32_t of = 0; of < count; ++of) {
                for (std::int64_t hour = 0; hour < 72 && tests::pick(random, 0, 2) > 0; ++hour)
                    fleet.batch.signals.push_back(
                        {signal, of, {first + hour, 3600, tests::pick(random, 0, 2) * (kShare / 2)}});
            }
            for (std::uint32_t of = 0; of < count; ++of) { // of the hours before the instant
                if (signal == HourSignal::Requests && of % 3 != 0)
                    continue;
                for (std::int64_t hour = 60; hour < 70; ++hour)
                    fleet.batch.signals.push_back(
                        {signal, of, {first + hour, 3600, signal == HourSignal::PcieBytes && of % 2 ? 50'000'000 : 0}});
            }
        }
        const model::Settings settings = tests::pricedSettings();
        const auto ledger = ledger::Ledger::create(settings).value();
        MemoryFacts facts;
        facts.add(fleet.batch);
        const auto reader = ledger->attribution(facts);
        const IdleList list =
            insight::idleAt(*reader, fleet.at(70 * kHour), {}, settings.idle, base::Currency::usd()).value();
        std::int64_t wanted = 0, sum = 0;
        std::size_t items = 0;
        for (const IdleItem &item : list.items) {
            ++seen[item.cause];
            wanted += item.perMonth ? item.perMonth->nanos() : 0;
        }
        const insight::IdleTotals totals = insight::totalsOf(list.items);
        for (const insight::IdleSum &one : totals.byCause) {
            sum += *one.perMonth;
            items += one.items;
        }
        QCOMPARE(sum, wanted);
        QCOMPARE(*totals.all.perMonth, wanted);
        QCOMPARE(items, list.items.size());
    }
    QVERIFY(seen[IdleCause::Starved] > 0);
    QVERIFY(seen[IdleCause::Loaded] > 0);
}

GPULEDGER_SUITE(TestIdleSignals)

} // namespace tst_idlesignals

#include "tst_idlesignals.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The idle list computed from the candidates stored with the roll-up equals that of a scan of the facts, to the last
// bit.
#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlecandidates.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/codecs/bytes.h"
#include "app/store/codecs/idlecodec.h"
#include "app/store/idle/idlescan.h"
#include "app/store/idle/idlestore.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/checksum.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

namespace tst_idlekept {

using namespace gpuledger;
using insight::Dimension;
using insight::Filter;
using tests::oneIn;
using tests::pick;
using tests::Random;
using tests::Scenario;
using tests::Telling;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr qint64 kEnd = 4 * kDay - 6 * kHour; // of a fleet whose newest data end within a day

// The same facts without the stored candidates.
class Scanned final : public store::AttributionReader {
public:
    explicit Scanned(store::AttributionReader &facts)
        : m_facts(facts)
    {
    }
    base::Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                            const Visitor &visit) override
    {
        ++walks;
        return m_facts.walk(first, last, devices, visit);
    }
    store::FactReader *facts() override { return m_facts.facts(); }
    base::Result<store::IdleReader *> kept() override { return keeps ? m_facts.kept() : nullptr; }

    int walks = 0;
    bool keeps = false;

private:
    store::AttributionReader &m_facts;
};

std::string textOf(const insight::IdleList &list)
{
    std::string out = base::toRfc3339(list.at) + '\n';
    const auto number = [&](double v) { out += QByteArray::number(v, 'g', 17).toStdString() + '|'; };
    const auto money = [&](const std::optional<base::Money> &m) { out += (m ? m->toDecimal() : "none") + '|'; };
    const auto item = [&](const insight::IdleItem &i) {
        for (const std::string &text :
             {i.id, std::string(model::toString(i.kind)), i.name, i.owner, i.cluster, i.nameSpace, i.node, i.workload,
              i.gpuModel, i.protection, base::toRfc3339(i.since)})
            out += text + '|';
        for (const std::string &device : i.devices)
            out += device + ',';
        // The chance that it stays idle is only measured from what is stored (tst_gapcurves).
        for (const double v : {i.gpus, i.heldGpus, static_cast<double>(i.heldDevices), i.idleHours, i.observed})
            number(v);
        out += std::string(model::toString(i.recoverable)) + (i.sharesGpu ? " shares its GPU|" : "|");
        for (const std::string &id : i.stopWith)
            out += id + ',';
        money(i.avoidablePerMonth);
        money(i.ratePerHour);
        money(i.wasted);
        money(i.perMonth);
        out += std::to_string(static_cast<int>(i.workloadKind)) + std::to_string(static_cast<int>(i.signal))
            + (i.sinceIsLowerBound ? "~" : "=");
        for (const insight::IdleSignal &s : i.signals)
            out += (s.speaksForIdle ? "+" : "-") + std::to_string(static_cast<int>(s.kind)) + ' '
                + std::to_string(s.value) + ' ' + std::to_string(s.limit) + ' ' + std::to_string(s.window.count());
        out += '\n';
    };
    for (const insight::IdleItem &i : list.items)
        item(i);
    for (const insight::IdleItem &i : list.partly) {
        out += "partly ";
        item(i);
    }
    for (const insight::UnknownItem &u : list.unknown) {
        for (const std::string &text : {u.id, u.name, u.owner, u.cluster, u.nameSpace, u.node})
            out += text + '|';
        for (const std::string &device : u.devices)
            out += device + ',';
        for (const double v : {u.observed, u.needed, static_cast<double>(u.grace.count())})
            number(v);
        out += '\n';
    }
    return out;
}

// Everything is rented by the hour.
base::Result<model::CostTerms> rented(const std::vector<model::PlacedDevice> &devices, base::UtcTime)
{
    model::CostTerms out;
    for (const model::PlacedDevice &one : devices)
        out[one.device] = model::Recovery::Now;
    return out;
}

struct Cache {
    QTemporaryDir dir;
    std::unique_ptr<store::LedgerStore> store = store::LedgerStore::open(dir.path().toStdString()).value();
    model::Settings settings = tests::pricedSettings();
    std::unique_ptr<ledger::Ledger> ledger = ledger::Ledger::create(settings).value();

    void useSettings(model::Settings changed)
    {
        settings = std::move(changed);
        ledger = ledger::Ledger::create(settings).value();
    }
    // The end of the fetched range, shifted.
    base::UtcTime end(std::int64_t moved = 0) const
    {
        return store->facts().value()->coveredRange().value().end + base::Seconds{moved};
    }
    // One answer; `walks` counts the reads of attributed days.
    std::string answer(base::UtcTime at, const Filter &filter, bool keeps, int *walks = nullptr) const
    {
        const auto facts = store->facts().value();
        const auto attribution = ledger->attribution(*facts);
        Scanned reader(*attribution);
        reader.keeps = keeps;
        const auto list = insight::idleAt(reader, at, filter, settings.idle, base::Currency::usd(), rented);
        if (walks)
            *walks = reader.walks;
        return list ? textOf(*list) : "failed: " + list.error().text;
    }
    // The differences between the stored and the scanned answer; empty if there are none.
    std::string difference(base::UtcTime at, const Filter &filter = {}) const
    {
        const std::string kept = answer(at, filter, true), scanned = answer(at, filter, false);
        std::string out;
        for (const auto &[text, other, name] :
             {std::tuple(kept, scanned, "kept"), std::tuple(scanned, kept, "scanned")}) {
            const QStringList lines = QString::fromStdString(other).split(QLatin1Char('\n'));
            for (const QString &line : QString::fromStdString(text).split(QLatin1Char('\n')))
                out += lines.contains(line) ? std::string()
                                            : std::string("only ") + name + ": " + line.toStdString() + '\n';
        }
        return out;
    }
    // The first finding of verify(); empty if there is none.
    std::string problem() const
    {
        const auto problems = ledger::verify(*store, ledger->rollup());
        if (!problems)
            return problems.error().text;
        return problems->empty() ? std::string() : problems->front().what;
    }
};

std::vector<Filter> filters()
{
    std::vector<Filter> all(1);
    for (const auto &[dimension, value] :
         {std::pair{Dimension::Team, "vision"}, std::pair{Dimension::Device, "GPU-1"}, std::pair{Dimension::Node, "n1"},
          std::pair{Dimension::WorkloadKind, "notebook"}, std::pair{Dimension::Cluster, "elsewhere"},
          std::pair{Dimension::Workload, "ml/Pod/job1-again"}})
        all.emplace_back().include[dimension] = {value};
    all.back().include[Dimension::Node] = {"n0"};
    all.emplace_back().exclude[Dimension::Node] = {"n0", "n2"};
    return all;
}

std::uint32_t startJob(Scenario &fleet, const std::string &name, int devices, std::int64_t from, std::int64_t to)
{
    const auto pod = fleet.pod(name, "uid-" + name, "n1", devices);
    fleet.batch.holders[pod].labels["workload_kind"] = "training"; // a grace window of 1 h
    fleet.runs(pod, from, to);
    return fleet.label(name);
}

// A job on two devices, one of which never works.
Scenario halfIdle(int days)
{
    Scenario fleet(days);
    const auto node = fleet.node("n1");
    const auto label = startJob(fleet, "job", 2, 0, days * kDay);
    fleet.reports(fleet.device("GPU-0", 0), label, node, 0, days * kDay, 80);
    fleet.reports(fleet.device("GPU-1", 1), label, node, 0, days * kDay, 0);
    return fleet;
}

// Jobs on one to four devices that work, rest or are silent, for hours or for days.
Scenario randomJobs(Random &random, int days)
{
    Scenario fleet(days);
    const auto node = fleet.node("n1");
    for (int device = 0, job = 0; device < 12; ++job) {
        const int size = static_cast<int>(std::min<std::int64_t>(pick(random, 1, 5), 12 - device));
        const std::int64_t from = pick(random, 0, kDay / 300) * 300;
        const auto label = startJob(fleet, "job" + std::to_string(job), size, from, days * kDay);
        for (int i = 0; i < size; ++i, ++device) {
            const auto gpu = fleet.device("GPU-" + std::to_string(device), device);
            for (std::int64_t t = from; t < days * kDay;) {
                const std::int64_t longest = oneIn(random, 2) ? 30 : 2 * 288; // buckets
                const std::int64_t to = std::min(days * kDay, t + pick(random, 1, longest) * 300);
                const double percents[] = {0, 0, 0, 4, 80, oneIn(random, 3) ? -1.0 : 0.0};
                fleet.reports(gpu, label, node, t, to, percents[pick(random, 0, 6)]);
                t = to;
            }
        }
    }
    return fleet;
}

std::size_t linesOf(const std::string &text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

class TestIdleKept : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersAsAScanDoes_data()
    {
        QTest::addColumn<int>("telling");
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 2; ++seed) {
            QTest::addRow("tidy %d", seed) << static_cast<int>(Telling::Tidy) << seed;
            QTest::addRow("loose %d", seed) << static_cast<int>(Telling::Loose) << seed;
            QTest::addRow("wild %d", seed) << static_cast<int>(Telling::Wild) << seed;
        }
    }
    void answersAsAScanDoes();
    void keepsUpWhenSettingsChange();
    void readsOnlyCandidatesAtTheEnd();
    void staleOrDamagedCandidatesAreFound();
    void partlyIdleJobsAreNotReadAgain();
    void partlyIdleJobsAreSummedAsByAScan();
    void storedDaysSayWhatHasNoPrice();
    void blobsComeBackAsTheyWere();
    void readsDaysOfAnOlderVersion();
    void neighboursAreThoseOfAScan_data();
    void neighboursAreThoseOfAScan();
};

void TestIdleKept::answersAsAScanDoes()
{
    QFETCH(int, telling);
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Scenario fleet = tests::randomFleet(random, static_cast<Telling>(telling));
    Cache cache;
    std::size_t listed = 0;
    for (const tests::Piece &piece : tests::randomPieces(fleet, random, static_cast<Telling>(telling))) {
        QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit(piece.source, piece.batch));
        QCOMPARE(cache.problem(), std::string());
        for (const std::int64_t moved : {std::int64_t{0}, std::int64_t{-300}, -pick(random, 0, 40 * kHour)}) {
            const std::string difference = cache.difference(cache.end(moved));
            QVERIFY2(difference.empty(), difference.c_str());
        }
        listed += linesOf(cache.answer(cache.end(), {}, true)) - 1;
    }
    QVERIFY2(listed > 10, qPrintable(QString::number(listed)));
    for (const Filter &filter : filters()) {
        for (const std::int64_t moved : {std::int64_t{0}, std::int64_t{-300}, -pick(random, 0, 70 * kHour)}) {
            const std::string difference = cache.difference(cache.end(moved), filter);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }
}

void TestIdleKept::keepsUpWhenSettingsChange()
{
    Random random(77);
    const Scenario fleet = tests::randomFleet(random, Telling::Tidy);
    Cache cache;
    for (const tests::Piece &piece : tests::randomPieces(fleet, random, Telling::Tidy))
        QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit(piece.source, piece.batch));
    model::Settings strict = cache.settings, patient = cache.settings;
    strict.idle.threshold = 0.005;
    patient.idle.grace[model::WorkloadKind::Training] = base::Seconds{30 * kHour};
    patient.idle.observed = 0.2;
    const std::string first = cache.answer(cache.end(), {}, true);
    for (const model::Settings &changed : {strict, patient, tests::pricedSettings()}) {
        cache.useSettings(changed);
        // Before anything is rebuilt, as a read-only reader sees it.
        std::string difference = cache.difference(cache.end());
        QVERIFY2(difference.empty(), difference.c_str());
        QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).refreshRollup());
        difference = cache.difference(cache.end());
        QVERIFY2(difference.empty(), difference.c_str());
        QCOMPARE(cache.problem(), std::string());
        int walks = -1;
        (void)cache.answer(cache.end(), {}, true, &walks);
        QCOMPARE(walks, 0);
    }
    QVERIFY(first == cache.answer(cache.end(), {}, true));
}

void TestIdleKept::readsOnlyCandidatesAtTheEnd()
{
    Random random(5);
    Cache cache;
    QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup())
                .commit("prom", tests::randomFleet(random, Telling::Tidy).batch));
    int walks = -1;
    QVERIFY(linesOf(cache.answer(cache.end(), {}, true, &walks)) > 1);
    QCOMPARE(walks, 0);
    (void)cache.answer(cache.end(299), {}, true, &walks); // the same bucket
    QCOMPARE(walks, 0);
    (void)cache.answer(cache.end(-kDay), {}, true, &walks);
    QVERIFY(walks > 0);
}

void TestIdleKept::staleOrDamagedCandidatesAreFound()
{
    Random random(5);
    Cache cache;
    QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup())
                .commit("prom", tests::randomFleet(random, Telling::Tidy).batch));
    QCOMPARE(cache.problem(), std::string());
    model::Settings others = cache.settings;
    others.idle.threshold = 0.7; // other states under the same candidates
    const auto other = ledger::Ledger::create(others).value();
    const auto problems = ledger::verify(*cache.store, other->rollup());
    QVERIFY(problems);
    QVERIFY(std::any_of(problems->begin(), problems->end(),
                        [](const store::IntegrityProblem &p) { return p.where == "idle_candidate"; }));
    QVERIFY(std::any_of(problems->begin(), problems->end(),
                        [](const store::IntegrityProblem &p) { return p.where == "idle_day"; }));
}

void TestIdleKept::partlyIdleJobsAreNotReadAgain()
{
    std::vector<int> walks;
    for (const int days : {3, 12}) {
        Cache cache;
        QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit("prom", halfIdle(days).batch));
        const auto facts = cache.store->facts().value();
        const auto attribution = cache.ledger->attribution(*facts);
        const auto kept = attribution->kept();
        QVERIFY(kept && *kept);
        Scanned reader(*attribution);
        const auto found = store::IdleScan(cache.end(), cache.settings.idle).fromKept(reader, **kept);
        QVERIFY(found);
        QCOMPARE(found->size(), std::size_t{1});
        walks.push_back(reader.walks);
        const auto scanned = store::IdleScan(cache.end(), cache.settings.idle).scan(*attribution, nullptr);
        QVERIFY(scanned && store::areStoredAlike(*found, *scanned));
    }
    QCOMPARE(walks[1], walks[0]); // however old it is
}

void TestIdleKept::partlyIdleJobsAreSummedAsByAScan()
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Random random(seed);
        Cache cache;
        QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit("prom", randomJobs(random, 6).batch));
        QCOMPARE(cache.problem(), std::string()); // the candidates equal those of a scan
        for (int i = 0; i < 4; ++i) {
            const std::string difference = cache.difference(cache.end(-pick(random, 0, 90) * kHour));
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }
}

// In the sum after the last work of all devices, and in that of the whole day.
void TestIdleKept::storedDaysSayWhatHasNoPrice()
{
    for (const bool priced : {true, false}) {
        Cache cache;
        if (!priced)
            cache.useSettings(model::Settings());
        Scenario fleet(2);
        const auto node = fleet.node("n1");
        const auto label = startJob(fleet, "job", 2, 0, 2 * kDay);
        fleet.reports(fleet.device("GPU-0", 0), label, node, 0, kDay / 2, 80);
        fleet.reports(fleet.device("GPU-1", 1), label, node, 0, 2 * kDay, 0);
        for (model::Device &device : fleet.batch.devices)
            device.model = "Unheard-of GPU";
        QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit("prom", fleet.batch));
        const auto facts = cache.store->facts().value();
        const auto kept = facts->keptIdle(cache.ledger->rollup().fingerprint());
        QVERIFY(kept && *kept);
        int tails = 0, whole = 0;
        const auto range = facts->coveredRange().value();
        for (base::Day day = base::dayOf(range.start); day <= base::dayOf(range.end - base::Seconds{1}); ++day.number) {
            const auto units = (*kept)->day(day);
            QVERIFY(units);
            for (const store::IdleUnitDay &unit : *units) {
                tails += unit.tail && unit.tail->idleSeconds > 0 && unit.tail->unpriced != priced;
                whole += unit.whole && unit.whole->idleSeconds > 0 && unit.whole->unpriced != priced;
                QVERIFY(!unit.tail || unit.tail->idleSeconds == 0 || unit.tail->unpriced != priced);
                QVERIFY(!unit.whole || unit.whole->idleSeconds == 0 || unit.whole->unpriced != priced);
            }
        }
        QVERIFY(tails > 0 && whole > 0);
    }
}

void TestIdleKept::readsDaysOfAnOlderVersion()
{
    const base::Day day{20000};
    const store::IdleDay units{
        {{3, 0}, {1, -1}, model::WorkloadKind::Batch, 100, 287, store::IdleTail{101, 0.5, 7, true}}};
    std::string blob = store::idlecodec::encode(day, units);
    QVERIFY(!store::idlecodec::isOlderDay(blob));
    blob.resize(blob.size() - 5); // the checksum, and that there is no whole day
    blob.front() = 1;
    store::putU32(blob, store::checksum(blob, day.number));
    QVERIFY(store::idlecodec::isOlderDay(blob) && !store::idlecodec::isOlderDay({}));
    store::IdleDay back;
    QVERIFY(store::idlecodec::decode(day, blob, back));
    QVERIFY(back == units);
}

// What else is on the machine of something idle is found without reading the placements of every device.
void TestIdleKept::neighboursAreThoseOfAScan_data()
{
    QTest::addColumn<QString>("first"); // where the other device reports first; "": nowhere
    QTest::addColumn<qint64>("until");
    QTest::addColumn<QString>("then");
    QTest::addColumn<double>("percent");
    QTest::addColumn<bool>("stays");
    QTest::newRow("works") << "n1" << kEnd << "" << 80.0 << true;
    QTest::newRow("worked hours ago") << "n1" << kEnd - 5 * kHour << "" << 80.0 << true;
    QTest::newRow("was idle hours ago") << "n1" << kEnd - 5 * kHour << "" << 0.5 << true;
    QTest::newRow("silent for a day less an hour") << "n1" << kEnd - 23 * kHour << "" << 80.0 << true;
    QTest::newRow("silent since the day before") << "n1" << kEnd - 25 * kHour << "" << 80.0 << false;
    QTest::newRow("works elsewhere") << "n2" << kEnd << "" << 80.0 << false;
    QTest::newRow("came from elsewhere") << "n2" << kEnd - 30 * kHour << "n1" << 80.0 << true;
    QTest::newRow("came today") << "n2" << kEnd - 4 * kHour << "n1" << 80.0 << true;
    QTest::newRow("went elsewhere") << "n1" << kEnd - 30 * kHour << "n2" << 80.0 << false;
    QTest::newRow("named no machine before") << "" << kEnd - 30 * kHour << "n1" << 80.0 << true;
}

void TestIdleKept::neighboursAreThoseOfAScan()
{
    QFETCH(QString, first);
    QFETCH(qint64, until);
    QFETCH(QString, then);
    QFETCH(double, percent);
    QFETCH(bool, stays);
    Scenario fleet(4);
    fleet.batch.covered.end = fleet.at(kEnd);
    std::map<std::string, std::uint32_t> nodes{{"", Scenario::kNone}};
    for (const char *name : {"n1", "n2"})
        nodes[name] = fleet.node(name);
    fleet.reports(fleet.device("GPU-0", 0), startJob(fleet, "idle", 1, 0, kEnd), nodes["n1"], 0, kEnd, 0.5);
    const auto other = fleet.device("GPU-1", 1);
    const auto tell = [&](const std::string &where, std::int64_t from, std::int64_t to, std::int64_t runsTo) {
        const std::string name = "other-" + where;
        const auto pod = fleet.pod(name, "uid-" + name, where);
        fleet.batch.holders[pod].labels["workload_kind"] = "inference"; // not idle so soon
        fleet.runs(pod, from, runsTo);
        fleet.reports(other, fleet.label(name), nodes[where], from, to, percent);
    };
    tell(first.toStdString(), 0, until, then.isEmpty() ? kEnd : until);
    if (!then.isEmpty())
        tell(then.toStdString(), until, kEnd, kEnd);
    Cache cache;
    cache.settings.idle.grace[model::WorkloadKind::Inference] = base::Seconds{10 * kDay};
    cache.useSettings(cache.settings);
    QVERIFY(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit("prom", fleet.batch));
    const std::string difference = cache.difference(cache.end());
    QVERIFY2(difference.empty(), difference.c_str());
    int walks = -1;
    const std::string kept = cache.answer(cache.end(), {}, true, &walks);
    QCOMPARE(walks, 0);
    const model::Recovery expected = stays ? model::Recovery::WithMachine : model::Recovery::Now;
    QVERIFY2(kept.find('|' + std::string(model::toString(expected)) + '|') != std::string::npos, kept.c_str());
}

void TestIdleKept::blobsComeBackAsTheyWere()
{
    store::IdleCandidate c;
    c.who.holder.value = -5;
    c.who.name = std::string("n\0ul", 4);
    c.who.startedAt = base::fromUnix(-1);
    c.who.inferred = true;
    c.who.what = model::SubjectKind::Machine;
    c.units.resize(2);
    c.units[1].idleSeconds = 0.1 + 0.2;
    c.units[1].unpricedSince = true;
    c.units[1].rate = base::Rate(-7, base::Currency::usd());
    c.units[1].places.push_back({{}, "n1", "GPU-1"});
    const std::string blob = store::idlecodec::encode(3, c);
    store::IdleCandidate back;
    QVERIFY(store::idlecodec::decode(3, blob, back));
    QCOMPARE(store::idlecodec::encode(3, back), blob);
    QVERIFY(back.units[1].idleSeconds == c.units[1].idleSeconds && back.units[1].rate == c.units[1].rate);
    QVERIFY(back.who.name == c.who.name && back.who.startedAt == c.who.startedAt && back.who.inferred);
    QVERIFY(back.who.what == c.who.what);
    QVERIFY(back.units[1].unpricedSince && !back.units[0].unpricedSince && !back.units[1].unobservedSince);
    QVERIFY(!store::idlecodec::decode(4, blob, back)); // not its own row

    const base::Day day{20000};
    const store::IdleDay units{{{3, 0}, {1, -1}, model::WorkloadKind::Batch, 287, 287, std::nullopt},
                               {{3, 9}, {0xFFFFFFFF, 2}, {}, -1, 12, store::IdleTail{7, 1 / 3.0, -9, true}},
                               {{4, 9}, {2, -1}, {}, -1, 12, std::nullopt, store::IdleTail{0, 0.1, 5, false}},
                               {{5, 9}, {0xFFFFFFFF, 3}, {}, -1, 12, store::IdleTail{7, 0.5, 4, false, true}}};
    const std::string dayBlob = store::idlecodec::encode(day, units);
    store::IdleDay dayBack;
    QVERIFY(store::idlecodec::decode(day, dayBlob, dayBack));
    QVERIFY(dayBack == units);
    for (std::size_t i = 0; i < dayBlob.size(); ++i) {
        std::string damaged = dayBlob;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        QVERIFY(!store::idlecodec::decode(day, damaged, dayBack));
    }
}

GPULEDGER_SUITE(TestIdleKept)

} // namespace tst_idlekept

#include "tst_idlekept.moc"

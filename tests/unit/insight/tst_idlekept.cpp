// SPDX-License-Identifier: GPL-3.0-or-later
// The idle list from what is kept beside the roll-up is the one that a scan of the facts gives, to the last bit.
#include "app/insight/idle.h"
#include "app/insight/idlecandidates.h"
#include "app/store/idlecodec.h"
#include "app/store/ledgerstore.h"
#include "tests/support/scenario.h"

#include <QTemporaryDir>
#include <QtTest>

#include <random>

using namespace gpuledger;
using insight::Dimension;
using insight::Filter;
using ports::FactBatch;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
constexpr int kDays = 4;

using Random = std::mt19937_64;

std::int64_t pick(Random &random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>(from, to - 1)(random);
}

bool oneIn(Random &random, int n)
{
    return pick(random, 0, n) == 0;
}

// Tidy: the scheduler's records and labels name everybody, and no device is shared. Elsewhere who held what is inferred
// in part, and late data then change more of the past than the days that the roll-up is made anew for.
struct Fleet : Scenario {
    explicit Fleet(bool isTidy)
        : Scenario(kDays)
        , tidy(isTidy)
    {
    }
    bool tidy;
};

// Telemetry of a unit while somebody holds it: mostly quiet, with work, gaps and broken values between.
void anyReports(Fleet &s, Random &random, std::uint32_t device, std::uint32_t subject, std::uint32_t node,
                std::int64_t from, std::int64_t to, const std::string &instance, model::SeriesRole role)
{
    while (from < to) {
        const bool last = oneIn(random, 3);
        const std::int64_t end = last ? to : std::min(to, from + pick(random, 300, 30 * kHour));
        const std::int64_t what = last ? pick(random, 2, 10) : pick(random, 0, 10);
        if (what > 0)
            s.reports(device, subject, node, from, end, what == 1 ? -1 : what < 4 ? 60 : 1, instance, role);
        from = end;
    }
}

// A pod with its labels, sometimes started later than it was seen, recreated under its name, or known by labels alone.
void anyPod(Fleet &s, Random &random, std::uint32_t device, std::uint32_t node, const std::string &name,
            std::int64_t from, std::int64_t to, const std::string &instance, model::SeriesRole role)
{
    static const char *const kKinds[] = {"notebook", "training", "inference", "development"};
    const std::string uid = "uid-" + name + std::to_string(from);
    const bool unnamed = !s.tidy && role == model::SeriesRole::Slice && oneIn(random, 12);
    const auto subject = unnamed ? Scenario::kNone : s.label(name, s.tidy || oneIn(random, 2) ? uid : std::string());
    if (s.tidy || !oneIn(random, 6)) {
        const auto pod = s.pod(name, uid, s.batch.nodes[node].name);
        model::Holder &facts = s.batch.holders[pod];
        facts.labels["workload_kind"] = kKinds[pick(random, 0, 4)];
        facts.labels["team"] = oneIn(random, 2) ? "vision" : "speech";
        const std::int64_t gap = oneIn(random, 4) ? pick(random, from, to) : to;
        s.runs(pod, from, gap);
        if (gap + 2 * kHour < to)
            s.runs(pod, gap + 2 * kHour, to);
        if (oneIn(random, 4))
            facts.startedAt.reset();
        else if (oneIn(random, 4))
            facts.startedAt = s.at(from + pick(random, 0, 6 * kHour));
    }
    if (s.tidy) // its place is known from its start
        s.reports(device, subject, node, from, std::min(to, from + 600), 1, instance, role);
    anyReports(s, random, device, subject, node, s.tidy ? std::min(to, from + 600) : from, to, instance, role);
}

void anyTenants(Fleet &s, Random &random, std::uint32_t device, std::uint32_t node, const std::string &name,
                const std::string &instance, model::SeriesRole role)
{
    for (std::int64_t from = pick(random, 0, 20) * kHour; from < kDays * kDay;) {
        const std::int64_t to = oneIn(random, 2) ? kDays * kDay : from + pick(random, 1, 40 * kHour);
        const std::string tenant = oneIn(random, 3) ? name + "-again" : name + '-' + std::to_string(from);
        anyPod(s, random, device, node, tenant, from, std::min(to, kDays * kDay), instance, role);
        from = to + (oneIn(random, 2) ? 0 : pick(random, 0, 10 * kHour));
    }
}

Fleet anyFleet(Random &random, bool tidy)
{
    Fleet s(tidy);
    int index = 0;
    for (int n = 0; n < 3; ++n) {
        const auto node = s.node("n" + std::to_string(n), {}, tidy || !oneIn(random, 4));
        s.batch.nodes[node].sharedGpus = !tidy && oneIn(random, 3);
        s.batch.nodes[node].instanceType = "p4d.24xlarge";
        for (int d = 0; d < 3; ++d, ++index) {
            const std::string name = "job" + std::to_string(index);
            const auto device = s.device("GPU-" + std::to_string(index), d);
            const bool shared = s.batch.nodes[node].sharedGpus;
            if (!shared && oneIn(random, 4)) {
                for (const char *instance : {"1", "2"}) {
                    s.slice(device, instance, {3, 7});
                    anyTenants(s, random, device, node, name + '-' + instance, instance, model::SeriesRole::Slice);
                }
                continue;
            }
            for (int sharer = 0; sharer < (shared ? 2 : 1); ++sharer)
                anyTenants(s, random, device, node, name + std::to_string(sharer), {},
                           shared ? model::SeriesRole::CopyPerHolder : model::SeriesRole::Slice);
            if (!tidy && !shared && oneIn(random, 3)) // one holder, two devices
                anyReports(s, random, s.device("GPU-x" + std::to_string(index), d + 4),
                           s.batch.subjects.empty() ? Scenario::kNone
                                                    : static_cast<std::uint32_t>(s.batch.subjects.size() - 1),
                           node, pick(random, 0, kDay), kDays * kDay, {}, model::SeriesRole::Slice);
        }
    }
    return s;
}

// What a sync of [from, to) brings; `some` leaves out every series that it does not take: they come late.
template <typename Some> FactBatch cut(const Fleet &s, std::int64_t from, std::int64_t to, const Some &some)
{
    FactBatch out = s.batch;
    out.covered = {s.at(from), s.at(to)};
    out.nodeSpans.clear();
    out.holderSpans.clear();
    out.series.clear();
    for (FactBatch::NodeSpan span : s.batch.nodeSpans) {
        span.range = span.range.intersect(out.covered);
        if (!span.range.empty())
            out.nodeSpans.push_back(span);
    }
    for (FactBatch::HolderSpan span : s.batch.holderSpans) {
        span.range = span.range.intersect(out.covered);
        if (!span.range.empty())
            out.holderSpans.push_back(span);
    }
    for (std::size_t i = 0; i < s.batch.series.size(); ++i) {
        const FactBatch::Series &whole = s.batch.series[i];
        FactBatch::Series part{whole.device, whole.subject, whole.node, whole.gpuInstance, whole.role, {}, {}};
        for (std::size_t b = 0; some(i) && b < whole.buckets.size(); ++b) {
            const base::UtcTime at = base::fromUnix(whole.bucketNumbers[b] * base::kBucket.count());
            if (!out.covered.contains(at))
                continue;
            part.bucketNumbers.push_back(whole.bucketNumbers[b]);
            part.buckets.push_back(whole.buckets[b]);
        }
        if (!part.buckets.empty())
            out.series.push_back(std::move(part));
    }
    return out;
}

// The pieces of a sync in the order in which they come: mostly forwards, some late or twice.
std::vector<FactBatch> anyPieces(const Fleet &s, Random &random)
{
    std::vector<FactBatch> pieces;
    for (std::int64_t from = 0; from < kDays * kDay;) {
        const std::int64_t to = std::min(kDays * kDay, from + 300 * pick(random, 1, 200));
        const std::size_t part = static_cast<std::size_t>(pick(random, 0, 3));
        const bool late = oneIn(random, 3);
        pieces.push_back(cut(s, from, to, [&](std::size_t i) { return !late || i % 3 != part; }));
        if (late)
            pieces.push_back(cut(s, from, to, [&](std::size_t i) { return i % 3 == part; }));
        from = to;
    }
    for (int swaps = 0; swaps < 4; ++swaps)
        std::swap(pieces[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(pieces.size())))],
                  pieces[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(pieces.size())))]);
    return pieces;
}

// The same facts without what is kept.
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
    for (const insight::IdleItem &i : list.items) {
        for (const std::string &text : {i.id, i.kind, i.name, i.owner, i.cluster, i.nameSpace, i.node, i.workload,
                                        i.gpuModel, i.protection, base::toRfc3339(i.since)})
            out += text + '|';
        for (const std::string &device : i.devices)
            out += device + ',';
        for (const double v : {i.gpus, i.idleHours, i.observed, i.confidence})
            number(v);
        money(i.ratePerHour);
        money(i.wasted);
        money(i.perMonth);
        out += std::to_string(static_cast<int>(i.workloadKind)) + std::to_string(static_cast<int>(i.signal))
            + (i.sinceIsLowerBound ? "~" : "=");
        for (const insight::IdleSignal &s : i.signals)
            out += (s.speaksForIdle ? '+' : '-') + s.text;
        out += '\n';
    }
    for (const insight::UnknownItem &u : list.unknown) {
        for (const std::string &text : {u.id, u.name, u.owner, u.cluster, u.nameSpace, u.node, u.reason})
            out += text + '|';
        for (const std::string &device : u.devices)
            out += device + ',';
        number(u.observed);
        out += '\n';
    }
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
    // The end of what was fetched, moved.
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
        const auto list = insight::idleAt(reader, at, filter, settings.idle, base::Currency::usd());
        if (walks)
            *walks = reader.walks;
        return list ? textOf(*list) : "failed: " + list.error().text;
    }
    // What differs between the kept and the scanned answers; empty: nothing.
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
    // What verify() says against what is kept for the idle list; nothing where it says that the day's roll-up was not
    // made anew: then neither was this, and the roll-up has tests of its own.
    std::optional<std::string> problem() const
    {
        const auto problems = store->verify(ledger->rollup());
        if (!problems)
            return problems.error().text;
        const auto has = [&](const char *where) {
            return std::find_if(problems->begin(), problems->end(),
                                [&](const store::IntegrityProblem &p) { return p.where == where; });
        };
        if (has("rollup") != problems->end())
            return std::nullopt;
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
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 6; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }
    void answersAsAScanDoes();
    void answersAsAScanDoesWhereHoldersAreInferred_data() { answersAsAScanDoes_data(); }
    void answersAsAScanDoesWhereHoldersAreInferred();
    void keepsUpWhenSettingsChange();
    void readsOnlyCandidatesAtTheEnd();
    void staleOrDamagedCandidatesAreFound();
    void blobsComeBackAsTheyWere();
};

void TestIdleKept::answersAsAScanDoes()
{
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Fleet fleet = anyFleet(random, true);
    Cache cache;
    std::size_t listed = 0;
    int steps = 0, compared = 0;
    for (const FactBatch &piece : anyPieces(fleet, random)) {
        QVERIFY(cache.store->commit("prom", piece, cache.ledger->rollup()));
        const auto problem = cache.problem();
        ++steps;
        if (!problem)
            continue;
        ++compared;
        QVERIFY2(problem->empty(), problem->c_str());
        for (const std::int64_t moved : {std::int64_t{0}, std::int64_t{-300}, -pick(random, 0, 40 * kHour)}) {
            const std::string difference = cache.difference(cache.end(moved));
            QVERIFY2(difference.empty(), difference.c_str());
        }
        listed += linesOf(cache.answer(cache.end(), {}, true)) - 1;
    }
    QVERIFY2(listed > 20 && 2 * compared > steps, qPrintable(QStringLiteral("%1 of %2").arg(compared).arg(steps)));
    for (const Filter &filter : filters()) {
        const std::string difference = cache.difference(cache.end(), filter);
        QVERIFY2(difference.empty(), difference.c_str());
    }
}

void TestIdleKept::answersAsAScanDoesWhereHoldersAreInferred()
{
    QFETCH(int, seed);
    Random random(static_cast<std::uint64_t>(seed));
    const Fleet fleet = anyFleet(random, false);
    Cache cache;
    std::size_t listed = 0;
    std::int64_t end = kDays * kDay - 300 * pick(random, 0, 200);
    QVERIFY(cache.store->commit("prom", cut(fleet, 0, end, [](std::size_t) { return true; }), cache.ledger->rollup()));
    for (const Filter &filter : filters()) {
        for (const std::int64_t moved : {std::int64_t{0}, std::int64_t{-300}, -pick(random, 0, 70 * kHour)}) {
            const std::string difference = cache.difference(cache.end(moved), filter);
            QVERIFY2(difference.empty(), difference.c_str());
        }
        listed += linesOf(cache.answer(cache.end(), filter, true)) - 1;
    }
    QCOMPARE(cache.problem().value_or(""), std::string());
    QVERIFY2(listed > 3, qPrintable(QString::number(listed)));
}

void TestIdleKept::keepsUpWhenSettingsChange()
{
    Random random(77);
    const Fleet fleet = anyFleet(random, true);
    Cache cache;
    for (const FactBatch &piece : anyPieces(fleet, random))
        QVERIFY(cache.store->commit("prom", piece, cache.ledger->rollup()));
    model::Settings strict = cache.settings, patient = cache.settings;
    strict.idle.threshold = 0.005;
    patient.idle.grace[model::WorkloadKind::Training] = base::Seconds{30 * kHour};
    patient.idle.observed = 0.2;
    const std::string first = cache.answer(cache.end(), {}, true);
    for (const model::Settings &changed : {strict, patient, tests::pricedSettings()}) {
        cache.useSettings(changed);
        // Before anything is made anew, as a reader that may not write sees it.
        std::string difference = cache.difference(cache.end());
        QVERIFY2(difference.empty(), difference.c_str());
        QVERIFY(cache.store->refreshRollup(cache.ledger->rollup()));
        difference = cache.difference(cache.end());
        QVERIFY2(difference.empty(), difference.c_str());
        QCOMPARE(cache.problem().value_or(""), std::string());
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
    QVERIFY(cache.store->commit("prom", anyFleet(random, true).batch, cache.ledger->rollup()));
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
    QVERIFY(cache.store->commit("prom", anyFleet(random, true).batch, cache.ledger->rollup()));
    QCOMPARE(cache.problem().value_or("none"), std::string());
    model::Settings others = cache.settings;
    others.idle.threshold = 0.7; // other states under the same candidates
    const auto other = ledger::Ledger::create(others).value();
    const auto problems = cache.store->verify(other->rollup());
    QVERIFY(problems);
    QVERIFY(std::any_of(problems->begin(), problems->end(),
                        [](const store::IntegrityProblem &p) { return p.where == "idle_candidate"; }));
    QVERIFY(std::any_of(problems->begin(), problems->end(),
                        [](const store::IntegrityProblem &p) { return p.where == "idle_day"; }));
}

void TestIdleKept::blobsComeBackAsTheyWere()
{
    store::IdleCandidate c;
    c.who.holder.value = -5;
    c.who.name = std::string("n\0ul", 4);
    c.who.startedAt = base::fromUnix(-1);
    c.who.inferred = true;
    c.units.resize(2);
    c.units[1].idleSeconds = 0.1 + 0.2;
    c.units[1].rate = base::Rate(-7, base::Currency::usd());
    c.units[1].places.push_back({{}, "n1", "GPU-1"});
    const std::string blob = store::idlecodec::encode(3, c);
    store::IdleCandidate back;
    QVERIFY(store::idlecodec::decode(3, blob, back));
    QCOMPARE(store::idlecodec::encode(3, back), blob);
    QVERIFY(back.units[1].idleSeconds == c.units[1].idleSeconds && back.units[1].rate == c.units[1].rate);
    QVERIFY(back.who.name == c.who.name && back.who.startedAt == c.who.startedAt && back.who.inferred);
    QVERIFY(!store::idlecodec::decode(4, blob, back)); // another row's

    const base::Day day{20000};
    const store::IdleDay units{{{3, 0}, {1, -1}, model::WorkloadKind::Batch, 287, 287, std::nullopt},
                               {{3, 9}, {0xFFFFFFFF, 2}, {}, -1, 12, store::IdleTail{7, 1 / 3.0, -9, true}}};
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

QTEST_GUILESS_MAIN(TestIdleKept)
#include "tst_idlekept.moc"

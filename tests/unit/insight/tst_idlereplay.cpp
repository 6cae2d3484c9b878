// SPDX-License-Identifier: GPL-3.0-or-later
// The replay of the idle rule agrees with querying the idle list at every bucket of the past.
#include "app/insight/idle/idlereplay.h"

#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlecandidates.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <tuple>

namespace tst_idlereplay {

using namespace gpuledger;
using insight::IdleReplay;
using insight::ReplayQuery;
using insight::ReplayStop;
using insight::ReplaySum;
using model::GpuState;
using tests::MemoryFacts;
using tests::Scenario;
using tests::Telling;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;

// Facts of a fleet with a reader.
struct Told {
    explicit Told(const Scenario &fleet, const model::Settings &settings = tests::pricedSettings())
        : ledger(ledger::Ledger::create(settings).value())
    {
        facts.add(fleet.batch);
        reader = ledger->attribution(facts);
    }
    std::unique_ptr<ledger::Ledger> ledger;
    MemoryFacts facts;
    std::unique_ptr<store::AttributionReader> reader;
};

ReplayQuery queryOf(const Scenario &fleet, std::int64_t from, std::int64_t to)
{
    ReplayQuery query;
    query.range = {fleet.at(from), fleet.at(to)};
    query.rule = tests::pricedSettings().idle;
    return query;
}

IdleReplay rewound(Told &told, const ReplayQuery &query)
{
    return insight::replayIdle(*told.reader, query, base::Currency::usd()).value();
}

std::string textOf(const ReplayStop &s)
{
    return base::toRfc3339(s.at) + ' ' + s.id + ' ' + s.owner + ' ' + base::toRfc3339(s.until)
        + (s.resumed ? " resumed " + base::toRfc3339(*s.resumed) : "") + (s.falseStop ? " false" : "")
        + (s.undecided ? " undecided" : "") + " back " + std::to_string(s.back.ticks) + " unobserved "
        + std::to_string(s.unobserved.ticks) + " lost " + std::to_string(s.lost.ticks) + ' '
        + (s.money ? s.money->toDecimal() : "no price");
}

QStringList textsOf(std::vector<ReplayStop> stops)
{
    QStringList out;
    for (const ReplayStop &s : stops)
        out << QString::fromStdString(textOf(s));
    out.sort();
    return out;
}

// Slow: keeps every part, queries the candidates at every bucket, and sums from the start for each stop.
class Oracle {
public:
    Oracle(Told &told, const ReplayQuery &query, base::Day first, base::Day last)
        : m_query(query)
    {
        for (base::Day day = first; day <= last; ++day.number) {
            const auto walked = told.reader->walk(day, day, {}, [&](const model::DeviceAttribution &device) {
                for (const model::UsagePart &part : device.parts) {
                    if (part.holder == model::kNobody)
                        continue;
                    const auto &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
                    const base::UtcTime end = day.start() + (part.bucket + 1) * base::kBucket;
                    if (end <= query.range.end)
                        m_rows[store::idleKeyOf(who)].push_back({end, part});
                }
                return base::Result<void>{};
            });
            if (!walked)
                qFatal("the facts can't be read");
        }
        for (base::UtcTime t = query.range.start; t < query.range.end; t += base::kBucket) {
            const auto candidates = insight::findIdleCandidates(*told.reader, t, {}, query.rule).value();
            for (const auto &c : candidates) {
                if (isIdle(c) && c.who.protection.empty())
                    m_idle[store::idleKeyOf(c.who)].emplace(t, c.who);
            }
        }
    }

    std::vector<ReplayStop> stops() const
    {
        std::vector<ReplayStop> out;
        for (const auto &[key, times] : m_idle) {
            const auto &rows = m_rows.at(key);
            base::UtcTime after = m_query.range.start;
            std::optional<std::size_t> broken;
            for (;;) {
                const auto it = times.lower_bound(after);
                if (broken)
                    out[*broken].lost = sum(rows, GpuState::Active, *out[*broken].resumed,
                                            it == times.end() ? m_query.range.end : it->first);
                if (it == times.end())
                    break;
                out.push_back(stopOf(rows, it->first, it->second));
                broken = out.back().falseStop ? std::optional(out.size() - 1) : std::nullopt;
                if (!out.back().resumed)
                    break;
                after = *out.back().resumed + base::kBucket;
            }
        }
        return out;
    }

private:
    struct Row {
        base::UtcTime end;
        model::UsagePart part;
    };

    bool isIdle(const store::IdleCandidate &c) const
    {
        return std::all_of(c.units.begin(), c.units.end(), [&](const store::IdleUnit &u) {
            return !u.activeInWindow && u.windowSeconds > 0
                && u.observedSeconds / u.windowSeconds >= m_query.rule.observed - 1e-9;
        });
    }
    static base::GpuTime sum(const std::vector<Row> &rows, GpuState state, base::UtcTime from, base::UtcTime to)
    {
        base::GpuTime out;
        for (const Row &row : rows)
            out += {row.part.state == state && row.end > from && row.end <= to ? row.part.ticks : 0};
        return out;
    }
    ReplayStop stopOf(const std::vector<Row> &rows, base::UtcTime at, const model::AttributedHolder &who) const
    {
        ReplayStop s;
        s.id = insight::idleIdOf(who);
        s.owner = who.team;
        s.at = at;
        base::UtcTime last{};
        for (const Row &row : rows) {
            last = std::max(last, row.end);
            const base::UtcTime start = row.end - base::kBucket;
            if (row.part.state == GpuState::Active && start >= at && (!s.resumed || start < *s.resumed))
                s.resumed = start;
        }
        s.until = s.resumed.value_or(last);
        s.falseStop = s.resumed && *s.resumed - at < m_query.resumeWithin;
        s.undecided = !s.resumed && last == m_query.range.end && m_query.range.end - at < m_query.resumeWithin;
        s.back = sum(rows, GpuState::Idle, at, s.until);
        s.unobserved = sum(rows, GpuState::UnobservedHeld, at, s.until);
        std::int64_t nanos = 0;
        for (const Row &row : rows)
            nanos += row.part.state == GpuState::Idle && row.end > at && row.end <= s.until ? row.part.costNanos : 0;
        s.money = base::Money(nanos, base::Currency::usd());
        return s;
    }

    const ReplayQuery &m_query;
    std::map<store::IdleHolderKey, std::vector<Row>> m_rows;
    std::map<store::IdleHolderKey, std::map<base::UtcTime, model::AttributedHolder>> m_idle;
};

ReplaySum sumOf(const IdleReplay &r)
{
    ReplaySum out;
    for (const ReplayStop &s : r.stops) {
        ++out.stops;
        out.falseStops += s.falseStop ? 1 : 0;
        out.resumed += s.resumed ? 1 : 0;
        out.undecided += s.undecided ? 1 : 0;
        out.back += s.back;
        out.unobserved += s.unobserved;
        out.lost += s.lost;
        out.falseBack += s.falseStop ? s.back : base::GpuTime{};
        out.money += s.money ? s.money->nanos() : 0;
    }
    return out;
}

auto tied(const ReplaySum &s)
{
    return std::tuple(s.stops, s.falseStops, s.resumed, s.undecided, s.back.ticks, s.unobserved.ticks, s.lost.ticks,
                      s.falseBack.ticks, s.money);
}

// One pod on one device, busy for the first hour.
struct OnePod : Scenario {
    std::uint32_t node, device, label;
    explicit OnePod(const std::string &kind = "training", std::int64_t to = kDay)
        : Scenario(2)
        , node(Scenario::node("n1"))
        , device(Scenario::device("GPU-1"))
        , label(Scenario::label("a"))
    {
        const auto holder = pod("a", "uid-a", "n1");
        batch.holders[holder].labels["workload_kind"] = kind;
        runs(holder, 0, to);
        reports(device, label, node, 0, kHour, 80);
    }
    void quiet(std::int64_t from, std::int64_t to) { reports(device, label, node, from, to, 1); }
    void busy(std::int64_t from, std::int64_t to) { reports(device, label, node, from, to, 70); }
};

} // namespace

class TestIdleReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stopsAfterTheGraceWindow();
    void workThatResumesSoonIsAFalseStop();
    void workThatResumesLaterIsNone();
    void unobservedTimeIsNeverIdle();
    void protectedOnesAreLeft();
    void longerGraceStopsLess();
    void severalRulesInOnePass();
    void stopNearTheEndIsUndecided();
    void filterTakesHolders();
    void agreesWithTheListAskedAtEveryBucket_data();
    void agreesWithTheListAskedAtEveryBucket();
};

void TestIdleReplay::stopsAfterTheGraceWindow()
{
    OnePod fleet("training", 10 * kHour);
    fleet.quiet(kHour, 10 * kHour);
    Told told(fleet);
    const IdleReplay r = rewound(told, queryOf(fleet, 0, kDay));
    QCOMPARE(r.stops.size(), std::size_t{1});
    const ReplayStop &s = r.stops[0];
    QVERIFY(s.at == fleet.at(2 * kHour));
    QVERIFY(s.until == fleet.at(10 * kHour));
    QVERIFY(!s.resumed && !s.falseStop && !s.undecided);
    QCOMPARE(s.back.hours(), 8.0);
    QCOMPARE(s.money->nanos(), std::int64_t{8 * kHour * 1'000'000});
    QCOMPARE(r.idle.hours(), 9.0);
    QCOMPARE(s.name, std::string("a"));
}

void TestIdleReplay::workThatResumesSoonIsAFalseStop()
{
    OnePod fleet;
    fleet.quiet(kHour, 2 * kHour + 1800);
    fleet.busy(2 * kHour + 1800, 4 * kHour);
    fleet.quiet(4 * kHour, kDay);
    Told told(fleet);
    const IdleReplay r = rewound(told, queryOf(fleet, 0, kDay));
    QCOMPARE(r.stops.size(), std::size_t{2});
    QVERIFY(r.stops[0].falseStop);
    QVERIFY(r.stops[0].resumed == fleet.at(2 * kHour + 1800));
    QCOMPARE(r.stops[0].back.hours(), 0.5);
    QCOMPARE(r.stops[0].lost.hours(), 1.5);
    QVERIFY(r.stops[1].at == fleet.at(5 * kHour));
    QVERIFY(!r.stops[1].falseStop);
    QCOMPARE(r.total.falseStops, std::int64_t{1});
    QCOMPARE(r.total.falseBack.hours(), 0.5);
}

void TestIdleReplay::workThatResumesLaterIsNone()
{
    OnePod fleet;
    fleet.quiet(kHour, 3 * kHour);
    fleet.busy(3 * kHour, kDay);
    Told told(fleet);
    const IdleReplay r = rewound(told, queryOf(fleet, 0, kDay));
    QCOMPARE(r.stops.size(), std::size_t{1});
    QVERIFY(r.stops[0].resumed == fleet.at(3 * kHour)); // an hour after the stop is not within an hour
    QVERIFY(!r.stops[0].falseStop);
    QCOMPARE(r.stops[0].back.hours(), 1.0);
    QCOMPARE(r.stops[0].lost.ticks, std::int64_t{0});
}

void TestIdleReplay::unobservedTimeIsNeverIdle()
{
    OnePod fleet;
    fleet.quiet(kHour, kHour + 3000);
    Told told(fleet);
    QVERIFY(rewound(told, queryOf(fleet, 0, kDay)).stops.empty()); // 50 min of quiet, then silence

    OnePod later;
    later.quiet(kHour, 3 * kHour); // stopped at 2 h; unobserved from 3 h on
    Told seen(later);
    const IdleReplay r = rewound(seen, queryOf(later, 0, kDay));
    QCOMPARE(r.stops.size(), std::size_t{1});
    QCOMPARE(r.total.back.hours(), 1.0);
    QCOMPARE(r.total.unobserved.hours(), 21.0);
}

void TestIdleReplay::protectedOnesAreLeft()
{
    OnePod fleet;
    fleet.quiet(kHour, kDay);
    model::Settings settings = tests::pricedSettings();
    settings.idle.protect.push_back({{}, fleet.batch.holders[0].nameSpace});
    Told told(fleet, settings);
    ReplayQuery query = queryOf(fleet, 0, kDay);
    query.rule = settings.idle;
    QVERIFY(rewound(told, query).stops.empty());
}

void TestIdleReplay::longerGraceStopsLess()
{
    OnePod fleet;
    fleet.quiet(kHour, kDay);
    Told told(fleet);
    ReplayQuery query = queryOf(fleet, 0, kDay);
    query.rule.grace[model::WorkloadKind::Training] = base::Seconds{5 * kHour};
    const IdleReplay r = rewound(told, query);
    QCOMPARE(r.stops.size(), std::size_t{1});
    QVERIFY(r.stops[0].at == fleet.at(6 * kHour));
    QCOMPARE(r.total.back.hours(), 18.0);
}

// Each as if it were replayed alone.
void TestIdleReplay::severalRulesInOnePass()
{
    OnePod fleet;
    fleet.quiet(kHour, kDay);
    Told told(fleet);
    const ReplayQuery query = queryOf(fleet, 0, kDay);
    std::vector<model::IdleSettings> rules;
    for (const int hours : {1, 5, 12, 23, 24}) {
        model::IdleSettings &rule = rules.emplace_back(query.rule);
        for (auto &[kind, length] : rule.grace)
            length = base::Seconds{hours * kHour};
    }
    const auto all = insight::replayIdleRules(*told.reader, query, rules, base::Currency::usd());
    QVERIFY(all.has_value());
    QCOMPARE(all->size(), rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
        ReplayQuery alone = query;
        alone.rule = rules[i];
        const IdleReplay expected = rewound(told, alone);
        const IdleReplay &one = (*all)[i];
        QVERIFY(one.stops.empty()); // sums only
        QCOMPARE(one.total.stops, expected.total.stops);
        QCOMPARE(one.total.falseStops, expected.total.falseStops);
        QCOMPARE(one.total.undecided, expected.total.undecided);
        QCOMPARE(one.total.back.ticks, expected.total.back.ticks);
        QCOMPARE(one.total.lost.ticks, expected.total.lost.ticks);
        QCOMPARE(one.total.money, expected.total.money);
        QCOMPARE(one.idle.ticks, expected.idle.ticks);
        QCOMPARE(one.parts.size(), expected.parts.size());
    }
    QVERIFY(all->front().total.back.ticks > all->at(2).total.back.ticks);
}

void TestIdleReplay::stopNearTheEndIsUndecided()
{
    OnePod fleet;
    fleet.quiet(kHour, kDay);
    Told told(fleet);
    const IdleReplay r = rewound(told, queryOf(fleet, 0, 2 * kHour + 900));
    QCOMPARE(r.total.undecided, std::int64_t{1});
    QCOMPARE(r.total.back.hours(), 0.25);
    QVERIFY(rewound(told, queryOf(fleet, 0, 2 * kHour)).stops.empty()); // half-open
}

void TestIdleReplay::filterTakesHolders()
{
    OnePod fleet;
    fleet.quiet(kHour, kDay);
    Told told(fleet);
    ReplayQuery query = queryOf(fleet, 0, kDay);
    query.filter.include[insight::Dimension::WorkloadKind] = {"inference"};
    const IdleReplay none = rewound(told, query);
    QVERIFY(none.stops.empty());
    QCOMPARE(none.idle.ticks, std::int64_t{0});
    query.filter.include[insight::Dimension::WorkloadKind] = {"training"};
    QCOMPARE(rewound(told, query).stops.size(), std::size_t{1});
}

void TestIdleReplay::agreesWithTheListAskedAtEveryBucket_data()
{
    QTest::addColumn<int>("telling");
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 2; ++seed) {
        QTest::addRow("tidy %d", seed) << static_cast<int>(Telling::Tidy) << seed;
        QTest::addRow("loose %d", seed) << static_cast<int>(Telling::Loose) << seed;
        QTest::addRow("wild %d", seed) << static_cast<int>(Telling::Wild) << seed;
    }
}

void TestIdleReplay::agreesWithTheListAskedAtEveryBucket()
{
    QFETCH(int, telling);
    QFETCH(int, seed);
    tests::Random random(static_cast<std::uint64_t>(seed));
    const Scenario fleet = tests::randomFleet(random, static_cast<Telling>(telling));
    Told told(fleet);
    ReplayQuery query = queryOf(fleet, 30 * kHour, 56 * kHour);
    query.rule.grace[model::WorkloadKind::Inference] = base::Seconds{5 * kHour};
    query.rule.grace[model::WorkloadKind::Unknown] = base::Seconds{1500};
    query.resumeWithin = base::Seconds{3 * kHour};
    const IdleReplay r = rewound(told, query);
    const Oracle oracle(told, query, fleet.day(0), fleet.day(2));
    QCOMPARE(textsOf(r.stops), textsOf(oracle.stops()));
    QVERIFY(!r.stops.empty());

    QVERIFY(tied(sumOf(r)) == tied(r.total));
    ReplaySum parts;
    for (const auto &[key, sum] : r.parts) {
        parts.stops += sum.stops;
        parts.back += sum.back;
        parts.lost += sum.lost;
        parts.money += sum.money;
    }
    QCOMPARE(parts.stops, r.total.stops);
    QCOMPARE(parts.back.ticks, r.total.back.ticks);
    QCOMPARE(parts.lost.ticks, r.total.lost.ticks);
    QCOMPARE(parts.money, r.total.money);
    QVERIFY(r.total.back <= r.idle); // never more than there was
}

GPULEDGER_SUITE(TestIdleReplay)

} // namespace tst_idlereplay

#include "tst_idlereplay.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/spotoffer.h"
#include "app/savings/spot/spotreplay.h"
#include "tests/support/suite.h"
#include "tests/unit/savings/spotpast.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tst_spotzones {

using namespace gpuledger;
using namespace gpuledger::savings;
using namespace gpuledger::tests;

namespace {

// Another zone, which has capacity while the first has none.
void addOppositeZone(SpotPast &past)
{
    auto &history = past.markets.front().interruptions.history;
    history.push_back(history.front());
    history.back().zone = "b";
    for (SpotInterval &one : history.back().intervals)
        one.available = !one.available;
}

// Another zone, which has capacity while the first has none, but loses it each hour for five minutes.
void addRestlessZone(SpotPast &past)
{
    auto &history = past.markets.front().interruptions.history;
    SpotTrace restless = history.front();
    restless.zone = "b";
    restless.intervals.clear();
    for (const SpotInterval &one : history.front().intervals) {
        if (one.available) {
            restless.intervals.push_back({one.start, one.length, false});
            continue;
        }
        for (std::int64_t at = one.start; at < one.end(); at += kHour) {
            restless.intervals.push_back({at, kHour - 300, true});
            restless.intervals.push_back({at + kHour - 300, 300, false});
        }
    }
    history.push_back(std::move(restless));
}

Proposal withRestlessZone(std::int64_t deadlineHours)
{
    return changed([deadlineHours](SpotPast &p) {
        useHistory(p, 12, 12);
        addRestlessZone(p);
        only(p).checkpointEvery = 1800;
        only(p).deadline = deadlineHours * kHour;
    });
}

bool isSameReplay(const SpotReplay &a, const SpotReplay &b)
{
    return a.paths == b.paths && a.cost == b.cost && a.costOfRun == b.costOfRun && a.interruptions == b.interruptions
        && a.lost == b.lost && a.later == b.later && a.missed == b.missed && a.unfinished == b.unfinished
        && a.sets == b.sets;
}

} // namespace

// Spot proposals for several zones, and with deadlines that are times.
class TestSpotZones : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Two zones with capacity by turns: moving between them ends sooner than waiting in one, and the evidence says so.
    void zonesAreUsedTogether()
    {
        const auto withZones = [](bool both) {
            return changed([both](SpotPast &p) {
                useHistory(p, 12, 12);
                only(p).checkpointEvery = 1800;
                only(p).deadline = 40 * kHour;
                if (both)
                    addOppositeZone(p);
            });
        };
        const auto one = withZones(false), two = withZones(true);
        QVERIFY(!evidence(one, RemarkText::SpotZoneCount));
        QCOMPARE(evidence(two, RemarkText::SpotZoneCount)->value.nanos, std::int64_t{2});
        QCOMPARE(evidence(two, RemarkText::SpotZoneCorrelation)->value.text, std::string("-1.00"));
        QVERIFY(evidence(two, RemarkText::SpotZoneAlone));
        QVERIFY(evidence(two, RemarkText::SpotLater)->value.number
                < evidence(one, RemarkText::SpotLater)->value.number);
        QVERIFY(evidence(two, RemarkText::SpotMissed)->value.number
                < evidence(one, RemarkText::SpotMissed)->value.number);
        QVERIFY(risks(two, RemarkText::SpotRiskZonePrice) && !risks(one, RemarkText::SpotRiskZonePrice));
    }

    // At the same price, work in the restless zone is done twice: waiting for the other one costs less.
    void theBestZoneAloneIsUsedWhereItSavesMore()
    {
        const Proposal alone = withRestlessZone(1000);
        QVERIFY(!alone.excludedBy && alone.perMonth);
        QVERIFY(!evidence(alone, RemarkText::SpotZoneCount));
        QCOMPARE(evidence(alone, RemarkText::SpotZoneUsed)->value.text, std::string("a"));
        QVERIFY(evidence(alone, RemarkText::SpotZonesMoving)->value.nanos < alone.perMonth->p50.nanos());
        QVERIFY(QString::fromStdString(alone.how).contains(QStringLiteral("topology.kubernetes.io/zone: a\n")));
        // It is what a history of this zone alone gives.
        const Proposal only = changed([](SpotPast &p) {
            useHistory(p, 12, 12);
            savings::SpotCandidate &one = p.candidates.front();
            one.checkpointEvery = 1800;
            one.deadline = 1000 * kHour;
        });
        QVERIFY(std::abs(only.perMonth->p50.nanos() - alone.perMonth->p50.nanos()) <= kNano / 100);
        QVERIFY(!evidence(only, RemarkText::SpotZoneUsed));
    }

    // Alone it would save more, but wait too long.
    void zonesThatKeepTheDeadlineAreKept()
    {
        const Proposal moving = withRestlessZone(60);
        QVERIFY(!moving.excludedBy && moving.perMonth);
        QCOMPARE(evidence(moving, RemarkText::SpotZoneCount)->value.nanos, std::int64_t{2});
        QVERIFY(!evidence(moving, RemarkText::SpotZoneUsed));
        QVERIFY(!QString::fromStdString(moving.how).contains(QStringLiteral("topology.kubernetes.io/zone")));
    }

    // The curve and the rows are those of the zone that the proposal uses.
    void curveAndBasisAreOfTheSameZone()
    {
        SpotPast past = twoRuns();
        useHistory(past, 12, 12);
        addRestlessZone(past);
        only(past).checkpointEvery = 1800;
        only(past).deadline = 1000 * kHour;
        SpotRules rules;
        rules.paths = kSpotCurvePaths;
        const auto list = proposeSpots(past, {}, rules);
        QVERIFY(list && list->size() == 1);
        const std::string id = list->front().id;
        const auto basis = spotBasis(past, {}, id, base::UtcTime{}, rules);
        QVERIFY(basis && *basis);
        QCOMPARE((**basis).middleSaved.value_or(-1) * kHoursPerMonth / past.hours, list->front().perMonth->p50.nanos());
        const auto curve = spotCurve(past, {}, id, rules);
        QVERIFY(curve && *curve);
        const auto at = std::find((**curve).x.begin(), (**curve).x.end(), 1800.0);
        QVERIFY(at != (**curve).x.end());
        const double share = (**curve).lines.front().y[static_cast<std::size_t>(at - (**curve).x.begin())];
        const double saved = static_cast<double>((**basis).middleSaved.value_or(-1));
        QVERIFY(std::abs(share - (1 - saved / static_cast<double>(only(past).ownBase))) < 1e-9);
    }

    // Whatever was replayed with the same models before, in whatever zones, plan and seed: the result is bit by bit
    // that of models that were built for it.
    void sharedModelsChangeNothing()
    {
        SpotPast past = twoRuns();
        useHistory(past, 12, 12);
        addRestlessZone(past);
        const SpotMarket &market = past.markets.front();
        SpotModels shared;
        std::size_t replays = 0;
        std::vector<std::vector<std::int64_t>> costs;
        for (const std::uint64_t seed : {1, 2}) {
            SpotRules rules;
            rules.paths = 60;
            rules.seed = seed;
            for (const std::int64_t every : {600, 3600}) {
                const SpotPlan plan{every, 60, 300, std::nullopt, 50};
                const auto all = spotPoolsOf(only(past), market, plan, rules, shared);
                QCOMPARE(all.size(), std::size_t{2});
                for (const auto &pools : {all, {all[0]}, {all[1]}, std::vector<SpotPool>()}) {
                    SpotModels fresh;
                    const auto want = replaySpot(only(past), market, plan, rules, pools, fresh);
                    const auto got = replaySpot(only(past), market, plan, rules, pools, shared);
                    QVERIFY(want && got && isSameReplay(*want, *got));
                    QCOMPARE(fresh.size(), std::size_t{2});
                    costs.push_back(want->cost);
                    ++replays;
                }
                const auto usual = replaySpot(only(past), market, plan, rules);
                QVERIFY(usual && usual->cost == costs[costs.size() - 4]);
            }
        }
        QCOMPARE(replays, std::size_t{16});
        QCOMPARE(shared.size(), std::size_t{6}); // both, each alone, none; the history, and no history
        std::sort(costs.begin(), costs.end());
        QVERIFY(std::adjacent_find(costs.begin(), costs.end()) == costs.end()); // each question has its own answer
        // A start of its own and a price of its own are models of their own.
        shared.of(market.interruptions.history, 7);
        shared.of(poolsOf(market.interruptions.history, base::Rate{kNano, past.currency}), 7);
        QCOMPARE(shared.size(), std::size_t{8});
        shared.of(poolsOf(market.interruptions.history, base::Rate{2 * kNano, past.currency}), 7);
        QCOMPARE(shared.size(), std::size_t{9});
    }

    // Workloads of one answer share the models of their market.
    void workloadsOfOneMarketGetWhatTheyGetAlone()
    {
        SpotPast past = twoRuns();
        useHistory(past, 12, 12);
        addRestlessZone(past);
        only(past).checkpointEvery = 1800;
        only(past).deadline = 1000 * kHour;
        past.candidates.push_back(past.candidates.front());
        past.candidates.back().id = "spot:prod/ml/Job/other";
        past.candidates.back().checkpointEvery = 600;
        const auto both = proposeSpots(past, {});
        QVERIFY(both && both->size() == 2);
        for (const Proposal &one : *both) {
            SpotPast alone = past;
            std::erase_if(alone.candidates, [&](const SpotCandidate &work) { return work.id != one.id; });
            const auto list = proposeSpots(alone, {});
            QVERIFY(list && list->size() == 1 && one.perMonth && list->front().perMonth);
            QCOMPARE(one.perMonth->p10.nanos(), list->front().perMonth->p10.nanos());
            QCOMPARE(one.perMonth->p50.nanos(), list->front().perMonth->p50.nanos());
            QCOMPARE(one.perMonth->p90.nanos(), list->front().perMonth->p90.nanos());
        }
        QVERIFY((*both)[0].perMonth->p50.nanos() != (*both)[1].perMonth->p50.nanos());
    }

    // A time is a deadline of each run that starts before it.
    void aDeadlineCanBeATime()
    {
        const base::UtcTime begin = base::fromUnix(1'800'000'000);
        const auto until = [begin](std::int64_t hours) {
            return changed([begin, hours](SpotPast &p) {
                only(p).runs = {{24 * kHour, 1, begin}, {24 * kHour, 1, begin + base::Seconds{240 * kHour}}};
                only(p).deadlineAt = begin + base::Seconds{hours * kHour};
            });
        };
        const auto late = until(24); // with its checkpoints it takes longer
        QVERIFY(late.excludedBy && late.excludedBy->text == RemarkText::SpotMissesTime);
        const auto kept = until(36);
        QVERIFY(!kept.excludedBy);
        QVERIFY(evidence(kept, RemarkText::SpotDeadlineTime));
        QVERIFY(risks(kept, RemarkText::SpotRiskDeadlineOver)); // of the second run
        QVERIFY(!risks(until(1000), RemarkText::SpotRiskDeadlineOver));
    }

    // Bills by day, of which the history knows the capacity: their prices are those of the same stretches.
    void pricesFollowTheDaysOfTheBills()
    {
        const auto priced = [](base::Day first) {
            return changed([first](SpotPast &p) {
                useHistory(p, 12, 12);
                addOppositeZone(p);
                only(p).checkpointEvery = 1800;
                only(p).deadline = 40 * kHour;
                SpotPrice &price = *p.markets.front().price;
                price.perHour.clear();
                for (std::int32_t day = 0; day < 10; ++day) {
                    price.perHour.emplace_back((day + 5) * kNano, p.currency);
                    price.days.push_back(base::Day{first.number + day});
                }
            });
        };
        const auto said = [](const Proposal &one) {
            return evidence(one, RemarkText::SpotZonePrices)->value.remark.front().text;
        };
        QCOMPARE(said(priced(base::Day{0})), RemarkText::SpotPricesFollow);
        QCOMPARE(said(priced(base::Day{5})), RemarkText::SpotPricesFollow); // half of them
        QCOMPARE(said(priced(base::Day{8})), RemarkText::SpotPricesDrawn);
    }

    // More than a century is told as what it is, in words.
    void workThatLosesEverythingDoesNotEnd()
    {
        const auto ofHours = [](std::int64_t hours) {
            return changed([hours](SpotPast &p) {
                useHistory(p, 12, 1);
                only(p).runs = {{hours * kHour, 1}, {hours * kHour, 1}};
                only(p).checkpointEvery = 1800;
                only(p).deadline = 4000 * kHour;
            });
        };
        const Proposal twoDays = ofHours(48), weeks = ofHours(300);
        const Evidence *const known = evidence(twoDays, RemarkText::SpotBareHours);
        QVERIFY(known && known->value.kind == RemarkTerm::Kind::Hours && known->value.number > 48);
        const Evidence *const endless = evidence(weeks, RemarkText::SpotBareHours);
        QVERIFY(endless && endless->value.kind == RemarkTerm::Kind::Remark);
        QCOMPARE(endless->value.remark.front().text, RemarkText::SpotBareNoEnd);
        const Proposal refused = changed([](SpotPast &p) {
            useHistory(p, 12, 1);
            only(p).runs = {{300 * kHour, 1}, {300 * kHour, 1}};
            only(p).deadline = 4000 * kHour;
        });
        QVERIFY(refused.excludedBy && refused.excludedBy->text == RemarkText::SpotWorkCannotEnd);
    }

    // What the configuration says of a kind of work holds where the workload says nothing itself.
    void defaultsOfAKindOfWork()
    {
        using model::WorkloadKind;
        const auto withDefaults = [](const SpotPast &past, const char *name, const char *value) {
            Assumptions assumed;
            if (!assumed.setUsualOf(past.candidates.front().work, name, value))
                qFatal("not a default");
            return proposeSpots(past, assumed).value().front();
        };
        SpotPast past = twoRuns();
        only(past).work = WorkloadKind::Training;
        only(past).checkpointEvery = 1800;
        QVERIFY(!withDefaults(past, "interruptible", "yes").excludedBy);
        const Proposal forbidden = withDefaults(past, "interruptible", "no");
        QVERIFY(forbidden.excludedBy && forbidden.excludedBy->text == RemarkText::SpotKindUninterruptible);
        only(past).interruptible = SpotAnswer::Yes;
        QVERIFY(!withDefaults(past, "interruptible", "no").excludedBy);
        only(past).interruptible = SpotAnswer::Unknown;

        const Proposal late = withDefaults(past, "deadline", "24h"); // the checkpoints alone take longer
        QVERIFY(late.excludedBy && late.excludedBy->text == RemarkText::SpotMissesDeadline);
        QCOMPARE(evidence(late, RemarkText::SpotDeadlineOfKind)->value.nanos, 24 * kHour);
        only(past).deadline = 72 * kHour;
        const Proposal stated = withDefaults(past, "deadline", "24h");
        QVERIFY(!stated.excludedBy && !evidence(stated, RemarkText::SpotDeadlineOfKind));

        // Work that serves requests is on spot machines only if somebody says so.
        only(past).batch = false;
        only(past).inference = true;
        only(past).work = WorkloadKind::Inference;
        QVERIFY(!withDefaults(past, "interruptible", "yes").excludedBy);
        QVERIFY(withDefaults(past, "restart", "5m").excludedBy);
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotZones)

} // namespace tst_spotzones

#include "tst_spotzones.moc"

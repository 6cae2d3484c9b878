// SPDX-License-Identifier: GPL-3.0-or-later
// Spot proposals: the replay against the closed form, what is refused and why, and what holds for every proposal.
#include "app/savings/spot/capacity/spotpublished.h"
#include "app/savings/spot/daly.h"
#include "app/savings/spot/spotoffer.h"
#include "app/savings/spot/spotreplay.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stop_token>

namespace tst_spotoffer {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kNano = 1'000'000'000;
constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kHourTicks = base::GpuTime::kTicksPerSecond * kHour;

// 21 days, in which "train" ran twice for a day on a machine of its own: 30 USD an hour on demand, 10 as spot.
SpotPast pastOf(double perHour)
{
    SpotPast past;
    past.hours = 504;
    past.currency = base::Currency::usd();
    SpotMarket market{"aws", "us-east-1", "p4d.24xlarge", SpotPrice{}, {}};
    market.price->perHour = {base::Rate{10 * kNano, past.currency}};
    market.interruptions.basis = SpotBasis::Published;
    market.interruptions.perHour = perHour;
    past.markets.push_back(market);
    SpotCandidate one;
    one.id = "spot:prod/ml/Job/train";
    one.target = "ml/Job/train";
    one.nameSpace = "ml";
    one.pod = one.batch = true;
    one.market = 0;
    one.held = base::GpuTime{48 * 8 * kHourTicks};
    one.ownSeconds = 48 * kHour;
    one.cost = one.ownCost = one.ownBase = 48 * 30 * kNano;
    one.lastHour = 500;
    one.runs = {{24 * kHour, 1}, {24 * kHour, 1}};
    past.candidates.push_back(one);
    return past;
}

std::vector<Proposal> proposed(const SpotPast &past, const SpotRules &rules = {}, const Assumptions &assumptions = {})
{
    const auto list = proposeSpots(past, assumptions, rules);
    if (!list)
        qFatal("%s", list.error().text.c_str());
    return *list;
}

// The only proposal after a change of the past.
Proposal changed(const std::function<void(SpotPast &)> &change, double perHour = 0.01)
{
    SpotPast past = pastOf(perHour);
    change(past);
    const auto list = proposed(past);
    if (list.size() != 1)
        qFatal("not one proposal");
    return list.front();
}

std::string reason(const Proposal &proposal)
{
    return proposal.excludedBy ? std::string(englishOf(proposal.excludedBy->text)) : std::string("counts");
}

std::string english(RemarkText text)
{
    return std::string(englishOf(text));
}

const Evidence *evidence(const Proposal &proposal, RemarkText label)
{
    const auto at = std::find_if(proposal.evidence.begin(), proposal.evidence.end(),
                                 [&](const Evidence &one) { return one.label.text == label; });
    return at == proposal.evidence.end() ? nullptr : &*at;
}

bool risks(const Proposal &proposal, RemarkText text)
{
    return std::any_of(proposal.risks.begin(), proposal.risks.end(),
                       [&](const Remark &one) { return one.text == text; });
}

SpotCandidate only(SpotPast &&past)
{
    return past.candidates.front();
}

SpotCandidate &only(SpotPast &past)
{
    return past.candidates.front();
}

// Ten pairs of up and down intervals of these hours.
SpotTrace madeHistory(std::int64_t up, std::int64_t down)
{
    SpotTrace trace{"t", "a", "p4d.24xlarge", "A100", 8, 60, {}};
    for (std::int64_t at = 0, i = 0; i < 10; ++i, at += (up + down) * kHour) {
        trace.intervals.push_back({at, up * kHour, true});
        trace.intervals.push_back({at + up * kHour, down * kHour, false});
    }
    return trace;
}

void useHistory(SpotPast &past, std::int64_t up, std::int64_t down)
{
    SpotInterruptions &known = past.markets.front().interruptions;
    known = {};
    known.basis = SpotBasis::History;
    known.history = {madeHistory(up, down)};
}

} // namespace

class TestSpotOffer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meanIsThatOfTheClosedForm()
    {
        SpotPast past = pastOf(0.15);
        SpotCandidate &one = only(past);
        one.runs = {{24 * kHour, 1}};
        one.ownSeconds = 24 * kHour;
        const SpotPlan plan{1800, 60, 300, std::nullopt, 50};
        SpotRules rules;
        rules.paths = 10'000;
        const auto replay = replaySpot(one, past.markets.front(), plan, rules).value();
        QCOMPARE(replay.paths, 10'000);
        double sum = 0, squares = 0;
        for (const std::int64_t cost : replay.cost) {
            const double hours = static_cast<double>(cost) / (10.0 * kNano);
            sum += hours;
            squares += hours * hours;
        }
        const double n = replay.paths, mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
        const double expected = dalyHours(spotWorkOf(plan, one.runs.front()), 0.15);
        QVERIFY(error > 0 && error < 0.05);
        QVERIFY2(std::abs(mean - expected) < 3 * error, qPrintable(QString::number(mean - expected)));
        // An interruption of one of two machines stops both: twice the rate, and twice the machine time.
        one.runs = {{24 * kHour, 2}};
        const auto two = replaySpot(one, past.markets.front(), plan, rules).value();
        QVERIFY(std::abs(two.interruptions / replay.interruptions
                         - 2 * dalyHours(spotWorkOf(plan, one.runs.front()), 0.3) / expected)
                < 0.05);
    }

    void withoutInterruptionsOnlyThePriceDiffers()
    {
        Assumptions none;
        QVERIFY(none.set("checkpoint-cost", "0"));
        const auto list = proposed(pastOf(0), {}, none);
        QCOMPARE(list.size(), std::size_t(1));
        QCOMPARE(reason(list.front()), std::string("counts"));
        // 48 h at 20 USD less, in 504 of 730 hours.
        const std::int64_t month = 48 * 20 * kNano * 730 / 504;
        QCOMPARE(list.front().perMonth->p10.nanos(), month);
        QCOMPARE(list.front().perMonth->p90.nanos(), month);
        QCOMPARE(list.front().avoidable->nanos(), 48 * 30 * kNano * 730 / 504);
        QVERIFY(std::abs(evidence(list.front(), RemarkText::SpotDiscount)->value.number - 2.0 / 3) < 1e-9);
    }

    void anotherDayHasAnotherPrice()
    {
        const auto wide = changed(
            [](SpotPast &past) {
                auto &prices = past.markets.front().price->perHour;
                prices = {base::Rate{5 * kNano, past.currency}, base::Rate{15 * kNano, past.currency}};
            },
            0);
        QVERIFY(wide.perMonth->p10.nanos() < wide.perMonth->p50.nanos());
        QVERIFY(wide.perMonth->p50.nanos() < wide.perMonth->p90.nanos());
        QCOMPARE(evidence(wide, RemarkText::SpotLowestRate)->value.nanos, 5 * kNano);
        QCOMPARE(evidence(wide, RemarkText::SpotHighestRate)->value.nanos, 15 * kNano);
    }

    // A day of which little was used says little: 99 hours at 5 and one at 15.
    void pricesCountByTheTimeThatWasPaid()
    {
        const auto mostly = changed(
            [](SpotPast &past) {
                SpotPrice &price = *past.markets.front().price;
                price.perHour = {base::Rate{15 * kNano, past.currency}, base::Rate{5 * kNano, past.currency}};
                price.seconds = {kHour, 99 * kHour};
                only(past).runs.assign(1, {48 * kHour, 1});
            },
            0);
        QCOMPARE(evidence(mostly, RemarkText::SpotRate)->value.nanos, 51 * kNano / 10);
        QCOMPARE(mostly.perMonth->p10.nanos(), mostly.perMonth->p90.nanos());
        QVERIFY(std::abs(mostly.perMonth->p50.toDouble() - 48 * 24.8 * 730 / 504) < 48);
    }

    void moreInterruptionsAreNeverCheaper()
    {
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        for (const double perHour : {0.0, 0.01, 0.05, 0.2, 0.5, 1.0}) {
            const auto one = changed([](SpotPast &past) { only(past).checkpointEvery = 1800; }, perHour);
            QVERIFY(one.perMonth.has_value());
            QVERIFY2(one.perMonth->p50.nanos() <= before, qPrintable(QString::number(perHour)));
            QVERIFY(one.perMonth->p10.nanos() <= one.perMonth->p50.nanos());
            QVERIFY(one.perMonth->p50.nanos() <= one.perMonth->p90.nanos());
            before = one.perMonth->p50.nanos();
        }
        QVERIFY(before < changed([](SpotPast &) {}, 0).perMonth->p50.nanos());
    }

    void neverSavesMoreThanIsAvoidable()
    {
        const auto cheap = changed([](SpotPast &past) {
            past.markets.front().price->perHour = {base::Rate{1, past.currency}};
            only(past).ownBase = 2 * only(past).ownCost; // no bill is like that
        });
        QCOMPARE(cheap.perMonth->p90.nanos(), cheap.avoidable->nanos());
        const auto credits = changed([](SpotPast &past) { only(past).ownCost = only(past).ownBase = -kNano; });
        QCOMPARE(credits.avoidable->nanos(), std::int64_t(0));
        QVERIFY(credits.perMonth->p90.nanos() <= 0);
        QCOMPARE(reason(credits), english(RemarkText::SpotNotCheaper));
    }

    void isTheSameAgain()
    {
        const auto first = changed([](SpotPast &) {}, 0.2), second = changed([](SpotPast &) {}, 0.2);
        QCOMPARE(first.perMonth->p10.nanos(), second.perMonth->p10.nanos());
        QCOMPARE(first.perMonth->p90.nanos(), second.perMonth->p90.nanos());
        SpotRules other;
        other.seed = 2;
        QVERIFY(proposed(pastOf(0.2), other).front().perMonth->p10.nanos() != first.perMonth->p10.nanos());
    }

    void refusesWithTheReason()
    {
        using Change = std::function<void(SpotPast &)>;
        const std::vector<std::pair<RemarkText, Change>> cases{
            {RemarkText::SpotServesRequests, [](SpotPast &p) { only(p).batch = false, only(p).inference = true; }},
            {RemarkText::SpotWorkOfPeople, [](SpotPast &p) { only(p).batch = false; }},
            {RemarkText::SpotMarkedUninterruptible, [](SpotPast &p) { only(p).interruptible = SpotAnswer::No; }},
            {RemarkText::SpotFewDays, [](SpotPast &p) { only(p).firstHour = 400, only(p).runs.pop_back(); }},
            {RemarkText::SpotAlready, [](SpotPast &p) { only(p).spot = only(p).held; }},
            {RemarkText::SpotUnpriced, [](SpotPast &p) { only(p).unpriced = only(p).held; }},
            {RemarkText::SpotSharedMachines, [](SpotPast &p) { only(p).shared = only(p).held; }},
            {RemarkText::SpotSunk, [](SpotPast &p) { only(p).ownSeconds = 0, only(p).sunk = only(p).held; }},
            {RemarkText::SpotUnknownTerms, [](SpotPast &p) { only(p).ownSeconds = 0, only(p).unknown = only(p).held; }},
            {RemarkText::SpotSeveralMarkets, [](SpotPast &p) { only(p).severalMarkets = true; }},
            {RemarkText::SpotUnknownMachine, [](SpotPast &p) { only(p).market = -1; }},
            {RemarkText::SpotNoPrice, [](SpotPast &p) { p.markets.front().price.reset(); }},
            {RemarkText::SpotNoPrice, [](SpotPast &p) { p.markets.front().price->perHour.clear(); }},
            {RemarkText::SpotNoPrice,
             [](SpotPast &p) {
                 p.markets.front().price->perHour = {base::Rate{0, p.currency}};
             }},
            {RemarkText::SpotNoPrice,
             [](SpotPast &p) { p.markets.front().price->perHour.emplace_back(-kNano, p.currency); }},
            {RemarkText::SpotNoHistory, [](SpotPast &p) { p.markets.front().interruptions = {}; }},
            {RemarkText::SpotNeverCapacity,
             [](SpotPast &p) {
                 p.markets.front().interruptions.basis = SpotBasis::History;
                 p.markets.front().interruptions.history = {SpotTrace{}};
             }},
            {RemarkText::SpotNoRuns, [](SpotPast &p) { only(p).runs.clear(); }},
            {RemarkText::SpotNoFinishedRun, [](SpotPast &p) { only(p).runs.clear(), only(p).unfinished = 2; }},
            {RemarkText::SpotNoWholeRun, [](SpotPast &p) { only(p).runs.clear(), only(p).begunEarlier = 1; }},
            {RemarkText::SpotNotCheaper,
             [](SpotPast &p) {
                 p.markets.front().price->perHour = {base::Rate{30 * kNano, p.currency}};
             }},
            {RemarkText::SpotMissesDeadline, [](SpotPast &p) { only(p).deadline = 24 * kHour; }},
        };
        for (const auto &[text, change] : cases) {
            const auto one = changed(change);
            QCOMPARE(reason(one), english(text));
            QVERIFY(one.how.empty());
        }
        const auto counts = changed([](SpotPast &) {});
        QCOMPARE(reason(counts), std::string("counts"));
        QVERIFY(counts.how.find("eks.amazonaws.com/capacityType: SPOT") != std::string::npos);
        QCOMPARE(reason(changed([](SpotPast &p) { only(p).batch = false, only(p).interruptible = SpotAnswer::Yes; })),
                 std::string("counts"));
    }

    // 48.5 h at 0.15 an hour: e^(0.15 x 5 / 60) (e^(0.15 x 48.5) - 1) / 0.15 = 9,748 h.
    void refusesWhatNeverEnds()
    {
        const auto endless = [](SpotPast &p) { only(p).runs = {{48 * kHour + 1800, 1}, {kHour, 1}}; };
        const auto refused = changed(endless, 0.15);
        QCOMPARE(reason(refused), english(RemarkText::SpotNeverEnds));
        QCOMPARE(refused.excludedBy->terms.at(0).number, 48.5);
        const double bare = std::exp(0.15 * 300 / 3600) * (std::exp(0.15 * 48.5) - 1) / 0.15;
        QVERIFY(std::abs(refused.excludedBy->terms.at(1).number - bare) < 1e-6 * bare);
        QVERIFY(std::abs(refused.excludedBy->terms.at(2).number - 0.15 * 730) < 1e-9);
        // A label says that it writes checkpoints, or the user does.
        const auto labelled = changed([&](SpotPast &p) { endless(p), only(p).checkpointEvery = kHour; }, 0.15);
        QCOMPARE(reason(labelled), std::string("counts"));
        QVERIFY(!risks(labelled, RemarkText::SpotRiskCheckpoints));
        SpotPast past = pastOf(0.15);
        endless(past);
        Assumptions hourly;
        QVERIFY(hourly.set("checkpoint-every", "1h"));
        QCOMPARE(reason(proposed(past, {}, hourly).front()), std::string("counts"));
        Assumptions training;
        QVERIFY(training.setUsualOf(model::WorkloadKind::Training, "checkpoint-every", "1h"));
        QVERIFY(reason(proposed(past, {}, training).front()) != "counts"); // it is batch work
        only(past).work = model::WorkloadKind::Training;
        QCOMPARE(reason(proposed(past, {}, training).front()), std::string("counts"));
        QVERIFY(risks(changed([](SpotPast &) {}), RemarkText::SpotRiskCheckpoints));
    }

    // 64 machines at 0.05 an hour each: 3.2 an hour, so that half an hour of work takes 1.7 hours.
    void refusesBeforeAReplayWhatCheckpointsDoNotHelp()
    {
        const auto wide = changed([](SpotPast &p) { only(p).runs.assign(2, {300 * kHour, 64}); }, 0.05);
        QCOMPARE(reason(wide), english(RemarkText::SpotPlanTooSlow));
        QVERIFY(wide.excludedBy->terms.at(2).number > 3 * 300);
        QVERIFY(!evidence(wide, RemarkText::SpotFutures) && !wide.perMonth);
        const auto wider = changed([](SpotPast &p) { only(p).runs.front() = {2000 * kHour, 100'000}; }, 1);
        QCOMPARE(reason(wider), english(RemarkText::SpotPlanCannotEnd));
        // 500,000 hours of work with a state for every two of them.
        const auto endless = changed(
            [](SpotPast &p) {
                only(p).runs.assign(5'000, {100 * kHour, 1}), only(p).checkpointEvery = 600;
            },
            0.5);
        QCOMPARE(reason(endless), english(RemarkText::TooLargeToCompute));
    }

    void manyWorkloadsShareTheFutures()
    {
        SpotPast past = pastOf(0.01);
        only(past).runs.assign(30, {kHour, 1});
        past.candidates.assign(200, only(past));
        const auto list = proposed(past);
        QCOMPARE(list.size(), std::size_t(200));
        for (const Proposal &one : list) {
            QCOMPARE(reason(one), std::string("counts"));
            QCOMPARE(evidence(one, RemarkText::SpotFutures)->value.nanos, std::int64_t(166));
        }
    }

    void replaysAHistory()
    {
        const auto often = changed([](SpotPast &p) { useHistory(p, 12, 1), only(p).checkpointEvery = 1800; });
        QCOMPARE(reason(often), std::string("counts"));
        QVERIFY(evidence(often, RemarkText::SpotPerRun)->value.number > 1);
        QVERIFY(risks(often, RemarkText::SpotRiskCapacity) && !risks(often, RemarkText::SpotRiskWaiting));
        const auto rarely = changed([](SpotPast &p) { useHistory(p, 6, 18), only(p).checkpointEvery = 1800; });
        QCOMPARE(reason(rarely), english(RemarkText::SpotTooLate)); // more than 50 % later
        const auto never = changed([](SpotPast &p) { useHistory(p, 1, 600), only(p).checkpointEvery = 1800; });
        QCOMPARE(reason(never), english(RemarkText::SpotNoCapacity));
        QVERIFY(never.perMonth->p50.nanos() < 0); // it is done on demand after all
    }

    void ownInterruptionsSayHowTheyWereSeen()
    {
        const auto sourceWith = [](int podEvents) {
            const auto one = changed([podEvents](SpotPast &p) {
                p.markets.front().interruptions.basis = SpotBasis::Telemetry;
                p.markets.front().interruptions.events = 9;
                p.markets.front().interruptions.podEvents = podEvents;
            });
            return evidence(one, RemarkText::SpotInterruptionSource)->value.remark.at(0);
        };
        const Remark machines = sourceWith(0), both = sourceWith(2);
        QCOMPARE(machines.text, RemarkText::SpotFromTelemetry);
        QCOMPARE(machines.terms.at(0).nanos, std::int64_t{9});
        QCOMPARE(both.text, RemarkText::SpotFromTelemetryAndPods);
        QCOMPARE(both.terms.at(0).nanos, std::int64_t{7});
        QCOMPARE(both.terms.at(1).nanos, std::int64_t{2});
    }

    void aHistoryNamesItsFile()
    {
        const auto one = changed([](SpotPast &p) {
            useHistory(p, 12, 1);
            p.markets.front().interruptions.source = "a.csv";
            p.markets.front().interruptions.now = 130 * kHour;
            only(p).checkpointEvery = 1800;
        });
        const Evidence *const source = evidence(one, RemarkText::SpotInterruptionSource);
        QVERIFY(source && source->value.remark.size() == 1);
        QCOMPARE(source->value.remark.front().text, RemarkText::WithSource);
        QCOMPARE(source->value.remark.front().terms.at(1).text, std::string("a.csv"));
        QVERIFY(!risks(one, RemarkText::SpotRiskHistoryEnds)); // it ends at this second
        const auto old = changed([](SpotPast &p) {
            useHistory(p, 12, 1);
            p.markets.front().interruptions.now = 130 * kHour + 1;
        });
        QVERIFY(risks(old, RemarkText::SpotRiskHistoryEnds));
    }

    // The history ends without capacity. If that is the present state, each run waits first.
    void anOldHistorySaysNothingOfThePresentState()
    {
        const auto later = [](std::int64_t now) {
            const auto one = changed([now](SpotPast &p) {
                useHistory(p, 100, 30);
                p.markets.front().interruptions.now = now;
                only(p).checkpointEvery = 1800;
            });
            return evidence(one, RemarkText::SpotLater)->value.number;
        };
        QVERIFY(later(1300 * kHour) > later(1'000'000 * kHour));
    }

    void whatItStatesIsNoAssumption()
    {
        const auto assumes = [](const Proposal &one, std::string_view name) {
            return std::any_of(one.assumptions.begin(), one.assumptions.end(),
                               [&](const Assumption &each) { return each.name == name; });
        };
        const auto stated = changed([](SpotPast &p) {
            only(p).checkpointEvery = 900;
            only(p).deadline = 48 * kHour;
            only(p).misread["gpu-ledger.io/interruptible"] = "perhaps";
        });
        QVERIFY(!assumes(stated, "checkpoint-every") && !assumes(stated, "spot-deadline-slack"));
        QVERIFY(assumes(stated, "restart"));
        QCOMPARE(evidence(stated, RemarkText::SpotDeadlineStated)->value.nanos, 48 * kHour);
        QVERIFY(risks(stated, RemarkText::SpotMisread));
        const auto silent = changed([](SpotPast &) {});
        QVERIFY(assumes(silent, "checkpoint-every") && assumes(silent, "spot-deadline-slack"));
        QVERIFY(!evidence(silent, RemarkText::SpotDeadlineStated) && !risks(silent, RemarkText::SpotMisread));
    }

    void whatWasNotReadIsSaidByEach()
    {
        for (const bool excluded : {false, true}) {
            const auto one = changed([excluded](SpotPast &p) {
                p.unread.push_back({"a.csv", "it can't be read"});
                if (excluded)
                    p.markets.front().interruptions = {};
            });
            QCOMPARE(one.excludedBy.has_value(), excluded);
            QVERIFY(risks(one, RemarkText::SpotHistoryUnread));
        }
        QVERIFY(!risks(changed([](SpotPast &) {}), RemarkText::SpotHistoryUnread));
    }

    // 24 hours of a long run and two hours of twenty short ones: the money is that of the long one.
    void shortRunsDoNotHideALongOne()
    {
        const auto late = changed([](SpotPast &past) {
            only(past).runs.assign(20, {360, 1});
            only(past).runs.push_back({24 * kHour, 1});
            only(past).deadline = 24 * kHour; // with its checkpoints it takes longer
        });
        QCOMPARE(reason(late), english(RemarkText::SpotMissesDeadline));
        QVERIFY(std::abs(late.excludedBy->terms.at(0).number - 24.0 / 26) < 1e-9);
    }

    void saysWhenThePriceIsThatOfAnotherRegion()
    {
        const auto told = [](bool other) {
            return changed([other](SpotPast &past) {
                past.markets.front().price->published = true;
                past.markets.front().price->otherRegion = other;
            });
        };
        QVERIFY(risks(told(true), RemarkText::SpotRiskRegion) && !risks(told(false), RemarkText::SpotRiskRegion));
        QCOMPARE(evidence(told(true), RemarkText::SpotPriceSource)->value.remark.front().text,
                 RemarkText::SpotPriceOfOtherRegion);
    }

    void saysHowManyFuturesThereAre()
    {
        QCOMPARE(evidence(changed([](SpotPast &) {}), RemarkText::SpotFutures)->value.nanos, std::int64_t(1000));
        const auto many = changed([](SpotPast &p) { only(p).runs.assign(1000, {kHour, 1}); });
        QCOMPARE(evidence(many, RemarkText::SpotFutures)->value.nanos, std::int64_t(200));
    }

    // With as many futures, the point at the counted interval is the proposal.
    void curveHasTheProposal()
    {
        SpotPast past = pastOf(0.05);
        SpotRules rules;
        rules.paths = kSpotCurvePaths;
        const Proposal counted = proposed(past, rules).front();
        const auto curve = spotCurve(past, {}, counted.id, rules).value();
        QVERIFY(curve.has_value());
        const double every = static_cast<double>(Assumptions().number("checkpoint-every"));
        const auto at = static_cast<std::size_t>(std::find(curve->x.begin(), curve->x.end(), every) - curve->x.begin());
        QVERIFY(at < curve->x.size());
        const double base = static_cast<double>(only(past).ownBase) / kNano;
        const auto saved = [&](double share) { return (1 - share) * base * 730 / past.hours; };
        QVERIFY(std::abs(saved(curve->lines.front().y[at]) - counted.perMonth->p50.toDouble()) < 1e-6);
        QVERIFY(std::abs(saved(curve->p90[at]) - counted.perMonth->p10.toDouble()) < 1e-6);
        QVERIFY(std::abs(saved(curve->p10[at]) - counted.perMonth->p90.toDouble()) < 1e-6);
        const auto &costs = curve->lines.front().y;
        for (std::size_t i = 0; i < costs.size(); ++i)
            QVERIFY(curve->p10[i] <= costs[i] && costs[i] <= curve->p90[i]);
        // Often and seldom both cost more than the best one: checkpoints take time, and lost work does.
        const auto best = std::min_element(costs.begin(), costs.end());
        QCOMPARE(curve->marks.front().x, curve->x[static_cast<std::size_t>(best - costs.begin())]);
        QVERIFY(*best < costs.front() && *best < costs.back());
    }

    void curveNeedsSomethingToReplay()
    {
        QVERIFY(!spotCurve(pastOf(0.01), {}, "spot:other").value());
        SpotPast past = pastOf(0.01);
        only(past).runs.clear();
        QVERIFY(!spotCurve(past, {}, only(past).id).value());
        std::stop_source stopped;
        stopped.request_stop();
        const auto answer = spotCurve(pastOf(0.01), {}, only(past).id, {}, stopped.get_token());
        QVERIFY(!answer && answer.error().code == base::ErrorCode::Cancelled);
    }

    void listsTheCostliestOfTheExcluded()
    {
        SpotPast past = pastOf(0.01);
        const SpotCandidate counts = only(past);
        past.candidates.clear();
        for (int i = 0; i < 30; ++i) {
            SpotCandidate one = counts;
            one.id = std::to_string(i);
            one.batch = i % 2 == 0;
            one.cost = i;
            past.candidates.push_back(one);
        }
        past.candidates.push_back(counts);
        past.candidates.back().lastHour = 100; // not in the last week
        SpotRules rules;
        rules.mostExcluded = 3;
        std::vector<std::string> ids;
        for (const Proposal &one : proposed(past, rules)) {
            if (one.excludedBy)
                ids.push_back(one.id);
        }
        QCOMPARE(ids, (std::vector<std::string>{"29", "27", "25"}));
        QCOMPARE(proposed(past, rules).size(), std::size_t(15 + 3));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(proposeSpots(past, {}, rules, stop.get_token()).error().code == base::ErrorCode::Cancelled);
    }

    void onlyTheOneThatOverflowsIsRefused()
    {
        SpotPast past = pastOf(0);
        past.markets.front().price->perHour = {base::Rate{std::numeric_limits<std::int64_t>::max(), past.currency}};
        only(past).runs.assign(100, {24 * kHour, 1000});
        only(past).ownSeconds = std::int64_t{1} << 60;
        SpotMarket cheap = past.markets.front();
        cheap.price->perHour = {base::Rate{kNano, past.currency}};
        past.markets.push_back(cheap);
        past.candidates.push_back(only(pastOf(0)));
        past.candidates.back().market = 1;
        past.candidates.push_back(past.candidates.back());
        past.candidates.back().tooLarge = true;
        const auto list = proposed(past);
        QCOMPARE(list.size(), std::size_t(3));
        QCOMPARE(reason(list[0]), english(RemarkText::TooLargeToCompute));
        QVERIFY(!list[0].perMonth && !list[0].avoidable);
        QCOMPARE(reason(list[1]), std::string("counts"));
        QCOMPARE(reason(list[2]), english(RemarkText::TooLargeToCompute));
    }

    void readsThePublishedList()
    {
        const auto list = readPublishedSpot(resources::find("prices/spot_interruptions.csv").value()).value();
        const auto at = std::find_if(list.begin(), list.end(), [](const PublishedSpot &one) {
            return one.machine == "p4d.24xlarge" && one.region == "us-east-1";
        });
        QVERIFY(at != list.end());
        QCOMPARE(at->band, std::string("10-15%"));
        QCOMPARE(at->savingPercent, 67);
        // A constant rate interrupts this share of machines within a month.
        for (const double share : {0.025, 0.125, 0.25})
            QVERIFY(std::abs(1 - std::exp(-730 * hourlySpotRate(share)) - share) < 1e-12);
        const std::string header = "cloud,instance_type,region,interrupted_band,saving_percent,as_of,source\n";
        QVERIFY(readPublishedSpot(header + "aws,a,b,<5%,10,2025-06-28,s\n").has_value());
        QCOMPARE(readPublishedSpot(header + "aws,a,b,<5%,,2025-06-28,s\n")->front().savingPercent, 0);
        for (const char *row :
             {"aws,a,b,7%,10,2025-06-28,s", "aws,a,b,<5%,100,2025-06-28,s", "aws,a,b,<5%,0,2025-06-28,s",
              "aws,a,b,<5%,10,,s", "aws,a,b,<5%,10,2025-06-28,", "aws,,b,<5%,10,2025-06-28,s", "aws,a,b,<5%,10"})
            QVERIFY2(!readPublishedSpot(header + row + "\n").has_value(), row);
        QVERIFY(!readPublishedSpot("cloud\naws\n").has_value());
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotOffer)

} // namespace tst_spotoffer

#include "tst_spotoffer.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spotmodel.h"
#include "app/savings/spot/daly.h"
#include "app/savings/spot/spotestimate.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cmath>

namespace tst_spotestimate {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr std::int64_t kNano = 1'000'000'000;

SpotWork dayOfWork()
{
    SpotWork work;
    work.work = 24 * 3600;
    work.checkpointEvery = 1800;
    work.checkpointCost = 60;
    work.restart = 300;
    work.onDemand = base::Rate{3'060'000'000, base::Currency::usd()};
    work.spot = base::Rate{920'000'000, base::Currency::usd()};
    return work;
}

SpotQuestion byRate(double perHour)
{
    SpotQuestion question;
    question.work = dayOfWork();
    question.perHour = perHour;
    return question;
}

// Seeded up and down intervals of 1 to 12 and 1 to 3 hours.
SpotTrace madeTrace(int pairs)
{
    SpotTrace trace{"t", "a", "x", "V100", 1, 60, {}};
    SeededRandom random(5, 0);
    std::int64_t at = 0;
    for (int i = 0; i < 2 * pairs; ++i) {
        const bool up = i % 2 == 0;
        const std::int64_t length = 3600 + random.below(up ? 11 * 3600 : 2 * 3600);
        trace.intervals.push_back({at, length, up});
        at += length;
    }
    return trace;
}

SpotQuestion byHistory(SpotTrace trace)
{
    SpotQuestion question;
    question.work = dayOfWork();
    question.history = {std::move(trace)};
    question.paths = 2000;
    return question;
}

// Runs the states one after the other, and then nothing.
SpotOutcome replayed(const SpotWork &work, SpotPolicy policy, std::vector<SpotState> states)
{
    std::size_t i = 0;
    return runOnSpot(work, policy, [&] { return i < states.size() ? states[i++] : SpotState{}; });
}

std::vector<std::int64_t> nanosOf(const SpotEstimate &estimate)
{
    std::vector<std::int64_t> all;
    for (const auto &cost : estimate.waiting.cost)
        all.push_back(cost ? cost->nanos() : -1);
    for (const auto &hours : estimate.waiting.hours)
        all.push_back(hours ? std::llround(*hours * 3600) : -1);
    for (const auto &count : estimate.waiting.interruptions)
        all.push_back(count ? *count : -1);
    all.push_back(std::llround(estimate.waiting.missed.value_or(-1) * 1e6));
    return all;
}

std::string refusal(const SpotQuestion &question)
{
    const auto estimate = estimateSpot(question);
    return estimate ? std::string("estimated") : estimate.error().text;
}

} // namespace

class TestSpotEstimate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // By hand: 2 h of work, a checkpoint of 60 s after each half hour, restart 300 s.
    void runsThroughGivenIntervals()
    {
        SpotWork work = dayOfWork();
        work.work = 7200;
        work.horizon = 100'000;
        // 3000 s: one checkpoint (1860 s), 1140 s lost. Then 300 s, and 5400 s of work with two checkpoints.
        const SpotOutcome run = replayed(work, SpotPolicy::Wait, {{3000, true}, {1000, false}, {9000, true}});
        QVERIFY(run.finished && !run.fellBack);
        QCOMPARE(run.interruptions, 1);
        QCOMPARE(run.end, std::int64_t(3000 + 1000 + 300 + 5400 + 120));
        QCOMPARE(run.spotSeconds, std::int64_t(3000 + 300 + 5520));
        QCOMPARE(run.cost(work)->nanos(), std::int64_t(920'000'000) * 8820 / 3600);
        // Nothing more is known: not finished.
        QVERIFY(!replayed(work, SpotPolicy::Wait, {{3000, true}, {1000, false}}).finished);
        // Without checkpoints everything is lost.
        work.checkpointEvery = 0;
        const SpotOutcome bare = replayed(work, SpotPolicy::Wait, {{7199, true}, {1, false}, {7500, true}});
        QCOMPARE(bare.end, std::int64_t(7200 + 300 + 7200));
    }

    void givesUpAtTheHorizon()
    {
        SpotWork work = dayOfWork();
        work.horizon = 5000;
        const SpotOutcome run = replayed(work, SpotPolicy::Wait, {{3000, true}, {90000, false}, {90000, true}});
        QVERIFY(!run.finished);
        QCOMPARE(run.end, std::int64_t(5000));
    }

    void fallbackKeepsEveryDeadlineThatCanBeKept()
    {
        SpotWork work = dayOfWork();
        work.horizon = 400 * 86400;
        for (std::uint64_t path = 0; path < 3000; ++path) {
            SeededRandom random(11, path);
            work.work = 60 + random.below(100'000);
            work.checkpointEvery = random.below(3) == 0 ? 0 : 30 + random.below(7200);
            work.deadline = work.needed(work.work) + work.restart + random.below(200'000);
            bool up = random.below(2) == 0;
            const SpotOutcome run = runOnSpot(work, SpotPolicy::FallBack, [&] {
                up = !up;
                return SpotState{1 + random.below(20'000), up};
            });
            QVERIFY(run.finished);
            QVERIFY2(run.end <= *work.deadline, qPrintable(QString::number(path)));
        }
    }

    void noInterruptionIsThePlainCostExactly()
    {
        SpotQuestion question = byRate(0);
        question.work.checkpointEvery = 0;
        question.work.gpus = 8;
        const auto estimate = estimateSpot(question);
        QVERIFY(estimate);
        for (const auto &cost : estimate->waiting.cost)
            QCOMPARE(cost->nanos(), std::int64_t(24 * 8 * 920'000'000LL));
        QCOMPARE(estimate->onDemandCost.nanos(), std::int64_t(24 * 8 * 3'060'000'000LL));
        QCOMPARE(*estimate->waiting.hours[2], 24.0);
        QCOMPARE(*estimate->waiting.interruptions[2], 0);
        QVERIFY(estimate->suitable());
        // The same from a history without any.
        SpotTrace up{"t", "a", "x", "V100", 8, 600, {{0, 40 * 86400, true}}};
        SpotQuestion seen = byHistory(up);
        seen.work = question.work;
        const auto same = estimateSpot(seen);
        QVERIFY(same);
        QCOMPARE(same->waiting.cost[2]->nanos(), std::int64_t(24 * 8 * 920'000'000LL));
    }

    // Exponential intervals: mean of the running time against Daly, within three standard errors.
    void agreesWithDaly_data()
    {
        QTest::addColumn<double>("perHour");
        QTest::addColumn<int>("every");
        QTest::newRow("often") << 1.5 << 1800;
        QTest::newRow("sometimes") << 0.2 << 3600;
        QTest::newRow("never saved") << 0.05 << 0;
    }
    void agreesWithDaly()
    {
        QFETCH(double, perHour);
        QFETCH(int, every);
        SpotWork work = dayOfWork();
        work.checkpointEvery = every;
        work.horizon = 3650LL * 86400;
        constexpr int kRuns = 20'000;
        double sum = 0, squares = 0;
        for (int i = 0; i < kRuns; ++i) {
            SeededRandom random(77, static_cast<std::uint64_t>(i));
            const SpotOutcome run = runOnSpot(work, SpotPolicy::Wait, [&] {
                const double hours = -std::log1p(-random.uniform()) / perHour;
                return SpotState{std::max<std::int64_t>(1, std::llround(hours * 3600)), true};
            });
            QVERIFY(run.finished);
            const double hours = static_cast<double>(run.spotSeconds) / 3600;
            sum += hours;
            squares += hours * hours;
        }
        const double mean = sum / kRuns, error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
        const double told = dalyHours(work, perHour);
        QVERIFY2(std::abs(mean - told) <= 3 * error,
                 qPrintable(QStringLiteral("%1 against %2 +- %3").arg(mean).arg(told).arg(error)));
        // And the estimate itself.
        SpotQuestion question = byRate(perHour);
        question.work = work;
        const auto estimate = estimateSpot(question);
        QVERIFY(estimate && estimate->waiting.meanCost);
        const double cost = told * 0.92, band = 3 * error * 0.92 * std::sqrt(double(kRuns) / kSpotPaths);
        QVERIFY(std::abs(estimate->waiting.meanCost->toDouble() - cost) <= band);
    }

    // The best interval is where the closed form is least, by exhaustive search.
    void bestIntervalIsTheBest()
    {
        SpotWork work = dayOfWork();
        for (const double perHour : {0.02, 0.2, 1.0}) {
            double least = 1e300;
            for (work.checkpointEvery = 60; work.checkpointEvery < work.work; work.checkpointEvery += 60)
                least = std::min(least, dalyHours(work, perHour));
            work.checkpointEvery = dalyBestInterval(work, perHour);
            QVERIFY2(dalyHours(work, perHour) <= least * 1.01, qPrintable(QString::number(perHour)));
        }
        QCOMPARE(dalyBestInterval(work, 0), work.work);
    }

    void moreInterruptionsAreNeverCheaper()
    {
        std::int64_t last = 0;
        for (const double perHour : {0.0, 0.02, 0.1, 0.3, 0.8, 2.0}) {
            const auto estimate = estimateSpot(byRate(perHour));
            QVERIFY(estimate && estimate->waiting.meanCost);
            QVERIFY2(estimate->waiting.meanCost->nanos() >= last, qPrintable(QString::number(perHour)));
            last = estimate->waiting.meanCost->nanos();
        }
        QVERIFY(last > std::int64_t(24.4 * 0.92 * kNano));
    }

    // The bands of a history that ended long ago are wider, and two weeks are as good as a year.
    void anOldHistoryWidensTheBands()
    {
        const SpotTrace trace = madeTrace(40);
        const auto widthAfter = [&](std::int64_t days) {
            SpotQuestion question = byHistory(trace);
            question.start = trace.end() + 1 + days * 86400;
            const SpotBand<double> hours = estimateSpot(question).value().waiting.hours;
            return hours[2].value() - hours[0].value();
        };
        const double fresh = widthAfter(0), week = widthAfter(7), old = widthAfter(14);
        QVERIFY2(fresh < week && week < old, qPrintable(QStringLiteral("%1 %2 %3").arg(fresh).arg(week).arg(old)));
        QCOMPARE(widthAfter(365), old);
    }

    void theSameSeedGivesTheSame()
    {
        SpotQuestion question = byHistory(madeTrace(40));
        question.work.deadline = 60 * 3600;
        const auto first = nanosOf(estimateSpot(question).value());
        QCOMPARE(nanosOf(estimateSpot(question).value()), first);
        question.seed = 2;
        QVERIFY(nanosOf(estimateSpot(question).value()) != first);
        // Fixed on every machine: SplitMix64 of this seed and path.
        SeededRandom a(1, 0), b(1, 0), c(1, 1);
        const std::uint64_t drawn = a.next();
        QCOMPARE(b.next(), drawn);
        QVERIFY(c.next() != drawn);
    }

    void whatComesAfterTheStartChangesNothing()
    {
        SpotQuestion question = byHistory(madeTrace(40));
        question.start = question.history.front().intervals[50].start + 1000;
        const auto first = nanosOf(estimateSpot(question).value());
        SpotTrace &trace = question.history.front();
        trace.intervals.resize(51);
        trace.intervals.back().length = 500'000; // only its part before the start is known
        trace.intervals.push_back({trace.end(), 9'000'000, !trace.intervals.back().available});
        QCOMPARE(nanosOf(estimateSpot(question).value()), first);
        // What came before does.
        trace.intervals.front().length -= 3000;
        for (std::size_t i = 1; i < trace.intervals.size(); ++i)
            trace.intervals[i].start -= 3000;
        question.start = *question.start - 3000;
        QVERIFY(nanosOf(estimateSpot(question).value()) != first);
    }

    void laterDeadlinesAreMissedLessOften()
    {
        SpotQuestion question = byHistory(madeTrace(40));
        double last = 1;
        for (const int hours : {25, 28, 30, 34, 40, 60, 200}) {
            question.work.deadline = hours * 3600;
            question.work.horizon = 40 * 86400;
            const auto estimate = estimateSpot(question);
            QVERIFY(estimate && estimate->waiting.missed);
            QVERIFY(*estimate->waiting.missed <= last);
            last = *estimate->waiting.missed;
        }
        QVERIFY(last < 0.01);
    }

    // 48.5 h at 0.15 interruptions an hour: (e^7.275 - 1) / 0.15 = 9618 h.
    void refusesWhatNeverEnds()
    {
        SpotQuestion question = byRate(0.15);
        question.work.work = 174'600;
        question.work.checkpointEvery = 0;
        question.work.restart = 0;
        question.paths = 500;
        const auto estimate = estimateSpot(question);
        QVERIFY(estimate);
        QCOMPARE(estimate->reason, SpotReason::NeverEnds);
        QVERIFY(std::abs(estimate->expectedHours - (std::exp(0.15 * 48.5) - 1) / 0.15) < 1e-6);
        QVERIFY(std::abs(estimate->expectedHours - 9618.34) < 0.01);
    }

    void saysWhyItDoesNotSuit()
    {
        SpotQuestion question = byRate(0.5);
        question.work.deadline = 24 * 3600; // the checkpoints alone take 47 min
        QCOMPARE(estimateSpot(question)->reason, SpotReason::DeadlineTooShort);
        question.work.deadline = 25 * 3600;
        QCOMPARE(estimateSpot(question)->reason, SpotReason::DeadlineAtRisk);
        question.work.deadline.reset();
        question.work.spot = question.work.onDemand;
        QCOMPARE(estimateSpot(question)->reason, SpotReason::NotCheaper);
        SpotQuestion none = byHistory({"t", "a", "x", "V100", 1, 600, {{0, 30 * 86400, false}}});
        const auto estimate = estimateSpot(none);
        QVERIFY(estimate);
        QCOMPARE(estimate->reason, SpotReason::NoCapacity);
        QCOMPARE(estimate->waiting.unfinished, 1.0);
        QVERIFY(!estimate->waiting.cost[0] && !estimate->waiting.hours[0] && !estimate->discount);
    }

    void refusesWhatItCannotKnow()
    {
        SpotQuestion question = byHistory(madeTrace(40));
        question.start = 0;
        QCOMPARE(refusal(question), std::string("there is no interruption history before the start"));
        question.start = 7200; // one sample
        QVERIFY(refusal(question).find("has only 1 intervals with capacity") != std::string::npos);
        question.start.reset();
        question.work.spot = base::Rate{0, base::Currency::usd()};
        QCOMPARE(refusal(question), std::string("the prices per GPU-hour must be above zero"));
        question.work.spot = base::Rate{-1, base::Currency::usd()};
        QCOMPARE(refusal(question), std::string("the prices per GPU-hour must be above zero"));
        question = byRate(-1);
        QVERIFY(refusal(question).find("the rate must be") == 0);
        question = byRate(1);
        question.work.work = 0;
        QVERIFY(refusal(question).find("the work must take") == 0);
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotEstimate)

} // namespace tst_spotestimate

#include "tst_spotestimate.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What an accepted proposal saved: planted savings, mere changes of usage and price, noise, and what can't be measured.
#include "app/base/time/gputime.h"
#include "app/savings/proposals/seededrandom.h"
#include "app/savings/realized/realized.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cmath>

namespace tst_realized {
using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr int kDays = 84, kBegun = 42; // six weeks before, and six after
constexpr double kTicksPerHour = 3600.0 * base::GpuTime::kTicksPerSecond;

// A day in GPU-hours and units of money.
struct Made {
    double cost = 0, paid = 0, active = 0, runs = -1; // the last below zero: as active
};

RealizedDay dayOf(const Made &made)
{
    const std::int64_t active = std::llround(made.active * kTicksPerHour);
    const std::int64_t runs = made.runs < 0 ? active : std::llround(made.runs * kTicksPerHour);
    return {std::llround(made.cost * 1e9), std::llround(made.paid * kTicksPerHour), active, runs};
}

template <typename Target, typename Control> RealizedPast pastOf(Kind kind, Target target, Control control)
{
    RealizedPast past;
    past.kind = kind;
    past.currency = base::Currency::usd();
    past.first = {20000};
    for (int day = 0; day < kDays; ++day) {
        past.target.push_back(dayOf(target(day)));
        past.control.push_back(dayOf(control(day)));
    }
    past.begun = past.done = {20000 + kBegun};
    return past;
}

bool isAfter(int day)
{
    return day > kBegun;
}

// Less work at the weekend.
double weekday(int day)
{
    return day % 7 >= 5 ? 0.6 : 1;
}

double perDay(const base::Money &perMonth)
{
    return perMonth.toDouble() * 24 / static_cast<double>(kHoursPerMonth);
}

// Approximately normal, mean 0, standard deviation 1.
double noise(SeededRandom &random)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += random.uniform();
    return sum;
}

QByteArray textOf(RealizedState state)
{
    return QByteArray(toString(state).data());
}

Realized measured(const RealizedPast &past)
{
    return measureRealized(past, 7, 1);
}

} // namespace

class TestRealized : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plantedSavingIsRecovered_data();
    void plantedSavingIsRecovered();
    void nothingIsClaimedWhereUsageFell_data();
    void nothingIsClaimedWhereUsageFell();
    void usageFellAndCostStayed();
    void moreWorkOnTheSameMachinesIsNoSaving();
    void goneWorkIsNoUse();
    void unusedCapacityThatEndsIsSaved();
    void priceOfEverythingIsNoSaving_data();
    void priceOfEverythingIsNoSaving();
    void whatTheFleetLearnedIsNoSaving();
    void othersWasteAddsNothing();
    void bandHoldsZeroUnderNoise();
    void plantedSavingUnderNoise();
    void bandCoversTheWeekdays();
    void mayHaveCostMore();
    void whatTheProposalItselfChangesInWork_data();
    void whatTheProposalItselfChangesInWork();
    void rangeWhereUsageFell();
    void mixOfOthersIsNoPrice();
    void othersDearerContractIsNoSaving();
    void windows();
    void tooLittleData();
    void unpricedDay();
    void unobservedWeekIsLeftOut();
    void errorAgainstTheProjection();
    void withoutControl();
};

void TestRealized::plantedSavingIsRecovered_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("growth"); // of the fleet, per day
    for (const Kind kind : kKinds) {
        for (const double growth : {0.0, 0.003, 0.01})
            QTest::addRow("%s, %.3f", std::string(toString(kind)).c_str(), growth) << static_cast<int>(kind) << growth;
    }
}

// The fleet grows, the target with it; from the choice on, it costs 100 USD a day less for the same work.
void TestRealized::plantedSavingIsRecovered()
{
    QFETCH(int, kind);
    QFETCH(double, growth);
    const auto size = [&](int day) { return weekday(day) * (1 + growth * day); };
    const auto past = pastOf(
        static_cast<Kind>(kind),
        [&](int day) {
            const double saved = isAfter(day) ? 100 : 0;
            return Made{800 * size(day) - saved, 400 * size(day) - saved / 2, 250 * size(day)};
        },
        [&](int day) {
            return Made{5000 * size(day), 2500 * size(day), 1500 * size(day)};
        });
    const Realized got = measured(past);
    QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
    QVERIFY2(std::abs(perDay(got.perMonth->p50) - 100) <= 5, qPrintable(QString::number(perDay(got.perMonth->p50))));
    QVERIFY(got.perMonth->p10.nanos() <= got.perMonth->p50.nanos());
    QVERIFY(got.perMonth->p50.nanos() <= got.perMonth->p90.nanos());
    QCOMPARE(got.choice, std::int64_t{7});
}

void TestRealized::nothingIsClaimedWhereUsageFell_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("left"); // of the work
    QTest::addColumn<bool>("everywhere");
    for (const Kind kind : kKinds) {
        for (const double left : {0.9, 0.5, 0.1, 0.0}) {
            for (const bool everywhere : {false, true})
                QTest::addRow("%s, %.1f, %d", std::string(toString(kind)).c_str(), left, everywhere)
                    << static_cast<int>(kind) << left << everywhere;
        }
    }
}

// The cost follows the work. Elsewhere it stays as it was, even if the work falls there too.
void TestRealized::nothingIsClaimedWhereUsageFell()
{
    QFETCH(int, kind);
    QFETCH(double, left);
    QFETCH(bool, everywhere);
    const auto past = pastOf(
        static_cast<Kind>(kind),
        [&](int day) {
            const double size = weekday(day) * (isAfter(day) ? left : 1);
            return Made{800 * size, 400 * size, 250 * size};
        },
        [&](int day) {
            return Made{5000, 2500, 1500 * (isAfter(day) && everywhere ? left : 1)};
        });
    const Realized got = measured(past);
    if (got.state == RealizedState::NoUse) {
        QVERIFY(left < 0.1);
        QVERIFY(!got.perMonth);
        return;
    }
    QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
    QVERIFY2(perDay(got.perMonth->p50) < 0.01, qPrintable(QString::number(perDay(got.perMonth->p50))));
}

// Half the work on the same machines: nothing was saved, but nothing was lost by the proposal either.
void TestRealized::usageFellAndCostStayed()
{
    const auto past = pastOf(
        Kind::RightSize,
        [](int day) {
            return Made{800, 400, isAfter(day) ? 125.0 : 250.0};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    const Realized got = measured(past);
    QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
    QCOMPARE(got.perMonth->p50.nanos(), std::int64_t{0});
}

// A notebook that is always on and used twice as much: its cost never followed its work.
void TestRealized::moreWorkOnTheSameMachinesIsNoSaving()
{
    for (const Kind kind : {Kind::Schedule, Kind::RightSize}) {
        const auto past = pastOf(
            kind,
            [](int day) {
                return Made{800, 400, (isAfter(day) ? 2.0 : 1.0) * 100 * weekday(day)};
            },
            [](int day) {
                return Made{5000 * weekday(day), 2500 * weekday(day), 1500 * weekday(day)};
            });
        QVERIFY(std::abs(perDay(measured(past).perMonth->p50)) < 0.01);
    }
}

void TestRealized::goneWorkIsNoUse()
{
    for (const Kind kind : {Kind::Capacity, Kind::RightSize}) {
        const auto past = pastOf(
            kind,
            [](int day) {
                return isAfter(day) ? Made{} : Made{800, 400, 250};
            },
            [](int) {
                return Made{5000, 2500, 1500};
            });
        QCOMPARE(textOf(measured(past).state), textOf(RealizedState::NoUse));
        QVERIFY(!measured(past).perMonth);
        QVERIFY(!measured(past).error);
    }
}

// Machines that hardly did anything: their own work measures nothing.
void TestRealized::unusedCapacityThatEndsIsSaved()
{
    const auto target = [](int day) { return isAfter(day) ? Made{} : Made{240, 96, 1}; };
    const auto control = [](int) { return Made{5000, 2500, 1500}; };
    const Realized got = measured(pastOf(Kind::Capacity, target, control));
    QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
    QVERIFY(std::abs(perDay(got.perMonth->p50) - 240) < 0.01);
    QCOMPARE(textOf(measured(pastOf(Kind::RightSize, target, control)).state), textOf(RealizedState::NoUse));
}

void TestRealized::priceOfEverythingIsNoSaving_data()
{
    QTest::addColumn<double>("price");
    QTest::newRow("cheaper") << 0.7;
    QTest::newRow("dearer") << 1.4;
}

void TestRealized::priceOfEverythingIsNoSaving()
{
    QFETCH(double, price);
    const auto past = pastOf(
        Kind::RightSize,
        [&](int day) {
            return Made{800 * (isAfter(day) ? price : 1), 400, 250};
        },
        [&](int day) {
            return Made{5000 * (isAfter(day) ? price : 1), 2500, 1500};
        });
    QVERIFY(std::abs(perDay(measured(past).perMonth->p50)) < 0.01);
}

// Everybody needs a fifth less machine time for the same work.
void TestRealized::whatTheFleetLearnedIsNoSaving()
{
    const auto factor = [](int day) { return isAfter(day) ? 0.8 : 1.0; };
    const auto past = pastOf(
        Kind::RightSize,
        [&](int day) {
            return Made{800 * factor(day), 400 * factor(day), 250};
        },
        [&](int day) {
            return Made{5000 * factor(day), 2500 * factor(day), 1500};
        });
    QVERIFY(std::abs(perDay(measured(past).perMonth->p50)) < 0.01);
}

void TestRealized::othersWasteAddsNothing()
{
    const auto past = pastOf(
        Kind::RightSize,
        [](int) {
            return Made{800, 400, 250};
        },
        [](int day) {
            return Made{5000, 2500, isAfter(day) ? 300.0 : 1500.0};
        });
    QVERIFY(std::abs(perDay(measured(past).perMonth->p50)) < 0.01);
}

// Nothing was done; cost and work vary by day, and by week.
void TestRealized::bandHoldsZeroUnderNoise()
{
    constexpr int kSeeds = 200;
    int held = 0, heldInOneWeek = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        SeededRandom random(static_cast<std::uint64_t>(seed), 99);
        std::vector<double> weeks;
        for (int week = 0; week <= kDays / 7; ++week)
            weeks.push_back(1 + 0.1 * noise(random));
        const auto make = [&](double cost, int day) {
            const double work = weekday(day) * weeks[static_cast<std::size_t>(day / 7)] * (1 + 0.1 * noise(random));
            const double machines = work * (1 + 0.05 * noise(random));
            return Made{cost * machines, cost / 2 * machines, cost / 3 * work};
        };
        auto past = pastOf(
            Kind::RightSize, [&](int day) { return make(800, day); }, [&](int day) { return make(5000, day); });
        const auto holdsZero = [](const Realized &got) {
            return got.state == RealizedState::Measured && got.perMonth->p10.nanos() <= 0
                && got.perMonth->p90.nanos() >= 0;
        };
        held += holdsZero(measured(past));
        past.target.resize(kBegun + 8);
        past.control.resize(kBegun + 8);
        heldInOneWeek += holdsZero(measured(past));
    }
    qInfo("the band held 0 in %d of %d, with one week after in %d", held, kSeeds, heldInOneWeek);
    QVERIFY(held >= kSeeds * 8 / 10);
    QVERIFY(heldInOneWeek >= kSeeds * 8 / 10);
}

// The mean over seeds is right, and the bands are narrow enough to show it.
void TestRealized::plantedSavingUnderNoise()
{
    constexpr int kSeeds = 50;
    double sum = 0;
    int shown = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        SeededRandom random(static_cast<std::uint64_t>(seed), 98);
        const auto make = [&](double cost, double saved, int day) {
            const double work = weekday(day) * (1 + 0.005 * day) * (1 + 0.05 * noise(random));
            return Made{cost * work - saved, cost / 2 * work, cost / 3 * work};
        };
        const auto past = pastOf(
            Kind::RightSize, [&](int day) { return make(800, isAfter(day) ? 100 : 0, day); },
            [&](int day) { return make(5000, 0, day); });
        const Realized got = measured(past);
        sum += perDay(got.perMonth->p50) / kSeeds;
        shown += got.perMonth->p10.nanos() > 0;
    }
    QVERIFY2(std::abs(sum - 100) <= 5, qPrintable(QString::number(sum)));
    QVERIFY2(shown >= kSeeds * 8 / 10, qPrintable(QString::number(shown)));
}

// Mondays differ from each other although the weeks add up to the same.
void TestRealized::bandCoversTheWeekdays()
{
    const auto past = pastOf(
        Kind::RightSize,
        [](int day) {
            const double shift = (day / 7) % 2 == 0 ? 100 : -100;
            return Made{800 + (day % 7 == 0 ? shift : day % 7 == 1 ? -shift : 0), 400, 250};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    const Realized got = measured(past);
    QVERIFY(perDay(got.perMonth->p10) < -5);
    QVERIFY(perDay(got.perMonth->p90) > 5);
}

void TestRealized::mayHaveCostMore()
{
    const auto past = pastOf(
        Kind::Spot,
        [](int day) {
            return Made{isAfter(day) ? 900.0 : 800.0, 400, 250};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    QVERIFY(std::abs(perDay(measured(past).perMonth->p50) + 100) < 0.01);
}

void TestRealized::whatTheProposalItselfChangesInWork_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("cost"); // after; 800 before
    QTest::addColumn<double>("paid"); // 192 before, always active
    QTest::addColumn<double>("runs"); // 24 before
    QTest::newRow("half the GPUs") << static_cast<int>(Kind::RightSize) << 400.0 << 96.0 << 24.0;
    QTest::newRow("slower GPUs") << static_cast<int>(Kind::RightSize) << 250.0 << 480.0 << 60.0;
    QTest::newRow("spot, a fifth repeated") << static_cast<int>(Kind::Spot) << 384.0 << 230.4 << 28.8;
}

// The work is the same, and what was saved is the difference of the costs.
void TestRealized::whatTheProposalItselfChangesInWork()
{
    QFETCH(int, kind);
    QFETCH(double, cost);
    QFETCH(double, paid);
    QFETCH(double, runs);
    for (const bool follows : {false, true}) {
        const auto size = [&](int day) { return follows ? weekday(day) / (6.2 / 7) : 1.0; };
        const auto past = pastOf(
            static_cast<Kind>(kind),
            [&](int day) {
                return isAfter(day) ? Made{cost * size(day), paid * size(day), paid * size(day), runs * size(day)}
                                    : Made{800 * size(day), 192 * size(day), 192 * size(day), 24 * size(day)};
            },
            [&](int day) {
                return Made{5000 * size(day), 2500 * size(day), 1500 * size(day)};
            });
        const Realized got = measured(past);
        QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
        QVERIFY2(std::abs(perDay(got.perMonth->p50) - (800 - cost)) < 5,
                 qPrintable(QString::number(perDay(got.perMonth->p50))));
    }
}

// Half the work, half the cost: nothing is claimed, but if the cost had stayed, 400 a day were saved.
void TestRealized::rangeWhereUsageFell()
{
    const auto past = pastOf(
        Kind::Spot,
        [](int day) {
            return isAfter(day) ? Made{400, 200, 125} : Made{800, 400, 250};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    const Realized got = measured(past);
    QVERIFY(std::abs(perDay(got.perMonth->p50)) < 0.01);
    QVERIFY(std::abs(perDay(got.perMonth->p10)) < 0.01);
    QVERIFY(std::abs(perDay(got.perMonth->p90) - 400) < 0.01);
}

// Others lose their cheap spot half: a GPU-hour of theirs costs 1.6 times as much, but no price changed.
void TestRealized::mixOfOthersIsNoPrice()
{
    for (const double own : {1.0, 1.6}) {
        auto past = pastOf(
            Kind::RightSize,
            [&](int day) {
                return Made{isAfter(day) ? 1000 * own : 1000, 400, 250};
            },
            [](int day) {
                return isAfter(day) ? Made{2000, 500, 500} : Made{2500, 1000, 1000};
            });
        past.prices.resize(2);
        for (int day = 0; day < kDays; ++day) {
            const RealizedDay onDemand = dayOf({2000, 500, 0}), spot = dayOf({500, 500, 0});
            past.prices[0].push_back({onDemand.nanos, onDemand.paid});
            past.prices[1].push_back(isAfter(day) ? RealizedPriceDay{} : RealizedPriceDay{spot.nanos, spot.paid});
        }
        const double saved = perDay(measured(past).perMonth->p50);
        QVERIFY2(std::abs(saved - 1000 * (1 - own)) < 0.01, qPrintable(QString::number(saved)));
    }
}

// The target's price is fixed by contract and would not have risen.
void TestRealized::othersDearerContractIsNoSaving()
{
    const auto past = pastOf(
        Kind::Schedule,
        [](int) {
            return Made{1000, 400, 250};
        },
        [](int day) {
            return Made{isAfter(day) ? 8000.0 : 5000.0, 2500, 1500};
        });
    QVERIFY(std::abs(perDay(measured(past).perMonth->p50)) < 0.01);
}

void TestRealized::windows()
{
    auto past = pastOf(
        Kind::RightSize,
        [](int) {
            return Made{800, 400, 250};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    past.done = {past.begun.number + 3};
    const Realized got = measured(past);
    QVERIFY(got.before.end == past.begun.start());
    QVERIFY(got.before.length() == 28 * base::kDay);
    QVERIFY(got.after.start == past.done.end());
    QVERIFY(got.after.length() == 35 * base::kDay); // 38 days are left
    past.begun = past.done = {20000 + 14};
    QVERIFY(measured(past).before.length() == 14 * base::kDay);
    QVERIFY(measured(past).after.length() == 56 * base::kDay); // the most
}

void TestRealized::tooLittleData()
{
    const auto target = [](int) { return Made{800, 400, 250}; };
    const auto control = [](int) { return Made{5000, 2500, 1500}; };
    auto past = pastOf(Kind::RightSize, target, control);
    past.begun = past.done = {20000 + 13};
    QCOMPARE(textOf(measured(past).state), textOf(RealizedState::NoBefore));
    past.begun = past.done = {20000 + kDays - 7}; // six days after it
    QCOMPARE(textOf(measured(past).state), textOf(RealizedState::TooEarly));
    past.begun = past.done = {20000 + kDays - 8};
    QCOMPARE(textOf(measured(past).state), textOf(RealizedState::Measured));
    past.begun = past.done = {20000 + 2 * kDays};
    QVERIFY(!measured(past).perMonth);
    past.target.clear();
    past.control.clear();
    QCOMPARE(textOf(measured(past).state), textOf(RealizedState::NoBefore));

    // The target exists for ten days only.
    const auto young = pastOf(
        Kind::RightSize, [&](int day) { return day < kBegun - 10 ? Made{} : target(day); }, control);
    QVERIFY(measured(young).before.length() == 14 * base::kDay);
}

void TestRealized::unpricedDay()
{
    auto past = pastOf(
        Kind::RightSize,
        [](int) {
            return Made{800, 400, 250};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    past.target[kBegun].priced = false; // the day of the choice is in neither window
    QCOMPARE(textOf(measured(past).state), textOf(RealizedState::Measured));
    past.target[kBegun + 1].priced = false; // its week is left out, and so is that of the day below
    past.target[kBegun - 3].priced = false;
    const Realized got = measured(past);
    QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
    QVERIFY(got.after.start == base::Day{past.done.number + 8}.start());
    QVERIFY(got.before.end == base::Day{past.begun.number - 7}.start());
    auto none = past;
    for (std::size_t day = kBegun + 1; day < none.target.size(); day += 7)
        none.target[day].priced = false;
    QCOMPARE(textOf(measured(none).state), textOf(RealizedState::Unpriced));
    for (std::size_t day = 0; day < kBegun; day += 7)
        past.target[day].priced = false;
    QCOMPARE(textOf(measured(past).state), textOf(RealizedState::Unpriced));
}

void TestRealized::unobservedWeekIsLeftOut()
{
    auto past = pastOf(
        Kind::RightSize,
        [](int day) {
            return Made{isAfter(day) ? 700.0 : 800.0, 400, day / 7 == 4 ? 10.0 : 250.0};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    past.target[4 * 7 + 2].observed = false; // the week of which little is known
    const Realized got = measured(past);
    QCOMPARE(textOf(got.state), textOf(RealizedState::Measured));
    QVERIFY(std::abs(perDay(got.perMonth->p50) - 100) < 0.01);
}

void TestRealized::errorAgainstTheProjection()
{
    auto past = pastOf(
        Kind::RightSize,
        [](int day) {
            return Made{isAfter(day) ? 700.0 : 800.0, 400, 250};
        },
        [](int) {
            return Made{5000, 2500, 1500};
        });
    QVERIFY(!measured(past).error);
    const auto projected = base::Money::parse("2433.333333333", base::Currency::usd()); // 80 a day
    past.projected = MoneyBand{*projected, *projected, *projected};
    QVERIFY(std::abs(*measured(past).error - 0.25) < 1e-6);
    const base::Currency euro = *base::Currency::parse("EUR");
    past.projected = MoneyBand{{projected->nanos(), euro}, {projected->nanos(), euro}, {projected->nanos(), euro}};
    QVERIFY(!measured(past).error);
    past.currency = euro;
    QVERIFY(measured(past).perMonth->p50.currency() == past.currency);
}

void TestRealized::withoutControl()
{
    const auto past = pastOf(
        Kind::RightSize,
        [](int day) {
            return Made{isAfter(day) ? 700.0 : 800.0, 400, 250};
        },
        [](int) { return Made{}; });
    QVERIFY(std::abs(perDay(measured(past).perMonth->p50) - 100) < 0.01);
    const auto unused = pastOf(
        Kind::Schedule,
        [](int day) {
            return Made{isAfter(day) ? 70.0 : 240.0, 96, 0};
        },
        [](int) { return Made{}; });
    QVERIFY(std::abs(perDay(measured(unused).perMonth->p50) - 170) < 0.01);
}

GPULEDGER_PLAIN_SUITE(TestRealized)
} // namespace tst_realized
#include "tst_realized.moc"

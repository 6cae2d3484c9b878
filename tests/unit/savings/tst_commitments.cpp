// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmentcurve.h"
#include "app/savings/commitments/commitmentlevel.h"
#include "app/savings/commitments/commitments.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace tst_commitments {

using namespace gpuledger;
using namespace gpuledger::savings;
using base::ErrorCode;
using base::GpuTime;
using base::Money;

namespace {

constexpr std::int64_t kUnit = Money::kNanosPerUnit;
constexpr std::size_t kWeek = 168;

base::Currency currency(const char *code)
{
    return base::Currency::parse(code).value();
}

GpuTime machines(double count)
{
    return {std::llround(count * static_cast<double>(kTicksPerMachineHour))};
}

Money usd(double amount)
{
    return {std::llround(amount * static_cast<double>(kUnit)), base::Currency::usd()};
}

CommitmentOffer offerAt(std::int64_t nanos, bool whole = true, base::Currency in = base::Currency::usd())
{
    return {"Compute Savings Plan", 12,    UpfrontPayment::None,
            base::Rate(nanos, in),  whole, Remark{RemarkText::MeanOfBills, {}}};
}

CommitmentDemand demandOf(const std::vector<double> &hours, std::int64_t onDemand = 10 * kUnit)
{
    CommitmentDemand demand;
    demand.cloud = "aws"; // allowed: a cloud
    demand.account = "1";
    demand.instanceType = "p5.48xlarge";
    demand.region = "us-east-1";
    demand.onDemand = base::Rate(onDemand, base::Currency::usd());
    for (const double hour : hours)
        demand.hours.emplace_back(machines(hour));
    demand.coveredCost = usd(0);
    return demand;
}

Proposal proposed(const CommitmentDemand &demand)
{
    return tests::checked(proposeCommitments({{}, {}, {demand}, {}, 1}).value()).front();
}

bool mentions(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

std::vector<GpuTime> randomDemand(SeededRandom &random, std::size_t hours)
{
    std::vector<GpuTime> out;
    for (std::size_t i = 0; i < hours; ++i)
        out.push_back({random.below(7) * kTicksPerMachineHour / (random.below(3) == 0 ? 3 : 1)});
    return out;
}

// The cost of a level by the definition, hour by hour.
CostTicks costOf(const std::vector<GpuTime> &demand, GpuTime level, CommitmentRates rates)
{
    CostTicks cost = 0;
    for (const GpuTime hour : demand) {
        cost += static_cast<CostTicks>(rates.committed) * level.ticks;
        if (hour > level)
            cost += static_cast<CostTicks>(rates.onDemand) * (hour - level).ticks;
    }
    return cost;
}

} // namespace

class CommitmentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Between two demands the cost is linear, so the levels to try are the demands and nothing.
    void noLevelCostsLess()
    {
        SeededRandom random(7, 0);
        for (int round = 0; round < 500; ++round) {
            const auto demand = randomDemand(random, static_cast<std::size_t>(1 + random.below(40)));
            const CommitmentRates rates{1 + random.below(20), 1 + random.below(20)};
            const GpuTime level = cheapestLevel(demand, rates, false);
            const CostTicks cost = costOf(demand, level, rates);
            std::vector<GpuTime> levels = demand;
            levels.emplace_back();
            for (const GpuTime other : levels) {
                QVERIFY(cost <= costOf(demand, other, rates));
                if (other < level) // of equals, the smallest
                    QVERIFY(cost < costOf(demand, other, rates));
            }
            // The saving is what on demand alone costs, less this.
            QVERIFY(commitmentGain(demand, level, rates) == costOf(demand, {}, rates) - cost);
        }
    }

    void noNumberOfWholeMachinesCostsLess()
    {
        SeededRandom random(8, 0);
        for (int round = 0; round < 500; ++round) {
            const auto demand = randomDemand(random, static_cast<std::size_t>(1 + random.below(40)));
            const CommitmentRates rates{1 + random.below(20), 1 + random.below(20)};
            const GpuTime level = cheapestLevel(demand, rates, true);
            QCOMPARE(level.ticks % kTicksPerMachineHour, std::int64_t{0});
            for (int other = 0; other <= 8; ++other)
                QVERIFY(costOf(demand, level, rates) <= costOf(demand, machines(other), rates));
        }
    }

    void levelIsTheQuantile()
    {
        std::vector<GpuTime> demand;
        for (int i = 1; i <= 100; ++i)
            demand.push_back(machines(i));
        // 1 - c/o = 0.35: 65 of 100 hours need more than 35.
        QCOMPARE(cheapestLevel(demand, {100, 65}, true).ticks, machines(35).ticks);
        QCOMPARE(cheapestLevel(demand, {100, 1}, true).ticks, machines(99).ticks);
        QCOMPARE(cheapestLevel(demand, {1000, 1}, true).ticks, machines(100).ticks);
        QCOMPARE(cheapestLevel(demand, {100, 99}, true).ticks, machines(1).ticks);
        QCOMPARE(cheapestLevel(demand, {100, 100}, true).ticks, std::int64_t{0});
        QCOMPARE(cheapestLevel({}, {100, 50}, true).ticks, std::int64_t{0});
        // Two levels cost the same: the smaller one.
        const std::vector<GpuTime> tie{machines(2), machines(4)};
        QVERIFY(costOf(tie, machines(2), {2, 1}) == costOf(tie, machines(4), {2, 1}));
        QCOMPARE(cheapestLevel(tie, {2, 1}, false).ticks, machines(2).ticks);
    }

    void ratesByHand()
    {
        QCOMPARE(commitmentCoverage(machines(30), machines(40)).value(), 0.75);
        QCOMPARE(commitmentUtilization(machines(30), machines(50)).value(), 0.6);
        QCOMPARE(effectiveSavingsRate(usd(60), usd(80)).value(), 0.25);
        QCOMPARE(effectiveSavingsRate(usd(100), usd(80)).value(), -0.25);
        QVERIFY(!commitmentCoverage({}, {}));
        QVERIFY(!commitmentUtilization(machines(1), {}));
        QVERIFY(!effectiveSavingsRate(usd(1), usd(0)));
        QVERIFY(!effectiveSavingsRate(Money(1, currency("EUR")), usd(1)));
    }

    void breakEvenByBisection()
    {
        SeededRandom random(9, 0);
        int checked = 0;
        for (int round = 0; round < 500; ++round) {
            const auto demand = randomDemand(random, static_cast<std::size_t>(1 + random.below(40)));
            const CommitmentRates rates{11 + random.below(20), 1 + random.below(10)};
            const GpuTime level = cheapestLevel(demand, rates, random.below(2) == 0);
            const auto loss = tolerableLoss(demand, level, rates);
            if (level.ticks == 0) {
                QVERIFY(!loss);
                continue;
            }
            const auto gain = [&](double share) { // with that share of the demand left
                double used = 0;
                for (const GpuTime hour : demand)
                    used += std::min(share * static_cast<double>(hour.ticks), static_cast<double>(level.ticks));
                return static_cast<double>(rates.onDemand) * used
                    - static_cast<double>(rates.committed) * static_cast<double>(level.ticks)
                    * static_cast<double>(demand.size());
            };
            double low = 0, high = 1;
            for (int i = 0; i < 60; ++i)
                (gain((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
            QVERIFY(std::abs(loss.value() - (1 - high)) < 1e-9);
            ++checked;
        }
        QVERIFY(checked > 200);
        // A steady machine at 60 %: 40 % may go, or all of it after 60 % of the term.
        const std::vector<GpuTime> steady(10, machines(1));
        QVERIFY(std::abs(tolerableLoss(steady, machines(1), {10, 6}).value() - 0.4) < 1e-12);
        QVERIFY(std::abs(leastTermShare(steady, machines(1), {10, 6}).value() - 0.6) < 1e-12);
        QVERIFY(!tolerableLoss(steady, machines(2), {10, 6})); // costs more already
        QVERIFY(!leastTermShare(steady, machines(2), {10, 6}));
    }

    void steadyDemandByHand()
    {
        CommitmentDemand demand = demandOf(std::vector<double>(4 * kWeek, 2));
        demand.covered = machines(2 * 4 * kWeek); // as much again is covered, at 6 USD
        demand.coveredCost = usd(6 * 2 * 4 * kWeek);
        demand.offers = {offerAt(7 * kUnit), offerAt(6 * kUnit)};
        const Proposal one = proposed(demand);
        QVERIFY(!one.excludedBy);
        // Two offers with the same words have labels of their own.
        const std::string terms = "Compute Savings Plan, no upfront, term in months: 12";
        QCOMPARE(tests::evidenceOf(one, "alternative 1: " + terms),
                 std::string("7.0000 USD per machine-hour, level 2, saves 4380.00 USD per month (mean of the bills)"));
        QVERIFY(mentions(tests::evidenceOf(one, "offer 1: " + terms), "6.0000 USD"));
        std::set<std::string> labels;
        for (const auto &[label, value] : one.evidence)
            QVERIFY2(labels.insert(tests::said(label)).second, tests::said(label).c_str());
        // 2 machines x 4 USD x 730 hours, in every week.
        QVERIFY(one.perMonth->p10 == usd(5840));
        QVERIFY(one.perMonth->p50 == usd(5840));
        QVERIFY(one.perMonth->p90 == usd(5840));
        QVERIFY(one.avoidable == usd(14600));
        QCOMPARE(tests::evidenceOf(one, "level in machines"), std::string("2"));
        QCOMPARE(tests::evidenceOf(one, "coverage now"), std::string("50.0 %"));
        QCOMPARE(tests::evidenceOf(one, "coverage then"), std::string("100.0 %"));
        QCOMPARE(tests::evidenceOf(one, "utilization of the new commitment"), std::string("100.0 %"));
        QCOMPARE(tests::evidenceOf(one, "effective savings rate now"), std::string("20.0 %"));
        QCOMPARE(tests::evidenceOf(one, "effective savings rate then"), std::string("40.0 %"));
        QCOMPARE(tests::evidenceOf(one, "break-even: loss of demand"), std::string("40.0 %"));
        QCOMPARE(tests::evidenceOf(one, "break-even: part of the term"), std::string("60.0 %"));
        QVERIFY(mentions(one.how, "2 x p5.48xlarge in us-east-1"));
        QVERIFY(mentions(one.how, "12.0000 USD per hour"));
        QVERIFY(one.risks.front().text == RemarkText::StopIdleFirst);
        QVERIFY(mentions(one.how, "(Compute Savings Plan, no upfront, 12 months)"));
    }

    // Of two terms, the one that saves most in half of the resampled weeks; its level against all levels.
    void ofTwoTermsTheOneThatSavesMoreAtItsBestLevel()
    {
        SeededRandom random(11, 0);
        int shorter = 0, longer = 0;
        for (int round = 0; round < 40; ++round) {
            std::vector<double> hours;
            for (std::size_t i = 0; i < kWeek * static_cast<std::size_t>(2 + random.below(4)); ++i)
                hours.push_back(static_cast<double>(random.below(7)));
            CommitmentDemand demand = demandOf(hours);
            CommitmentOffer year = offerAt((4 + random.below(5)) * kUnit), years = year;
            years.termMonths = 36;
            years.payment = UpfrontPayment::All;
            years.upfront = usd(1000);
            years.perMachineHour = base::Rate((4 + random.below(5)) * kUnit, base::Currency::usd());
            std::vector<std::int64_t> p50;
            for (const CommitmentOffer &offer : {year, years}) {
                demand.offers = {offer};
                p50.push_back(proposed(demand).perMonth->p50.nanos());
            }
            demand.offers = {year, years};
            const Proposal one = proposed(demand);
            QCOMPARE(one.perMonth->p50.nanos(), std::max(p50[0], p50[1]));
            if (one.perMonth->p50.isZero())
                continue;
            const CommitmentOffer &best = p50[1] > p50[0] ? years : year;
            (p50[1] > p50[0] ? longer : shorter) += 1;
            std::vector<GpuTime> known;
            for (const auto &hour : demand.hours)
                known.push_back(*hour);
            const CommitmentRates rates{10 * kUnit, best.perMachineHour.nanosPerHour()};
            int cheapest = 0;
            for (int level = 1; level <= 7; ++level) {
                if (costOf(known, machines(level), rates) < costOf(known, machines(cheapest), rates))
                    cheapest = level;
            }
            QCOMPARE(tests::evidenceOf(one, "level in machines"), std::to_string(cheapest));
            QVERIFY(mentions(one.how,
                             p50[1] > p50[0] ? ", all upfront: 1000.0000 USD per machine, 36 months)"
                                             : ", no upfront, 12 months)"));
            // The other one is beside it, with what it would save.
            const std::string other = p50[1] > p50[0]
                ? "alternative 1: Compute Savings Plan, no upfront, term in months: 12"
                : "alternative 1: Compute Savings Plan, all upfront: 1000.00 USD per machine, term in months: 36";
            const std::string told = tests::evidenceOf(one, other);
            const Money saved(std::min(p50[0], p50[1]), base::Currency::usd());
            QVERIFY2(mentions(told, (", saves " + ui::valueOf(amountTerm(saved)).english()).c_str()), told.c_str());
            // Curve and proof are of the same offer.
            const auto curve = commitmentCurve({{}, {}, {demand}, {}, 1}, one.id).value();
            QVERIFY(curve && curve->marks.size() == 1);
            QCOMPARE(curve->marks.front().x, static_cast<double>(cheapest));
            const auto basis = commitmentBasis({{}, {}, {demand}, {}, 1}, one.id).value();
            QVERIFY(basis.has_value());
            QCOMPARE(basis->inputs.back().number, static_cast<double>(best.perMachineHour.nanosPerHour()) / kUnit);
        }
        QVERIFY(shorter > 3 && longer > 3);
    }

    // What can't be compared is shown and hides nothing.
    void anOfferInAnotherCurrencyIsListed()
    {
        CommitmentDemand demand = demandOf(std::vector<double>(2 * kWeek, 1));
        demand.offers = {offerAt(kUnit, true, currency("EUR")), offerAt(6 * kUnit)};
        const std::string terms = "Compute Savings Plan, no upfront, term in months: 12";
        const Proposal one = proposed(demand);
        QVERIFY(!one.excludedBy);
        QVERIFY(mentions(tests::evidenceOf(one, "offer 1: " + terms), "6.0000 USD"));
        QVERIFY(mentions(tests::evidenceOf(one, "alternative 1: " + terms), "in a different currency"));
        demand.offers.pop_back();
        const Proposal none = proposed(demand);
        QVERIFY(tests::isExcludedBy(none, RemarkText::OtherCurrency));
        QVERIFY(mentions(tests::evidenceOf(none, "offer 1: " + terms), "1.0000 EUR"));
    }

    void weeksAreResampledAsAWhole()
    {
        std::vector<double> hours(3 * kWeek, 4); // and a week off
        hours.insert(hours.end(), kWeek, 0);
        CommitmentDemand demand = demandOf(hours);
        demand.offers = {offerAt(5 * kUnit)};
        const Proposal one = proposed(demand);
        // A busy week gains 4 x 5 USD an hour, the other loses as much: only these sums of four weeks are possible.
        QVERIFY(one.perMonth->p10.nanos() < one.perMonth->p90.nanos());
        for (const Money &amount : {one.perMonth->p10, one.perMonth->p50, one.perMonth->p90}) {
            const double busy = (amount.toDouble() / (20 * 730) + 1) * 2; // of four
            QVERIFY(std::abs(busy - std::round(busy)) < 1e-6);
        }
        const Proposal again = proposed(demand);
        QVERIFY(again.perMonth->p10 == one.perMonth->p10 && again.perMonth->p90 == one.perMonth->p90);
    }

    // Two weeks are too few for a spread, however different they are.
    void fewWeeksHaveNoSpread()
    {
        std::vector<double> hours(kWeek, 4);
        hours.insert(hours.end(), kWeek, 2);
        CommitmentDemand demand = demandOf(hours);
        demand.offers = {offerAt(4 * kUnit)};
        const auto isFlat = [](const Proposal &one) { return tests::hasRisk(one, RemarkText::FewWeeks); };
        const Proposal two = proposed(demand);
        QVERIFY(!two.excludedBy);
        QVERIFY(two.perMonth->p10 == usd(14 * 730)); // level 4: 24 USD an hour in one week, 4 in the other
        QVERIFY(two.perMonth->p50 == two.perMonth->p10 && two.perMonth->p90 == two.perMonth->p10);
        QVERIFY(isFlat(two));
        demand.hours.insert(demand.hours.end(), kWeek, machines(4));
        const Proposal three = proposed(demand);
        QVERIFY(three.perMonth->p10.nanos() < three.perMonth->p90.nanos());
        QVERIFY(!isFlat(three));
    }

    void neverAboveWhatIsPaid()
    {
        SeededRandom random(10, 0);
        for (int round = 0; round < 60; ++round) {
            std::vector<double> hours;
            for (std::size_t i = 0; i < kWeek * static_cast<std::size_t>(2 + random.below(4)); ++i)
                hours.push_back(random.below(1 + static_cast<std::int64_t>(i / kWeek)) * 3.0);
            CommitmentDemand demand = demandOf(hours);
            demand.offers = {offerAt(1, false), offerAt(random.below(12 * kUnit), false)};
            const Proposal one = proposed(demand);
            QVERIFY(one.perMonth && one.avoidable);
            QVERIFY(one.perMonth->p10.nanos() <= one.perMonth->p50.nanos());
            QVERIFY(one.perMonth->p50.nanos() <= one.perMonth->p90.nanos());
            QVERIFY(one.perMonth->p90.nanos() <= one.avoidable->nanos());
        }
    }

    void unusedMoneyIsNeverASaving()
    {
        ExistingCommitment plan;
        plan.id = "arn:plan";
        plan.name = "gpu-plan-1y";
        plan.type = "Compute Savings Plan";
        plan.days = 10;
        plan.used = usd(900);
        plan.unused = usd(100);
        plan.onDemandEquivalent = usd(1250);
        const base::UtcTime until = base::parseTime("2026-11-26").value();
        const auto one = tests::checked(existingProposal(plan, until).value());
        QVERIFY(!one.perMonth);
        QVERIFY(one.avoidable->isZero());
        QVERIFY(tests::isExcludedBy(one, RemarkText::SunkUntilUnknownEnd));
        QCOMPARE(tests::evidenceOf(one, "unused per month"), std::string("304.17 USD")); // 100 / 240 h x 730 h
        QCOMPARE(tests::evidenceOf(one, "utilization"), std::string("90.0 % of the money"));
        QCOMPARE(tests::evidenceOf(one, "effective savings rate"), std::string("20.0 %"));
        plan.end = base::parseTime("2027-01-31").value();
        plan.usedTime = machines(30);
        plan.boughtTime = machines(40);
        const auto ending = tests::checked(existingProposal(plan, until).value());
        QCOMPARE(tests::said(ending.excludedBy), std::string("sunk until 2027-01-31"));
        QCOMPARE(tests::evidenceOf(ending, "utilization"), std::string("75.0 % of the hours"));
        QCOMPARE(ending.risks.size(), std::size_t{1}); // 350 / 240 h x 730 h
        QCOMPARE(tests::said(ending.risks.front()),
                 std::string("it ends on 2027-01-31; what it covers then costs 1064.58 USD more per month on demand"));
        plan.end = base::parseTime("2028-01-31").value();
        QVERIFY(existingProposal(plan, until).value().risks.empty());
        plan.ended = true;
        QVERIFY(tests::isExcludedBy(existingProposal(plan, until).value(), RemarkText::CommitmentEnded));
        // With demand that counts, the sum is that of the demand.
        CommitmentDemand demand = demandOf(std::vector<double>(2 * kWeek, 1));
        demand.offers = {offerAt(5 * kUnit)};
        const auto all = proposeCommitments({until, {}, {demand}, {plan}, 1}).value();
        std::int64_t sum = 0;
        for (const Proposal &proposal : all)
            sum += !proposal.excludedBy ? proposal.perMonth.value().p50.nanos() : 0;
        QCOMPARE(sum, usd(5 * 730).nanos());
        plan.unused = Money(1, currency("EUR"));
        QVERIFY(existingProposal(plan, until).error().code == ErrorCode::InvalidArgument);
    }

    void saysWhyItDoesNotCount_data()
    {
        QTest::addColumn<int>("hours");
        QTest::addColumn<qint64>("onDemand");
        QTest::addColumn<qint64>("committed");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<bool>("hasAmount");
        const qint64 ten = 10 * kUnit, five = 5 * kUnit;
        QTest::newRow("counts") << 336 << ten << five << "USD" << QString() << true;
        QTest::newRow("one sample") << 1 << ten << five << "USD"
                                    << "whole days of known demand: 0, needed: 14" << false;
        QTest::newRow("an hour too few") << 335 << ten << five << "USD"
                                         << "whole days of known demand: 13, needed: 14" << false;
        QTest::newRow("nothing") << 0 << ten << five << "USD"
                                 << "whole days of known demand: 0, needed: 14" << false;
        QTest::newRow("free") << 336 << qint64{0} << five << "USD"
                              << "its on-demand price is unknown" << false;
        QTest::newRow("negative") << 336 << -ten << five << "USD"
                                  << "its on-demand price is unknown" << false;
        QTest::newRow("no committed price") << 336 << ten << qint64{0} << "USD"
                                            << "no committed price" << false;
        QTest::newRow("negative committed price") << 336 << ten << -five << "USD"
                                                  << "no committed price" << false;
        QTest::newRow("other currency") << 336 << ten << five << "EUR"
                                        << "another currency" << false;
        QTest::newRow("as dear") << 336 << ten << ten << "USD"
                                 << "no commitment is cheaper" << true;
        QTest::newRow("dearer") << 336 << ten << ten + 1 << "USD"
                                << "no commitment is cheaper" << true;
    }

    void saysWhyItDoesNotCount()
    {
        QFETCH(int, hours);
        QFETCH(qint64, onDemand);
        QFETCH(qint64, committed);
        QFETCH(QString, code);
        QFETCH(QString, reason);
        QFETCH(bool, hasAmount);
        CommitmentDemand demand = demandOf(std::vector<double>(static_cast<std::size_t>(hours), 1), onDemand);
        demand.offers = {offerAt(committed, true, currency(code.toLatin1().constData()))};
        const Proposal one = proposed(demand);
        QCOMPARE(!one.excludedBy, reason.isEmpty());
        const std::string told = tests::said(one.excludedBy);
        QVERIFY2(mentions(told, reason.toUtf8().constData()), told.c_str());
        QCOMPARE(one.perMonth.has_value(), hasAmount);
        QCOMPARE(one.how.empty(), !reason.isEmpty());
    }

    void saysWhyThereIsNoOffer()
    {
        CommitmentDemand demand = demandOf(std::vector<double>(2 * kWeek, 1));
        demand.whyNoOffers = Remark{RemarkText::ListHasNoCommitted, {}};
        const Proposal one = proposed(demand);
        QVERIFY(tests::isExcludedBy(one, RemarkText::ListHasNoCommitted));
        QVERIFY(!one.perMonth);
        QVERIFY(one.avoidable == usd(7300));
    }

    void unevenDemandIsNotCommittedTo()
    {
        std::vector<double> hours(2 * kWeek, 0);
        std::fill(hours.begin(), hours.begin() + 100, 5); // less than half of the time
        CommitmentDemand demand = demandOf(hours);
        demand.offers = {offerAt(5 * kUnit)};
        const Proposal one = proposed(demand);
        QVERIFY(tests::isExcludedBy(one, RemarkText::DemandTooUneven));
        QVERIFY(one.perMonth->p90.isZero());
    }

    void unknownHoursAreNotZero()
    {
        CommitmentDemand demand = demandOf(std::vector<double>(3 * kWeek, 2));
        for (std::size_t i = 0; i < demand.hours.size(); i += 4)
            demand.hours[i] = std::nullopt;
        demand.offers = {offerAt(6 * kUnit)};
        const Proposal one = proposed(demand);
        QVERIFY(one.perMonth->p50 == usd(5840));
        QVERIFY(one.avoidable == usd(14600));
    }

    void refusesWhatIsHostile()
    {
        const auto errorOf = [](const CommitmentDemand &demand) {
            return proposeCommitments({{}, {}, {demand}, {}, 1}).error().code;
        };
        CommitmentDemand demand = demandOf(std::vector<double>(2 * kWeek, 1));
        demand.offers = {offerAt(5 * kUnit)};
        demand.hours[3] = GpuTime{-1};
        QVERIFY(errorOf(demand) == ErrorCode::InvalidArgument);
        // One that can't be computed leaves the others alone.
        const CommitmentDemand good = demandOf(std::vector<double>(2 * kWeek, 1));
        const auto isTooLarge = [&](const CommitmentDemand &bad) {
            const auto all = proposeCommitments({{}, {}, {bad, good}, {}, 1});
            return all && all->size() == 2 && tests::isExcludedBy(all->front(), RemarkText::TooLargeToCompute)
                && !all->front().perMonth && !all->front().id.empty() && all->back().avoidable == usd(7300);
        };
        demand.hours[3] = GpuTime{std::numeric_limits<std::int64_t>::max()};
        QVERIFY(isTooLarge(demand));
        demand.hours[3] = machines(1);
        QVERIFY(!isTooLarge(demand));
        demand.onDemand = base::Rate(std::numeric_limits<std::int64_t>::max(), base::Currency::usd());
        QVERIFY(isTooLarge(demand));
        demand.onDemand = base::Rate(kMostRate, base::Currency::usd());
        demand.hours.assign(2 * kWeek, GpuTime{kMostMachineHours * kTicksPerMachineHour}); // more money than fits
        QVERIFY(isTooLarge(demand));
    }

    // A machine costs more than a million per hour in some currencies.
    // The proposal's level costs least, and what it saves is the distance to the cost on demand.
    void leastOfTheCurveIsTheLevel_data()
    {
        QTest::addColumn<bool>("whole");
        QTest::addColumn<int>("percent");
        for (const bool whole : {false, true}) {
            for (const int percent : {60, 100, 250})
                QTest::addRow("%d %d", whole, percent) << whole << percent;
        }
    }
    void leastOfTheCurveIsTheLevel()
    {
        QFETCH(bool, whole);
        QFETCH(int, percent);
        SeededRandom random(4, 0);
        std::vector<double> hours;
        for (std::size_t i = 0; i < 2 * kWeek; ++i) // without a spread, the saving is the mean
            hours.push_back(static_cast<double>(20 + random.below(100)) / 3);
        CommitmentInput input{{}, {}, {demandOf(hours)}, {}, 1};
        input.demandPercent = percent;
        input.demand.front().offers = {offerAt(8 * kUnit, whole), offerAt(6 * kUnit, whole)};
        const Proposal proposal = proposeCommitments(input).value().front();
        QVERIFY(!proposal.excludedBy);
        const auto curve = commitmentCurve(input, proposal.id).value();
        QVERIFY(curve.has_value());
        QVERIFY(curve->x.size() <= std::size_t{kCommitmentCurveLevels});
        QVERIFY(std::is_sorted(curve->x.begin(), curve->x.end()));
        QCOMPARE(curve->x.front(), 0.0);
        const auto &cost = curve->lines.front().y;
        const auto least = std::min_element(cost.begin(), cost.end());
        QCOMPARE(curve->marks.size(), std::size_t{1});
        QCOMPARE(curve->marks.front().x, curve->x[static_cast<std::size_t>(least - cost.begin())]);
        QCOMPARE(curve->reference->y, cost.front()); // nothing committed
        QVERIFY(std::abs(curve->reference->y - *least - proposal.perMonth->p50.toDouble()) < 1e-6);
        QVERIFY(std::abs(curve->reference->y - proposal.avoidable->toDouble()) < 1e-6);
        QVERIFY(!commitmentCurve(input, "commitments:other").value());
    }

    void whatHasNoLevelHasNoCurve()
    {
        CommitmentInput input{{}, {}, {demandOf(std::vector<double>(4 * kWeek, 2))}, {}, 1};
        const std::string id = proposeCommitments(input).value().front().id;
        QVERIFY(!commitmentCurve(input, id).value()); // without an offer
        input.demand.front().offers = {offerAt(20 * kUnit)};
        const auto dear = commitmentCurve(input, id).value();
        QVERIFY(dear && dear->marks.empty()); // each level costs more
        QVERIFY(dear->lines.front().y.back() > dear->reference->y);
        input.demand.front().hours.resize(24);
        QVERIFY(!commitmentCurve(input, id).value()); // the past is too short
        input.demand.front() = demandOf(std::vector<double>(4 * kWeek, 2e6));
        input.demand.front().offers = {offerAt(kUnit)};
        QVERIFY(!commitmentCurve(input, id).value()); // too large
    }

    void smallUnitsOfMoneyFit()
    {
        CommitmentDemand demand = demandOf(std::vector<double>(3 * kWeek, 2), 1'600'000 * kUnit);
        demand.onDemand = base::Rate(1'600'000 * kUnit, currency("IDR"));
        demand.coveredCost = Money(0, currency("IDR"));
        demand.offers = {offerAt(1'000'000 * kUnit, true, currency("IDR"))};
        const Proposal one = proposed(demand);
        QVERIFY(!one.excludedBy);
        QCOMPARE(one.perMonth->p50.nanos(), 2 * 600'000 * kUnit * 730);
    }
};

GPULEDGER_SUITE(CommitmentsTest)

} // namespace tst_commitments

#include "tst_commitments.moc"

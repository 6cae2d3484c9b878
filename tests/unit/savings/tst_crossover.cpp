// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/gpucatalog.h"
#include "app/model/settings.h"
#include "app/savings/crossover/crossover.h"
#include "app/savings/crossover/moving.h"
#include "app/services/prices/ownedhardware.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace tst_crossover {

using namespace gpuledger;
using namespace gpuledger::savings;
using base::ErrorCode;
using base::Money;

namespace {

Money amountOf(double units, base::Currency currency = base::Currency::usd())
{
    return {std::llround(units * 1e9), currency};
}

base::Currency euro()
{
    return base::Currency::parse("EUR").value();
}

// 25,000 less 2,500 over 48 months; 700 W and 120 W at PUE 1.3 and 0.15 a kWh; 90 and 60 a month.
Ownership bought()
{
    Ownership own;
    own.price = amountOf(25'000);
    own.residual = amountOf(2'500);
    own.lifeMonths = 48;
    own.loadMilliwatts = 700'000;
    own.restMilliwatts = 120'000;
    own.microPue = 1'300'000;
    own.perKwh = amountOf(0.15);
    own.hostingPerMonth = amountOf(90);
    own.staffPerMonth = amountOf(60);
    return own;
}

// The same month by itself, in floating point.
double monthOf(double use)
{
    return 22'500.0 / 48 + 150 + (0.12 + use * 0.58) * 1.3 * 0.15 * 730;
}

// The lowest use in 1e-6 steps at which `isCheaper`; -1: none. By bisection: needs a comparison that changes once.
double searchedUse(const std::function<bool(std::int64_t)> &isCheaper)
{
    std::int64_t low = 0, high = kWholeUse;
    if (!isCheaper(high))
        return -1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (isCheaper(middle) ? high : low) = middle;
    }
    return static_cast<double>(high) / kWholeUse;
}

BreakEven usedBreakEven(const Ownership &own, double perHour)
{
    return againstUsedHours(monthCost(ownMonth(own)->value()).value(), amountOf(perHour)).value();
}

ErrorCode ownError(const std::function<void(Ownership &)> &change)
{
    Ownership own = bought();
    change(own);
    const auto month = ownMonth(own);
    return month ? ErrorCode::Internal : month.error().code;
}

// Paid until the end of month m, by adding up one month after another.
std::optional<int> searchedMonth(double rentPerMonth, double use)
{
    double owned = 25'000, rent = 0;
    for (int month = 1; month <= 48; ++month) {
        owned += monthOf(use) - 22'500.0 / 48 - (month == 48 ? 2'500 : 0);
        rent += rentPerMonth;
        if (owned < rent)
            return month;
    }
    return std::nullopt;
}

PriceQuote quoteAt(const char *provider, const char *region, double perHour,
                   base::Currency currency = base::Currency::usd())
{
    PriceQuote quote;
    quote.provider = provider;
    quote.region = region;
    quote.microGpus = 8 * kMicroOfGpu;
    quote.perHour = amountOf(perHour, currency);
    return quote;
}

} // namespace

class TestCrossover : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aMonthIsTheSumOfItsParts()
    {
        const OwnMonth month = ownMonth(bought())->value();
        QCOMPARE(month.depreciation, amountOf(468.75));
        QCOMPARE(month.interest, amountOf(0));
        QCOMPARE(month.energyAtRest, amountOf(0.12 * 1.3 * 730 * 0.15));
        QCOMPARE(month.energyAtLoad, amountOf(0.7 * 1.3 * 730 * 0.15));
        const MonthCost cost = monthCost(month).value();
        for (const std::int64_t use : {0, 1, 250'000, 999'999, 1'000'000}) {
            const double expected = monthOf(static_cast<double>(use) / kWholeUse);
            QVERIFY(std::abs(costAt(cost, use)->toDouble() - expected) < 1e-6);
            const auto hour = perUsedHour(cost, use).value();
            QCOMPARE(hour.has_value(), use > 0);
            if (use > 1)
                QVERIFY(std::abs(hour->toDouble() - expected * kWholeUse / (730.0 * static_cast<double>(use))) < 1e-6);
        }
        Ownership lent = bought();
        lent.microInterest = 50'000; // 5 % of (25,000 + 2,500) / 2 is 687.50 a year
        QVERIFY(std::abs(ownMonth(lent)->value().interest.toDouble() - 687.5 / 12) < 1e-8);
    }

    // The closed form against a search that uses costs alone.
    void breakEvenIsWhereASearchFindsIt()
    {
        const MonthCost cost = monthCost(ownMonth(bought())->value()).value();
        for (const double perHour : {0.95, 1.0, 1.5, 2.49, 4.0, 12.0}) {
            const double found = searchedUse([&](std::int64_t use) {
                return costAt(cost, use)->toDouble() < perHour * 730 * static_cast<double>(use) / kWholeUse;
            });
            const BreakEven one = againstUsedHours(cost, amountOf(perHour)).value();
            QCOMPARE(one.kind == BreakEven::Kind::Above, found > 0);
            QVERIFY(one.use);
            if (found > 0)
                QVERIFY2(std::abs(*one.use - found) < 3e-6, qPrintable(QString::number(perHour)));
        }
        QCOMPARE(usedBreakEven(bought(), 0.9).kind, BreakEven::Kind::Never); // 99 % of it is needed at 0.98
        QVERIFY(*usedBreakEven(bought(), 0.9).use > 1);
        const BreakEven belowEnergy = usedBreakEven(bought(), 0.1); // less than the energy of an hour of work
        QCOMPARE(belowEnergy.kind, BreakEven::Kind::Never);
        QVERIFY(!belowEnergy.use);
        Ownership given = bought();
        given.price = given.residual = given.hostingPerMonth = given.staffPerMonth = amountOf(0);
        given.restMilliwatts = 0;
        QCOMPARE(usedBreakEven(given, 2.49).kind, BreakEven::Kind::Always);
    }

    void rentForAllHoursDependsOnUseThroughEnergyAlone()
    {
        const MonthCost cost = monthCost(ownMonth(bought())->value()).value();
        QCOMPARE(againstAllHours(cost, amountOf(2)).value().kind, BreakEven::Kind::Always);
        QCOMPARE(againstAllHours(cost, amountOf(0.5)).value().kind, BreakEven::Kind::Never);
        const double perHour = 0.92;
        const BreakEven between = againstAllHours(cost, amountOf(perHour)).value();
        QCOMPARE(between.kind, BreakEven::Kind::Below);
        const double found =
            searchedUse([&](std::int64_t use) { return costAt(cost, use)->toDouble() >= perHour * 730; });
        QVERIFY(found > 0);
        QVERIFY(std::abs(*between.use - found) < 3e-6);
    }

    void monthOfLifeIsThatOfAnAddedUpAccount()
    {
        bool isEver = false, isNever = false, isLast = false;
        for (const double use : {0.3, 0.6, 1.0}) {
            for (double rent = 100; rent < 3000; rent += 7.77) {
                const auto expected = searchedMonth(rent, use);
                const auto month = cheaperAfterMonth(bought(), std::llround(use * kWholeUse), amountOf(rent)).value();
                QCOMPARE(month, expected);
                isEver = isEver || (expected && *expected < 48);
                isLast = isLast || expected == 48;
                isNever = isNever || !expected;
            }
        }
        QVERIFY(isEver && isNever && isLast);
    }

    void anApiIsAPriceOfUsedHours()
    {
        ApiUse api;
        QCOMPARE(missingOf(api).size(), std::size_t{4});
        QVERIFY(!apiPerGpuHour(api).value());
        api = {amountOf(0.5), amountOf(1.5), 250'000, 900'000}; // 900 tokens/s, a quarter of them output: 0.75
        QCOMPARE(apiPerGpuHour(api)->value(), amountOf(900 * 3600 * 0.75 / 1e6)); // 2.43
        CrossoverQuestion question;
        question.own = bought();
        question.api = api;
        question.rents = {{PurchaseOption::OnDemand, amountOf(2), "test"}};
        const Crossover answer = crossover(question).value();
        // A day of T tokens: the API takes T x 0.75 / 1e6, and a GPU for all hours 24 x 2.
        const double tokens = tokensPerDay(900'000, *answer.rents.front().api->use);
        QVERIFY(std::abs(tokens * 0.75 / 1e6 - 48) < 1e-6);
        const double owned = tokensPerDay(900'000, *answer.ownApi->use);
        QVERIFY(std::abs(owned * 0.75 / 1e6 * 730 / 24 - monthOf(*answer.ownApi->use)) < 1e-4);
        question.api.perMillionIn = question.api.perMillionOut = amountOf(0); // a free API is never beaten
        QCOMPARE(crossover(question)->ownApi->kind, BreakEven::Kind::Never);
    }

    void unknownInputsAreNamedAndGiveNoFigure()
    {
        QCOMPARE(missingOf(Ownership()).size(), std::size_t{9});
        Ownership own = bought();
        own.microPue.reset();
        own.staffPerMonth.reset();
        QCOMPARE(missingOf(own), (std::vector{OwnInput::Pue, OwnInput::Staff}));
        QVERIFY(!ownMonth(own).value());
        CrossoverQuestion question;
        question.own = own;
        question.rents = {{PurchaseOption::OnDemand, amountOf(2), "test"}};
        const Crossover answer = crossover(question).value();
        QVERIFY(!answer.cost && !answer.perUsedHour && !answer.ownApi && !answer.apiPerGpuHour);
        QVERIFY(!answer.rents.front().own && !answer.rents.front().ownCheaperAfter && !answer.rents.front().api);
    }

    void hostileValuesAreRefused()
    {
        const std::vector<std::function<void(Ownership &)>> changes{
            [](Ownership &own) { own.price = amountOf(-1); },
            [](Ownership &own) { own.residual = amountOf(25'000.01); },
            [](Ownership &own) { own.lifeMonths = 0; },
            [](Ownership &own) { own.lifeMonths = -3; },
            [](Ownership &own) { own.restMilliwatts = 700'001; },
            [](Ownership &own) { own.loadMilliwatts = std::numeric_limits<std::int64_t>::max(); },
            [](Ownership &own) { own.microPue = 0; },
            [](Ownership &own) { own.microPue = std::numeric_limits<std::int64_t>::max(); },
            [](Ownership &own) { own.perKwh = amountOf(0.15, euro()); },
            [](Ownership &own) { own.perKwh = Money(std::numeric_limits<std::int64_t>::max(), base::Currency::usd()); },
            [](Ownership &own) { own.staffPerMonth = amountOf(-0.01); },
            [](Ownership &own) { own.microInterest = -1; },
        };
        for (const auto &change : changes)
            QVERIFY(ownError(change) == ErrorCode::InvalidArgument);
        const MonthCost cost = monthCost(ownMonth(bought())->value()).value();
        QVERIFY(againstUsedHours(cost, amountOf(2, euro())).error().code == ErrorCode::InvalidArgument);
        QVERIFY(againstUsedHours(cost, amountOf(-2)).error().code == ErrorCode::InvalidArgument);
        const Money most(std::numeric_limits<std::int64_t>::max(), base::Currency::usd());
        QVERIFY(rentedAllHours(most).error().code == ErrorCode::Overflow);
        CrossoverQuestion question;
        question.rents = {{PurchaseOption::Spot, amountOf(0), "test"}};
        QVERIFY(crossover(question).error().code == ErrorCode::InvalidArgument);
        question.rents.clear();
        question.api = {amountOf(1), amountOf(1, euro()), 500'000, 1000};
        QVERIFY(crossover(question).error().code == ErrorCode::InvalidArgument);
        question.api = {amountOf(1), amountOf(1), 500'000, 0};
        QVERIFY(crossover(question).error().code == ErrorCode::InvalidArgument);
    }

    void configurationSaysWhatItKnows()
    {
        model::OwnedMachine machine;
        machine.nodeLabels = {{"pool", "onprem"}, {"zone", "b"}};
        machine.price = "15000";
        const Ownership bare = services::ownershipOf(machine).value();
        QCOMPARE(missingOf(bare),
                 (std::vector{OwnInput::LoadPower, OwnInput::RestPower, OwnInput::Pue, OwnInput::Energy}));
        machine.residual = "3000";
        machine.powerW = "400.5";
        machine.pue = "1.4";
        machine.usdPerKwh = "0.12";
        machine.operationPerYear = "1200";
        const Ownership own = services::ownershipOf(machine).value();
        QVERIFY(missingOf(own).empty());
        QCOMPARE(own.loadMilliwatts, std::optional<std::int64_t>(400'500));
        QCOMPARE(own.microPue, std::optional<std::int64_t>(1'400'000));
        // The hourly price of the ledger: (12000 + 4 x 1200) / (4 x 8760) + 0.4005 x 1.4 x 0.12
        const MonthCost cost = monthCost(ownMonth(own)->value()).value();
        QVERIFY(std::abs(cost.atLoad.toDouble() / 730 - (16'800.0 / 35'040 + 0.4005 * 1.4 * 0.12)) < 1e-8);
        QCOMPARE(cost.atLoad, cost.atRest);
        QCOMPARE(services::labelText(machine.nodeLabels), std::string("pool=onprem,zone=b"));
        machine.pue = "much";
        QVERIFY(services::ownershipOf(machine).error().code == ErrorCode::InvalidConfig);
    }

    void theGpusOfOwnedMachinesAreFoundByTheirNodes()
    {
        const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value_or(""));
        if (!catalog)
            QFAIL(catalog.error().text.c_str());
        std::vector<model::OwnedMachine> machines(3);
        machines[0].nodeLabels = {{"pool", "old"}};
        machines[1].nodeLabels = {{"pool", "both"}};
        machines[2].nodeLabels = {{"pool", "none"}};
        std::vector<model::Node> nodes(3);
        std::vector<model::Device> devices(3);
        std::vector<store::Placement> placements;
        const char *const pools[] = {"old", "both", "rented"};
        const char *const models[] = {"Tesla V100-SXM2-32GB", "NVIDIA A100-SXM4-40GB", "Board 9"};
        for (std::size_t i = 0; i < 3; ++i) {
            nodes[i].id = base::NodeId{static_cast<std::int64_t>(i) + 1};
            nodes[i].labels = {{"pool", pools[i]}};
            devices[i].id = base::DeviceId{static_cast<std::int64_t>(i) + 1};
            devices[i].model = models[i];
        }
        const auto place = [&](std::size_t device, std::size_t node) {
            store::Placement one;
            one.device = devices[device].id;
            one.node = nodes[node].id;
            placements.push_back(one);
        };
        place(0, 0);
        place(0, 0);
        place(1, 1);
        place(2, 1); // the catalogue does not have it
        place(1, 2);
        const std::vector<services::OwnedModels> expected{{"V100 32GB"}, {"", "A100 40GB"}, {}};
        QCOMPARE(services::ownedModels(machines, nodes, devices, placements, *catalog), expected);
    }

    void ownedMachinesAreComparedWithTheCheapestRentOnDemand()
    {
        std::vector<model::OwnedMachine> machines(3);
        for (model::OwnedMachine &one : machines) {
            one.price = "16800"; // 16,800 / 35,040 h
            one.residual = "0";
            one.powerW = "0";
            one.pue = "1";
            one.usdPerKwh = "0.12";
        }
        machines[2].powerW.clear();
        savings::QuoteList list;
        const auto offer = [&](PurchaseOption purchase, double perHour, const char *source, base::Currency currency) {
            savings::PriceQuote quote = quoteAt("aws", "us-east-1", 1);
            quote.gpu.model = quote.gpuName = "V100 32GB";
            quote.microGpus = savings::kMicroOfGpu;
            quote.purchase = purchase;
            quote.perHour = amountOf(perHour, currency);
            quote.source = source;
            list.quotes.push_back(quote);
        };
        const base::Currency usd = base::Currency::usd();
        offer(PurchaseOption::OnDemand, 0.96, "book", usd);
        offer(PurchaseOption::GpuCloud, 0.8, "book", usd);
        offer(PurchaseOption::OnDemand, 0.5, std::string(savings::kOwnBills).c_str(), usd); // was paid; not an offer
        offer(PurchaseOption::Spot, 0.2, "book", usd);
        offer(PurchaseOption::ThreeYears, 0.3, "book", usd);
        offer(PurchaseOption::OnDemand, 0.1, "book", euro());
        const services::ListedRents rents = services::listedRents(list, "V100 32GB", usd);
        QCOMPARE(rents.offers.size(), std::size_t{4});
        QVERIFY(rents.isAnyListed && rents.isOtherCurrency);
        QVERIFY(!services::listedRents(list, "H100", usd).isAnyListed);
        const auto costs = services::ownedCosts(machines, {{"V100 32GB"}, {"V100 32GB", ""}, {"V100 32GB"}}, list);
        QCOMPARE(costs.size(), std::size_t{3});
        QCOMPARE(costs[0].result.rents.size(), std::size_t{1});
        QCOMPARE(costs[0].result.rents[0].offer.perGpuHour, amountOf(0.8));
        QVERIFY(std::abs(costs[0].result.perUsedHour->toDouble() - 16'800.0 / 35'040) < 1e-8);
        QVERIFY(std::abs(*costs[0].result.rents[0].own->use - 16'800.0 / 35'040 / 0.8) < 1e-6);
        QVERIFY(costs[1].gpuModel().empty() && costs[1].result.rents.empty() && costs[1].result.perUsedHour);
        QVERIFY(!costs[2].missing.empty() && !costs[2].result.perUsedHour && !costs[2].error);
        machines[0].pue = "0.5";
        QVERIFY(services::ownedCosts(machines, {}, list)[0].error.has_value());
    }

    void movingAddsTransferOnceAndStorageEachMonth()
    {
        Moving moving{5'000'000, amountOf(0.09), amountOf(0.023), 3, "AWS", "us-east-1"};
        const MovedTotal away = movedTotal(moving, quoteAt("gcp", "us-east-1", 20))->value();
        QCOMPARE(away.machine, amountOf(20 * 730 * 3));
        QCOMPARE(away.transfer, amountOf(450));
        QCOMPARE(away.storage, amountOf(345));
        QCOMPARE(away.total, amountOf(43'800 + 450 + 345));
        QCOMPARE(movedTotal(moving, quoteAt("aws", "us-east-1", 20))->value().transfer, amountOf(0));
        QCOMPARE(movedTotal(moving, quoteAt("aws", "us-west-2", 20))->value().transfer, amountOf(450));
        moving.region.clear();
        QCOMPARE(movedTotal(moving, quoteAt("aws", "us-west-2", 20))->value().transfer, amountOf(0));
        moving.provider.clear();
        QCOMPARE(movedTotal(moving, quoteAt("", "", 20))->value().transfer, amountOf(450));
        QVERIFY(!movedTotal(moving, quoteAt("gcp", "", 20, euro())).value());
        moving.months = 0;
        QVERIFY(movedTotal(moving, quoteAt("gcp", "", 20)).error().code == ErrorCode::InvalidArgument);
        moving.months = 1;
        moving.perGb = amountOf(-1);
        QVERIFY(movedTotal(moving, quoteAt("gcp", "", 20)).error().code == ErrorCode::InvalidArgument);
        moving.perGb = Money(std::numeric_limits<std::int64_t>::max(), base::Currency::usd());
        QVERIFY(movedTotal(moving, quoteAt("gcp", "", 20)).error().code == ErrorCode::Overflow);
    }
};

GPULEDGER_SUITE(TestCrossover)

} // namespace tst_crossover

#include "tst_crossover.moc"

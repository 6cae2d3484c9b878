// SPDX-License-Identifier: GPL-3.0-or-later
// Spot proposals that may use several machine types.
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "app/services/savingsinputs/spot/spotquotes.h"
#include "resources/resources.h"
#include "tests/support/suite.h"
#include "tests/unit/savings/spotpast.h"

#include <QtTest>

#include <cmath>

namespace tst_spottypes {

using namespace gpuledger;
using namespace gpuledger::savings;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kDay = 24 * kHour;

// A p4de.24xlarge at this price, with capacity all the time.
SpotOther alwaysThere(std::int64_t dollars)
{
    SpotOther other;
    other.machine = "p4de.24xlarge";
    other.price.perHour = {base::Rate{dollars * kNano, base::Currency::usd()}};
    other.price.published = true;
    other.price.source = "a list";
    other.history = {{"u", "a", "p4de.24xlarge", "A100", 8, 60, {{0, 10 * kDay, true}}}};
    return other;
}

// Its own type has capacity for 12 of 24 hours.
Proposal withOther(const SpotOther &other, std::int64_t deadlineHours)
{
    return changed([&](SpotPast &past) {
        useHistory(past, 12, 12);
        only(past).checkpointEvery = 1800;
        only(past).deadline = deadlineHours * kHour;
        past.markets.front().others = {other};
    });
}

// Nano-units of a month, of what both runs cost at this price without an interruption.
std::int64_t monthlySaving(std::int64_t nanosPerHour)
{
    const std::int64_t seconds = 2 * (kDay + 47 * 60); // a minute for each checkpoint but at the end
    return (48 * 30 * kNano - seconds * nanosPerHour / 3600) * kHoursPerMonth / 504;
}

bool isNear(std::int64_t a, std::int64_t b)
{
    return std::abs(a - b) <= kNano / 1000;
}

std::string textOf(const Proposal &proposal, RemarkText label)
{
    const Evidence *const found = evidence(proposal, label);
    return found ? found->value.text : std::string("missing");
}

const ledger::GpuCatalog &catalog()
{
    static const auto kCatalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
    return kCatalog;
}

const ledger::PriceBook &prices()
{
    static const auto kPrices =
        ledger::PriceBook::create({}, base::Currency::usd(), resources::find("prices/instances.csv").value(), catalog())
            .value();
    return kPrices;
}

// Twenty days by turns with and without capacity, up to the time that is asked about.
services::SpotHistories::One seenFor(const std::string &zone, const std::string &machine, base::UtcTime at)
{
    SpotTrace trace{machine, zone, machine, "A100", 8, 600, {}};
    std::int64_t start = base::toUnix(at) - 20 * kDay;
    for (int day = 0; day < 20; ++day, start += kDay) {
        trace.intervals.push_back({start, 20 * kHour, true});
        trace.intervals.push_back({start + 20 * kHour, 4 * kHour, false});
    }
    return {trace, machine + ".csv"};
}

std::vector<std::string> namesOf(const SpotMarket &market)
{
    std::vector<std::string> out;
    for (const SpotOther &other : market.others)
        out.push_back(other.machine);
    return out;
}

RightSizeOffer machineOf(const std::string &type)
{
    const ledger::PriceBook::Machine *const listed = prices().machine(type);
    if (!listed)
        qFatal("not in the catalogue");
    const ledger::GpuFacts *const gpu = catalog().find(listed->gpuModel);
    RightSizeOffer out;
    out.gpu.model = gpu->model;
    out.gpu.vendor = gpu->vendor;
    out.gpu.memoryMib = gpu->memoryGib * 1024;
    out.gpu.fp16Tflops = gpu->fp16DenseTflops;
    out.gpu.fp8Tflops = gpu->fp8DenseTflops;
    out.gpu.bandwidthGbs = gpu->memoryBandwidthGbs;
    out.gpu.nvlinkGbs = gpu->nvlinkGbs;
    out.gpu.capability = gpu->computeCapability;
    out.gpus = static_cast<int>(listed->devices);
    out.vcpus = listed->shape.vcpus;
    out.memory = listed->shape.memory;
    return out;
}

} // namespace

class TestSpotTypes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Whoever can always have a machine at half the price uses it alone, and pays exactly that.
    void theCheaperTypeIsUsedAtItsOwnPrice()
    {
        const Proposal moved = withOther(alwaysThere(5), 1000);
        QVERIFY(!moved.excludedBy && moved.perMonth);
        QVERIFY(isNear(moved.perMonth->p50.nanos(), monthlySaving(5 * kNano)));
        QCOMPARE(moved.perMonth->p10, moved.perMonth->p90);
        QCOMPARE(textOf(moved, RemarkText::SpotTypesUsed), std::string("p4d.24xlarge, p4de.24xlarge"));
        QVERIFY(evidence(moved, RemarkText::SpotTypesAlone)->value.nanos < moved.perMonth->p50.nanos());
        QCOMPARE(evidence(moved, RemarkText::SpotTypeRate)->value.nanos, 5 * kNano);
        QVERIFY(evidence(moved, RemarkText::SpotTypeRateSource));
        QVERIFY(risks(moved, RemarkText::SpotRiskTypes));
        const QString how = QString::fromStdString(moved.how);
        QVERIFY(how.contains(QStringLiteral("values: [p4d.24xlarge, p4de.24xlarge]\n")));
        QVERIFY(how.contains(QStringLiteral("eks.amazonaws.com/capacityType: SPOT")));
        QVERIFY(!how.contains(QStringLiteral("node.kubernetes.io/instance-type: ")));
    }

    // At its own price per GPU-hour in the history, times the GPUs of the machine.
    void pricesOfTheHistoryFollowItsTime()
    {
        SpotOther other = alwaysThere(5);
        other.price.published = false;
        other.price.ofHistory = true;
        other.history.front().prices = {{0, kNano / 2}}; // 4 USD an hour for eight GPUs
        const Proposal moved = changed([&](SpotPast &past) {
            useHistory(past, 12, 12);
            past.markets.front().price->ofHistory = true;
            past.markets.front().interruptions.history.front().prices = {{0, 5 * kNano / 4}};
            only(past).checkpointEvery = 1800;
            only(past).deadline = 1000 * kHour;
            past.markets.front().others = {other};
        });
        QVERIFY(!moved.excludedBy && moved.perMonth);
        QVERIFY(isNear(moved.perMonth->p50.nanos(), monthlySaving(4 * kNano)));
        QVERIFY(risks(moved, RemarkText::SpotRiskZoneData) && !risks(moved, RemarkText::SpotRiskZonePrice));
    }

    // A dearer type is used only by what can't wait for its own.
    void theDearerTypeIsForDeadlines()
    {
        const Proposal patient = withOther(alwaysThere(20), 1000);
        QVERIFY(!patient.excludedBy && patient.perMonth);
        QVERIFY(!evidence(patient, RemarkText::SpotTypesUsed));
        QVERIFY(evidence(patient, RemarkText::SpotTypesMoving)->value.nanos < patient.perMonth->p50.nanos());
        QVERIFY(!risks(patient, RemarkText::SpotRiskTypes));
        QVERIFY(QString::fromStdString(patient.how)
                    .contains(QStringLiteral("node.kubernetes.io/instance-type: p4d.24xlarge\n")));
        const Proposal alone = changed([](SpotPast &past) {
            useHistory(past, 12, 12);
            only(past).checkpointEvery = 1800;
            only(past).deadline = 1000 * kHour;
        });
        QCOMPARE(patient.perMonth->p50, alone.perMonth->p50);
        QCOMPARE(patient.perMonth->p90, alone.perMonth->p90);

        const Proposal hurried = withOther(alwaysThere(20), 26);
        QVERIFY(!hurried.excludedBy && hurried.perMonth);
        QCOMPARE(textOf(hurried, RemarkText::SpotTypesUsed), std::string("p4d.24xlarge, p4de.24xlarge"));
        QVERIFY(hurried.perMonth->p50.nanos() < alone.perMonth->p50.nanos());
        // Its own type has no capacity at the end of its history, so a run begins on the other, and stays there.
        QVERIFY(isNear(hurried.perMonth->p50.nanos(), monthlySaving(20 * kNano)));
    }

    // The prices of a type are drawn in the ratio of their times.
    void eachTypeHasItsOwnPrices()
    {
        SpotOther other = alwaysThere(4);
        other.price.perHour.push_back(base::Rate{8 * kNano, base::Currency::usd()});
        other.price.seconds = {kHour, 3 * kHour}; // 7 USD in the mean
        const Proposal moved = withOther(other, 1000);
        QVERIFY(!moved.excludedBy && moved.perMonth);
        QCOMPARE(evidence(moved, RemarkText::SpotTypeRate)->value.nanos, 7 * kNano);
        QVERIFY(isNear(moved.perMonth->p10.nanos(), monthlySaving(8 * kNano)));
        QVERIFY(isNear(moved.perMonth->p90.nanos(), monthlySaving(6 * kNano))); // one run of each price
    }

    // A run of the curve and of the proof is the same mixture.
    void curveAndBasisAreOfTheSameTypes()
    {
        SpotPast past = twoRuns();
        useHistory(past, 12, 12);
        only(past).checkpointEvery = 1800;
        only(past).deadline = 1000 * kHour;
        past.markets.front().others = {alwaysThere(5)};
        const std::string id = only(past).id;
        const auto basis = spotBasis(past, {}, id, base::UtcTime{});
        QVERIFY(basis && *basis);
        QVERIFY(isNear((**basis).middleSaved.value_or(-1) * kHoursPerMonth / 504, monthlySaving(5 * kNano)));
        const auto curve = spotCurve(past, {}, id);
        QVERIFY(curve && *curve);
        const auto at = std::find((**curve).x.begin(), (**curve).x.end(), 1800.0);
        QVERIFY(at != (**curve).x.end());
        const double share = (**curve).lines.front().y[static_cast<std::size_t>(at - (**curve).x.begin())];
        QVERIFY(std::abs(share - 2 * (kDay + 47 * 60) / 3600.0 * 5 / (48 * 30)) < 1e-9);
    }

    // Only machines on which everything that ran on the present one runs no slower.
    void largerMachinesReplaceSmallerOnes()
    {
        const auto replaces = [](const char *machine, const char *present) {
            return replacesMachine(machineOf(machine), machineOf(present));
        };
        QVERIFY(replaces("p4de.24xlarge", "p4d.24xlarge"));
        QVERIFY(!replaces("p4d.24xlarge", "p4de.24xlarge")); // 40 GB for 80
        QVERIFY(replaces("p5.48xlarge", "p4de.24xlarge"));
        QVERIFY(!replaces("p5.4xlarge", "p4d.24xlarge")); // one GPU for eight
        QVERIFY(replaces("g4dn.12xlarge", "g4dn.12xlarge"));
        QVERIFY(!replaces("g4dn.16xlarge", "g4dn.12xlarge")); // one GPU for four
        RightSizeOffer unknown = machineOf("p5.48xlarge");
        unknown.gpu.bandwidthGbs.reset();
        QVERIFY(!replacesMachine(unknown, machineOf("p4d.24xlarge")));
        unknown = machineOf("p5.48xlarge");
        unknown.memory = 0;
        QVERIFY(!replacesMachine(unknown, machineOf("p4d.24xlarge")));
        RightSizeOffer small = machineOf("g5.48xlarge"); // A10G: newer, but slow at double precision
        small.gpu.memoryMib = machineOf("p4d.24xlarge").gpu.memoryMib;
        QVERIFY(!replacesMachine(small, machineOf("p4d.24xlarge")));
    }

    // Of the same region, as good, with a history and a price; the price of the bills or the history comes first.
    void othersAreOfTheSameRegion()
    {
        const base::UtcTime at = base::UtcTime{base::Seconds{1'790'000'000}};
        services::SpotHistories histories;
        histories.traces = {seenFor("us-east-1a", "p4d.24xlarge", at), seenFor("us-east-1b", "P4DE.24xlarge", at),
                            seenFor("us-east-1b", "g5.48xlarge", at), seenFor("us-west-2a", "p5.48xlarge", at),
                            seenFor("us-east-1a", "x1.unheard-of", at)};
        const std::vector<PublishedSpot> published{
            {"aws", "p4d.24xlarge", "us-east-1", "10-15%", 0.125, 67, base::dayOf(at), "list"},
            {"aws", "p4de.24xlarge", "us-east-1", "10-15%", 0.125, 50, base::dayOf(at), "list"},
            {"aws", "g5.48xlarge", "us-east-1", "10-15%", 0.125, 50, base::dayOf(at), "list"}};
        const std::vector<ledger::NodeDay> nodes;
        const services::BilledCommitments bills(prices(), nodes);
        const std::map<services::SpotKey, services::SeenSpot> seen;
        SpotPast past;
        past.markets.push_back({"aws", "us-east-1", "p4d.24xlarge", std::nullopt, {}});
        const services::SpotSources sources{bills, published, seen, prices(), prices(), at, &histories, &catalog()};
        const auto set = services::setSpotMarkets(past, sources);
        QVERIFY(set);
        const SpotMarket &market = past.markets.front();
        QCOMPARE(namesOf(market), std::vector<std::string>{"p4de.24xlarge"});
        QVERIFY(market.others.front().price.published);
        QCOMPARE(market.others.front().price.perHour.front().nanosPerHour(), std::int64_t{27'447'050'000} / 2);
        QCOMPARE(market.others.front().history.size(), std::size_t{1});

        // A history with prices is nearer than a discount of a list.
        histories.traces[1].trace.prices = {{base::toUnix(at) - 20 * kDay, kNano}};
        QVERIFY(services::setSpotMarkets(past, sources));
        QVERIFY(market.others.front().price.ofHistory);
        QCOMPARE(market.others.front().price.perHour.front().nanosPerHour(), 8 * kNano);
        QCOMPARE(market.others.front().price.source, std::string("P4DE.24xlarge.csv"));
        QVERIFY(market.price && market.price->published); // its own history has none

        // Without a price it is not offered, and without a history of its own type nothing is.
        const std::vector<PublishedSpot> own{published.front()};
        histories.traces[1].trace.prices.clear();
        QVERIFY(services::setSpotMarkets(past, {bills, own, seen, prices(), prices(), at, &histories, &catalog()}));
        QVERIFY(market.others.empty());
        histories.traces.erase(histories.traces.begin());
        QVERIFY(services::setSpotMarkets(past, sources));
        QCOMPARE(market.interruptions.basis, SpotBasis::Published);
        QVERIFY(market.others.empty());
    }

    // Of a type without published figures, a list tells the price.
    void othersMayHaveListedPrices()
    {
        const base::UtcTime at = base::UtcTime{base::Seconds{1'790'000'000}};
        services::SpotHistories histories;
        histories.traces = {seenFor("us-east-1a", "p4d.24xlarge", at), seenFor("us-east-1b", "P4DE.24xlarge", at)};
        services::SpotQuote quote;
        quote.price.list = quote.price.quote.source = "vms.csv";
        quote.price.from = at - base::Seconds{60 * kDay};
        quote.price.quote.microGpus = 8 * model::kMicroOfGpu;
        quote.price.quote.perHour = base::Money(9 * kNano, base::Currency::usd());
        services::SpotQuotes quotes;
        quotes.ofMarket[{"aws", "us-east-1", "p4de.24xlarge"}] = {quote};
        const std::vector<ledger::NodeDay> nodes;
        const services::BilledCommitments bills(prices(), nodes);
        const std::map<services::SpotKey, services::SeenSpot> seen;
        SpotPast past;
        past.markets.push_back({"aws", "us-east-1", "p4d.24xlarge", std::nullopt, {}});
        QVERIFY(
            services::setSpotMarkets(past, {bills, {}, seen, prices(), prices(), at, &histories, &catalog(), &quotes}));
        const SpotMarket &market = past.markets.front();
        QVERIFY(!market.price);
        QCOMPARE(namesOf(market), std::vector<std::string>{"p4de.24xlarge"});
        QVERIFY(market.others.front().price.listed);
        QCOMPARE(market.others.front().price.perHour.front().nanosPerHour(), 9 * kNano);
    }

    void saysWhichListsAPriceIsOf()
    {
        const auto told = changed([](SpotPast &past) {
            past.markets.front().price->listed = true;
            past.markets.front().price->source = "aws-us";
            past.markets.front().interruptions.basis = SpotBasis::Telemetry;
        });
        const Evidence *const source = evidence(told, RemarkText::SpotPriceSource);
        QVERIFY(source);
        QCOMPARE(source->value.remark.front().text, RemarkText::SpotPriceOfLists);
        QVERIFY(!risks(told, RemarkText::SpotRiskOld));
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotTypes)

} // namespace tst_spottypes

#include "tst_spottypes.moc"

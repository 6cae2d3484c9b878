// SPDX-License-Identifier: GPL-3.0-or-later
// What a spot machine-hour costs by price lists and sources: which of their prices count, for how long, and when others
// come first.
#include "app/services/savingsinputs/spot/spotprices.h"
#include "app/services/savingsinputs/spot/spotquotes.h"
#include "app/store/ledgerstore.h"
#include "resources/resources.h"
#include "tests/support/fakes/memoryfacts.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

#include <limits>
#include <list>

namespace tst_spotprices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::Currency;
using savings::SpotPrice;
using services::SpotListKind;
using services::SpotQuotes;

namespace {

constexpr std::int64_t kUnit = base::Money::kNanosPerUnit;
constexpr std::int64_t kDay = 86400;
constexpr std::int64_t kWindow = 30 * kDay;
const base::UtcTime kAt = base::fromUnix(1'790'812'800); // 2026-10-01
const services::SpotKey kMarket{"aws", "us-east-1", "p4d.24xlarge"};

Currency euro()
{
    return Currency::parse("EUR").value();
}

const ledger::PriceBook &prices()
{
    static const ledger::PriceBook kBook = [] {
        const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
        model::PriceSettings settings;
        settings.exchangeRates = {{euro(), Currency::usd(), "1.25", kAt - base::Seconds{kDay}}};
        return ledger::PriceBook::create(settings, Currency::usd(), resources::find("prices/instances.csv").value(),
                                         catalog)
            .value();
    }();
    return kBook;
}

base::UtcTime daysBefore(std::int64_t days)
{
    return kAt - base::Seconds{days * kDay};
}

// A price of a zone in the list "source:aws-us/spot", which has it from a time on.
services::SpotQuote quoteOf(const std::string &zone, std::int64_t nanos, base::UtcTime from,
                            std::optional<base::UtcTime> to = std::nullopt)
{
    services::SpotQuote out;
    out.kind = SpotListKind::Source;
    out.price.list = "source:aws-us/spot";
    out.price.from = from;
    out.price.to = to;
    out.price.lastSeen = to.value_or(kAt);
    model::PriceQuote &quote = out.price.quote;
    quote.provider = "AWS";
    quote.region = "us-east-1";
    quote.zone = zone;
    quote.machine = "p4d.24xlarge";
    quote.gpuName = "A100";
    quote.microGpus = 8 * model::kMicroOfGpu;
    quote.purchase = model::PurchaseOption::Spot;
    quote.perHour = base::Money(nanos, Currency::usd());
    quote.seen = base::dayOf(out.price.lastSeen);
    quote.source = "aws-us";
    return out;
}

services::SpotQuote inFile(services::SpotQuote quote)
{
    quote.kind = SpotListKind::Public;
    quote.price.list = "aws_vms.csv";
    quote.price.quote.source = "aws_vms.csv";
    return quote;
}

std::optional<SpotPrice> priceOf(std::vector<services::SpotQuote> quotes)
{
    SpotQuotes all;
    all.ofMarket[kMarket] = std::move(quotes);
    return services::listedSpotPrice(all, kMarket, prices(), prices(), kAt);
}

// Price and time of it, ascending by price.
using Times = std::vector<std::pair<std::int64_t, std::int64_t>>;

Times timesOf(const std::optional<SpotPrice> &price)
{
    Times out;
    if (!price || price->perHour.size() != price->seconds.size())
        return out;
    for (std::size_t i = 0; i < price->perHour.size(); ++i)
        out.emplace_back(price->perHour[i].nanosPerHour(), price->seconds[i]);
    return out;
}

// A day of one spot machine on each of ten days.
class SpotBills final : public MemoryFacts {
public:
    explicit SpotBills(std::int64_t nanosPerHour)
    {
        m_line.billed = m_line.effective = base::Money(0, Currency::usd());
        m_line.billingAccountId = "1";
        m_line.billingPeriod = {daysBefore(40), kAt};
        m_line.product.provider = "AWS";
        m_line.product.skuDetails["InstanceType"] = "p4d.24xlarge";
        m_line.resource.id = "arn:aws:ec2:us-east-1:1:instance/i-1";
        m_line.resource.regionId = "us-east-1";
        m_line.consumedQuantity.unit = m_line.pricingQuantity.unit = "Hours";
        m_line.pricing = model::PricingCategory::Dynamic;
        m_item.id = 1;
        m_item.line = &m_line;
        m_item.billed = m_item.effective = 24 * nanosPerHour;
        m_item.quantity = 24'000'000;
        m_item.covers = true;
    }
    base::Result<void> billedOn(base::Day asked, const store::BilledVisitor &visit) override
    {
        return asked < first() || last() < asked ? base::Result<void>() : visit(m_item);
    }
    static base::Day first() { return base::dayOf(daysBefore(20)); }
    static base::Day last() { return base::dayOf(daysBefore(11)); }

private:
    model::BillLine m_line;
    store::BilledItem m_item;
};

// Six times 9 hours with capacity and one without, at 2 USD for each of 8 GPUs.
services::SpotHistories histories()
{
    savings::SpotTrace trace;
    trace.zone = "us-east-1a";
    trace.instanceType = "p4d.24xlarge";
    trace.gpus = 8;
    const std::int64_t begin = base::toUnix(daysBefore(20));
    for (int i = 0; i < 48; ++i) {
        trace.intervals.push_back({begin + i * 36000, 32400, true});
        trace.intervals.push_back({begin + i * 36000 + 32400, 3600, false});
    }
    trace.prices = {{begin, 2 * kUnit}};
    services::SpotHistories out;
    out.traces = {{trace, "seen.csv"}};
    return out;
}

const std::vector<savings::PublishedSpot> &published()
{
    static const std::vector<savings::PublishedSpot> kAll{
        {"aws", "p4d.24xlarge", "us-east-1", "10-15%", 0.125, 67, base::dayOf(kAt), "advisor"}};
    return kAll;
}

class PriceCache {
public:
    PriceCache()
        : m_store(*store::LedgerStore::open(m_folder.path().toStdString()))
    {
    }
    store::PriceStore prices() { return m_store->prices(); }
    void put(const std::string &list, const std::vector<services::SpotQuote> &quotes, base::UtcTime at)
    {
        savings::QuoteList all;
        for (const services::SpotQuote &one : quotes) {
            all.quotes.push_back(one.price.quote);
            all.quotes.back().seen.reset();
        }
        QVERIFY(prices().put(list, services::offersOf(all), "", at));
    }
    SpotQuotes read(const model::PriceSettings &settings, const std::vector<std::string> &sources,
                    base::UtcTime now = kAt)
    {
        std::vector<savings::SpotMarket> markets;
        markets.push_back({"aws", "US-East-1", "P4D.24xlarge", std::nullopt, {}});
        return services::readSpotQuotes(markets, {settings, sources}, prices(), kAt, now).value();
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<store::LedgerStore> m_store;
};

} // namespace

class TestSpotPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Zone a: 10 USD for 20 days, then 16 for 10. Zone b: 13 for all 30. (200 + 160 + 390) / 60 = 12.50 USD.
    void theMeanIsOverZonesAndTime()
    {
        const auto price = priceOf({quoteOf("us-east-1a", 10 * kUnit, daysBefore(90), daysBefore(10)),
                                    quoteOf("us-east-1a", 16 * kUnit, daysBefore(10)),
                                    quoteOf("us-east-1b", 13 * kUnit, daysBefore(31))});
        QCOMPARE(timesOf(price), (Times{{10 * kUnit, 20 * kDay}, {13 * kUnit, kWindow}, {16 * kUnit, 10 * kDay}}));
        std::int64_t sum = 0, time = 0;
        for (const auto &[nanos, seconds] : timesOf(price)) {
            sum += nanos / kUnit * seconds;
            time += seconds;
        }
        QCOMPARE(2 * sum, 25 * time);
        QVERIFY(price->listed && !price->published && !price->ofHistory && price->days.empty());
        QCOMPARE(price->source, std::string("aws-us"));
        QVERIFY(price->seen == base::dayOf(kAt));
        QVERIFY(price->perHour.front().currency() == Currency::usd());
    }

    // The same price of two zones is one with the time of both.
    void equalPricesAreAddedUp()
    {
        const auto price =
            priceOf({quoteOf("a", 10 * kUnit, daysBefore(40)), quoteOf("b", 10 * kUnit, daysBefore(6), daysBefore(2))});
        QCOMPARE(timesOf(price), (Times{{10 * kUnit, 34 * kDay}}));
    }

    void onlyTheWindowCounts()
    {
        const auto ended = quoteOf("a", 10 * kUnit, daysBefore(90), daysBefore(30));
        QVERIFY(!priceOf({ended}));
        QCOMPARE(timesOf(priceOf({ended, quoteOf("a", 12 * kUnit, daysBefore(3))})), (Times{{12 * kUnit, 3 * kDay}}));
        QCOMPARE(timesOf(priceOf({quoteOf("a", 9 * kUnit, daysBefore(90), daysBefore(29))})),
                 (Times{{9 * kUnit, kDay}}));
        QVERIFY(!priceOf({}));
    }

    // A list that has not been read for long has its prices still; one that was first read after the time of the
    // savings has no others.
    void whatAListHasNowCountsForTheWholeWindow()
    {
        auto old = quoteOf("a", 10 * kUnit, daysBefore(300));
        old.price.lastSeen = daysBefore(200);
        old.price.quote.seen = base::dayOf(daysBefore(200));
        const auto price = priceOf({old});
        QCOMPARE(timesOf(price), (Times{{10 * kUnit, kWindow}}));
        QVERIFY(price->seen == base::dayOf(daysBefore(200)));
        const base::UtcTime later = kAt + base::Seconds{kDay};
        QCOMPARE(timesOf(priceOf({quoteOf("a", 11 * kUnit, later)})), (Times{{11 * kUnit, kWindow}}));
        QVERIFY(!priceOf({quoteOf("a", 11 * kUnit, later, later + base::Seconds{kDay})}));
        // Where the zone had a price before, it is that one.
        QCOMPARE(timesOf(priceOf({quoteOf("a", 10 * kUnit, daysBefore(5), later), quoteOf("a", 11 * kUnit, later)})),
                 (Times{{10 * kUnit, 5 * kDay}}));
    }

    void amountsAreOfTheReportCurrency()
    {
        auto inEuro = quoteOf("a", 8 * kUnit, daysBefore(40));
        inEuro.price.quote.perHour = base::Money(8 * kUnit, euro());
        QCOMPARE(timesOf(priceOf({inEuro})), (Times{{10 * kUnit, kWindow}}));
        auto inYen = quoteOf("b", 8 * kUnit, daysBefore(40));
        inYen.price.quote.perHour = base::Money(8 * kUnit, Currency::parse("JPY").value());
        QVERIFY(!priceOf({inYen}));
        // It doesn't keep a list out whose prices can be converted.
        inYen.kind = SpotListKind::Own;
        QCOMPARE(timesOf(priceOf({inYen, inEuro})), (Times{{10 * kUnit, kWindow}}));
    }

    void whatIsNoPriceIsLeftOut()
    {
        constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
        auto inEuro = quoteOf("e", kHuge, daysBefore(40));
        inEuro.price.quote.perHour = base::Money(kHuge, euro());
        const std::vector<services::SpotQuote> none{
            quoteOf("a", 0, daysBefore(40)), quoteOf("b", -kUnit, daysBefore(40)),
            quoteOf("c", std::numeric_limits<std::int64_t>::min(), daysBefore(40)), quoteOf("d", kHuge, daysBefore(40)),
            inEuro};
        QVERIFY(!priceOf(none));
        auto all = none;
        all.push_back(quoteOf("f", 10 * kUnit, daysBefore(40)));
        QCOMPARE(timesOf(priceOf(all)), (Times{{10 * kUnit, kWindow}}));
        // It ends before it begins.
        QVERIFY(!priceOf({quoteOf("a", kUnit, daysBefore(3), daysBefore(5))}));
    }

    void machinesOfAnotherSizeAreLeftOut()
    {
        auto half = quoteOf("b", 5 * kUnit, daysBefore(40));
        half.price.quote.microGpus = 4 * model::kMicroOfGpu;
        const auto whole = quoteOf("a", 10 * kUnit, daysBefore(40));
        QVERIFY(!priceOf({half}));
        QCOMPARE(timesOf(priceOf({half, whole})), (Times{{10 * kUnit, kWindow}}));
        // A type that the price book does not have: its sizes can't be told apart.
        const services::SpotKey unheard{"neo", "r", "h100"};
        SpotQuotes quotes;
        quotes.ofMarket[unheard] = {half};
        QVERIFY(services::listedSpotPrice(quotes, unheard, prices(), prices(), kAt));
        quotes.ofMarket[unheard] = {half, whole};
        QVERIFY(!services::listedSpotPrice(quotes, unheard, prices(), prices(), kAt));
        auto other = half;
        other.price.quote.zone = "c";
        other.price.quote.gpu.model = "A100 SXM4";
        quotes.ofMarket[unheard] = {half, other};
        QVERIFY(services::listedSpotPrice(quotes, unheard, prices(), prices(), kAt)); // one model is not known
        quotes.ofMarket[unheard].front().price.quote.gpu.model = "H100 SXM";
        QVERIFY(!services::listedSpotPrice(quotes, unheard, prices(), prices(), kAt));
    }

    void whatASourceTellsIsBeforeFiles()
    {
        const auto told = quoteOf("us-east-1a", 10 * kUnit, daysBefore(5));
        const auto file = inFile(quoteOf("US-EAST-1A", 20 * kUnit, daysBefore(40)));
        const auto elsewhere = inFile(quoteOf("us-east-1b", 21 * kUnit, daysBefore(40)));
        const auto price = priceOf({file, elsewhere, told});
        QCOMPARE(timesOf(price), (Times{{10 * kUnit, 5 * kDay}}));
        QCOMPARE(price->source, std::string("aws-us"));
        // Nothing that the source tells was in force in the window: the files.
        const auto ended = quoteOf("us-east-1a", 10 * kUnit, daysBefore(50), daysBefore(40));
        QCOMPARE(priceOf({file, elsewhere, ended})->source, std::string("aws_vms.csv"));
        auto own = inFile(quoteOf("", 7 * kUnit, daysBefore(3)));
        own.kind = SpotListKind::Own;
        QCOMPARE(timesOf(priceOf({file, elsewhere, told, own})), (Times{{7 * kUnit, 3 * kDay}}));
    }

    // Two sources see one zone, and a third file has none.
    void aZoneCountsOnce()
    {
        auto earlier = quoteOf("us-east-1a", 10 * kUnit, daysBefore(40));
        earlier.price.list = "source:a-first/spot";
        earlier.price.quote.source = "a-first";
        earlier.price.lastSeen = daysBefore(2);
        const auto later = quoteOf("us-east-1a", 12 * kUnit, daysBefore(40));
        const auto region = quoteOf("", 90 * kUnit, daysBefore(40));
        QCOMPARE(timesOf(priceOf({earlier, later, region})), (Times{{12 * kUnit, kWindow}}));
        QCOMPARE(timesOf(priceOf({region})), (Times{{90 * kUnit, kWindow}}));
        // Both have a zone of their own, and are named.
        earlier.price.quote.zone = "us-east-1b";
        QCOMPARE(priceOf({earlier, later})->source, std::string("a-first; aws-us"));
        std::vector<services::SpotQuote> many;
        for (const std::string zone : {"a", "b", "c", "d"}) {
            many.push_back(quoteOf(zone, kUnit, daysBefore(1)));
            many.back().price.quote.source = "list-" + zone;
        }
        QCOMPARE(priceOf(many)->source, std::string("list-a; list-b; list-c; …"));
    }

    void billsAndHistoriesComeFirst()
    {
        const std::vector<ledger::NodeDay> nodes;
        const std::map<services::SpotKey, services::SeenSpot> seen;
        const services::BilledCommitments none(prices(), nodes);
        services::BilledCommitments billed(prices(), nodes);
        SpotBills bills(11 * kUnit);
        QVERIFY(billed.read(base::dayOf(daysBefore(28)), base::dayOf(daysBefore(1)), bills, {}));
        const services::SpotHistories known = histories(), unknown;
        SpotQuotes quotes;
        quotes.ofMarket[kMarket] = {quoteOf("a", 10 * kUnit, daysBefore(40))};
        const auto of = [&](const services::BilledCommitments &paid, const services::SpotHistories &past,
                            const SpotQuotes *listed) {
            savings::SpotPast out;
            out.markets.push_back({"aws", "us-east-1", "P4d.24xlarge", std::nullopt, {}});
            if (!services::setSpotMarkets(out,
                                          {paid, published(), seen, prices(), prices(), kAt, &past, nullptr, listed}))
                qFatal("no markets");
            return out.markets.front().price.value();
        };
        const SpotPrice ofBills = of(billed, known, &quotes);
        QVERIFY(!ofBills.listed && !ofBills.ofHistory && !ofBills.published);
        QCOMPARE(ofBills.perHour.front().nanosPerHour(), 11 * kUnit);
        const SpotPrice ofHistory = of(none, known, &quotes);
        QVERIFY(ofHistory.ofHistory && !ofHistory.listed);
        QCOMPARE(ofHistory.perHour.front().nanosPerHour(), 16 * kUnit);
        const SpotPrice listed = of(none, unknown, &quotes);
        QVERIFY(listed.listed && !listed.published);
        QCOMPARE(listed.perHour.front().nanosPerHour(), 10 * kUnit);
        QVERIFY(of(none, unknown, nullptr).published);
        quotes.ofMarket.clear();
        QVERIFY(of(none, unknown, &quotes).published);
    }

    void onlyConfiguredListsAreRead()
    {
        PriceCache cache;
        model::PriceSettings settings;
        settings.lists.resize(1);
        settings.lists.front().path = "aws_vms.csv";
        settings.own.resize(1);
        settings.own.front().path = "own.csv";
        auto onDemand = quoteOf("a", 30 * kUnit, kAt);
        onDemand.price.quote.purchase = model::PurchaseOption::OnDemand;
        auto elsewhere = quoteOf("a", 40 * kUnit, kAt);
        elsewhere.price.quote.region = "us-west-2";
        const auto spot = quoteOf("a", 10 * kUnit, kAt);
        cache.put("aws_vms.csv", {spot, onDemand, elsewhere}, daysBefore(60));
        cache.put("gone.csv", {spot}, daysBefore(60));
        cache.put("source:aws-us/spot", {spot}, daysBefore(60));
        cache.put("source:aws-us-2/spot", {spot}, daysBefore(60));
        cache.put("own.csv", {}, daysBefore(60));
        const auto kindsOf = [](const SpotQuotes &quotes) {
            std::map<std::string, SpotListKind> out;
            for (const auto &[key, all] : quotes.ofMarket) {
                for (const services::SpotQuote &one : all) {
                    if (key == kMarket)
                        out[one.price.list] = one.kind;
                }
            }
            return out;
        };
        const SpotQuotes read = cache.read(settings, {"aws-us"});
        QCOMPARE(read.ofMarket.size(), std::size_t{1});
        QVERIFY((kindsOf(read)
                 == std::map<std::string, SpotListKind>{{"aws_vms.csv", SpotListKind::Public},
                                                        {"source:aws-us/spot", SpotListKind::Source}}));
        QCOMPARE(services::listedSpotPrice(read, kMarket, prices(), prices(), kAt)->source, std::string("aws-us"));
        QVERIFY(cache.read({}, {}).ofMarket.empty());
        // A price that ended before the window is not read, one that follows it is.
        cache.put("aws_vms.csv", {quoteOf("a", 12 * kUnit, kAt)}, daysBefore(40));
        const SpotQuotes later = cache.read(settings, {});
        QCOMPARE(later.ofMarket.at(kMarket).size(), std::size_t{1});
        QCOMPARE(timesOf(services::listedSpotPrice(later, kMarket, prices(), prices(), kAt)),
                 (Times{{12 * kUnit, kWindow}}));
        // It was read by a clock that was ahead.
        cache.put("aws_vms.csv", {quoteOf("a", 12 * kUnit, kAt)}, kAt + base::Seconds{9 * kDay});
        const SpotQuotes ahead = cache.read(settings, {});
        QVERIFY(!services::listedSpotPrice(ahead, kMarket, prices(), prices(), kAt)->seen);
    }
};

GPULEDGER_PLAIN_SUITE(TestSpotPrices)

} // namespace tst_spotprices

#include "tst_spotprices.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What sources tell as prices: what of it is stored, and as what.
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/sourceprices.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <functional>

namespace tst_sourceprices {

using namespace gpuledger;
using savings::LeftOut;
using savings::PriceQuote;

namespace {

PriceQuote quote(const std::string &gpu = "NVIDIA H100 80GB HBM3")
{
    PriceQuote one;
    one.region = "eu-1";
    one.machine = "n8";
    one.gpuName = gpu;
    one.microGpus = 8'000'000;
    one.perHour = base::Money(16'000'000'000, base::Currency::usd());
    return one;
}

services::SourcePrices stored(std::vector<PriceQuote> quotes, std::vector<ports::PriceBegin> begins = {},
                              const std::string &provider = "neo")
{
    ports::PricesTold told;
    told.now.quotes = std::move(quotes);
    told.begins = std::move(begins);
    return services::sourcePrices(std::move(told), "cloud", provider, services::priceLists().value());
}

} // namespace

class TestSourcePrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesTheSourceAndTheModel()
    {
        PriceQuote reserved = quote();
        reserved.source = "reservation";
        QCOMPARE(stored({reserved}).quotes.quotes.at(0).source, std::string("cloud, reservation"));
        const auto out = stored({quote(), quote("Quux 9000")}, {{quote(), base::fromUnix(1000)}});
        QCOMPARE(out.quotes.quotes.size(), std::size_t{2});
        const PriceQuote &known = out.quotes.quotes[0], &unknown = out.quotes.quotes[1];
        QCOMPARE(known.source, std::string("cloud"));
        QCOMPARE(known.provider, std::string("neo"));
        QCOMPARE(known.gpu.model, std::string("H100 SXM"));
        QCOMPARE(known.gpu.memoryMib, std::optional<std::int64_t>(80 * 1024));
        QCOMPARE(unknown.gpuName, std::string("Quux 9000")); // kept as it is
        QCOMPARE(unknown.gpu.model, std::string());
        QVERIFY(!unknown.gpu.memoryMib);
        QCOMPARE(out.steps.size(), std::size_t{1});
        QVERIFY(out.steps[0].from == base::fromUnix(1000));
        QVERIFY(out.steps[0].offer == services::offersOf(out.quotes)[0]);
    }

    void theBookSettlesAName()
    {
        PriceQuote open = quote("A100");
        open.machine = "p4de.24xlarge";
        QCOMPARE(stored({open}, {}, "aws").quotes.quotes[0].gpu.model, std::string("A100 80GB"));
        QCOMPARE(stored({open}).quotes.quotes[0].gpu.model, std::string());
        const auto machines = services::knownMachines(services::priceLists().value(), "aws");
        QCOMPARE(machines.at("p5.48xlarge").microGpus, std::int64_t{8'000'000});
        QCOMPARE(machines.at("g6f.large").microGpus, std::int64_t{125'000});
        QVERIFY(!machines.contains("gpu_1x_gh200"));
        const auto google = services::knownMachines(services::priceLists().value(), "gcp");
        QCOMPARE(google.at("a2-highgpu-1g").milliVcpus, std::int64_t{12'000});
        QCOMPARE(google.at("a2-highgpu-1g").milliGib, std::int64_t{85'000});
        QCOMPARE(google.at("a4-highgpu-8g").milliVcpus, std::int64_t{0}); // not in the book
    }

    void countsWhatCanBeNoPrice()
    {
        using Change = std::function<void(PriceQuote &)>;
        const auto usd = [](std::int64_t nanos) { return base::Money(nanos, base::Currency::usd()); };
        const std::vector<std::pair<LeftOut, Change>> changes{
            {LeftOut::NoPrice, [&](PriceQuote &q) { q.perHour = usd(0); }},
            {LeftOut::Unreadable, [&](PriceQuote &q) { q.perHour = usd(-1); }},
            {LeftOut::Unreadable, [&](PriceQuote &q) { q.perHour = usd(800'000'000'000'008); }},
            {LeftOut::NoGpu, [](PriceQuote &q) { q.microGpus = 0; }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.microGpus = -1; }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.microGpus = 1'024'000'001; }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.machine.clear(); }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.gpuName.clear(); }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.gpuName = std::string(257, 'x'); }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.machine = "a\x1b[2J"; }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.region = "a\nb"; }},
            {LeftOut::Unreadable, [](PriceQuote &q) { q.zone = "\xff"; }},
            {LeftOut::OtherAccelerator, [](PriceQuote &q) { q.gpuName = "Trainium2"; }}};
        for (std::size_t i = 0; i < changes.size(); ++i) {
            PriceQuote bad = quote();
            changes[i].second(bad);
            const auto out = stored({bad, quote()}, {{bad, base::fromUnix(1)}});
            QCOMPARE(out.quotes.quotes.size(), std::size_t{1});
            QVERIFY2(out.quotes.leftOut.size() == 1 && out.quotes.leftOut.begin()->first == changes[i].first,
                     std::to_string(i).c_str());
            QVERIFY(out.steps.empty());
        }
        PriceQuote dear = quote();
        dear.perHour = usd(800'000'000'000'000); // 100,000 per GPU
        QCOMPARE(stored({dear}).quotes.quotes.size(), std::size_t{1});
    }

    void listsHaveTheNameOfTheirSource()
    {
        QCOMPARE(services::sourceListName("aws-eu", ""), std::string("source:aws-eu"));
        QCOMPARE(services::sourceListName("aws-eu", "spot"), std::string("source:aws-eu/spot"));
        QVERIFY(services::isListOfSource("source:aws-eu", "aws-eu"));
        QVERIFY(services::isListOfSource("source:aws-eu/spot", "aws-eu"));
        for (const char *other : {"source:aws-eu2", "source:aws", "aws-eu", "/source:aws-eu", ""})
            QVERIFY2(!services::isListOfSource(other, "aws-eu"), other);
    }
};

GPULEDGER_SUITE(TestSourcePrices)

} // namespace tst_sourceprices

#include "tst_sourceprices.moc"

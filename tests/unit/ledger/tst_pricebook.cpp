// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/pricebook.h"
#include "app/model/fleet/listedmachine.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_pricebook {

using namespace gpuledger;
using base::Currency;
using ledger::GpuCatalog;
using ledger::PriceBook;

namespace {

base::UtcTime day(std::string_view text)
{
    return base::parseTime(text).value();
}

const base::UtcTime kAt = day("2026-11-01");

GpuCatalog catalog()
{
    return GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
}

constexpr std::string_view kList =
    "cloud,instance_type,gpu_model,gpu_count,vcpus,memory_gib,region,on_demand_usd_h,as_of,checked,source\n"
    "aws,a.8,A100 40GB,8,,,us-east-1,21.957642,2026-07-20,,x\n"
    "aws,a.8,A100 40GB,8,,,eu-west-1,24,2026-07-20,,x\n"
    "aws,a.1,A100 40GB,1,,,us-east-1,4,2026-07-20,,x\n"
    "gcp,g.1,A100 40GB,1,,,us-central1,3.5,,2026-11-21,x\n"
    "aws,part,L4,0.25,,,us-east-1,0.475,2026-07-20,,x\n"
    "aws,h.1,H100 SXM,1,,,us-east-1,1,2026-01-01,,x\n"
    "aws,h.1,H100 SXM,1,,,us-east-1,2,2026-09-01,,x\n"
    "gcp,l.2,L4,2,,,us-central1,2.000833,,2026-11-20,\"with, a comma and \"\"quotes\"\"\"\n";

PriceBook book(const model::PriceSettings &settings = {}, std::string_view csv = kList,
               Currency currency = Currency::usd())
{
    auto made = PriceBook::create(settings, currency, csv, catalog());
    if (!made)
        qFatal("%s", made.error().text.c_str());
    return *made;
}

model::Device device(std::string model, std::string cluster = "prod")
{
    model::Device d;
    d.cluster = std::move(cluster);
    d.uuid = "GPU-1";
    d.model = std::move(model);
    return d;
}

model::Node node(std::string type, std::string cloud = "aws", std::string region = "us-east-1")
{
    model::Node n;
    n.cluster = "prod";
    n.name = "n1";
    n.instanceType = std::move(type);
    n.cloud = std::move(cloud);
    n.region = std::move(region);
    n.gpuCapacity = 8;
    return n;
}

model::PriceOverride perGpu(std::string price)
{
    model::PriceOverride o;
    o.perGpuHour = std::move(price);
    return o;
}

const model::Device kA100 = device("NVIDIA A100-SXM4-40GB");

} // namespace

class PriceBookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void foldsExporterNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("model");
        const std::pair<const char *, const char *> rows[] = {
            {"NVIDIA A100-SXM4-40GB", "A100 40GB"},
            {"NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "A100 40GB"},
            {"NVIDIA-A100-SXM4-80GB-MIG-3g.40gb-SHARED", "A100 80GB"},
            {"NVIDIA A100 80GB PCIe", "A100 80GB PCIe"},
            {"NVIDIA H100 80GB HBM3", "H100 SXM"},
            {"nvidia-h100-80gb-hbm3-shared", "H100 SXM"},
            {"Tesla V100-SXM2-32GB", "V100 32GB"},
            {"Tesla-V100-SXM2-16GB", "V100 16GB"},
            {"Tesla T4", "T4"},
            {"NVIDIA L4", "L4"},
            {"NVIDIA L40S", "L40S"},
            {"NVIDIA GeForce RTX 4090", "RTX 4090"},
            {"NVIDIA RTX A6000", "RTX A6000"},
            {"AMD Instinct MI300X OAM", "MI300X"},
            {"AMD_Instinct_MI300X", "MI300X"},
            {"H100 SXM", "H100 SXM"},
            {"NVIDIA A100", ""},
            {"NVIDIA TITAN RTX", ""},
            {"", ""},
        };
        for (const auto &[name, model] : rows)
            QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(model);
    }
    void foldsExporterNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, model);
        const GpuCatalog gpus = catalog();
        const ledger::GpuFacts *facts = gpus.find(name.toStdString());
        QCOMPARE(facts != nullptr ? QString::fromStdString(facts->model) : QString(), model);
    }

    void knowsFactsAndLeavesTheRestOpen()
    {
        const GpuCatalog gpus = catalog();
        const auto *v100 = gpus.find("Tesla V100-SXM2-32GB");
        QCOMPARE(v100->memoryGib, 32);
        QCOMPARE(v100->restingW, std::optional(44.0));
        QVERIFY(!v100->fp8DenseTflops && !v100->computeSlices);
        QCOMPARE(gpus.find("NVIDIA A100-SXM4-40GB")->restingW, std::optional(55.0));
        QCOMPARE(gpus.find("Tesla T4")->restingW, std::optional(12.0));
        QVERIFY(!gpus.find("Tesla M60")->restingW);
        QCOMPARE(gpus.find("NVIDIA A30")->computeSlices, std::optional(4));
        QCOMPARE(gpus.find("NVIDIA H100 80GB HBM3")->computeSlices, std::optional(7));
        QCOMPARE(gpus.find("NVIDIA H100 80GB HBM3")->computeCapability, std::string("9.0"));
        QCOMPARE(gpus.find("NVIDIA H100 80GB HBM3")->nvlinkGbs, std::optional(900.0));
        QCOMPARE(gpus.find("Tesla T4")->nvlinkGbs, std::optional(0.0)); // it has none
        QVERIFY(!gpus.find("NVIDIA A30")->nvlinkGbs && gpus.find("Tesla P40")->computeCapability.empty());
    }

    // With it, power is evidence of idleness.
    void knowsTheRestingDrawOfCommonModels()
    {
        const GpuCatalog gpus = catalog();
        for (const char *name : {"Tesla V100-SXM2-16GB",
                                 "Tesla V100-SXM2-32GB",
                                 "Tesla P40",
                                 "Tesla P100-PCIE-16GB",
                                 "Tesla T4",
                                 "NVIDIA A10",
                                 "NVIDIA A10G",
                                 "NVIDIA A30",
                                 "NVIDIA A40",
                                 "NVIDIA A100-SXM4-40GB",
                                 "NVIDIA A100-PCIE-40GB",
                                 "NVIDIA A100-SXM4-80GB",
                                 "NVIDIA A100 80GB PCIe",
                                 "NVIDIA L4",
                                 "NVIDIA L40",
                                 "NVIDIA L40S",
                                 "NVIDIA RTX A6000",
                                 "NVIDIA H100 PCIe",
                                 "NVIDIA H100 80GB HBM3",
                                 "NVIDIA H100 NVL",
                                 "NVIDIA H200",
                                 "NVIDIA GH200 480GB",
                                 "NVIDIA RTX A4000",
                                 "NVIDIA RTX A5000",
                                 "NVIDIA B200",
                                 "NVIDIA B300 SXM6 AC",
                                 "NVIDIA GB200",
                                 "NVIDIA H20",
                                 "NVIDIA RTX PRO 6000 Blackwell Server Edition",
                                 "AMD Instinct MI300X"}) {
            const auto *facts = gpus.find(name);
            QVERIFY2(facts && facts->restingW.value_or(0) > 0, name);
        }
    }

    void refusesBrokenTables()
    {
        QVERIFY(!GpuCatalog::load(""));
        QVERIFY(!GpuCatalog::load("gpu_model\nA100\n"));
        const std::string head = "gpu_model,vendor,memory_gib,fp16_dense_tflops,fp8_dense_tflops,mem_bw_gbs,tdp_w,"
                                 "idle_w,compute_slices,mig_profiles,aliases,source\n";
        QVERIFY(GpuCatalog::load(head + "A,nvidia,1,,,,,,,,,\n"));
        QVERIFY(!GpuCatalog::load(head + "A,nvidia,x,,,,,,,,,\n"));
        QVERIFY(!GpuCatalog::load(head + "A,nvidia,1,,,,,,,,B,\nB,nvidia,1,,,,,,,,,\n"));
        QVERIFY(!GpuCatalog::load(head + "A,nvidia,1\n"));
        const std::string list(kList);
        const auto made = [&](const char *row) {
            return PriceBook::create({}, Currency::usd(), list + std::string(row), catalog());
        };
        for (const char *bad :
             {"aws,x,L4,,,,r,1,2026-01-01,,s\n", "aws,x,L4,1,,,r,cheap,2026-01-01,,s\n",
              "aws,x,L4,1,,,r,1,yesterday,,s\n", "aws,x,L4,1,,,r,1,,tomorrow,s\n", "aws,x,L4,0,,,r,1,2026-01-01,,s\n"})
            QVERIFY(!made(bad));
        QVERIFY(made("aws,x,L4,1,,,r,1,2026-01-01,,s\n"));
        QVERIFY(made("aws,x,L4,1,,,r,1,,2026-01-01,s\n"));
        QVERIFY(made("aws,x,L4,1,,,r,,,,s\n")); // no price, no date
        const auto undated = made("aws,x,L4,1,,,r,1,,,s\n");
        QVERIFY(!undated && undated.error().text.find("a price needs its date") != std::string::npos);
    }

    void offersAreMachinesWithAPriceOfTheirOwn()
    {
        const auto prices = book();
        const auto offers = prices.offers("aws", "us-east-1", "prod", kAt);
        QVERIFY(!offers.empty());
        for (const auto &offer : offers) {
            const auto price =
                prices.priceOf(kA100, &static_cast<const model::Node &>(node(offer.machine->instanceType)), kAt);
            QVERIFY(offer.machine->wholeGpus && offer.machine->cloud == "aws");
            QCOMPARE(offer.perHour.nanosPerHour(), price->perGpuHour.nanosPerHour() * offer.machine->devices);
            QCOMPARE(offer.source, price->source);
        }
        const auto eight = std::find_if(offers.begin(), offers.end(),
                                        [](const auto &offer) { return offer.machine->instanceType == "a.8"; });
        QVERIFY(eight != offers.end());
        QCOMPARE(eight->perHour.nanosPerHour(), 21'957'642'000);
        QVERIFY(prices.offers("nowhere", "us-east-1", "prod", kAt).empty());
        // Whose price it is.
        const auto regionOf = [&](const char *region) {
            const auto asked = prices.offers("aws", region, "prod", kAt);
            return std::find_if(asked.begin(), asked.end(),
                                [](const auto &offer) { return offer.machine->instanceType == "a.8"; })
                ->region;
        };
        QVERIFY(regionOf("us-east-1") == PriceBook::Region::Own);
        QVERIFY(regionOf("eu-west-1") == PriceBook::Region::Own);
        QVERIFY(regionOf("ap-south-1") == PriceBook::Region::Other);
        QVERIFY(regionOf("") == PriceBook::Region::Unknown);
        // The list has a price of a GPU alone, and a type without a price.
        const auto made = PriceBook::create({}, Currency::usd(),
                                            std::string(kList) + "crusoe,L4 (per GPU),L4,1,,,r,1,2026-01-01,,s\n"
                                                + "crusoe,x,L4,1,,,r,,,,s\n" + "crusoe,y,L4,1,,,r,2,2026-01-01,,s\n",
                                            catalog())
                              .value();
        const auto crusoe = made.offers("crusoe", "r", "prod", kAt);
        QCOMPARE(crusoe.size(), std::size_t(1));
        QCOMPARE(crusoe[0].machine->instanceType, std::string("y"));
    }

    void dividesTheInstanceByItsGpus()
    {
        const auto price = book().priceOf(kA100, &static_cast<const model::Node &>(node("a.8")), kAt);
        QVERIFY(price);
        QCOMPARE(price->perGpuHour.nanosPerHour(), 2'744'705'250); // 21.957642 / 8
        QCOMPARE(price->source, std::string("price book 2026-07-20: aws a.8 us-east-1"));
        QCOMPARE(price->asOf, std::optional(day("2026-07-20")));
    }

    // What the cloud's list says of the machine comes before all lists of types, and after the user's own prices.
    void aMachineMayHaveAPriceOfItsOwn()
    {
        model::Node n = node("a.8");
        n.labels[model::kGpuHourPriceLabel] = "1.000000001 USD";
        const auto price = book().priceOf(kA100, &n, kAt);
        QCOMPARE(price->perGpuHour.nanosPerHour(), 1'000'000'001);
        QCOMPARE(price->source, std::string("price of the machine in the list of aws"));
        QVERIFY(!price->asOf);
        model::PriceSettings own;
        own.overrides.push_back(perGpu("5"));
        own.overrides.back().cluster = "prod";
        QCOMPARE(book(own).priceOf(kA100, &n, kAt)->perGpuHour.nanosPerHour(), 5'000'000'000);
        for (const char *wrong : {"", "8", "8 ", " USD", "0 USD", "-8 USD", "8 usd", "x USD", "1e400 USD", "8 USD "}) {
            n.labels[model::kGpuHourPriceLabel] = wrong;
            QCOMPARE(book().priceOf(kA100, &n, kAt)->source, std::string("price book 2026-07-20: aws a.8 us-east-1"));
        }
    }

    void marksAnotherRegionOfTheSameCloud()
    {
        const model::Node elsewhere = node("a.8", "aws", "ap-south-1");
        const auto price = book().priceOf(kA100, &elsewhere, kAt);
        QCOMPARE(price->source, std::string("price book 2026-07-20: aws a.8 us-east-1 (the node is in ap-south-1)"));
        const model::Node ireland = node("a.8", "aws", "eu-west-1");
        QCOMPARE(book().priceOf(kA100, &ireland, kAt)->perGpuHour.nanosPerHour(), 3'000'000'000);
        const model::Node nowhere = node("a.8", "", "");
        QCOMPARE(book().priceOf(kA100, &nowhere, kAt)->source,
                 std::string("price book 2026-07-20: aws a.8 us-east-1 (the node's region is unknown)"));
        // The name means something else in another cloud: no list price, but an estimate from that cloud's own prices.
        const model::Node otherCloud = node("a.8", "gcp", "us-central1");
        QCOMPARE(book().priceOf(kA100, &otherCloud, kAt)->source,
                 std::string("list price estimate (median of 1 instance type of gcp, as read 2026-11-21)"));
    }

    void takesTheListOfTheTime()
    {
        const model::Node n = node("h.1");
        const model::Device h100 = device("NVIDIA H100 80GB HBM3");
        QCOMPARE(book().priceOf(h100, &n, day("2026-08-31"))->perGpuHour.nanosPerHour(), 1'000'000'000);
        QCOMPARE(book().priceOf(h100, &n, day("2026-09-01"))->perGpuHour.nanosPerHour(), 2'000'000'000);
        QCOMPARE(book().priceOf(h100, &n, day("2020-01-01"))->perGpuHour.nanosPerHour(), 1'000'000'000);
    }

    void givesAPartOfAGpuTheWholePrice()
    {
        const model::Node n = node("part");
        QCOMPARE(book().priceOf(device("NVIDIA L4"), &n, kAt)->perGpuHour.nanosPerHour(), 475'000'000);
    }

    void estimatesFromTheMedianAndSaysSo()
    {
        // Dated rows only: 21.957642 / 8, 24 / 8 and 4; the middle one is 3.
        const auto price = book().priceOf(kA100, nullptr, kAt);
        QCOMPARE(price->perGpuHour.nanosPerHour(), 3'000'000'000);
        QCOMPARE(price->source, std::string("list price estimate (median of 3 instance types, 2026-07-20)"));
        // Two rows: the mean of both, rounded once. Undated if nothing is dated; a part of a GPU does not count.
        const auto h100 = book().priceOf(device("NVIDIA H100 80GB HBM3"), nullptr, kAt);
        QCOMPARE(h100->perGpuHour.nanosPerHour(), 1'500'000'000);
        QCOMPARE(h100->asOf, std::optional(day("2026-01-01")));
        const auto l4 = book().priceOf(device("NVIDIA L4"), nullptr, kAt);
        QCOMPARE(l4->perGpuHour.nanosPerHour(), 1'000'416'500); // 2.000833 / 2
        QVERIFY(!l4->asOf);
        QCOMPARE(l4->source, std::string("list price estimate (median of 1 instance type, as read 2026-11-20)"));
    }

    void leavesUnknownModelsUnpriced()
    {
        QVERIFY(!book().priceOf(device("NVIDIA TITAN RTX"), nullptr, kAt));
        QVERIFY(!book().priceOf(device(""), nullptr, kAt));
        const model::Node n = node("unheard-of");
        QVERIFY(!book().priceOf(device("NVIDIA TITAN RTX"), &n, kAt));
        QVERIFY(!book().priceOf(device("Tesla T4"), &n, kAt)); // a known model without a list price
    }

    void prefersTheMostSpecificOverride()
    {
        model::PriceSettings s;
        s.overrides = {perGpu("1"), perGpu("2"), perGpu("3"), perGpu("4"), perGpu("0")};
        s.overrides[0].cluster = "prod";
        s.overrides[1].gpuModel = "A100 40GB";
        s.overrides[2].gpuModel = "nvidia-a100-sxm4-40gb";
        s.overrides[2].cluster = "prod";
        s.overrides[3].instanceType = "a.8";
        s.overrides[3].region = "us-east-1";
        s.overrides[4].nodeLabels = {{"cloud.example/Pool", "free"}};
        const PriceBook b = book(s);
        const auto nanos = [&b](const model::Device &d, const model::Node *n) {
            return b.priceOf(d, n, kAt)->perGpuHour.nanosPerHour() / 1'000'000'000;
        };
        model::Node n = node("a.8");
        QCOMPARE(nanos(kA100, &n), 4);
        QCOMPARE(nanos(kA100, nullptr), 3);
        QCOMPARE(nanos(device("NVIDIA A100-SXM4-40GB", "research"), nullptr), 2);
        QCOMPARE(nanos(device("NVIDIA TITAN RTX"), nullptr), 1);
        n.labels["cloud_example_pool"] = "free";
        const auto zero = b.priceOf(kA100, &n, kAt); // a price of zero is a price
        QVERIFY(zero);
        QCOMPARE(zero->perGpuHour.nanosPerHour(), 0);
        QCOMPARE(zero->source, std::string("override: node label cloud.example/Pool=free"));
        QVERIFY(!zero->asOf);
    }

    void dividesAnOverrideOfTheInstance()
    {
        model::PriceSettings s;
        s.overrides.resize(1);
        s.overrides[0].instanceType = "a.8";
        s.overrides[0].perHour = "10";
        model::Node n = node("a.8");
        n.gpuCapacity = 80; // replicas: the list knows better
        QCOMPARE(book(s).priceOf(kA100, &n, kAt)->perGpuHour.nanosPerHour(), 1'250'000'000);
        s.overrides[0].instanceType = "own-type";
        n = node("own-type");
        n.gpuCapacity = 3;
        QCOMPARE(book(s).priceOf(kA100, &n, kAt)->perGpuHour.nanosPerHour(), 3'333'333'333);
        n.sharedGpus = true; // 3 replicas of how many devices?
        QVERIFY(!book(s).priceOf(kA100, &n, kAt));
        n.labels["nvidia_com_gpu_count"] = "1";
        QCOMPARE(book(s).priceOf(kA100, &n, kAt)->perGpuHour.nanosPerHour(), 10'000'000'000);
    }

    void convertsOnlyByDatedRates()
    {
        const Currency eur = Currency::parse("EUR").value();
        const model::Node n = node("a.1");
        QVERIFY(!book({}, kList, eur).priceOf(kA100, &n, kAt));
        model::PriceSettings s;
        s.exchangeRates = {{Currency::usd(), eur, "0.9", day("2026-10-01")},
                           {Currency::usd(), eur, "0.8", day("2026-11-02")},
                           {eur, Currency::usd(), "1.6", day("2026-10-15")}};
        const PriceBook b = book(s, kList, eur);
        QVERIFY(!b.priceOf(kA100, &n, day("2026-09-30")));
        const auto october = b.priceOf(kA100, &n, day("2026-10-01"));
        QCOMPARE(october->perGpuHour, base::Rate(3'600'000'000, eur));
        QCOMPARE(october->source,
                 std::string("price book 2026-07-20: aws a.1 us-east-1; 1 USD = 0.9 EUR of 2026-10-01"));
        QCOMPARE(b.priceOf(kA100, &n, day("2026-10-20"))->perGpuHour.nanosPerHour(), 2'500'000'000); // 4 / 1.6
        QCOMPARE(b.priceOf(kA100, &n, day("2026-12-01"))->perGpuHour.nanosPerHour(), 3'200'000'000);
        // An override that can't be converted is not replaced by a list price.
        model::PriceSettings gbp;
        gbp.overrides = {perGpu("1")};
        gbp.overrides[0].cluster = "prod";
        gbp.overrides[0].currency = Currency::parse("GBP").value();
        QVERIFY(!book(gbp).priceOf(kA100, &n, kAt));
    }

    void pricesOwnedMachines()
    {
        model::PriceSettings s;
        s.owned.resize(1);
        model::OwnedMachine &m = s.owned[0];
        m.nodeLabels = {{"pool", "onprem-a100"}};
        m.price = "15000";
        m.residual = "3000";
        m.years = 4;
        m.powerW = "400";
        m.pue = "1.4";
        m.usdPerKwh = "0.12";
        m.operationPerYear = "900";
        model::Node n = node("", "", "");
        n.labels["pool"] = "onprem-a100";
        const auto price = book(s).priceOf(kA100, &n, kAt);
        // Computed by hand: 12,000 / 35,040 h + 0.56 kW x 0.12 + 900 / 8,760 h
        //        = 0.342465753 + 0.0672 + 0.102739726 = 0.512405479452…
        QCOMPARE(price->perGpuHour.nanosPerHour(), 512'405'479);
        const double other = (15000.0 - 3000.0) / (4 * 8760.0) + 0.4 * 1.4 * 0.12 + 900.0 / 8760.0;
        QVERIFY(std::abs(static_cast<double>(price->perGpuHour.nanosPerHour()) / 1e9 - other) < 1e-9);
        QCOMPARE(price->source, std::string("owned: pool=onprem-a100"));
        n.labels["pool"] = "other";
        QVERIFY(book(s).priceOf(kA100, &n, kAt)->source.starts_with("list price estimate"));
        // Nothing but a price: linear depreciation over the years. 8,760 / (1 x 8,760 h) = 1.
        m = {{{"pool", "other"}}, "8760", "", 1, "", "", "", ""};
        QCOMPARE(book(s).priceOf(kA100, &n, kAt)->perGpuHour.nanosPerHour(), 1'000'000'000);
    }

    void refusesSettingsThatMakeNoSense()
    {
        const auto refused = [](const model::PriceSettings &s) {
            const auto made = PriceBook::create(s, Currency::usd(), kList, catalog());
            return !made && made.error().code == base::ErrorCode::InvalidConfig;
        };
        model::PriceSettings s;
        s.overrides = {perGpu("1")};
        QVERIFY(refused(s)); // without a condition
        s.overrides[0].cluster = "prod";
        QVERIFY(!refused(s));
        s.overrides[0].perHour = "1";
        QVERIFY(refused(s)); // two prices
        s.overrides[0].perHour.clear();
        s.overrides[0].perGpuHour = "cheap";
        QVERIFY(refused(s));
        s.overrides[0].perGpuHour = "-1";
        QVERIFY(refused(s));
        for (const char *rate : {"0", "-1", "", "x", "99999999999"}) {
            model::PriceSettings r;
            r.exchangeRates = {{Currency::parse("EUR").value(), Currency::usd(), rate, kAt}};
            QVERIFY2(refused(r), rate);
        }
        model::PriceSettings o;
        o.owned = {{{{"pool", "x"}}, "100", "200", 4, "", "", "", ""}};
        QVERIFY(refused(o)); // worth more at the end
        o.owned[0].residual.clear();
        QVERIFY(!refused(o));
        o.owned[0].years = 0;
        QVERIFY(refused(o));
    }

    void readsTheBuiltInList()
    {
        const PriceBook b = book({}, resources::find("prices/instances.csv").value());
        const model::Node p5 = node("p5.48xlarge");
        QCOMPARE(b.priceOf(device("NVIDIA H100 80GB HBM3"), &p5, kAt)->perGpuHour.nanosPerHour(), 6'880'000'000);
        const model::Node g2 = node("g2-standard-24", "gcp", "us-central1");
        QCOMPARE(b.priceOf(device("NVIDIA L4"), &g2, kAt)->perGpuHour.nanosPerHour(), 1'000'416'500);
        QVERIFY(b.priceOf(device("Tesla V100-SXM2-32GB"), nullptr, kAt));
        const model::Node gh200 = node("gpu_1x_gh200", "lambda");
        const auto read = b.priceOf(device("NVIDIA GH200 480GB"), &gh200, kAt); // its list states no date
        QCOMPARE(read->source, std::string("price book as read 2026-11-21: lambda gpu_1x_gh200 us-east-1"));
        QVERIFY(!read->asOf);
        const PriceBook::Machine *g3 = b.machine("g3.4xlarge");
        QVERIFY(g3 && g3->gpuModel == "M60" && g3->devices == 1 && g3->shape.vcpus == 16'000);
        const model::Node m60 = node("g3.16xlarge");
        QCOMPARE(b.priceOf(device("Tesla M60"), &m60, kAt)->perGpuHour.nanosPerHour(), 1'140'000'000);
    }

    // The shape of the machine is known, its price is estimated from its GPUs.
    void aTypeMayHaveNoPrice()
    {
        const PriceBook b = book({}, resources::find("prices/instances.csv").value());
        const PriceBook::Machine *machine = b.machine("P5e.48xlarge");
        QVERIFY(machine && machine->devices == 8 && machine->shape.vcpus == 192'000);
        const model::Node p5e = node("p5e.48xlarge");
        const auto price = b.priceOf(device("NVIDIA H200"), &p5e, kAt);
        QVERIFY(price && price->source.starts_with("list price estimate"));
        QVERIFY(!b.priceOf(device("Tesla P40"), nullptr, kAt)); // none of its machines has a price
    }
};

GPULEDGER_PLAIN_SUITE(PriceBookTest)

} // namespace tst_pricebook

#include "tst_pricebook.moc"

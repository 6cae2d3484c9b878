// SPDX-License-Identifier: GPL-3.0-or-later
// Price catalogues in SkyPilot's form: each trap of the real files as rows of its own, hostile rows, and the real
// files.
#include "app/savings/prices/pricelists.h"
#include "app/savings/prices/skypilotprices.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tst_skypilotprices {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

const std::string kColumns = "InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region,"
                             "AvailabilityZone\n";

const ledger::GpuCatalog &catalog()
{
    static const auto kCatalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
    return kCatalog;
}

const KnownMachines &known()
{
    static const auto kKnown = readKnownMachines(resources::find("prices/instances.csv").value()).value();
    return kKnown;
}

QuoteList readAs(const std::string &provider, const std::string &text)
{
    return readSkypilotPrices(text, {provider, "vms.csv", std::nullopt}, catalog(), known()).value();
}

QuoteList read(const std::string &rows)
{
    return readAs("cloud", kColumns + rows);
}

std::string info(const std::string &size)
{
    return "\"{'Gpus': [{'Name': 'X', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': " + size
        + "}}], 'TotalGpuMemoryInMiB': 7}\"";
}

std::size_t leftOut(const QuoteList &list, LeftOut why)
{
    const auto found = list.leftOut.find(why);
    return found == list.leftOut.end() ? 0 : found->second;
}

std::int64_t only(const QuoteList &list)
{
    return list.quotes.size() == 1 ? list.quotes.front().perHour.nanos() : -1;
}

std::filesystem::path realPrices()
{
    const char *shared = std::getenv("GPULEDGER_SHARED");
    const char *source = std::getenv("GPULEDGER_SOURCE_DIR");
    const std::filesystem::path root =
        shared ? std::filesystem::path(shared) : std::filesystem::path(source ? source : ".") / ".." / "shared";
    return root / "data" / "prices";
}

} // namespace

class TestSkypilotPrices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsByHeaderInAnyOrder()
    {
        const auto list = readAs("verda",
                                 "\xEF\xBB\xBFSpotPrice,Region,More,Price,AcceleratorCount,AcceleratorName,"
                                 "InstanceType\r\n2.5,FIN-03,x,10,8.0,H200,8H200\r\n");
        QCOMPARE(list.quotes.size(), std::size_t(2));
        const PriceQuote &spot = list.quotes[0], &onDemand = list.quotes[1];
        QVERIFY(spot.purchase == PurchaseOption::Spot && onDemand.purchase == PurchaseOption::OnDemand);
        QCOMPARE(spot.perHour, base::Money(2'500'000'000, base::Currency::usd()));
        QCOMPARE(onDemand.provider, std::string("verda"));
        QCOMPARE(onDemand.machine, std::string("8H200"));
        QCOMPARE(onDemand.region, std::string("FIN-03"));
        QCOMPARE(onDemand.zone, std::string());
        QCOMPARE(onDemand.microGpus, 8 * kMicroOfGpu);
        QVERIFY(!onDemand.seen); // the file does not say
        QCOMPARE(*onDemand.gpu.memoryMib, std::int64_t(141 * 1024)); // of the catalogue
        for (const char *missing : {"", "InstanceType,Price,Region\n", "a\n"})
            QVERIFY(!readSkypilotPrices(missing, {}, catalog(), known()));
        QVERIFY(readAs("x", kColumns).quotes.empty());
    }

    // gcp prices the host and its GPUs apart, and which belongs to which is not in the file.
    void neitherAHostNorItsGpusAreAMachine()
    {
        const auto list = readAs("gcp",
                                 kColumns
                                     + "a2-highgpu-8g,,,,5.91582,2.958,us-central1,us-central1-a\n"
                                       ",V100,8,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 16384}}]},19.84,8.708,r,r-a\n");
        QVERIFY(list.quotes.empty());
        QCOMPARE(leftOut(list, LeftOut::NoGpu), std::size_t(1));
        QCOMPARE(leftOut(list, LeftOut::WithoutHost), std::size_t(1));
        QCOMPARE(leftOut(readAs("lambda", kColumns + "cpu_4x,,,,0.2,,r,\ncpu,,0,,0.2,,r,\n"), LeftOut::NoGpu),
                 std::size_t(2));
    }

    // 700.0 for "no price known" occurs for TPUs alone.
    void tpusAreNoGpus()
    {
        const auto list = read(",tpu-v6e-256,1,tpu-v6e-256,700.0,700.0,a,a-c\n,tpu-v2-8,1,tpu-v2-8,4.5,1.35,b,b-b\n"
                               "inf2.xlarge,Inferentia2,1,,0.7,,r,\ntrn1.2xlarge,Trainium,1,,1.3,,r,\n");
        QVERIFY(list.quotes.empty());
        QCOMPARE(leftOut(list, LeftOut::OtherAccelerator), std::size_t(4));
    }

    void aSpotPriceAtTheCeilingIsNoOffer()
    {
        const auto list = read("p5en.48xlarge,H200,8," + info("144384") + ",75.9552,75.9552,ap-south-1,aps1-az1\n");
        QCOMPARE(only(list), std::int64_t(75'955'200'000));
        QVERIFY(list.quotes.front().purchase == PurchaseOption::OnDemand);
        QCOMPARE(leftOut(list, LeftOut::SpotCeiling), std::size_t(1));
    }

    void spotCanExistAloneAndPricesCanBeMissing()
    {
        const auto spot = read("p5e.48xlarge,H200,8,,,18.74,us-east-1,a\n");
        QCOMPARE(only(spot), std::int64_t(18'740'000'000));
        QVERIFY(spot.quotes.front().purchase == PurchaseOption::Spot);
        const auto onDemand = read("p5.4xlarge,H100,1.0,,6.88,,us-east-1,use1-az3\n");
        QCOMPARE(only(onDemand), std::int64_t(6'880'000'000));
        const auto none = read("p5.4xlarge,H100,1.0,,,,us-east-1,use1-az3\n");
        QVERIFY(none.quotes.empty());
        QCOMPARE(leftOut(none, LeftOut::NoPrice), std::size_t(1));
    }

    // Mithril has 1.0 a GPU for everything.
    void placeholdersAreNoPrices()
    {
        const auto list = read("a,H100,8,,8.0,8.0,r,\nb,H200,1,,1.0,1.0,r,\n");
        QVERIFY(list.quotes.empty());
        QCOMPARE(leftOut(list, LeftOut::Placeholder), std::size_t(2));
        QCOMPARE(only(read("a,L4,1,,1.0,,r,\n")), std::int64_t(1'000'000'000)); // without a spot price it may be real
    }

    void readsTheMemoryOfAGpuHoweverItIsWritten_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("mib");
        const auto row = [](const char *name, const char *text, qint64 mib) {
            QTest::newRow(name) << QByteArray(text) << mib;
        };
        row("aws", "{'Gpus': [{'Count': 1, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 81920}", 81920);
        row("cudo", "{'Gpus': [{'Count': '8.0', 'MemoryInfo': {'SizeInMiB': 49152}}], 'TotalGpuMemoryInMiB': 1}",
            49152);
        row("hyperstack", "{'Gpus': [{'Manufacturer': null, 'MemoryInfo': {'SizeInMiB': 81920}}]}", 81920);
        row("verda", R"({"Gpus": [{"Count": 1, "MemoryInfo": {"SizeInMiB": 268288}}]})", 268288);
        row("runpod, in GiB", "{'Gpus': [{'MemoryInfo': {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}", 81920);
        row("gcp TPU", "tpu-v2-8", 0);
        row("empty", "", 0);
        row("no number", "{'SizeInMiB': None, 'x': 5}", 0);
        row("cut off", "{'SizeInMiB':", 0);
        row("negative", "{'SizeInMiB': -5}", 0);
        row("zero", "{'SizeInMiB': 0}", 0);
        row("huge", "{'SizeInMiB': 1e400}", 0);
        row("not a number", "{'SizeInMiB': 1e}", 0);
    }
    void readsTheMemoryOfAGpuHoweverItIsWritten()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, mib);
        QCOMPARE(memoryInGpuInfo(text.toStdString()).value_or(0), std::int64_t(mib));
    }

    // cudo calls a GPU with 80 GiB "A100", others "A100-80GB", hyperstack "A100-80G-PCIe".
    void namesAloneDoNotTellTheMemory()
    {
        const auto list = read("a,A100,1," + info("81920") + ",1,,r,\nb,A100,1,,1,,r,\nc,A100-80GB,1," + info("80")
                               + ",1,,r,\nd,A100-80G-PCIe,1,,1,,r,\n");
        QCOMPARE(list.quotes.size(), std::size_t(4));
        QCOMPARE(*list.quotes[0].gpu.memoryMib, std::int64_t(81920));
        QVERIFY(!list.quotes[1].gpu.memoryMib && !perGibHour(list.quotes[1])); // 40 or 80
        QCOMPARE(*list.quotes[2].gpu.memoryMib, std::int64_t(81920));
        QCOMPARE(*list.quotes[3].gpu.memoryMib, std::int64_t(81920));
        QCOMPARE(list.quotes[3].gpu.model, std::string("A100 80GB PCIe"));
        for (const PriceQuote &quote : list.quotes)
            QCOMPARE(*quote.gpu.milliTflops, std::int64_t(312'000)); // all of them alike
    }

    void printedFloatsAreReadAsDecimals()
    {
        QCOMPARE(only(read("a,A40,1.0,,0.36979999999999996,,r,\n")), std::int64_t(369'800'000));
        QCOMPARE(only(read("a,A40,1.0,,1.8214000000000001,,r,\n")), std::int64_t(1'821'400'000));
    }

    void countsMayBeFractions()
    {
        const auto list = read("g6f.large,L4,0.125," + info("2861") + ",0.2025,,r,\n");
        QCOMPARE(list.quotes.size(), std::size_t(1));
        const PriceQuote &part = list.quotes.front();
        QCOMPARE(part.microGpus, std::int64_t(125'000));
        QCOMPARE(perGpuHour(part)->nanos(), std::int64_t(1'620'000'000));
        QVERIFY(!perGibHour(part) && !perTflopHour(part));
    }

    // hyperstack has one type with different machines in two regions; gcp and others have rows twice.
    void typeAndRegionAreTheKey()
    {
        auto list = read("t,H100,8,,19.2,,CANADA-1,\nt,H100,8,,19.2,,US-1,\nt,H100,8,,19.2,,US-1,\n");
        compareQuotes(list, {});
        QCOMPARE(list.quotes.size(), std::size_t(2));
        QCOMPARE(leftOut(list, LeftOut::Twice), std::size_t(1));
        // lambda: two types with the same price are two offers.
        auto types = read("gpu_8x_v100,V100,8,,6.32,,r,\ngpu_8x_v100_n,V100,8,,6.32,,r,\n");
        compareQuotes(types, {});
        QCOMPARE(types.quotes.size(), std::size_t(2));
    }

    void theInstanceTypeSettlesTheVariant()
    {
        const std::string row = "p5.48xlarge,H100,8," + info("81920") + ",55.04,,us-east-1,\n";
        QCOMPARE(readAs("aws", kColumns + row).quotes.front().gpu.model, std::string("H100 SXM"));
        const auto other = readAs("other", kColumns + row);
        QCOMPARE(other.quotes.front().gpu.model, std::string());
        QVERIFY(!perTflopHour(other.quotes.front()) && perGibHour(other.quotes.front())); // 80 GiB in both forms
        const auto lambda = read("gpu_1x_h100_pcie,H100,1,,3.29,,r,\ngpu_8x_h100_sxm5,H100,8,,31.92,,r,\n");
        QCOMPARE(lambda.quotes[0].gpu.model, std::string("H100 PCIe"));
        QCOMPARE(lambda.quotes[1].gpu.model, std::string("H100 SXM"));
    }

    void hostileRowsAreCounted_data()
    {
        QTest::addColumn<QByteArray>("row");
        const auto add = [](const char *name, const QByteArray &row) { QTest::newRow(name) << row; };
        add("negative", "a,H100,1,,-1,,r,\n");
        add("zero", "a,H100,1,,0,,r,\n");
        add("nan", "a,H100,1,,NaN,,r,\n");
        add("infinite", "a,H100,1,,inf,,r,\n");
        add("1e400", "a,H100,1,,1e400,,r,\n");
        add("text", "a,H100,1,,free,,r,\n");
        add("spot", "a,H100,1,,1,-0.5,r,\n");
        add("count", "a,H100,1e400,,1,,r,\n");
        add("negative count", "a,H100,-8,,1,,r,\n");
        add("nan count", "a,H100,nan,,1,,r,\n");
        add("many", "a,H100,4096,,1,,r,\n");
        add("escape", "a\x1b[31m,H100,1,,1,,r,\n");
        add("not utf-8", "a\xff,H100,1,,1,,r,\n");
        add("long name", QByteArray(10'000, 'x') + ",H100,1,,1,,r,\n");
        add("long zone", "a,H100,1,,1,,r," + QByteArray(10'000, 'x') + "\n");
        add("cells", "a,H100,1\n");
        add("open quote", "\"a,H100,1,,1,,r,\n");
        add("many cells", "a,H100,1,,1,,r," + QByteArray(100'000, ',') + "\n");
    }
    void hostileRowsAreCounted()
    {
        QFETCH(QByteArray, row);
        const std::string good = "good,H100,1,,2.5,,r,\n";
        for (const std::string &rows : {good + row.toStdString(), row.toStdString() + good}) {
            const auto list = read(rows);
            QCOMPARE(only(list), std::int64_t(2'500'000'000));
            QCOMPARE(leftOut(list, LeftOut::Unreadable), std::size_t(1));
            QVERIFY(leftOutText(LeftOut::Unreadable, 1).starts_with("1 row can't be read"));
        }
    }

    // Every line opens a quote: each is a row that can't be read, and none is read again from there to the end.
    void openQuotesDoNotHideLines()
    {
        std::string rows;
        for (int i = 0; i < 200'000; ++i)
            rows += "a,\"b\n";
        const auto list = read(rows + "good,H100,1,,2.5,,r,\n");
        QCOMPARE(only(list), std::int64_t(2'500'000'000));
        QCOMPARE(leftOut(list, LeftOut::Unreadable), std::size_t(200'000));
        // Two lines, not one row.
        QCOMPARE(leftOut(read("\"a\nb\",H100,1,,1,,r,\n"), LeftOut::Unreadable), std::size_t(2));
    }

    void theProviderIsInThePath()
    {
        QCOMPARE(skypilotProvider("/x/v8/aws/vms.csv"), std::string("aws"));
        QCOMPARE(skypilotProvider("AWS/vms.csv"), std::string("aws"));
        QCOMPARE(skypilotProvider("/x/aws_vms_sample.csv"), std::string("aws"));
        QCOMPARE(skypilotProvider("RunPod_vms.csv"), std::string("runpod"));
        for (const char *none : {"", "vms.csv", "/vms.csv", "prices.csv", "aws_vms.txt", "aws/images.csv", "_vms.csv"})
            QVERIFY2(skypilotProvider(none).empty(), none);
    }

    void readsTheRealFiles()
    {
        const auto folder = realPrices();
        if (!std::filesystem::exists(folder / "lambda_vms.csv"))
            QSKIP("skipped: no prices");
        QuoteList all;
        for (const auto &entry : std::filesystem::directory_iterator(folder)) {
            const std::string provider = skypilotProvider(entry.path().string());
            if (provider.empty())
                continue;
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
            QuoteList list = readAs(provider, text);
            if (provider == "lambda")
                QCOMPARE(list.quotes.size() + leftOut(list, LeftOut::NoGpu), std::size_t(408));
            if (provider == "mithril")
                QCOMPARE(leftOut(list, LeftOut::Placeholder), std::size_t(4));
            if (provider == "runpod")
                QCOMPARE(leftOut(list, LeftOut::SpotCeiling), std::size_t(79));
            if (provider == "gcp")
                QVERIFY(list.quotes.empty());
            all.add(std::move(list));
        }
        QCOMPARE(leftOut(all, LeftOut::Unreadable), std::size_t(0));
        QCOMPARE(leftOut(all, LeftOut::OtherAccelerator), std::size_t(9));
        QCOMPARE(leftOut(all, LeftOut::WithoutHost), std::size_t(8));
        for (const PriceQuote &quote : all.quotes) {
            QVERIFY(perGpuHour(quote) && !quote.region.empty());
            QVERIFY2(quote.gpu.memoryMib && *quote.gpu.memoryMib >= 8 * 1024, quote.machine.c_str());
        }
        compareQuotes(all, {"H100", 8, {}, {}, {PurchaseOption::OnDemand}});
        QVERIFY(!all.quotes.empty());
        QCOMPARE(all.quotes.front().provider, std::string("hyperstack"));
        QCOMPARE(all.quotes.front().perHour.nanos(), std::int64_t(15'200'000'000));
    }
};

GPULEDGER_PLAIN_SUITE(TestSkypilotPrices)

} // namespace tst_skypilotprices

#include "tst_skypilotprices.moc"

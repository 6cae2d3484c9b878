// SPDX-License-Identifier: GPL-3.0-or-later
// What RunPod's answers become. The figures as a whole: tests/integration/run_runpod.py.
#include "app/ledger/prices/gpufamily.h"
#include "connectors/format/monthlybill.h"
#include "connectors/runpod/billanswer.h"
#include "connectors/runpod/billlines.h"
#include "connectors/runpod/podnames.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_runpodbill {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using runpod::BillFamily;
using runpod::BillRow;

namespace {

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

base::Decimal amount(const char *text)
{
    return *base::Decimal::parse(text);
}

const base::TimeRange kDays{*base::parseTime("2026-11-01"), *base::parseTime("2026-11-03")};

std::string bill(const std::string &records, int count, const std::string &total = "0",
                 const std::string &end = "2026-11-03T00:00:00Z")
{
    return js("{'records':[" + records + "],'metadata':{'query':{'startTime':'2026-11-01T00:00:00Z','endTime':'" + end
              + "','bucketSize':'day','podId':null},'recordCount':" + std::to_string(count)
              + ",'totals':{'totalAmount':" + total + "}}}");
}

std::string record(const std::string &day, const std::string &next, const std::string &rest)
{
    return "{'startTime':'2026-11-" + day + "T00:00:00Z','endTime':'2026-11-" + next + "T00:00:00Z'," + rest + "}";
}

std::string podRecord(const std::string &amounts, const std::string &day = "01", const std::string &next = "02")
{
    return record(day, next, "'podId':'pod_1'," + amounts);
}

const char *const kAmounts = "'totalAmount':0.30000000000000004,'gpuAmount':0.1,'cpuAmount':1.2E-05,'diskAmount':0";

const runpod::FamilyShape &pods()
{
    return runpod::kFamilies.front();
}

base::Result<void> readPods(const std::string &body)
{
    std::vector<BillRow> rows;
    return runpod::readRecords(body, pods(), kDays, rows);
}

BillRow row(BillFamily family, const char *id, const char *part, const char *money)
{
    return {{kDays.start, kDays.start + base::kDay}, family, id, part, amount(money)};
}

runpod::MonthBill monthOf(std::vector<BillRow> rows)
{
    return {{at("2026-11-01"), at("2026-12-01")}, "runpod/bill", std::move(rows)};
}

} // namespace

class TestRunpodBill : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void amountsAreTakenFromTheirText()
    {
        std::vector<BillRow> rows;
        QVERIFY(runpod::readRecords(bill(podRecord(kAmounts), 1), pods(), kDays, rows));
        QCOMPARE(rows.size(), std::size_t{3});
        QVERIFY(rows[0] == row(BillFamily::Pods, "pod_1", "gpuAmount", "0.1"));
        QVERIFY(rows[1] == row(BillFamily::Pods, "pod_1", "cpuAmount", "0.000012"));
        // What the parts lack of the record's total.
        QVERIFY(rows[2] == row(BillFamily::Pods, "pod_1", "", "0.199988000000000040"));
    }

    void everyFamilyHasItsOwnParts()
    {
        const auto partsOf = [](std::size_t family, const std::string &rest) {
            std::vector<BillRow> rows;
            const auto read =
                runpod::readRecords(bill(record("01", "02", rest), 1), runpod::kFamilies[family], kDays, rows);
            std::string out = read ? "" : read.error().text;
            for (const BillRow &one : rows)
                out += one.id + ' ' + one.part + ' ' + one.amount.toText() + ';';
            return out;
        };
        QCOMPARE(partsOf(1,
                         "'serverlessId':'ep','totalAmount':10,'gpuAmount':1,'cpuAmount':2,'diskAmount':3,"
                         "'feeAmount':4"),
                 std::string("ep gpuAmount 1;ep cpuAmount 2;ep diskAmount 3;ep feeAmount 4;"));
        QCOMPARE(partsOf(2, "'networkVolumeId':'v','totalAmount':3,'standardAmount':1,'highPerformanceAmount':2"),
                 std::string("v standardAmount 1;v highPerformanceAmount 2;"));
        QCOMPARE(partsOf(3, "'clusterId':'c','totalAmount':6,'gpuAmount':1,'diskAmount':2,'networkingAmount':3"),
                 std::string("c gpuAmount 1;c diskAmount 2;c networkingAmount 3;"));
        QCOMPARE(partsOf(4, "'totalAmount':3.21"), std::string(" totalAmount 3.21;"));
    }

    void refusesAnAnswerThatIsNotWhole()
    {
        QVERIFY(readPods(bill(podRecord(kAmounts), 1)));
        for (const std::string &bad :
             {std::string(), std::string("[]"), std::string("{}"), bill(podRecord(kAmounts), 2), bill("", 1),
              bill(podRecord(kAmounts), 1, "0", "2026-11-04T00:00:00Z"), bill("7", 1),
              bill(podRecord(kAmounts, "03", "04"), 1), bill(podRecord(kAmounts, "01", "03"), 1),
              bill(podRecord("'totalAmount':1,'gpuAmount':1,'cpuAmount':0"), 1),
              bill(podRecord("'totalAmount':'x','gpuAmount':1,'cpuAmount':0,'diskAmount':0"), 1),
              bill(record("01", "02", kAmounts), 1)}) {
            const auto read = readPods(bad);
            QVERIFY2(!read && read.error().code == ErrorCode::Parse, bad.c_str());
        }
        const auto large =
            readPods(bill(podRecord("'totalAmount':1e40,'gpuAmount':1,'cpuAmount':0,'diskAmount':0"), 1));
        QVERIFY(!large && large.error().code == ErrorCode::Overflow);
    }

    void theAccountsTotalDecides()
    {
        const auto totals = runpod::readTotals(
            bill(record("01", "02", "'totalAmount':5") + "," + record("02", "03", "'totalAmount':2.5"), 2, "8"), kDays);
        QVERIFY(totals.has_value());
        std::vector<BillRow> rows{row(BillFamily::Pods, "p", "gpuAmount", "3"),
                                  row(BillFamily::Pods, "p", "diskAmount", "2.25")};
        QVERIFY(runpod::addDifferences(*totals, kDays, rows));
        QCOMPARE(rows.size(), std::size_t{5});
        QVERIFY(rows[2] == row(BillFamily::Account, "", "", "-0.25"));
        QVERIFY(rows[3].amount == amount("2.5") && rows[3].period.start == at("2026-11-02"));
        QVERIFY(rows[4].amount == amount("0.5") && rows[4].period == kDays);
        base::Decimal all;
        for (const BillRow &one : rows)
            all = *all.plus(one.amount);
        QVERIFY(all == totals->all);
        // A total without a day that costs something would take its cost away.
        const auto lacking = runpod::readTotals(bill(record("02", "03", "'totalAmount':2.5"), 1, "2.5"), kDays);
        QVERIFY(lacking.has_value());
        const auto refused = runpod::addDifferences(*lacking, kDays, rows);
        QVERIFY(!refused && refused.error().code == ErrorCode::Parse);
    }

    void linesSayWhatTheyAreFor()
    {
        const runpod::PodNames names{{"p", {"train", "NVIDIA H100 80GB HBM3", "COMMUNITY", "US-KS-2"}}};
        const auto lines = runpod::linesOf(
            monthOf({row(BillFamily::Pods, "p", "gpuAmount", "1"), row(BillFamily::Pods, "p", "diskAmount", "2"),
                     row(BillFamily::Pods, "gone", "gpuAmount", "3"),
                     row(BillFamily::Serverless, "p", "gpuAmount", "4"),
                     row(BillFamily::Clusters, "c", "gpuAmount", "5"),
                     row(BillFamily::Endpoints, "", "totalAmount", "6"), row(BillFamily::Pods, "p", "", "7"),
                     row(BillFamily::Account, "", "", "-8"), row(BillFamily::Pods, "p", "cpuAmount", "0.0000000001")}),
            names);
        QVERIFY(lines && lines->size() == 8);
        const model::BillLine &gpu = lines->front();
        QCOMPARE(gpu.product.skuMeter, std::string("GPU pod"));
        QVERIFY(gpu.consumedQuantity == model::Quantity() && gpu.billed == gpu.effective);
        QCOMPARE(gpu.tags.at("pod_name"), std::string("train"));
        QVERIFY(gpu.resource.name.empty() && gpu.resource.id == "p" && gpu.resource.regionId == "US-KS-2");
        QCOMPARE(gpu.product.skuDetails.at("GpuModel"), std::string("NVIDIA H100 80GB HBM3"));
        QVERIFY(gpu.product.skuDetails.count("GpuCount") == 0);
        QCOMPARE((*lines)[1].product.serviceCategory, std::string("Storage"));
        QCOMPARE((*lines)[1].consumedQuantity.unit, std::string("N/A"));
        QVERIFY((*lines)[2].tags.empty() && (*lines)[2].product.skuDetails.empty());
        QVERIFY((*lines)[3].tags.empty()); // an endpoint of the same id
        QCOMPARE((*lines)[4].product.skuMeter, std::string("GPU cluster"));
        QVERIFY((*lines)[5].resource.type.empty());
        QVERIFY((*lines)[6].category == model::ChargeCategory::Adjustment && (*lines)[6].resource.id == "p");
        QVERIFY((*lines)[7].category == model::ChargeCategory::Adjustment && (*lines)[7].resource.id.empty());
        for (const char *meter : {"GPU pod", "GPU cluster"})
            QVERIFY(!ledger::gpuTypeIn("runpod", meter).empty());
        for (const char *meter : {"GPU", "Disk", "CPU"})
            QVERIFY(ledger::gpuTypeIn("runpod", meter).empty());
    }

    void differencesOfAHundredthAreFound()
    {
        const auto texts = [](const char *rest, bool isFinal) {
            std::vector<ports::BillFindingText> out;
            const auto lines = runpod::linesOf(monthOf({row(BillFamily::Pods, "p", "", rest)}), {});
            for (const auto &one : format::billFindings(*lines, kDays, isFinal, "RunPod"))
                out.push_back(one.text);
            return out;
        };
        using Text = ports::BillFindingText;
        QVERIFY(texts("0.009", true).empty());
        QVERIFY(texts("-0.01", true) == std::vector{Text::DaysNotItemised});
        QVERIFY((texts("0.01", false) == std::vector{Text::DaysEstimated, Text::DaysNotItemised}));
    }

    void namesOutliveTheirPods()
    {
        auto names = runpod::podsIn(js("{'pods':[{'id':'a','name':'x\\u202ey\\n','gpu':{'id':'H100','count':2},"
                                       "'cloud':'SECURE','dataCenterId':null},{'id':'b','name':'cpu'}]}"));
        QVERIFY(names && names->size() == 2);
        QVERIFY(names->at("a").name.find('\n') == std::string::npos && names->at("a").dataCenter.empty());
        QVERIFY(names->at("a").name.find("\u202e") == std::string::npos);
        runpod::PodNames known = *names;
        format::remember(known, {{"b", {"renamed", "", "", ""}}}, runpod::kMostPodNames);
        QCOMPARE(known.at("b").name, std::string("renamed"));
        QCOMPARE(known.at("a").gpu, std::string("H100"));
        QVERIFY(format::namesFrom<runpod::PodName>(format::namesText(known)) == known);
        for (const char *bad : {"", "7", "[]", "{\"a\":7}", "{\"a\":[\"\",\"\",\"\",7]}"})
            QVERIFY(format::namesFrom<runpod::PodName>(bad).empty());
        for (const char *bad : {"", "{}", "{\"pods\":7}", "{\"pods\":[{}]}", "{\"pods\":[7]}"})
            QVERIFY(!runpod::podsIn(bad));
        runpod::PodNames many;
        for (std::size_t i = 0; i < runpod::kMostPodNames; ++i)
            many[std::to_string(i)] = {};
        format::remember(many, known, runpod::kMostPodNames);
        QVERIFY(many == known);
    }

    void aMonthIsFinalWhenTheNextOneIsOver()
    {
        format::KeptMonth month;
        month.range = {at("2026-10-01"), at("2026-11-01")};
        QVERIFY(month.isDue(at("2026-10-20T10:00:00Z"), base::kDay));
        month.put("x", at("2026-11-30T10:00:00Z"));
        QVERIFY(!month.isDue(at("2026-12-01T09:00:00Z"), base::kDay)); // too early to ask again
        QVERIFY(!month.isFinal(at("2026-12-02")) && month.isDue(at("2026-12-01T10:00:00Z"), base::kDay));
        const std::string before = month.fileHash("runpod");
        month.put("x", at("2026-12-01T10:00:00Z"));
        QCOMPARE(month.fileHash("runpod"), before);
        QVERIFY(!month.isDue(at("2027-03-01"), base::kDay));
        const auto again = format::KeptMonth::fromText(month.toText(), month.range);
        QVERIFY(again && again->toText() == month.toText());
        QVERIFY(!format::KeptMonth::fromText(month.toText(), {at("2026-11-01"), at("2026-12-01")}));
        // A bill that changes and changes back is a new one.
        month.put("y", at("2026-12-01T10:00:00Z"));
        month.put("x", at("2026-12-01T10:00:00Z"));
        QVERIFY(month.fileHash("runpod") != before);
    }
};

GPULEDGER_SUITE(TestRunpodBill)

} // namespace tst_runpodbill

#include "tst_runpodbill.moc"

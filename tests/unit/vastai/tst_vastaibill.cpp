// SPDX-License-Identifier: GPL-3.0-or-later
// What Vast.ai's answers become. The figures as a whole: tests/integration/run_vastai.py.
#include "app/ledger/prices/gpufamily.h"
#include "connectors/vastai/billlines.h"
#include "connectors/vastai/bookedcharges.h"
#include "connectors/vastai/chargeanswer.h"
#include "connectors/vastai/instancenames.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_vastaibill {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using vastai::Charge;

namespace {

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

base::Decimal amount(const std::string &text)
{
    return *base::Decimal::parse(text);
}

base::TimeRange days(const char *first, const char *end)
{
    return {at(first), at(end)};
}

const base::TimeRange kAsked{*base::parseTime("2024-11-01"), *base::parseTime("2024-12-01")};

// The example of the specification.
const char *const kRow = "{'start':1730419200,'end':1730678400,'type':'instance','source':'instance-12345678',"
                         "'description':'Instance 12345678 Charges - 4 days','amount':38.421,'metadata':{'template_id':"
                         "101,'label':'my-training-job','endpoint_id':19392,'workergroup_id':25355},'items':[{'start':"
                         "1730419200,'end':1730678400,'type':'gpu','source':null,'description':'96.000 hours at "
                         "$0.389/hour','amount':37.344,'metadata':{},'items':[]}]}";

std::string page(const std::string &rows, int count, int total, const std::string &token = "null")
{
    return js("{'success':true,'count':" + std::to_string(count) + ",'total':" + std::to_string(total)
              + ",'next_token':" + token + ",'results':[" + rows + "]}");
}

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
    return text.replace(text.find(from), from.size(), to);
}

base::Result<std::vector<Charge>> chargesIn(const std::string &body)
{
    vastai::ChargeList list;
    list.asked = kAsked;
    std::size_t amounts = 0;
    GPULEDGER_TRY(vastai::readPage(body, list, amounts));
    GPULEDGER_TRY(vastai::checkWhole(list));
    return std::move(list.charges);
}

Charge charge(const char *source, const base::TimeRange &period, const std::string &money)
{
    return {period, period, source, "instance", {}, {}, amount(money), {{"disk", {}, amount(money)}}};
}

std::string shown(const base::Result<std::vector<Charge>> &charges)
{
    std::string out = charges ? "" : charges.error().text;
    for (const Charge &one : charges.value_or(std::vector<Charge>()))
        out += base::toRfc3339(one.period.start).substr(8, 2) + '-'
            + base::toRfc3339(one.period.end - base::kDay).substr(8, 2) + ' ' + one.amount.toText() + ' '
            + std::to_string(one.items.size()) + ';';
    return out;
}

model::BillLine gpuLine(const std::string &description, const std::string &money, const std::string &gpus = "8")
{
    Charge one = charge("instance-1", days("2024-11-01", "2024-11-02"), money);
    one.items = {{"gpu", description, amount(money)}};
    const auto lines = vastai::linesOf({kAsked, "vastai/bill", {one}}, {{"instance-1", {"", "", gpus, "", ""}}});
    return lines && lines->size() == 1 ? lines->front() : model::BillLine();
}

} // namespace

class TestVastaiBill : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsTheExampleOfTheSpecification()
    {
        const auto charges = chargesIn(page(kRow, 1, 1));
        QVERIFY(charges && charges->size() == 1);
        const Charge &one = charges->front();
        QCOMPARE(one.source, std::string("instance-12345678"));
        QCOMPARE(one.label, std::string("my-training-job"));
        QCOMPARE(one.endpoint, std::string("19392"));
        QVERIFY(one.amount == amount("38.421") && one.items.size() == 1);
        QVERIFY(one.stated == days("2024-11-01", "2024-11-05") && one.period == one.stated); // four days
        const auto lines = vastai::linesOf({kAsked, "vastai/bill", *charges},
                                           {{one.source, {"other", "H100 SXM", "8", "Iowa, US", "1201"}}});
        QVERIFY(lines && lines->size() == 2);
        const model::BillLine &gpu = lines->front();
        QCOMPARE(gpu.product.skuMeter, std::string("GPU instance"));
        QVERIFY(gpu.consumedQuantity.amount == amount("96") && gpu.consumedQuantity.unit == "Hours");
        QCOMPARE(gpu.product.skuDetails.at("GpuCount"), std::string("8"));
        QCOMPARE(gpu.product.skuDetails.at("GpuModel"), std::string("H100 SXM"));
        QCOMPARE(gpu.tags.at("instance_label"), std::string("my-training-job"));
        QCOMPARE(gpu.product.serviceName, std::string("Serverless"));
        QVERIFY(gpu.resource.name.empty() && gpu.resource.id == one.source && gpu.resource.regionId == "Iowa, US");
        const model::BillLine &rest = lines->back();
        QVERIFY(rest.category == model::ChargeCategory::Adjustment && rest.billed.nanos() == 1'077'000'000);
        QVERIFY(!ledger::gpuTypeIn("vast.ai", "GPU instance").empty() && ledger::gpuTypeIn("vast.ai", "Disk").empty());
    }

    void amountsAreTakenFromTheirText()
    {
        const auto charges = chargesIn(page(replaced(kRow, "38.421", "0.30000000000000004"), 1, 1));
        QVERIFY(charges && charges->front().amount == amount("0.30000000000000004"));
        QVERIFY(chargesIn(page(replaced(kRow, "37.344", "1.2E-05"), 1, 1))->front().items[0].amount
                == amount("0.000012"));
    }

    void aChargeWithoutTimesIsForTheDaysThatWereAsked()
    {
        const auto charges =
            chargesIn(page(replaced(replaced(kRow, "'start':1730419200", "'x':1"), "1730678400", "null"), 1, 1));
        QVERIFY(charges && charges->front().period == kAsked && charges->front().stated == kAsked);
        QVERIFY(chargesIn(page(replaced(kRow, "1730678400", "0"), 1, 1))->front().period == kAsked);
    }

    void refusesWhatItCannotRead()
    {
        const std::string twice = std::string(kRow) + ',' + kRow;
        for (const std::string &bad :
             {std::string(), std::string("[]"), std::string("{}"), page(kRow, 2, 1), page(kRow, 1, 2), page("", 0, 1),
              page(twice, 2, 2), page("7", 1, 1), page(replaced(kRow, "38.421", "null"), 1, 1),
              page(replaced(kRow, "37.344", "'x'"), 1, 1), page(replaced(kRow, "'instance-12345678'", "null"), 1, 1),
              page(replaced(kRow, "1730419200", "'x'"), 1, 1), page(replaced(kRow, "1730419200", "1730678401"), 1, 1),
              page(replaced(kRow, "'end':1730678400", "'end':1730419199.5"), 1, 1),
              page(replaced(replaced(kRow, "1730419200", "1"), "1730678400", "2"), 1, 1),
              page(replaced(kRow, "'items':[{", "'items':7,'x':[{"), 1, 1),
              replaced(page(kRow, 1, 1), "true", "false")}) {
            const auto charges = chargesIn(bad);
            QVERIFY2(!charges && charges.error().code == ErrorCode::Parse, bad.c_str());
        }
        QVERIFY(chargesIn(page(replaced(kRow, "38.421", "1e40"), 1, 1)).error().code == ErrorCode::Overflow);
        vastai::ChargeList list;
        list.asked = kAsked;
        std::size_t amounts = vastai::kMostAmounts - 1;
        QVERIFY(vastai::readPage(page(kRow, 1, 1), list, amounts).error().code == ErrorCode::TooMuch);
    }

    void theMonthDecides()
    {
        const auto all = days("2024-11-01", "2024-11-04");
        const auto on = [](const char *first, const char *end, const char *money) {
            return charge("a", days(first, end), money);
        };
        QVERIFY(vastai::daysToAsk({on("2024-11-01", "2024-11-02", "1"), on("2024-11-03", "2024-11-04", "1")}, all)
                == (std::vector{base::dayOf(at("2024-11-01")), base::dayOf(at("2024-11-03"))}));
        QVERIFY(vastai::daysToAsk({on("2024-11-01", "2024-11-02", "1")}, days("2024-11-01", "2024-11-02")).empty());
        const Charge month = on("2024-11-01", "2024-11-04", "9");
        const auto booked = [&](std::vector<Charge> ofDays) { return shown(vastai::bookedCharges({month}, ofDays)); };
        const Charge first = on("2024-11-01", "2024-11-02", "4"), second = on("2024-11-02", "2024-11-03", "5");
        QCOMPARE(booked({first, second}), std::string("01-01 4 1;02-02 5 1;"));
        // A rest has no items, and no charge is lost if no day has it.
        QCOMPARE(booked({first}), std::string("01-01 4 1;01-03 5 0;"));
        QCOMPARE(booked({}), std::string("01-03 9 1;"));
        QCOMPARE(booked({charge("b", first.period, "1")}),
                 std::string("Vast.ai's answer can't be read: a day has a charge for b that the month lacks"));
        // Whole on each of its days: it is booked once.
        Charge whole = month, other = month;
        whole.period = first.period;
        other.period = second.period;
        QCOMPARE(booked({whole, other}), std::string("01-03 9 1;"));
        // Cut by the question, although it states more days than were asked.
        whole.amount = amount("4");
        other.amount = amount("5.001");
        QCOMPARE(booked({whole, other}), std::string("01-01 4 1;02-02 5.001 1;01-03 -0.001 0;"));
        Charge longer = month;
        longer.stated.end += base::kDay;
        whole = other = longer;
        whole.period = first.period;
        other.period = second.period;
        const auto refused = vastai::bookedCharges({longer}, {whole, other});
        QVERIFY(!refused && refused.error().code == ErrorCode::Parse);
    }

    void hoursAreReadFromTheDescription()
    {
        const auto priced = vastai::pricedHoursIn("24.500 hours at $0.389/hour");
        QVERIFY(priced && priced->hours == amount("24.5") && priced->rate == amount("0.389"));
        for (const char *bad : {"", " hours at $1/hour", "1 hours at $/hour", "1 hours at $1", "-1 hours at $1/hour",
                                "1 hours at $-1/hour", "1 GB at $1/GB", "x hours at $1/hour", " hours at $/hour"})
            QVERIFY2(!vastai::pricedHoursIn(bad), bad);
    }

    void gpuTimeIsStatedOnlyIfItIsCertain()
    {
        const auto gpusOf = [](const model::BillLine &line) {
            const auto gpus = line.product.skuDetails.find("GpuCount");
            return gpus == line.product.skuDetails.end() ? std::string() : gpus->second;
        };
        QCOMPARE(gpusOf(gpuLine("24.000 hours at $2.0/hour", "48")), std::string("8"));
        QCOMPARE(gpusOf(gpuLine("24.000 hours at $2.0/hour", "48.01")), std::string("8"));
        for (const auto &[description, money, gpus] : {std::tuple{"24.000 hours at $2.0/hour", "48.011", "8"},
                                                       {"24.000 hours at $2.0/hour", "47.98", "8"},
                                                       {"26.000 hours at $2.0/hour", "52", "8"},
                                                       {"24.000 hours at $2.0/hour", "48", ""},
                                                       {"9e9 hours at $9e9/hour", "1", "8"},
                                                       {"0 hours at $2/hour", "0.005", "8"}}) {
            const model::BillLine line = gpuLine(description, money, gpus);
            QVERIFY(gpusOf(line).empty() && line.consumedQuantity.amount && line.consumedQuantity.unit == "Hours");
        }
        const model::BillLine unreadable = gpuLine("some time", "1");
        QVERIFY(gpusOf(unreadable).empty() && unreadable.consumedQuantity == model::Quantity());
    }

    void everyItemIsWhatItWasCalled()
    {
        Charge volume = charge("volume-9", kAsked, "1");
        volume.type = "volume";
        Charge unknown = charge("thing-1", kAsked, "1");
        unknown.type = "thing";
        unknown.items = {{"bwu", {}, amount("0.25")}, {"magic", {}, amount("0.75")}, {"bwd", {}, amount("1e-10")}};
        const auto lines = vastai::linesOf({kAsked, "vastai/bill", {volume, unknown}}, {});
        QVERIFY(lines && lines->size() == 3); // what is below 1e-9 is none
        QVERIFY((*lines)[0].product.serviceName == "Volumes" && (*lines)[0].product.serviceCategory == "Storage");
        QVERIFY((*lines)[0].product.skuMeter == "Disk" && (*lines)[0].consumedQuantity.unit == "N/A");
        QVERIFY((*lines)[1].product.skuMeter == "Upload" && (*lines)[1].product.serviceCategory == "Networking");
        QVERIFY((*lines)[2].product.skuMeter == "magic" && (*lines)[2].product.serviceName == "thing");
    }

    void instancesAreRead()
    {
        vastai::InstanceNames names;
        const auto next = vastai::readInstances(
            js("{'instances':[{'id':7,'label':'x\\u202ey\\n','gpu_name':'RTX 4090','num_gpus':2,'geolocation':'Iowa, "
               "US','machine_id':12},{'id':8,'label':null,'num_gpus':-1}],'next_token':'t'}"),
            names);
        QVERIFY(next && *next == "t" && names.size() == 2);
        QCOMPARE(names.at("instance-7").gpus, std::string("2"));
        QCOMPARE(names.at("instance-7").machine, std::string("12"));
        QVERIFY(names.at("instance-7").label.find("\u202e") == std::string::npos);
        QVERIFY(names.at("instance-8") == vastai::InstanceName());
        QVERIFY(format::namesFrom<vastai::InstanceName>(format::namesText(names)) == names);
        for (const char *bad : {"", "{}", "{\"instances\":7}", "{\"instances\":[{}]}", "{\"instances\":[7]}"})
            QVERIFY(!vastai::readInstances(bad, names));
    }
};

GPULEDGER_SUITE(TestVastaiBill)

} // namespace tst_vastaibill

#include "tst_vastaibill.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Rate cards, counts of nodes and what they cost. The figures as a whole: tests/integration/run_coreweave.py.
#include "connectors/coreweave/costlines.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

namespace tst_coreweave {

using namespace gpuledger;
using namespace gpuledger::coreweave;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

const std::string kHead = "machine,gpus,gpu_model,currency,per_hour,from\n";

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

base::Day dayAt(const char *text)
{
    return base::dayOf(at(text));
}

RateCard cardOf(const std::string &rows)
{
    return RateCard::parse(kHead + rows).value();
}

std::string answer(const std::string &series, const std::string &more = {})
{
    return js("{'status':'success','data':{'resultType':'matrix','result':[" + series + "]}" + more + "}");
}

std::string seriesOf(const std::string &type, const std::string &samples)
{
    return "{'metric':{'cluster':'west','cluster_org':'abc','label_node_kubernetes_io_instance_type':'" + type
        + "'},'values':[" + samples + "]}";
}

std::int64_t secondsAt(const char *text)
{
    return base::toUnix(at(text));
}

std::string sample(const char *time, const std::string &value)
{
    return '[' + std::to_string(secondsAt(time)) + ",'" + value + "']";
}

const format::AskedMonth kNovember{{*base::parseTime("2026-11-01"), *base::parseTime("2026-12-01")},
                                   {*base::parseTime("2026-11-01"), *base::parseTime("2026-11-20")},
                                   "coreweave/bill"};

MonthCounts counted(const char *day, std::int64_t milliseconds, const std::string &type = "gd-8x")
{
    MonthCounts counts;
    counts.put(dayAt(day), {{}, {{{"west", type}, milliseconds}}}, at("2026-11-20T10:00:00Z"));
    return counts;
}

} // namespace

class TestCoreweave : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLatestPriceOfATypeCounts()
    {
        const RateCard card = cardOf("gd-8x,8,H100 SXM,USD,49.24,2026-11-10\ngd-8x,8,H100 SXM,USD,50,2026-10-01\n"
                                     " gd-8x , 8,,EUR,20.5,2026-11-01\ncd-1,0,,USD,7.78,\n");
        QVERIFY(!card.rateOf("gd-8x", dayAt("2026-09-30")));
        QCOMPARE(card.rateOf("gd-8x", dayAt("2026-10-01"))->perHour,
                 base::Money(50'000'000'000, base::Currency::usd()));
        QCOMPARE(card.rateOf("gd-8x", dayAt("2026-11-09"))->perHour.toDecimal(), std::string("20.500000000"));
        QCOMPARE(card.rateOf("gd-8x", dayAt("2026-11-09"))->perHour.currency().code(), std::string_view("EUR"));
        QCOMPARE(card.rateOf("gd-8x", dayAt("2026-11-10"))->perHour.nanos(), 49'240'000'000);
        QCOMPARE(card.rateOf("gd-8x", dayAt("2027-11-10"))->gpuModel, std::string("H100 SXM"));
        QCOMPARE(card.rateOf("cd-1", dayAt("1990-01-01"))->gpus, 0);
        QVERIFY(!card.rateOf("GD-8x", dayAt("2026-11-10")));
    }

    void aFileOfOwnOffersServes()
    {
        const auto card =
            RateCard::parse("\xef\xbb\xbfprovider,region,gpu_model,gpus,currency,per_hour,machine,note\r\n"
                            "aws,us-east-1,H100,x,,,,\r\n"
                            "CoreWeave,,\"H100 \"\"SXM\"\"\",8,USD,1e1,\"gd,8x\",ours\r\n");
        QVERIFY2(card, card ? "" : card.error().text.c_str());
        QCOMPARE(card->rateOf("gd,8x", dayAt("2026-11-10"))->perHour.nanos(), 10'000'000'000);
        QVERIFY(RateCard::parse(kHead));
    }

    void unreadableCardsAreRefused_data()
    {
        QTest::addColumn<QString>("card");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const std::string &card, const char *words) {
            QTest::newRow(name) << QString::fromStdString(card) << QString::fromUtf8(words);
        };
        row("empty", "", "empty");
        row("column", "machine,gpus,currency\na,8,USD\n", "line 1: there is no column per_hour");
        row("column twice", "machine,gpus,currency,per_hour,gpus\n", "line 1: the column gpus is there twice");
        row("gpus", kHead + "a,,,USD,1,\n", "line 2: \"\" is no number of GPUs");
        row("negative gpus", kHead + "a,-1,,USD,1,\n", "line 2: \"-1\" is no number of GPUs");
        row("half a gpu", kHead + "a,0.5,,USD,1,\n", "line 2: \"0.5\" is no number of GPUs");
        row("currency", kHead + "a,8,,Dollar,1,\n", "line 2: \"Dollar\" is no currency");
        row("price", kHead + "a,8,,USD,free,\n", "line 2: \"free\" is no price above zero");
        row("zero", kHead + "a,8,,USD,0,\n", "line 2: \"0\" is no price above zero");
        row("below zero", kHead + "a,8,,USD,-3,\n", "line 2: \"-3\" is no price above zero");
        row("too much", kHead + "a,8,,USD,1e30,\n", "line 2: \"1e30\" is no price above zero");
        row("day", kHead + "a,8,,USD,1,01.11.2026\n", "line 2: \"01.11.2026\" is no day");
        row("moment", kHead + "a,8,,USD,1,2026-11-01T12:00:00Z\n", "is no day");
        row("no machine", kHead + "\na,8,,USD,1,\n,8,,USD,1,\n", "line 4: it names no machine");
        row("twice", kHead + "a,8,,USD,1,\nb,8,,USD,1,\na,8,,USD,1,\n", "line 4: a has another price");
        row("short", kHead + "a,8\n", "is no currency");
        row("open quote", kHead + "a,8,,USD,1,\"\n", "line 2: it is no row of CSV");
        row("web page", "<html>", "there is no column machine");
    }
    void unreadableCardsAreRefused()
    {
        QFETCH(const QString, card);
        QFETCH(const QString, words);
        const auto read = RateCard::parse(card.toStdString());
        QVERIFY(!read);
        QVERIFY(read.error().code == ErrorCode::Parse);
        QVERIFY2(read.error().text.find(words.toStdString()) != std::string::npos, read.error().text.c_str());
    }

    void aPointStandsForFiveMinutes()
    {
        const auto day = readDay(
            answer(seriesOf("gd-8x", sample("2026-11-18T00:00:00Z", "2") + ',' + sample("2026-11-18T23:55:00Z", "3"))
                   + ',' + seriesOf("cd-1", sample("2026-11-18T00:00:00Z", "0.5"))),
            dayAt("2026-11-18"));
        QVERIFY2(day, day ? "" : day.error().text.c_str());
        QCOMPARE(day->missing, base::Seconds{86'400 - 600});
        QCOMPARE(day->milliseconds.size(), std::size_t{2});
        QCOMPARE(day->milliseconds.at({"west", "gd-8x"}), 5 * 300'000);
        QCOMPARE(day->milliseconds.at({"west", "cd-1"}), 150'000);
        QCOMPARE(readDay(answer(""), dayAt("2026-11-18"))->missing, base::kDay);
    }

    void unusableAnswersAreRefused_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const std::string &body, ErrorCode code = ErrorCode::Parse) {
            QTest::newRow(name) << QString::fromStdString(body) << static_cast<int>(code);
        };
        const auto one = [](const char *value, const char *time = "2026-11-18T12:00:00Z") {
            return answer(seriesOf("gd-8x", sample(time, value)));
        };
        row("not a number", one("NaN"));
        row("infinite", one("+Inf"));
        row("negative", one("-1"));
        row("too many", one("1000001"));
        row("the day before", one("1", "2026-11-17T23:55:00Z"));
        row("the day after", one("1", "2026-11-19T00:00:00Z"));
        row("cut off", one("1").substr(0, 60));
        row("no object", "[]");
        row("an error", js("{'status':'error','errorType':'execution','error':'x'}"), ErrorCode::Server);
        row("incomplete", answer(seriesOf("gd-8x", sample("2026-11-18T12:00:00Z", "1")), ",'warnings':['store lost']"),
            ErrorCode::Server);
    }
    void unusableAnswersAreRefused()
    {
        QFETCH(const QString, body);
        QFETCH(const int, code);
        const auto day = readDay(body.toStdString(), dayAt("2026-11-18"));
        QVERIFY(!day);
        QCOMPARE(static_cast<int>(day.error().code), code);
    }

    void daysAreAskedAgainForTwoDays()
    {
        const base::Day day = dayAt("2026-11-18");
        KeptDay kept{at("2026-11-19T00:10:00Z"), {}};
        QVERIFY(!kept.isDue(day, at("2026-11-19T01:09:00Z")));
        QVERIFY(kept.isDue(day, at("2026-11-19T01:10:00Z")));
        QVERIFY(kept.isDue(day, at("2027-11-19T01:10:00Z")));
        QVERIFY(kept.isDue(day, at("2026-11-19T00:09:00Z"))); // the clock went back
        kept.asked = at("2026-11-21T00:00:00Z");
        QVERIFY(!kept.isDue(day, at("2027-11-19T01:10:00Z")));
    }

    void whatTheServerForgotStays()
    {
        const base::Day day = dayAt("2026-11-18");
        const NodeKind kind{"west", "gd-8x"};
        MonthCounts month;
        month.put(day, {base::Seconds{300}, {{kind, 7}}}, at("2026-11-19T01:00:00Z"));
        month.put(day, {base::Seconds{600}, {{kind, 3}}}, at("2026-11-19T03:00:00Z"));
        QCOMPARE(month.days.at(day).count.milliseconds.at(kind), 7);
        QCOMPARE(month.days.at(day).asked, at("2026-11-19T03:00:00Z"));
        month.put(day, {base::Seconds{300}, {{kind, 9}}}, at("2026-11-19T05:00:00Z"));
        QCOMPARE(month.days.at(day).count.milliseconds.at(kind), 9);
        const auto again = MonthCounts::fromText(month.toText());
        QVERIFY(again && again->days == month.days);
        QVERIFY(MonthCounts::fromText("")->days.empty());
        for (const char *wrong : {"{}", "x", "{'version':2,'days':[]}", "{'version':1,'days':[{}]}",
                                  "{'version':1,'days':[{'day':1,'asked':1,'missing':1,'counts':[['a',3,4]]}]}"})
            QVERIFY(MonthCounts::fromText(js(wrong)).error().code == ErrorCode::StorageNewer);
    }

    void costIsPriceTimesTimeRoundedOnce()
    {
        const RateCard card = cardOf("gd-8x,8,H100,USD,0.000000001,\ncd-1,0,,USD,7,\n");
        const auto nanos = [&](std::int64_t milliseconds) {
            return estimateOf(kNovember, counted("2026-11-18", milliseconds), card)->lines.at(0).billed.nanos();
        };
        QCOMPARE(nanos(1'799'999), 0);
        QCOMPARE(nanos(1'800'000), 1);
        QCOMPARE(nanos(5'399'999), 1);
        const auto line = estimateOf(kNovember, counted("2026-11-18", 86'400'500, "cd-1"), card)->lines.at(0);
        QCOMPARE(line.billed.toDecimal(), std::string("168.000972222"));
        QCOMPARE(line.effective, line.billed);
        QCOMPARE(line.consumedQuantity.amount->toText(), std::string("86400.5"));
        QCOMPARE(line.product.skuMeter, std::string("CPU instance"));
        QVERIFY(!line.product.skuDetails.contains("GpuCount"));
        QCOMPARE(line.chargePeriod, (base::TimeRange{at("2026-11-18"), at("2026-11-19")}));
    }

    void daysThatWereNotAskedForAndTypesWithoutPriceHaveNoLine()
    {
        const RateCard card = cardOf("gd-8x,8,H100,USD,10,2026-11-10\n");
        QVERIFY(estimateOf(kNovember, counted("2026-11-20", 1), card)->lines.empty()); // today
        const auto early = estimateOf(kNovember, counted("2026-11-09", 1), card);
        QVERIFY(early->lines.empty() && early->unpriced == std::set<std::string>{"gd-8x"});
        QVERIFY(estimateOf(kNovember, counted("2026-11-09", 0), card)->unpriced.empty());
        const auto rich = cardOf("gd-8x,8,H100,USD,9000000000,\n");
        QVERIFY(estimateOf(kNovember, counted("2026-11-09", std::int64_t{1} << 60), rich).error().code
                == ErrorCode::Overflow);
    }
};

GPULEDGER_SUITE(TestCoreweave)

} // namespace tst_coreweave

#include "tst_coreweave.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What metrics of Azure Monitor become: readings in buckets, the newest samples, and what is not a reading.
#include "tests/support/suite.h"
#include "tests/unit/azure/fakemonitor.h"

#include <QTest>

namespace tst_azuremonitor {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr base::Seconds kOneMinute{60};
constexpr std::int64_t kFirstBucket = 1795168800 / 300; // of kBegin
const std::string kUtilization = "GpuUtilizationPercentage", kMemory = "GpuMemoryUtilizationMegabytes";
const std::string kDevice = "series of a GPU that its machine does not have",
                  kTime = "value of another time than was asked for", kNumber = "value that is no number",
                  kMeasurement = "value that is no measurement";

std::uint64_t countOf(const ports::MeasuredUsage &usage, const std::string &reason)
{
    for (const auto &one : usage.rejected) {
        if (one.reason == reason)
            return one.count;
    }
    return 0;
}

// "machine/gpu" and its buckets, as number:observed:percent, from the first one of the hour.
std::string shown(const base::Result<ports::MeasuredUsage> &usage)
{
    if (!usage)
        return usage.error().text;
    std::string out;
    for (const ports::MeasuredGpu &gpu : usage->gpus) {
        out += (out.empty() ? "" : "; ") + std::to_string(gpu.which.machine) + '/' + std::to_string(gpu.which.gpu);
        for (std::size_t i = 0; i < gpu.buckets.size(); ++i) {
            const model::UsageBucket &bucket = gpu.buckets[i];
            out += ' ' + std::to_string(gpu.bucketNumbers[i] - kFirstBucket) + ':' + std::to_string(bucket.observed)
                + ':' + (bucket.activity == model::kNoShare ? "-" : std::to_string(bucket.activity / 600));
        }
    }
    return out;
}

bool isUtilization(const Json &page)
{
    return page["value"][0]["name"]["value"] == kUtilization;
}

} // namespace

class TestAzureMonitor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bucketsAreMeansOfTheirMinutes()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "vm-1", "0", minutes(0, 15, 40, 2000)},
                                {"train", "tvm-a", "7", minutes(55, 60, 90)}};
        auto &first = setup.cloud.reported[0].minutes;
        first[1].percent = 90;
        first[2].mib = 4500;
        for (const int gone : {5, 6, 7})
            first.erase(gone);
        const auto usage = setup.read();
        QCOMPARE(shown(usage), std::string("1/0 0:300:50 1:120:40 2:300:40; 2/7 11:300:90"));
        const model::UsageBucket &bucket = usage->gpus[0].buckets[0];
        QVERIFY(bucket.signal == model::ActivitySignal::GpuUtilization);
        QCOMPARE(bucket.memoryMeanMib, 2500u);
        QCOMPARE(bucket.memoryMaxMib, 4500u);
        QVERIFY(usage->complete && usage->rejected.empty() && usage->warnings.empty());
        QVERIFY(usage->bytes > 1000);
        QVERIFY(!setup.make()->paid());
        QCOMPARE(setup.make()->kept().count(), std::int64_t{93 * 86400});
    }

    void asksForMinutesAndThenForMemory()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "", "1", minutes(0, 5, 40)}};
        QVERIFY(setup.read({kHour.start - kOneMinute, kHour.end + kOneMinute}).has_value()); // whole buckets
        QCOMPARE(setup.cloud.asked.size(), std::size_t{2});
        const AskedMetric &first = setup.cloud.asked[0], &second = setup.cloud.asked[1];
        QCOMPARE(first.workspace + ' ' + first.metric + ' ' + first.interval + ' ' + first.aggregation,
                 "lab/vision " + kUtilization + " PT1M Average");
        QCOMPARE(second.metric + ' ' + second.interval + ' ' + second.aggregation, kMemory + " PT5M Average,Maximum");
        QVERIFY(first.range == kHour && second.range == kHour);
        QVERIFY(setup.cloud.lastUrl.starts_with(learning::kAddress + learning::kSubscription + "/resourceGroups/lab"
                                                + learning::kService
                                                + "/vision/providers/Microsoft.Insights/metrics?"));
        QVERIFY(setup.read({kHour.start, kHour.start + kOneMinute})->gpus.empty()); // no whole bucket
        QCOMPARE(setup.requests, 2);
    }

    void whatIsMissingIsNotZero()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 0)}, {"notebook", "", "1", minutes(5, 10, 0)}};
        setup.cloud.change = [](Json &page) {
            Json &points = page["value"][0]["timeseries"][1]["data"];
            points[5]["average"] = nullptr;
        };
        QCOMPARE(shown(setup.read()), std::string("1/0 0:300:0; 1/1 1:300:0"));
        setup.cloud.change = nullptr;
        setup.cloud.reported.clear();
        QVERIFY(setup.read()->gpus.empty());
        setup.cloud.reported = {{"notebook", "", "0", {}}}; // intervals without a value
        setup.requests = 0;
        const auto usage = setup.read();
        QVERIFY(usage->gpus.empty() && usage->complete && usage->rejected.empty());
        QCOMPARE(setup.requests, 1);
    }

    void namesMayHaveAnyCase()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "vm-1", "0", minutes(0, 5, 40)},
                                {"train", "tvm-a", "0", minutes(0, 5, 9)}};
        setup.cloud.isShouting = true;
        const auto usage = setup.read();
        QCOMPARE(shown(usage), std::string("1/0 0:300:40; 2/0 0:300:9"));
        QCOMPARE(usage->gpus[0].buckets[0].memoryMaxMib, 1000u);
        QVERIFY(usage->rejected.empty());
    }

    void nodesAreKnownByTheirIds()
    {
        Setup setup;
        setup.machines.push_back(machine("lab/vision/train/tvm-b", 8));
        setup.cloud.reported = {{"train", "tvm-b", "3", minutes(0, 5, 70)},
                                {"train", "tvm-gone", "3", minutes(0, 5, 1)},
                                {"other", "tvm-a", "3", minutes(0, 5, 2)},
                                {"train", "tvm", "3", minutes(0, 5, 3)}};
        auto usage = setup.read();
        QCOMPARE(shown(usage), std::string("3/3 0:300:70"));
        QVERIFY(usage->rejected.empty());
        setup.cloud.reported.push_back({"train", "", "3", minutes(0, 5, 4)});
        usage = setup.read();
        QCOMPARE(shown(usage), std::string("3/3 0:300:70"));
        QCOMPARE(countOf(*usage, "series without the id of its machine"), std::uint64_t{2}); // and of its memory
    }

    void severalMayReportForAPlaceOfAnInstance()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "vm-new", "0", minutes(12, 20, 80)},
                                {"notebook", "vm-old", "0", minutes(0, 15, 20)}};
        const auto usage = setup.read(); // three minutes of the one, five of the other
        QCOMPARE(shown(usage), std::string("1/0 0:300:20 1:300:20 2:300:20 3:300:80"));
        QCOMPARE(countOf(*usage, "bucket of a GPU that another one tells of, too"), std::uint64_t{1});
        for (const int gone : {10, 11})
            setup.cloud.reported[1].minutes.erase(gone);
        QCOMPARE(shown(setup.read()), std::string("1/0 0:300:20 1:300:20 2:180:80 3:300:80")); // the busier one
    }

    void virtualMachinesAreNotAskedAbout()
    {
        Setup setup;
        setup.machines = {machine("lab/vm", 4), machine("lab/set_0", 8), machine("a/b/c/d/e", 8)};
        const auto usage = setup.read();
        QVERIFY(usage && usage->complete && usage->gpus.empty() && usage->rejected.empty() && usage->bytes == 0);
        const auto activity = setup.newest();
        QVERIFY(activity && activity->readings.empty() && activity->now == ports::SampleTime(kHour.end));
        QCOMPARE(setup.requests, 0);
    }

    void workspacesAreAskedOneAfterTheOther()
    {
        Setup setup;
        setup.machines = {machine("lab/vision/notebook", 1), machine("lab/speech/notebook", 1),
                          machine("other/vision/notebook", 1), machine("lab/speech/second", 1)};
        setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 10), "lab/speech"},
                                {"notebook", "", "0", minutes(0, 5, 20), "other/vision"}};
        QCOMPARE(shown(setup.read()), std::string("1/0 0:300:10; 2/0 0:300:20"));
        std::string asked;
        for (const AskedMetric &one : setup.cloud.asked)
            asked += one.workspace + (one.metric == kMemory ? " memory; " : "; ");
        QCOMPARE(asked, std::string("lab/speech; lab/speech memory; lab/vision; other/vision; other/vision memory; "));
    }

    void whatIsNoReadingIsCounted_data()
    {
        QTest::addColumn<QString>("patch"); // of the first series, RFC 7396
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("left");
        const auto row = [](const std::string &patch, const std::string &reason, const char *left = "") {
            QTest::newRow(patch.c_str()) << QString::fromStdString(patch) << QString::fromStdString(reason)
                                         << QString::fromLatin1(left);
        };
        const auto place = [](const std::string &device, const std::string &compute = "'notebook'") {
            return "{'metadatavalues':[{'name':{'value':'computename'},'value':" + compute
                + "},{'name':{'value':'DeviceId'},'value':" + device + "}]}";
        };
        const auto point = [](const std::string &time, const std::string &value) {
            return "{'data':[{'timeStamp':" + time + ",'average':" + value + "}]}";
        };
        for (const char *device :
             {"'2'", "'-1'", "'GPU-1'", "''", "0", "null", "'1.0'", "' 1'", "'99999999999999999999'"})
            row(place(device), kDevice);
        for (const char *compute : {"''", "7", "null", "{}"})
            row(place("'0'", compute), "series without the name of its compute");
        row("{'metadatavalues':null}", "series without the name of its compute");
        row("{'metadatavalues':7}", "series without the name of its compute");
        row("{'metadatavalues':[7,null,[],{}]}", "series without the name of its compute");
        row(place("'0'", "'elsewhere'"), "");
        row("{'data':{}}", "series without values");
        row("{'data':null}", "series without values");
        row("{'data':[7]}", "value without a time");
        row(point("null", "5"), "value without a time");
        row(point("1795168800", "5"), "value without a time");
        row(point("'soon'", "5"), "value without a time");
        row(point("'2026-11-20T09:59:00Z'", "5"), kTime);
        row(point("'2026-11-20T11:01:00Z'", "5"), kTime);
        row(point("'2026-11-20T10:00:30Z'", "5"), kTime);
        row(point("'9999-01-01T00:00:00Z'", "5"), kTime);
        row(point("'2026-11-20T11:00:00Z'", "5"), ""); // the end, which a service may count in
        for (const char *value : {"'5'", "'NaN'", "true", "{}", "[5]"})
            row(point("'2026-11-20T10:00:00Z'", value), kNumber);
        for (const char *value : {"-1", "102", "1e300"})
            row(point("'2026-11-20T10:00:00Z'", value), kMeasurement);
        row(point("'2026-11-20T10:00:00Z'", "null"), "");
        row("{'data':[{'timeStamp':'2026-11-20T10:00:00Z','average':5},{'timeStamp':'2026-11-20T10:00:00Z','average':"
            "90}]}",
            "value that was told twice", "1/0 0:300:5; ");
        row("{'data':[{'timeStamp':'2026-11-20T10:00:00Z','average':5},{'timeStamp':'2026-11-20T10:01:00Z','average':-"
            "9}]}",
            kMeasurement, "1/0 0:300:5; ");
    }
    void whatIsNoReadingIsCounted()
    {
        QFETCH(QString, patch);
        QFETCH(QString, reason);
        QFETCH(QString, left);
        Setup setup;
        setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 40)}, {"train", "tvm-a", "0", minutes(0, 5, 90)}};
        setup.cloud.change = [&](Json &page) {
            if (isUtilization(page))
                page["value"][0]["timeseries"][0].merge_patch(Json::parse(js(patch.toStdString())));
            else
                page["value"] = Json::array();
        };
        const auto usage = setup.read();
        QCOMPARE(shown(usage), left.toStdString() + "2/0 0:300:90");
        QCOMPARE(usage->rejected.size(), reason.isEmpty() ? std::size_t{0} : std::size_t{1});
        QVERIFY(reason.isEmpty() || countOf(*usage, reason.toStdString()) > 0);
        QVERIFY(usage->complete);
    }

    void aSeriesOfAnotherMetricIsNone()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 40)}};
        setup.cloud.change = [](Json &page) { page["value"][0]["name"]["value"] = "CpuUtilizationPercentage"; };
        QCOMPARE(countOf(*setup.read(), "series of another metric than was asked for"), std::uint64_t{1});
        setup.cloud.change = [](Json &page) { page["value"][0]["name"] = 7; };
        QVERIFY(setup.read()->gpus.empty());
    }

    void memoryThatIsNoMeasurementIsLeftOut()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "", "0", minutes(0, 10, 40)}};
        setup.cloud.change = [](Json &page) {
            Json &points = page["value"][0]["timeseries"][0]["data"];
            if (isUtilization(page))
                return;
            points[0]["average"] = -1;
            points[0]["maximum"] = "much";
            points[1].erase("average");
            points.push_back(points[1]);
        };
        const auto usage = setup.read();
        QCOMPARE(shown(usage), std::string("1/0 0:300:40 1:300:40"));
        const auto &buckets = usage->gpus[0].buckets;
        QVERIFY(buckets[0].memoryMeanMib == model::kNoMemory && buckets[0].memoryMaxMib == model::kNoMemory);
        QVERIFY(buckets[1].memoryMeanMib == model::kNoMemory && buckets[1].memoryMaxMib == 1000);
        for (const std::string &reason : {kMeasurement, kNumber, std::string("value that was told twice")})
            QCOMPARE(countOf(*usage, reason), std::uint64_t{1});
    }

    void whatIsNoListIsRefused()
    {
        for (const char *body : {"{'value':7}", "{'value':{}}", "{}", "[]", "null", "{", ""}) {
            Setup setup;
            setup.cloud.instead = [&](const AskedMetric &) { return answer(js(body)); };
            QVERIFY2(setup.read().error().code == ErrorCode::Parse, body);
            QVERIFY2(setup.newest().error().code == ErrorCode::Parse, body);
        }
        Setup odd;
        odd.cloud.instead = [](const AskedMetric &) {
            return answer(js("{'value':[7,null,[],{},{'timeseries':7},{'timeseries':[7,null,[]]}]}"));
        };
        const auto usage = odd.read();
        QVERIFY(usage && usage->complete && usage->gpus.empty());
        QCOMPARE(countOf(*usage, "metric whose series can't be read"), std::uint64_t{1});
        QCOMPARE(countOf(*usage, "series without the name of its compute"), std::uint64_t{3});
    }

    void whatAzureMonitorCouldNotReadIsSaid()
    {
        for (const auto &[patch, words] :
             {std::pair("{'errorCode':'Throttled','errorMessage':'try later'}", "lab/vision: Throttled: try later"),
              std::pair("{'errorCode':'InvalidSamplingType'}", "lab/vision: InvalidSamplingType"),
              std::pair("{'errorCode':7}", "lab/vision: 7")}) {
            Setup setup;
            setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 40)}};
            setup.cloud.change = [patch = patch](Json &page) { page["value"][0].merge_patch(Json::parse(js(patch))); };
            const auto usage = setup.read();
            QCOMPARE(shown(usage), std::string("1/0 0:300:40"));
            QVERIFY(!usage->complete);
            QCOMPARE(usage->warnings.size(), std::size_t{1}); // though two answers say so
            QVERIFY2(usage->warnings[0].ends_with(words), usage->warnings[0].c_str());
            QVERIFY(setup.newest().error().code == ErrorCode::Server); // less than all may hide what is busy
        }
        for (const char *patch : {"{'errorCode':'SUCCESS'}", "{'errorCode':null}", "{'errorCode':''}"}) {
            Setup setup;
            setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 40)}};
            setup.cloud.change = [&](Json &page) { page["value"][0].merge_patch(Json::parse(js(patch))); };
            QVERIFY2(setup.read()->complete && setup.newest().has_value(), patch);
        }
    }

    void moreSeriesThanAnAnswerHasAreSaid()
    {
        for (const std::size_t count : {4999, 5000}) {
            Setup setup;
            setup.cloud.reported = {{"notebook", "", "0", minutes(0, 5, 40)}};
            setup.cloud.change = [&](Json &page) {
                Json &all = page["value"][0]["timeseries"];
                while (all.size() < count)
                    all.push_back({{"metadatavalues", Json::array({named("computename", "elsewhere")})}});
            };
            const auto usage = setup.read();
            QCOMPARE(shown(usage), std::string("1/0 0:300:40"));
            QCOMPARE(usage->complete, count < 5000);
            QCOMPARE(usage->warnings.size(), std::size_t{count < 5000 ? 0u : 1u});
            QCOMPARE(setup.newest().has_value(), count < 5000);
        }
    }

    void refusalsAreErrors()
    {
        for (const auto &[status, code] :
             {std::pair(403, ErrorCode::Forbidden), std::pair(401, ErrorCode::Unauthorized),
              std::pair(500, ErrorCode::Server), std::pair(400, ErrorCode::Server)}) {
            Setup setup;
            setup.cloud.instead = [status = status](const AskedMetric &) {
                return learning::refusal(status, "Refused");
            };
            const auto usage = setup.read();
            QVERIFY2(!usage && usage.error().code == code, std::to_string(status).c_str());
            QVERIFY(setup.newest().error().code == code);
            const bool isNamed = usage.error().text.find("Microsoft.Insights/metrics/read") != std::string::npos;
            QCOMPARE(isNamed, status == 403);
        }
    }

    void aWorkspaceThatMayNotBeReadHoldsUpNoOther()
    {
        for (const int status : {403, 404}) {
            Setup setup;
            setup.machines.push_back(machine("lab/alpha/first", 1));
            setup.cloud.reported = {{"notebook", "", "0", minutes(0, 60, 40)}};
            setup.cloud.instead = [&](const AskedMetric &one) {
                return one.workspace == "lab/alpha" ? std::optional(learning::refusal(status, "No")) : std::nullopt;
            };
            const auto usage = setup.read();
            QVERIFY(shown(usage).starts_with("1/0 0:300:40"));
            QVERIFY(usage->complete); // else the whole range would be asked again and again
            QCOMPARE(usage->warnings.size(), std::size_t{status == 403 ? 1u : 0u}); // gone: nothing to say
            QCOMPARE(setup.newest()->readings.size(), std::size_t{1});
            setup.machines = {setup.machines.back()};
            QCOMPARE(setup.read().has_value(), status == 404);
        }
    }

    void longQuestionsAreDivided()
    {
        Setup setup;
        const base::TimeRange day{base::floorTo(kBegin, base::kDay), base::floorTo(kBegin, base::kDay) + base::kDay};
        setup.machines = {machine("lab/vision/notebook", 200)}; // 288,000 values a day
        setup.cloud.reported = {{"notebook", "", "99", minutes(355, 365, 40)}}; // around 16:00
        setup.cloud.change = [&](Json &page) { // with the end of the range
            Json end{{"timeStamp", base::toRfc3339(setup.cloud.asked.back().range.end)}};
            end["average"] = 99;
            page["value"][0]["timeseries"][0]["data"].push_back(std::move(end));
        };
        const auto usage = setup.read(day);
        QCOMPARE(shown(usage), std::string("0/99 71:300:40 72:300:40"));
        QVERIFY(usage->rejected.empty());
        std::string parts;
        for (const AskedMetric &one : setup.cloud.asked)
            parts += std::to_string((one.range.start - day.start) / kOneHour) + '-'
                + std::to_string((one.range.end - day.start) / kOneHour) + ' ';
        QCOMPARE(parts, std::string("0-16 16-24 0-24 ")); // minutes, then memory
        setup.machines[0].gpus = 100;
        setup.cloud.asked.clear();
        QVERIFY(setup.read(day).has_value());
        QCOMPARE(setup.cloud.asked.size(), std::size_t{2});
    }

    void anAnswerThatIsTooLongIsHalved()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "", "0", minutes(0, 180, 40)}};
        const base::TimeRange range{kBegin, kBegin + 3 * kOneHour};
        const std::string whole = shown(setup.read(range));
        setup.longest = kOneHour;
        const auto usage = setup.read(range);
        QCOMPARE(shown(usage), whole);
        QVERIFY(usage->rejected.empty() && usage->complete);
        for (const AskedMetric &one : setup.cloud.asked)
            QVERIFY(base::floorTo(one.range.start, base::kBucket) == one.range.start);
        setup.longest = base::Seconds{600}; // an hour is not divided
        QVERIFY(setup.read(range).error().code == ErrorCode::TooMuch);
    }

    void theNewestMinutesCountAtTheirEnds()
    {
        Setup setup;
        setup.clock = base::FrozenClock(kHour.end + base::Seconds{30});
        setup.cloud.reported = {{"notebook", "", "1", minutes(0, 61, 5)}};
        auto &reported = setup.cloud.reported[0].minutes;
        reported[60].percent = 70; // the current minute
        reported[40].percent = 90;
        ports::ActivityQuestion question;
        question.since = kHour.end;
        auto activity = setup.newest(question);
        QVERIFY(activity.has_value());
        QVERIFY(activity->now == ports::SampleTime(kHour.end + base::Seconds{30}));
        QCOMPARE(activity->readings.size(), std::size_t{1});
        QVERIFY(activity->readings[0].which.machine == 1 && activity->readings[0].which.gpu == 1);
        const ports::ActivityReading &reading = activity->readings[0].activity;
        QVERIFY(reading.signal == model::ActivitySignal::GpuUtilization && reading.interval == kOneMinute);
        QVERIFY(reading.newest->at == ports::SampleTime(kHour.end));
        QCOMPARE(reading.newest->share, 0.7); // both minutes have that time, and either may be the newest
        QCOMPARE(reading.samples, std::size_t{15});
        const AskedMetric &asked = setup.cloud.asked.back();
        QCOMPARE(asked.metric + ' ' + asked.interval + ' ' + asked.aggregation, kUtilization + " PT1M Maximum");
        QVERIFY((asked.range == base::TimeRange{kBegin + base::Seconds{2700}, kHour.end + kOneMinute}));
        question.since = kHour.end - base::Seconds{1800};
        QCOMPARE(setup.newest(question)->readings[0].activity.most->share, 0.9);
        question.at = kBegin + base::Seconds{630}; // a past time has no current minute
        reported[10].percent = 60;
        activity = setup.newest(question);
        QVERIFY(activity->now == ports::SampleTime(*question.at));
        QVERIFY(activity->readings[0].activity.newest->at == ports::SampleTime(kBegin + base::Seconds{600}));
        QCOMPARE(activity->readings[0].activity.newest->share, 0.05);
    }

    void samplesThatAreNoMeasurementsAreNone()
    {
        Setup setup;
        setup.cloud.reported = {{"notebook", "a", "0", minutes(0, 60, 5)}, {"notebook", "b", "0", minutes(0, 60, 8)}};
        setup.cloud.change = [](Json &page) {
            Json &points = page["value"][0]["timeseries"][0]["data"];
            points[14]["maximum"] = "NaN";
            points[13]["maximum"] = -5;
            points[12].erase("maximum");
            points.push_back(points[11]); // twice: the busier one
            points.back()["maximum"] = 30;
            for (Json &point : page["value"][0]["timeseries"][1]["data"])
                point["maximum"] = false;
        };
        ports::ActivityQuestion question;
        question.since = kHour.end; // 15 minutes are asked for
        const auto activity = setup.newest(question);
        QCOMPARE(activity->readings.size(), std::size_t{2}); // each of those that report for the place
        const ports::ActivityReading &first = activity->readings[0].activity;
        QCOMPARE((first.newest->at - kBegin).count(), 57 * 60 * 1000);
        QCOMPARE(first.newest->share, 0.3);
        QCOMPARE(first.samples, std::size_t{14});
        QVERIFY(!activity->readings[1].activity.newest);
    }

    void aStopRequestEndsIt()
    {
        Setup setup;
        setup.stop.request_stop();
        QVERIFY(setup.read().error().code == ErrorCode::Cancelled);
        QVERIFY(setup.newest().error().code == ErrorCode::Cancelled);
    }

    void theSettingsSayWhether()
    {
        Setup setup;
        const auto inventory = [&] {
            return azure::makeAzureInventory(setup.learning.settings, setup.learning.secrets, setup.clock, setup.clock,
                                             setup.client());
        };
        QVERIFY((*inventory())->usage());
        for (const auto &[word, isWanted] : {std::pair("all", true), std::pair("none", false)}) {
            setup.learning.settings.options["usage"] = word;
            QCOMPARE((*inventory())->usage() != nullptr, isWanted);
        }
        setup.learning.settings.options["usage"] = "some";
        QVERIFY(inventory().error().code == ErrorCode::InvalidConfig);
    }

    void aTestSaysWhatIsThere()
    {
        const std::string right = "Microsoft.Insights/metrics/read ";
        Setup setup;
        QCOMPARE(setup.probed(), '+' + right + '?' + kUtilization + ' ');
        setup.cloud.reported = {{"notebook", "", "0", {}}};
        QCOMPARE(setup.probed(), '+' + right + '?' + kUtilization + ' '); // no value in it
        setup.cloud.reported = {{"elsewhere", "", "x", minutes(0, 1, 0)}};
        QCOMPARE(setup.probed(), '+' + right);
        QVERIFY((setup.cloud.asked.back().range == kHour));
        setup.cloud.reported.clear();
        setup.cloud.change = [](Json &page) { page["value"][0]["errorCode"] = "Throttled"; };
        QCOMPARE(setup.probed(), '+' + right); // it is not known whether any exists
        for (const auto &[status, found] :
             {std::pair(403, '-' + right), std::pair(404, std::string()), std::pair(500, std::string("server"))}) {
            setup.cloud.instead = [status = status](const AskedMetric &) { return learning::refusal(status, "No"); };
            QCOMPARE(setup.probed(), found);
        }
        setup.cloud.instead = nullptr;
        for (const int status : {403, 404}) {
            setup.learning.answers[learning::kAskWorkspaces] = learning::refusal(status, "No");
            setup.requests = 0;
            QCOMPARE(setup.probed(), std::string());
            QCOMPARE(setup.requests, 0);
        }
    }

    void theConnectionTestOfTheKindSaysIt()
    {
        Setup setup;
        azure::AzureInventory inventory("cloud", setup.learning.api(), setup.clock, setup.make());
        const auto findings = inventory.probe({});
        QVERIFY(findings.has_value());
        QVERIFY(findings->back().text == ports::FindingText::NoUsageMetrics);
        QVERIFY(findings->end()[-2].text == ports::FindingText::RightGiven);
        QVERIFY(findings->end()[-2].terms == std::vector<ports::FindingTerm>{"Microsoft.Insights/metrics/read"});
    }
};

GPULEDGER_SUITE(TestAzureMonitor)

} // namespace tst_azuremonitor

#include "tst_azuremonitor.moc"

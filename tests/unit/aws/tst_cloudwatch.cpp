// SPDX-License-Identifier: GPL-3.0-or-later
// What CloudWatch's answers become, whose they are, and what is paid for: against moto, and for what it lacks against
// a service in the same process.
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakecloudwatch.h"
#include "tests/unit/aws/motoserver.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace tst_cloudwatch {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::FindingText;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kNoonBucket = kNoon / 300;

std::uint64_t rejectedIn(const ports::MeasuredUsage &usage)
{
    std::uint64_t count = 0;
    for (const auto &one : usage.rejected)
        count += one.count;
    return count;
}

} // namespace

class TestCloudWatch : public QObject {
    Q_OBJECT

    MotoServer m_moto;

    QJsonObject boto(const QJsonObject &question) { return m_moto.ask(question); }
    // Values of a metric from noon on, one a minute; -1 is a gap.
    bool measure(const char *metric, const std::string &dimensions, const std::vector<double> &values)
    {
        QJsonArray named, numbers;
        for (const Json &one : dimensionsOf(dimensions))
            named.append(QJsonArray{QString::fromStdString(one["Name"].get<std::string>()),
                                    QString::fromStdString(one["Value"].get<std::string>())});
        for (const double one : values)
            numbers.append(one < 0 ? QJsonValue() : QJsonValue(one));
        return !boto({{QStringLiteral("do"), QStringLiteral("measure")},
                      {QStringLiteral("metric"), QLatin1String(metric)},
                      {QStringLiteral("dimensions"), named},
                      {QStringLiteral("start"), qint64{kNoon}},
                      {QStringLiteral("step"), 60},
                      {QStringLiteral("values"), numbers}})
                    .contains(QStringLiteral("error"));
    }

private Q_SLOTS:
    void readsBuckets()
    {
        WatchSetup setup;
        const auto usage = setup.usage();
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QVERIFY(usage->complete && usage->warnings.empty() && usage->rejected.empty() && usage->bytes > 0);
        QCOMPARE(usage->gpus.size(), std::size_t{1});
        const ports::MeasuredGpu &gpu = usage->gpus[0];
        QVERIFY(gpu.which.machine == 0 && gpu.which.gpu == 0);
        QVERIFY((gpu.bucketNumbers == std::vector<std::int64_t>{kNoonBucket, kNoonBucket + 1}));
        const model::UsageBucket &bucket = gpu.buckets[0];
        QCOMPARE(bucket.activity, model::toShare(0.4));
        QVERIFY(bucket.observed == 300 && bucket.signal == model::ActivitySignal::GpuUtilization);
        QVERIFY(bucket.memoryMeanMib == 20000 && bucket.memoryMaxMib == 30000 && bucket.powerDeciwatt == 2505);
        QVERIFY(setup.inventory().usage()->kept() == base::Seconds{63 * 86400});
    }

    void asksWithTheSameDimensions()
    {
        WatchSetup setup;
        // Their order is kept, too.
        setup.server.metrics = {metricOf("name=Tesla T4,index=1,InstanceId=i-1,arch=Turing"),
                                metricOf("InstanceId=i-1,index=1"), metricOf("InstanceId=i-1"),
                                metricOf("name=Tesla T4,index=1,InstanceId=i-1,arch=Ampere"),
                                metricOf("InstanceId=i-2,index=0")};
        const auto usage = setup.usage();
        QVERIFY(usage && usage->gpus.size() == 1 && usage->gpus[0].which.gpu == 1 && usage->rejected.empty());
        QCOMPARE(setup.server.lists.size(), std::size_t{2});
        QVERIFY(setup.server.lists[0] == Json({{"Namespace", "CWAgent"}, {"MetricName", kUtilization}}));
        QCOMPARE(setup.server.questions.size(), std::size_t{1});
        const Json &asked = setup.server.questions[0];
        QVERIFY(asked["StartTime"] == kNoon && asked["EndTime"] == kNoon + 600
                && asked["ScanBy"] == "TimestampAscending");
        const std::vector<std::pair<std::string, std::string>> expected{{kUtilization, "Average"},
                                                                        {kUtilization, "SampleCount"},
                                                                        {"nvidia_smi_memory_used", "Average"},
                                                                        {"nvidia_smi_memory_used", "Maximum"},
                                                                        {"nvidia_smi_power_draw", "Average"}};
        QCOMPARE(asked["MetricDataQueries"].size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Json &query = asked["MetricDataQueries"][i];
            const Json metric{{"Namespace", "CWAgent"},
                              {"MetricName", expected[i].first},
                              {"Dimensions", setup.server.metrics[3]["Dimensions"]}}; // the first by its text
            QVERIFY(query
                    == Json({{"Id", "q" + std::to_string(i)},
                             {"MetricStat", {{"Metric", metric}, {"Period", 300}, {"Stat", expected[i].second}}}}));
        }
    }

    void findsMachines_data()
    {
        QTest::addColumn<QString>("dimensions");
        QTest::addColumn<int>("machine"); // -1: none
        QTest::addColumn<int>("rejected");
        QTest::newRow("id") << "InstanceId=i-2,index=0" << 1 << 0;
        QTest::newRow("id counts, not host") << "InstanceId=i-2,host=one.lan,index=0" << 1 << 0;
        QTest::newRow("unknown id, known host") << "InstanceId=i-9,host=one.lan,index=0" << -1 << 0;
        QTest::newRow("host") << "host=one.lan,index=0" << 0 << 0;
        QTest::newRow("host without domain") << "host=one,index=0" << 0 << 0;
        QTest::newRow("host with domain") << "host=two.lan,index=0" << 1 << 0;
        QTest::newRow("host in another domain") << "host=one.other,index=0" << -1 << 0;
        QTest::newRow("host of two that were asked for") << "host=same,index=0" << -1 << 1;
        QTest::newRow("host of one more that was not") << "host=three.lan,index=0" << -1 << 1;
        QTest::newRow("host of none") << "host=nine.lan,index=0" << -1 << 0;
        QTest::newRow("neither") << "index=0" << -1 << 0;
        QTest::newRow("no index") << "InstanceId=i-1" << -1 << 0;
        QTest::newRow("index is no number") << "InstanceId=i-1,index=0x1" << -1 << 1;
        QTest::newRow("negative index") << "InstanceId=i-1,index=-1" << -1 << 1;
        QTest::newRow("huge index") << "InstanceId=i-1,index=99999999999999999999" << -1 << 1;
        QTest::newRow("a GPU too many") << "InstanceId=i-1,index=8" << -1 << 1;
        QTest::newRow("empty value") << "InstanceId=,index=0" << -1 << 1;
        QTest::newRow("twice the same name") << "InstanceId=i-1,InstanceId=i-2,index=0" << -1 << 1;
    }
    void findsMachines()
    {
        QFETCH(QString, dimensions);
        QFETCH(int, machine);
        QFETCH(int, rejected);
        WatchSetup setup;
        setup.server.metrics = {metricOf(dimensions.toStdString())};
        const std::vector<ports::ListedMachine> asked{machineOf("i-1", 8, "one.lan"), machineOf("i-2", 8, "two"),
                                                      machineOf("i-3", 8, "same.a"), machineOf("i-4", 8, "same.b"),
                                                      machineOf("i-5", 8, "three.lan")};
        auto all = asked;
        all.push_back(machineOf("i-6", 8, "three.lan")); // in another network
        dynamic_cast<aws::CloudWatchUsage &>(*setup.inventory().usage()).setMachines(all, {});
        const auto usage = setup.usage(1, asked);
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QCOMPARE(usage->gpus.empty() ? -1 : static_cast<int>(usage->gpus[0].which.machine), machine);
        QCOMPARE(rejectedIn(*usage), static_cast<std::uint64_t>(rejected));
        QCOMPARE(setup.server.questions.size(), std::size_t{machine < 0 ? 0u : 1u}); // nothing is paid in vain
    }

    void joinsPages()
    {
        WatchSetup setup;
        setup.server.before = [](const std::string &action, const Json &body) -> FakeCloudWatch::Reply {
            if (action == "ListMetrics")
                return std::nullopt;
            const auto page = [](const char *status, const char *time, const char *value, const char *more) {
                std::string all;
                for (int i = 0; i < 5; ++i)
                    all += (i > 0 ? ",{'Id':'q" : "{'Id':'q") + std::to_string(i) + "','StatusCode':'" + status
                        + "','Timestamps':[" + time + "],'Values':[" + value + "]}";
                return answer(js("{'MetricDataResults':[" + all + ']' + more + '}'));
            };
            if (!body.contains("NextToken")) // numbers with fractions, descending
                return page("PartialData", "1795349400.7,1795349100", "20,30", ",'NextToken':'a'");
            if (body["NextToken"] == "a") // an empty page
                return answer(js("{'MetricDataResults':[],'NextToken':'b'}"));
            return page("Complete", "'2026-11-22T12:00:00Z'", "10", ",'NextToken':''");
        };
        const auto usage = setup.usage(3);
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QVERIFY(usage->complete && usage->rejected.empty() && usage->gpus.size() == 1);
        QVERIFY(
            (usage->gpus[0].bucketNumbers == std::vector<std::int64_t>{kNoonBucket, kNoonBucket + 1, kNoonBucket + 2}));
        QCOMPARE(usage->gpus[0].buckets[0].activity, model::toShare(0.1));
        QCOMPARE(usage->gpus[0].buckets[0].observed, std::uint16_t{100}); // 10 samples where another one has 30
        QCOMPARE(usage->gpus[0].buckets[2].activity, model::toShare(0.2));
        QVERIFY(setup.server.questions[2]["MetricDataQueries"] == setup.server.questions[0]["MetricDataQueries"]);
        // Each page is paid for.
        QVERIFY(setup.inventory().usage()->paid()->amount.nanos() == 160'000);
    }

    void endsWherePagesDont_data()
    {
        QTest::addColumn<QString>("action");
        for (const char *action : {"ListMetrics", "GetMetricData"})
            QTest::newRow(action) << QString::fromLatin1(action);
    }
    void endsWherePagesDont()
    {
        QFETCH(QString, action);
        const std::string endless = action.toStdString();
        for (const bool isCircle : {true, false}) {
            WatchSetup setup;
            int pages = 0;
            setup.server.before = [&](const std::string &asked, const Json &) -> FakeCloudWatch::Reply {
                if (asked != endless)
                    return std::nullopt;
                const std::string token = std::to_string(isCircle ? ++pages % 2 : ++pages);
                return answer(js("{'Metrics':[],'MetricDataResults':[],'NextToken':'" + token + "'}"));
            };
            const auto usage = setup.usage();
            QVERIFY(!usage && usage.error().code == (isCircle ? ErrorCode::Parse : ErrorCode::TooMuch));
            QVERIFY(pages == (isCircle ? 3 : endless == "ListMetrics" ? 1000 : 100));
        }
        WatchSetup setup;
        setup.server.before = [&](const std::string &asked, const Json &) -> FakeCloudWatch::Reply {
            return asked != endless
                ? FakeCloudWatch::Reply()
                : FakeCloudWatch::Reply(answer(js("{'Metrics':[],'MetricDataResults':[],'NextToken':7}")));
        };
        QVERIFY(setup.usage().error().code == ErrorCode::Parse); // what follows would be missing
    }

    void saysWhatIsIncomplete_data()
    {
        QTest::addColumn<QString>("result");
        QTest::addColumn<QString>("more");
        QTest::newRow("partial") << "{'Id':'q0','StatusCode':'PartialData','Timestamps':[1795348800],'Values':[1]}"
                                 << "";
        QTest::newRow("internal") << "{'Id':'q0','StatusCode':'InternalError','Timestamps':[],'Values':[]}"
                                  << "";
        QTest::newRow("no status") << "{'Id':'q0','Timestamps':[1795348800],'Values':[1]}"
                                   << "";
        QTest::newRow("no result") << ""
                                   << "";
        QTest::newRow("message") << "{'Id':'q0','StatusCode':'Complete'}"
                                 << ",'Messages':[{'Code':'MaxMetricsExceeded','Value':'too many'}]";
    }
    void saysWhatIsIncomplete()
    {
        QFETCH(QString, result);
        QFETCH(QString, more);
        WatchSetup setup;
        setup.server.before = [&](const std::string &action, const Json &body) -> FakeCloudWatch::Reply {
            if (action == "ListMetrics")
                return std::nullopt;
            std::string all = result.toStdString();
            for (std::size_t i = 1; i < body["MetricDataQueries"].size(); ++i)
                all += (all.empty() ? "{'Id':'q" : ",{'Id':'q") + std::to_string(i) + "','StatusCode':'Complete'}";
            return answer(js("{'MetricDataResults':[" + all + ']' + more.toStdString() + '}'));
        };
        const auto usage = setup.usage();
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QVERIFY(!usage->complete && usage->warnings.size() == 1);
        const auto activity = setup.activity({});
        QVERIFY(!activity && activity.error().code == ErrorCode::Server);
    }

    void countsWhatIsPaid()
    {
        WatchSetup setup;
        int calls = 0;
        setup.server.before = [&](const std::string &action, const Json &) -> FakeCloudWatch::Reply {
            if (action == "ListMetrics")
                return std::nullopt;
            ++calls;
            if (calls == 1)
                return jsonError("ThrottlingException"); // free
            if (calls == 2)
                return base::fail(ErrorCode::Timeout, "too late"); // may have been answered
            return calls == 3 ? FakeCloudWatch::Reply(answer("", 503)) : std::nullopt;
        };
        QVERIFY(*setup.inventory().usage()->paid() == ports::PaidCalls(0, base::Money(0, base::Currency::usd())));
        QVERIFY(setup.usage());
        QCOMPARE(calls, 4);
        // One list, and five metrics twice, at 0.00001 USD each.
        QVERIFY(*setup.inventory().usage()->paid() == ports::PaidCalls(3, base::Money(110'000, base::Currency::usd())));
        setup.cloud.pause->pass(http::Milliseconds{3'599'000 - 60'000});
        QVERIFY(setup.usage());
        QCOMPARE(setup.server.lists.size(), std::size_t{1}); // kept for an hour
        setup.cloud.pause->pass(http::Milliseconds{3'600'000});
        QVERIFY(setup.usage());
        QCOMPARE(setup.server.lists.size(), std::size_t{2});
        QVERIFY(*setup.inventory().usage()->paid() == ports::PaidCalls(6, base::Money(220'000, base::Currency::usd())));
        QVERIFY(setup.usage(2, {}) && setup.usage(0) && setup.server.questions.size() == 6);
    }

    void isForbidden_data() { endsWherePagesDont_data(); }
    void isForbidden()
    {
        QFETCH(QString, action);
        WatchSetup setup;
        setup.server.before = [&](const std::string &asked, const Json &) -> FakeCloudWatch::Reply {
            return asked == action.toStdString() ? FakeCloudWatch::Reply(jsonError("AccessDeniedException"))
                                                 : std::nullopt;
        };
        const auto usage = setup.usage();
        QVERIFY(!usage && usage.error().code == ErrorCode::Forbidden);
        QVERIFY2(usage.error().text.starts_with("cloudwatch:" + action.toStdString() + " is not allowed"),
                 usage.error().text.c_str());
        QVERIFY(setup.activity({}).error().code == ErrorCode::Forbidden);
        const auto found = setup.inventory().probe({});
        QVERIFY(found && found->size() == 8); // after two of EC2 and four of SageMaker
        for (std::size_t i = 6; i < 8; ++i) {
            const bool isMissing = (i == 6) == (action == QStringLiteral("ListMetrics"));
            QVERIFY((*found)[i].text == (isMissing ? FindingText::UsageWithheld : FindingText::RightGiven));
            QVERIFY((*found)[i].level == (isMissing ? ports::Finding::Level::Missing : ports::Finding::Level::Good));
        }
        WatchSetup other;
        other.answerAll("'StatusCode':'Forbidden'");
        QVERIFY(other.usage().error().code == ErrorCode::Forbidden);
        QVERIFY(other.inventory().probe({})->back().text == FindingText::UsageWithheld);
    }

    void looksForAgents()
    {
        WatchSetup setup;
        const auto found = setup.inventory().probe({});
        QVERIFY(found && found->size() == 8 && setup.server.questions.size() == 1);
        QVERIFY(setup.inventory().usage()->paid()->amount.nanos() == 20'000);
        WatchSetup none;
        none.server.metrics = {metricOf("InstanceId=i-1")};
        const auto told = none.inventory().probe({});
        QVERIFY(told && told->size() == 9 && (*told)[7].text == FindingText::NoUsageMetrics);
        QVERIFY((*told)[7].terms.size() == 2 && (*told)[7].level == ports::Finding::Level::Missing);
        WatchSetup broken;
        broken.answerAll("'StatusCode':'Complete','Values':[1]");
        QVERIFY(broken.inventory().probe({}).error().code == ErrorCode::Parse);
        WatchSetup unasked;
        unasked.cloud.settings.options.clear();
        QVERIFY(!unasked.inventory().usage() && unasked.inventory().probe({})->size() == 6);
    }

    void leavesOutWhatIsNoReading_data()
    {
        QTest::addColumn<QString>("result");
        QTest::addColumn<int>("rejected"); // of each query; -1: the answer can't be read
        const auto values = [](const char *times, const char *all) -> QString {
            return QStringLiteral("'Timestamps':[") + QLatin1String(times) + QStringLiteral("],'Values':[")
                + QLatin1String(all) + QLatin1Char(']');
        };
        QTest::newRow("text") << values("1795348800", "'40'") << 1;
        QTest::newRow("null") << values("1795348800,1795349100", "null,null") << 2;
        QTest::newRow("negative") << values("1795348800", "-1") << 1;
        QTest::newRow("huge") << values("1795348800", "1e300") << 1;
        QTest::newRow("before") << values("1795348500", "40") << 1;
        QTest::newRow("after") << values("1795349400", "40") << 1;
        QTest::newRow("within a bucket") << values("1795348801", "40") << 1;
        QTest::newRow("no time") << values("null,true,{},-5,1e300,'noon'", "1,2,3,4,5,6") << 6;
        QTest::newRow("same time, other value") << values("1795348800,1795348800,1795348800", "-1,-1,40") << 2;
        QTest::newRow("fewer times") << values("1795348800", "40,50") << -1;
        QTest::newRow("no list") << "'Timestamps':1795348800,'Values':40" << -1;
        QTest::newRow("values alone") << "'Values':[40]" << -1;
    }
    void leavesOutWhatIsNoReading()
    {
        QFETCH(QString, result);
        QFETCH(int, rejected);
        WatchSetup setup;
        setup.answerAll("'StatusCode':'Complete'," + result.toStdString());
        const auto usage = setup.usage();
        QCOMPARE(usage.has_value(), rejected >= 0);
        if (!usage) {
            QVERIFY(usage.error().code == ErrorCode::Parse);
            return;
        }
        QVERIFY(usage->gpus.empty());
        QCOMPARE(rejectedIn(*usage), static_cast<std::uint64_t>(rejected) * 5);
    }

    void readsNoOtherAnswer()
    {
        for (const char *body : {"", "[]", "null", "{'Metrics':{},'MetricDataResults':7}", "{'Metrics':["}) {
            for (const bool isList : {true, false}) {
                WatchSetup setup;
                setup.server.before = [&](const std::string &action, const Json &) -> FakeCloudWatch::Reply {
                    return isList == (action == "ListMetrics") ? FakeCloudWatch::Reply(answer(js(body))) : std::nullopt;
                };
                QVERIFY2(setup.usage().error().code == ErrorCode::Parse, body);
            }
        }
        WatchSetup setup;
        setup.server.metrics = {
            Json(7), Json::object(), metricOf("InstanceId=i-1,index=0"),
            Json{{"Namespace", "Other"}, {"MetricName", kUtilization}, {"Dimensions", Json::array()}},
            Json{{"Dimensions", {{"Name", 1}}}}};
        const auto usage = setup.usage();
        QVERIFY(usage && usage->gpus.size() == 1 && rejectedIn(*usage) == 4);
        setup.answerAll("'StatusCode':'Complete'},{'Id':'q05'},{'Id':'x0'},{'Id':7},{'Id':'q9','Values':[1]");
        QVERIFY(rejectedIn(*setup.usage()) == 4 + 5 * 4);
    }

    void keepsTheLimits()
    {
        WatchSetup setup;
        setup.server.value = [](const std::string &metric, const std::string &statistic, const Json &, std::int64_t) {
            return metric == kUtilization && statistic == "Average" ? std::optional(40.0) : std::nullopt;
        };
        std::vector<ports::ListedMachine> machines;
        for (int i = 0; i < 300; ++i) {
            machines.push_back(machineOf("i-" + std::to_string(i), 1));
            setup.server.metrics.insert(setup.server.metrics.begin(),
                                        metricOf("InstanceId=i-" + std::to_string(i) + ",index=0"));
        }
        const auto day = setup.usage(288, machines);
        QVERIFY(day && day->gpus.size() == 300 && day->complete);
        QCOMPARE(setup.server.questions.size(), std::size_t{5}); // 70 GPUs each
        for (const Json &one : setup.server.questions)
            QVERIFY(one["MetricDataQueries"].size() <= 500 && one["MetricDataQueries"].size() * 288 <= 100'800);
        for (std::size_t i = 0; i < 300; ++i)
            QVERIFY(day->gpus[i].which.machine == i && day->gpus[i].buckets.size() == 288);
        const std::int64_t lists = 101; // of 3, of 301 metrics
        QCOMPARE(setup.inventory().usage()->paid()->amount.nanos(), (lists + 1500) * 10'000);
        setup.server.questions.clear();
        QVERIFY(setup.usage(1, machines)->gpus.size() == 300);
        QCOMPARE(setup.server.questions.size(), std::size_t{3}); // 100 GPUs each
        setup.server.questions.clear();
        const auto now = setup.inventory().usage()->activity(machines, {}, {});
        QVERIFY(now && now->readings.size() == 300 && now->readings[299].which.machine == 299);
        QCOMPARE(setup.server.questions.size(), std::size_t{1});
    }

    void tellsTheNewestMinutes()
    {
        WatchSetup setup;
        setup.cloud.clock = base::FrozenClock(base::fromUnix(kNoon + 30));
        // Idle until the current minute, which is not over.
        setup.server.value = [](const std::string &, const std::string &, const Json &, std::int64_t at) {
            return at >= kNoon ? std::optional(90.0) : std::optional(1.0);
        };
        const ports::ActivityQuestion question{base::fromUnix(kNoon - 300), {}, 0.05};
        const auto busy = setup.activity(question);
        QVERIFY2(busy && busy->readings.size() == 1, busy ? "" : busy.error().text.c_str());
        QVERIFY(busy->now == base::fromUnix(kNoon + 30));
        const Json &asked = setup.server.questions[0];
        QVERIFY(asked["StartTime"] == kNoon - 900 && asked["EndTime"] == kNoon + 60); // whole minutes
        QVERIFY(asked["MetricDataQueries"][0]["MetricStat"]["Period"] == 60
                && asked["MetricDataQueries"][0]["MetricStat"]["Stat"] == "Maximum");
        const ports::ActivityReading &reading = busy->readings[0].activity;
        QVERIFY(reading.newest && reading.newest->at == base::fromUnix(kNoon) && reading.newest->share == 0.9);
        QVERIFY(reading.most->share == 0.9 && reading.interval == std::chrono::minutes{1});
        QVERIFY(reading.uuid.empty() && reading.signal == model::ActivitySignal::GpuUtilization);
        // A minute that is over counts until its end.
        setup.server.value = [](const std::string &, const std::string &, const Json &, std::int64_t at) {
            return at < kNoon - 60 ? std::optional(1.0) : std::nullopt;
        };
        const auto idle = setup.activity(question);
        QVERIFY(idle && idle->readings[0].activity.newest->at == base::fromUnix(kNoon - 60));
        QVERIFY(ports::isFresh(idle->readings[0].activity.newest->at, idle->readings[0].activity.interval, idle->now));
        // As of a past time, nothing counts that was measured later.
        setup.server.questions.clear();
        QVERIFY(setup.activity({base::fromUnix(kNoon - 7000), base::fromUnix(kNoon - 3570), 0.05}));
        QVERIFY(setup.server.questions[0]["StartTime"] == kNoon - 7020
                && setup.server.questions[0]["EndTime"] == kNoon - 3600);
        // Known, but silent.
        setup.server.value = {};
        const auto silent = setup.activity(question);
        QVERIFY(silent && silent->readings.size() == 1 && silent->readings[0].activity.samples == 0
                && !silent->readings[0].activity.newest);
        QCOMPARE(setup.server.lists.size(), std::size_t{1});
        setup.answerAll("'StatusCode':'Complete','Timestamps':[1795348740],'Values':['busy']");
        QVERIFY(setup.activity(question).error().code == ErrorCode::Parse); // it may have been busy
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(setup.inventory().usage()->activity({machineOf("i-1")}, question, stop.get_token()).error().code
                == ErrorCode::Cancelled);
    }

    void knowsItsWords()
    {
        AwsSetup setup;
        const auto made = [&](const char *word) {
            setup.settings.options["usage"] = word;
            return aws::makeAwsInventory(setup.settings, setup.clock, setup.server.client());
        };
        QVERIFY(made("all") && (*made("all"))->usage());
        QVERIFY(made("none") && !(*made("none"))->usage());
        QVERIFY(made("some").error().code == ErrorCode::InvalidConfig);
        setup.settings.options.clear();
        QVERIFY(!(*aws::makeAwsInventory(setup.settings, setup.clock, setup.server.client()))->usage());
    }

    // boto3 puts what two agents report: one with the ids of its machine, one with its host name alone.
    void readsMoto()
    {
        GPULEDGER_START_MOTO(m_moto);
        WatchSetup setup;
        setup.cloud.settings.url = m_moto.url();
        setup.cloud.clock = base::FrozenClock(base::fromUnix(kNoon + 15 * 60));
        std::vector<std::string> ids, hosts;
        for (int i = 0; i < 2; ++i) {
            const QJsonObject one = boto({{QStringLiteral("do"), QStringLiteral("run")}});
            ids.push_back(one[QStringLiteral("id")].toString().toStdString());
            hosts.push_back(one[QStringLiteral("node")].toString().toStdString());
        }
        const std::vector<double> busy{50, 60, 70, 80, 90, -1, -1, -1, -1, -1, 30, 30, 30, -1, -1};
        const std::vector<double> idle(15, 0);
        const std::string whole = "InstanceId=" + ids[0] + ",InstanceType=p4d.24xlarge,arch=Ampere,index=";
        QVERIFY(measure(kUtilization, whole + '0', busy) && measure(kUtilization, whole + '3', idle));
        QVERIFY(measure("nvidia_smi_memory_used", whole + '0', {1000, 2000, 3000, 4000, 5000}));
        QVERIFY(measure("nvidia_smi_power_draw", whole + '0', {100, 200, 300, 300, 350}));
        QVERIFY(measure(kUtilization, "host=" + hosts[1] + ",index=0", idle));
        QVERIFY(measure(kUtilization, "host=elsewhere,index=0", busy));
        aws::AwsInventory &inventory = setup.inventory(std::make_shared<http::CurlHttpClient>());
        ports::KnownMachine known;
        known.gpuName = "A100";
        known.microGpus = 8'000'000;
        const auto listed = inventory.read({{"p4d.24xlarge", known}}, {});
        QVERIFY2(listed && listed->machines.size() == 2, listed ? "not two" : listed.error().text.c_str());
        const std::size_t one = listed->machines[0].id == ids[0] ? 0 : 1;
        const auto usage = inventory.usage()->usage(listed->machines, rangeOf(288), {});
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QVERIFY(usage->complete && usage->rejected.empty() && usage->gpus.size() == 3);
        for (const ports::MeasuredGpu &gpu : usage->gpus) {
            const bool isBusy = gpu.which.machine == one && gpu.which.gpu == 0;
            QCOMPARE(gpu.buckets.size(), std::size_t{isBusy ? 2u : 3u});
            QCOMPARE(gpu.buckets[0].activity, model::toShare(isBusy ? 0.7 : 0));
            QCOMPARE(gpu.buckets[0].observed, std::uint16_t{300});
            if (!isBusy)
                continue;
            QVERIFY((gpu.bucketNumbers == std::vector<std::int64_t>{kNoonBucket, kNoonBucket + 2}));
            QVERIFY(gpu.buckets[0].memoryMeanMib == 3000 && gpu.buckets[0].memoryMaxMib == 5000);
            QCOMPARE(gpu.buckets[0].powerDeciwatt, std::uint16_t{2500});
            QVERIFY(gpu.buckets[1].observed == 180 && gpu.buckets[1].memoryMeanMib == model::kNoMemory);
        }
        const auto now = inventory.usage()->activity({listed->machines[one]}, {}, {});
        QVERIFY2(now && now->readings.size() == 2, now ? "not two" : now.error().text.c_str());
        QVERIFY(now->readings[0].activity.newest->at == base::fromUnix(kNoon + 13 * 60)
                && now->readings[0].activity.most->share == 0.9);
        QVERIFY(now->readings[1].which.gpu == 3 && now->readings[1].activity.newest->share == 0);
        const auto found = inventory.probe({});
        QVERIFY2(found && found->size() == 7,
                 found ? "not seven, because moto has no apps" : found.error().text.c_str());
    }
};

GPULEDGER_SUITE(TestCloudWatch)

} // namespace tst_cloudwatch

#include "tst_cloudwatch.moc"

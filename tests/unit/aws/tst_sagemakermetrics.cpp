// SPDX-License-Identifier: GPL-3.0-or-later
// What SageMaker's own metrics say of the GPUs of endpoints and training jobs: in the same process, and against moto.
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakecloudwatch.h"
#include "tests/unit/aws/fakesagemaker.h"
#include "tests/unit/aws/motoserver.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace tst_sagemakermetrics {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::FindingText;
using Json = nlohmann::json;

namespace {

const std::string kChat = kSageMakerArn + std::string("endpoint/chat"),
                  kJob = kSageMakerArn + std::string("training-job/train"),
                  kBook = kSageMakerArn + std::string("notebook-instance/book");
constexpr char kChatDimensions[] = "EndpointName=Chat,VariantName=All";
constexpr std::int64_t kFirstBucket = kNoon / 300;

aws::SageMakerMeter endpointMeter(std::int64_t instances, std::int64_t gpus)
{
    aws::SageMakerMeter meter;
    meter.endpoint = "Chat";
    meter.variant = "All";
    meter.instances = instances;
    meter.gpusOfInstance = gpus;
    return meter;
}

aws::SageMakerMeter jobMeter(std::int64_t instances, std::int64_t gpus)
{
    aws::SageMakerMeter meter;
    meter.trainingJob = "Train";
    meter.instances = instances;
    meter.gpusOfInstance = gpus;
    return meter;
}

// An endpoint with two instances of four GPUs, and a job with two of eight.
struct MeterSetup : WatchSetup {
    MeterSetup()
    {
        server.metrics = {sageMakerMetricOf("Endpoints", kChatDimensions),
                          sageMakerMetricOf("TrainingJobs", "Host=Train/algo-1"),
                          sageMakerMetricOf("TrainingJobs", "Host=Train/algo-2")};
        tell(100, 10);
    }
    // The same sum and number of samples in each bucket.
    void tell(double sum, double samples)
    {
        server.value = [sum, samples](const std::string &, const std::string &statistic, const Json &, std::int64_t) {
            return std::optional(statistic == "SampleCount" ? samples : sum);
        };
    }
    std::vector<ports::ListedMachine> machines() const
    {
        std::vector<ports::ListedMachine> out;
        for (const auto &[id, meter] : meters)
            out.push_back(machineOf(id, meter.instances * meter.gpusOfInstance));
        return out;
    }
    base::Result<ports::MeasuredUsage> read(std::int64_t buckets = 2)
    {
        set();
        return usage(buckets, machines());
    }
    base::Result<ports::MeasuredActivity> now(const ports::ActivityQuestion &question = {})
    {
        set();
        return inventory().usage()->activity(machines(), question, {});
    }
    void set() { dynamic_cast<aws::CloudWatchUsage &>(*inventory().usage()).setMachines(machines(), meters); }

    aws::SageMakerMeters meters{{kChat, endpointMeter(2, 4)}, {kJob, jobMeter(2, 8)}};
};

// "0: 0.25 300; 1: 0.25 300": by GPU, its first bucket.
std::string firstBuckets(const ports::MeasuredUsage &usage, std::size_t machine = 0)
{
    std::string out;
    for (const ports::MeasuredGpu &gpu : usage.gpus) {
        if (gpu.which.machine != machine || gpu.buckets.empty())
            continue;
        const model::UsageBucket &bucket = gpu.buckets[0];
        const std::string share = bucket.activity == model::kNoShare
            ? "?"
            : QString::number(model::shareToDouble(bucket.activity)).toStdString();
        out += (out.empty() ? "" : "; ") + std::to_string(gpu.which.gpu) + ": " + share + ' '
            + std::to_string(bucket.observed);
    }
    return out;
}

std::uint64_t rejectedIn(const ports::MeasuredUsage &usage)
{
    std::uint64_t count = 0;
    for (const auto &one : usage.rejected)
        count += one.count;
    return count;
}

} // namespace

class TestSageMakerMetrics : public QObject {
    Q_OBJECT

    MotoServer m_moto;

    bool measure(const char *nameSpace, const std::string &dimensions, std::int64_t start,
                 const std::vector<double> &values)
    {
        QJsonArray named, numbers;
        for (const Json &one : dimensionsOf(dimensions))
            named.append(QJsonArray{QString::fromStdString(one["Name"].get<std::string>()),
                                    QString::fromStdString(one["Value"].get<std::string>())});
        for (const double one : values)
            numbers.append(one);
        return !m_moto
                    .ask({{QStringLiteral("do"), QStringLiteral("measure")},
                          {QStringLiteral("metric"), QStringLiteral("GPUUtilization")},
                          {QStringLiteral("namespace"), QLatin1String(nameSpace)},
                          {QStringLiteral("dimensions"), named},
                          {QStringLiteral("start"), qint64{start}},
                          {QStringLiteral("step"), 60},
                          {QStringLiteral("values"), numbers}})
                    .contains(QStringLiteral("error"));
    }

private Q_SLOTS:
    void dividesTheSums()
    {
        MeterSetup setup;
        const auto usage = setup.read();
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QVERIFY(usage->complete && usage->warnings.empty() && usage->rejected.empty());
        QCOMPARE(usage->gpus.size(), std::size_t{8 + 16});
        for (const ports::MeasuredGpu &gpu : usage->gpus) {
            QVERIFY((gpu.bucketNumbers == std::vector<std::int64_t>{kFirstBucket, kFirstBucket + 1}));
            for (const model::UsageBucket &bucket : gpu.buckets) {
                QCOMPARE(bucket.activity, model::toShare(gpu.which.machine == 0 ? 0.25 : 0.125));
                QVERIFY(bucket.observed == 300 && bucket.signal == model::ActivitySignal::GpuUtilization);
                QVERIFY(bucket.memoryMeanMib == model::kNoMemory && bucket.memoryMaxMib == model::kNoMemory
                        && bucket.powerDeciwatt == model::kNoPower);
            }
        }
        // One list for each namespace, and none of the agent's; two metrics for the variant and for each host.
        QCOMPARE(setup.server.lists.size(), std::size_t{2});
        QVERIFY(setup.server.lists[0]
                == Json({{"Namespace", "/aws/sagemaker/Endpoints"}, {"MetricName", "GPUUtilization"}}));
        QVERIFY(setup.server.lists[1]
                == Json({{"Namespace", "/aws/sagemaker/TrainingJobs"}, {"MetricName", "GPUUtilization"}}));
        QCOMPARE(setup.server.questions.size(), std::size_t{1});
        const Json &queries = setup.server.questions[0]["MetricDataQueries"];
        QCOMPARE(queries.size(), std::size_t{6});
        const Json metric{{"Namespace", "/aws/sagemaker/Endpoints"},
                          {"MetricName", "GPUUtilization"},
                          {"Dimensions", dimensionsOf(kChatDimensions)}};
        QVERIFY(queries[0]
                == Json({{"Id", "q0"}, {"MetricStat", {{"Metric", metric}, {"Period", 300}, {"Stat", "Average"}}}}));
        QVERIFY(queries[1]["MetricStat"]["Stat"] == "SampleCount");
        QVERIFY(
            (*setup.inventory().usage()->paid() == ports::PaidCalls{3, base::Money(80'000, base::Currency::usd())}));
    }

    void tellsHostsApart()
    {
        MeterSetup setup;
        setup.meters = {{kJob, jobMeter(3, 2)}};
        setup.server.metrics = {sageMakerMetricOf("TrainingJobs", "Host=Train/algo-3"),
                                sageMakerMetricOf("TrainingJobs", "Host=Train/algo-1"),
                                sageMakerMetricOf("TrainingJobs", "Host=Train/algo-4"), // of none of its instances
                                sageMakerMetricOf("TrainingJobs", "Host=Train2/algo-2"),
                                sageMakerMetricOf("TrainingJobs", "Host=train/algo-2"),
                                sageMakerMetricOf("TrainingJobs", "Host=Train/algo-02")};
        setup.server.value = [](const std::string &, const std::string &statistic, const Json &dimensions,
                                std::int64_t) -> std::optional<double> {
            if (statistic == "SampleCount")
                return 5;
            return dimensions[0]["Value"] == "Train/algo-1" ? 180 : 0;
        };
        const auto usage = setup.read();
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        // Nothing is known of the second host, which is not idle for that.
        QCOMPARE(firstBuckets(*usage), std::string("0: 0.9 300; 1: 0.9 300; 4: 0 300; 5: 0 300"));
    }

    void countsSamplesOfTheInstances_data()
    {
        QTest::addColumn<QString>("samples"); // by bucket; -: none
        QTest::addColumn<QString>("observed");
        QTest::newRow("all") << "10 10 10"
                             << "300 300 300";
        QTest::newRow("one instance too few for a while") << "10 5 10"
                                                          << "300 150 300";
        QTest::newRow("more instances before") << "30 20 10"
                                               << "300 300 300";
        QTest::newRow("a part and none") << "4 - 10"
                                         << "120 - 300";
        QTest::newRow("every five minutes") << "2 2 1"
                                            << "300 300 150";
        QTest::newRow("no sample") << "10 0 10"
                                   << "300 0 300";
        QTest::newRow("fewer than none") << "10 -3 10"
                                         << "300 0 300";
    }
    void countsSamplesOfTheInstances()
    {
        QFETCH(QString, samples);
        QFETCH(QString, observed);
        MeterSetup setup;
        setup.meters.erase(kJob);
        const QStringList counts = samples.split(QLatin1Char(' '));
        setup.server.value = [&](const std::string &, const std::string &statistic, const Json &,
                                 std::int64_t at) -> std::optional<double> {
            const QString &count = counts[static_cast<qsizetype>((at - kNoon) / 300)];
            if (count == QStringLiteral("-"))
                return std::nullopt;
            return statistic == "SampleCount" ? count.toDouble() : 40;
        };
        const auto usage = setup.read(3);
        QVERIFY(usage && usage->gpus.size() == 8);
        for (const ports::MeasuredGpu &gpu : usage->gpus) {
            QStringList told{QStringLiteral("-"), QStringLiteral("-"), QStringLiteral("-")};
            for (std::size_t i = 0; i < gpu.buckets.size(); ++i) {
                const bool isObserved = gpu.buckets[i].observed > 0;
                QCOMPARE(gpu.buckets[i].activity, isObserved ? model::toShare(0.1) : model::kNoShare);
                told[static_cast<qsizetype>(gpu.bucketNumbers[i] - kFirstBucket)] =
                    QString::number(gpu.buckets[i].observed);
            }
            QCOMPARE(told.join(QLatin1Char(' ')), observed);
        }
    }

    void leavesOutImpossibleSums_data()
    {
        QTest::addColumn<double>("sum");
        QTest::addColumn<int>("percent"); // of each of four GPUs; -1: no reading
        QTest::newRow("none") << 0.0 << 0;
        QTest::newRow("all") << 400.0 << 100;
        QTest::newRow("rounded up") << 403.0 << 100;
        QTest::newRow("too much") << 405.0 << -1;
        QTest::newRow("negative") << -1.0 << -1;
        QTest::newRow("huge") << 1e300 << -1;
    }
    void leavesOutImpossibleSums()
    {
        QFETCH(double, sum);
        QFETCH(int, percent);
        MeterSetup setup;
        setup.meters.erase(kJob);
        setup.tell(sum, 10);
        const auto usage = setup.read(1);
        QVERIFY(usage && usage->gpus.size() == 8);
        QCOMPARE(rejectedIn(*usage), std::uint64_t{percent < 0 ? 1u : 0u});
        for (const ports::MeasuredGpu &gpu : usage->gpus) {
            QCOMPARE(gpu.buckets[0].activity, percent < 0 ? model::kNoShare : model::toShare(percent / 100.0));
            QCOMPARE(gpu.buckets[0].observed, static_cast<std::uint16_t>(percent < 0 ? 0 : 300));
        }
    }

    void readsWhatItCanUse_data()
    {
        QTest::addColumn<QString>("dimensions");
        QTest::addColumn<bool>("isRead");
        QTest::addColumn<int>("rejected");
        QTest::newRow("the variant") << kChatDimensions << true << 0;
        QTest::newRow("in another order") << "VariantName=All,EndpointName=Chat" << true << 0;
        QTest::newRow("another variant") << "EndpointName=Chat,VariantName=all" << false << 0;
        QTest::newRow("another endpoint") << "EndpointName=chat,VariantName=All" << false << 0;
        QTest::newRow("one container") << "EndpointName=Chat,VariantName=All,ContainerName=c" << false << 0;
        QTest::newRow("one instance") << "EndpointName=Chat,VariantName=All,InstanceId=i-1" << false << 0;
        QTest::newRow("all variants") << "EndpointName=Chat" << false << 0;
        QTest::newRow("a host") << "Host=Chat,VariantName=All" << false << 0;
        QTest::newRow("none") << "" << false << 0;
        QTest::newRow("an empty name") << "EndpointName=,VariantName=All" << false << 1;
        QTest::newRow("twice") << "EndpointName=Chat,EndpointName=Chat" << false << 1;
    }
    void readsWhatItCanUse()
    {
        QFETCH(QString, dimensions);
        QFETCH(bool, isRead);
        QFETCH(int, rejected);
        MeterSetup setup;
        setup.meters.erase(kJob);
        setup.server.metrics = {sageMakerMetricOf("Endpoints", dimensions.toStdString())};
        const auto usage = setup.read(1);
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QCOMPARE(usage->gpus.size(), std::size_t{isRead ? 8u : 0u});
        QCOMPARE(rejectedIn(*usage), static_cast<std::uint64_t>(rejected));
        QCOMPARE(setup.server.questions.size(), std::size_t{isRead ? 1u : 0u}); // nothing is paid in vain
        if (isRead)
            QVERIFY(setup.server.questions[0]["MetricDataQueries"][0]["MetricStat"]["Metric"]["Dimensions"]
                    == dimensionsOf(dimensions.toStdString()));
    }

    void survivesHostileLists()
    {
        for (const char *body : {"", "[]", "{'Metrics':{}}", "{'Metrics':[],'NextToken':7}"}) {
            MeterSetup setup;
            setup.server.before = [&](const std::string &action, const Json &) -> FakeCloudWatch::Reply {
                return action == "ListMetrics" ? FakeCloudWatch::Reply(answer(js(body))) : std::nullopt;
            };
            QVERIFY2(setup.read().error().code == ErrorCode::Parse, body);
        }
        MeterSetup endless;
        int pages = 0;
        endless.server.before = [&](const std::string &, const Json &) -> FakeCloudWatch::Reply {
            return answer(js("{'Metrics':[],'NextToken':'" + std::to_string(++pages) + "'}"));
        };
        QVERIFY(endless.read().error().code == ErrorCode::TooMuch);
        // What can't be read of a list loses nothing else.
        MeterSetup odd;
        odd.meters.erase(kJob);
        odd.server.before = [&](const std::string &action, const Json &) -> FakeCloudWatch::Reply {
            if (action != "ListMetrics")
                return std::nullopt;
            Json page{{"Metrics", Json::array()}};
            for (const Json &one : {Json(7), Json(), Json::object(), metricOf(kChatDimensions),
                                    sageMakerMetricOf("TrainingJobs", kChatDimensions), odd.server.metrics[0]})
                page["Metrics"].push_back(one);
            return answer(page.dump());
        };
        const auto usage = odd.read();
        QVERIFY(usage && usage->gpus.size() == 8 && rejectedIn(*usage) == 5);
    }

    void asksOnlyForWhatThereIs()
    {
        MeterSetup setup;
        setup.server.metrics.push_back(metricOf("InstanceId=i-1,index=0"));
        const auto lists = [&](const std::vector<ports::ListedMachine> &machines) {
            setup.made.reset();
            setup.set();
            setup.server.lists.clear();
            if (!setup.usage(1, machines))
                return std::string("failed");
            std::string out;
            for (const Json &one : setup.server.lists)
                out += one["Namespace"].get<std::string>() + ' ';
            return out;
        };
        QCOMPARE(lists({machineOf("i-1")}), std::string("CWAgent "));
        QCOMPARE(lists({machineOf("i-9")}), std::string("CWAgent "));
        QCOMPARE(lists({machineOf(kChat, 8)}), std::string("/aws/sagemaker/Endpoints "));
        QCOMPARE(lists({machineOf(kJob, 16)}), std::string("/aws/sagemaker/TrainingJobs "));
        QCOMPARE(lists({machineOf("i-1"), machineOf(kJob, 16)}), std::string("CWAgent /aws/sagemaker/TrainingJobs "));
        // Notebooks have no metrics.
        QCOMPARE(lists({machineOf(kBook, 1)}), std::string());
        QVERIFY(setup.usage(1, {machineOf(kBook, 1)})->gpus.empty() && setup.usage(1, {machineOf(kBook, 1)})->complete);
        QVERIFY(setup.inventory().usage()->paid()->requests == 0);
    }

    void asksAsBeforeForInstances()
    {
        // With and without machines of SageMaker in the list, the questions about one of EC2 are the same.
        WatchSetup before;
        QVERIFY(before.usage());
        MeterSetup setup;
        setup.server.metrics.push_back(metricOf("InstanceId=i-1,index=0"));
        setup.set();
        QVERIFY(setup.usage());
        QVERIFY(setup.server.lists == before.server.lists && setup.server.questions == before.server.questions);
        QVERIFY(*setup.inventory().usage()->paid() == *before.inventory().usage()->paid());
    }

    void keepsListsForAnHour()
    {
        MeterSetup setup;
        QVERIFY(setup.read() && setup.read());
        QCOMPARE(setup.server.lists.size(), std::size_t{2});
        setup.cloud.pause->pass(http::Milliseconds{3'600'000});
        QVERIFY(setup.read());
        QCOMPARE(setup.server.lists.size(), std::size_t{4});
        QVERIFY((*setup.inventory().usage()->paid()
                 == ports::PaidCalls{7, base::Money((4 + 3 * 6) * 10'000, base::Currency::usd())}));
    }

    void mixesWithAgents()
    {
        MeterSetup setup;
        setup.meters.erase(kJob);
        setup.server.metrics.push_back(metricOf("InstanceId=i-1,index=0"));
        setup.set();
        const auto usage = setup.usage(1, {machineOf(kChat, 8), machineOf("i-1")});
        QVERIFY2(usage && usage->gpus.size() == 9, usage ? "not nine" : usage.error().text.c_str());
        QVERIFY(usage->gpus[0].which.machine == 1 && usage->gpus[0].buckets[0].activity == model::toShare(1));
        QVERIFY(usage->gpus[0].buckets[0].memoryMeanMib == 100);
        QVERIFY(firstBuckets(*usage).starts_with("0: 0.25 300; 1: 0.25 300"));
        QCOMPARE(setup.server.questions.size(), std::size_t{1});
        QCOMPARE(setup.server.questions[0]["MetricDataQueries"].size(), std::size_t{7});
    }

    void forgetsOtherInstances()
    {
        MeterSetup setup;
        setup.meters.erase(kJob);
        setup.meters[kChat].from = base::fromUnix(kNoon + 301); // then its type changed
        const auto usage = setup.read(3);
        QVERIFY(usage && usage->gpus.size() == 8 && usage->rejected.empty());
        QVERIFY((usage->gpus[7].bucketNumbers == std::vector<std::int64_t>{kFirstBucket + 2}));
        // A list that is newer than the machine that is asked about.
        QVERIFY(setup.usage(3, {machineOf(kChat, 4)})->gpus.empty());
    }

    void saysWhatIsIncomplete()
    {
        MeterSetup setup;
        setup.server.before = [](const std::string &action, const Json &) -> FakeCloudWatch::Reply {
            return action == "ListMetrics"
                ? FakeCloudWatch::Reply()
                : FakeCloudWatch::Reply(answer(js("{'MetricDataResults':[{'Id':'q0','StatusCode':'Complete'}]}")));
        };
        const auto usage = setup.read();
        QVERIFY(usage && !usage->complete && usage->warnings.size() == 1);
        QCOMPARE(usage->warnings[0],
                 std::string("CloudWatch does not have everything of 5 of 6 metrics at the moment"));
        QVERIFY(setup.now().error().code == ErrorCode::Server);
    }

    void neverCallsABusyGpuIdle()
    {
        MeterSetup setup;
        setup.cloud.clock = base::FrozenClock(base::fromUnix(kNoon));
        const auto share = [&](double sum) {
            setup.tell(sum, 10);
            const auto now = setup.now();
            return now && now->readings.size() == 24 && now->readings[23].activity.most
                ? now->readings[23].activity.most->share
                : -1;
        };
        // One of eight GPUs may do all of it.
        QCOMPARE(share(0), 0.0);
        QCOMPARE(share(40), 0.4);
        QCOMPARE(share(100), 1.0);
        QCOMPARE(share(800), 1.0);
        QCOMPARE(share(1e300), 1.0); // too much for a reading, but not idle
        QCOMPARE(share(-1), -1.0);
        const Json &asked = setup.server.questions.back()["MetricDataQueries"];
        QCOMPARE(asked.size(), std::size_t{3});
        for (const Json &one : asked)
            QVERIFY(one["MetricStat"]["Stat"] == "Maximum" && one["MetricStat"]["Period"] == 60);
        QCOMPARE(setup.server.lists.size(), std::size_t{2});
        // Of a variant without metrics nothing is known.
        setup.meters[kChat].variant = "Other";
        QCOMPARE(setup.now()->readings.size(), std::size_t{16});
    }

    void testsTheConnection()
    {
        MeterSetup setup;
        const auto missing = [&] {
            const auto found = setup.inventory().probe({});
            return found && std::any_of(found->begin(), found->end(), [](const ports::Finding &one) {
                       return one.text == FindingText::NoUsageMetrics;
                   });
        };
        QVERIFY(!missing()); // no agent reports, but SageMaker does
        setup.server.metrics.erase(setup.server.metrics.begin());
        QVERIFY(!missing());
        setup.server.metrics = {sageMakerMetricOf("Endpoints", "EndpointName=Chat")};
        QVERIFY(missing());
    }

    void knowsTheNames()
    {
        SageMakerSetup setup;
        setup.known["p3.2xlarge"] = {"V100", 1'000'000};
        setup.addEndpoint("Chat", {variantOf("All", 2)}, {typeOf("All", "ml.p4d.24xlarge")});
        setup.addEndpoint("Two", {variantOf("A", 1), variantOf("B", 3)},
                          {typeOf("A", "ml.g5.xlarge"), typeOf("B", "ml.p3.2xlarge")});
        setup.server.things["DescribeEndpoint Chat"]["CreationTime"] = kSageMakerNow - 7200.5;
        setup.server.things["DescribeEndpointConfig Chat-c"]["CreationTime"] = kSageMakerNow - 3600.5;
        setup.addJob("Train", "InProgress");
        const Json groups = Json::array({{{"InstanceType", "ml.p4d.24xlarge"}, {"InstanceCount", 1}},
                                         {{"InstanceType", "ml.c5.xlarge"}, {"InstanceCount", 1}}});
        setup.addJob("Mixed", "InProgress", {}, {{"ResourceConfig", {{"InstanceGroups", groups}}}});
        setup.server.lists["ListNotebookInstances"] = {notebookOf("Book")};
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(read->machines.size(), std::size_t{6});
        const std::string arn = kSageMakerArn;
        QCOMPARE(setup.meters.size(), std::size_t{4}); // neither the notebook nor the job with another kind of host
        const aws::SageMakerMeter &chat = setup.meters.at(arn + "endpoint/Chat");
        QVERIFY(chat.endpoint == "Chat" && chat.variant == "All" && !chat.isOfJob());
        QVERIFY(chat.instances == 2 && chat.gpusOfInstance == 8);
        QVERIFY(chat.from == base::fromUnix(kSageMakerNow - 3601));
        const aws::SageMakerMeter &second = setup.meters.at(arn + "endpoint/Two/B");
        QVERIFY(second.endpoint == "Two" && second.variant == "B" && second.instances == 3 && !second.from);
        QVERIFY(setup.meters.at(arn + "endpoint/Two/A").gpusOfInstance == 1);
        const aws::SageMakerMeter &job = setup.meters.at(arn + "training-job/Train");
        QVERIFY(job.trainingJob == "Train" && job.isOfJob() && job.instances == 2 && job.gpusOfInstance == 8);
    }

    // What boto3 made and measured: an endpoint with two instances of four GPUs, and a job with two of eight.
    void readsMoto()
    {
        GPULEDGER_START_MOTO(m_moto);
        // After moto, by its own clock, has made the endpoint: what was before is of another one.
        const std::int64_t start = (base::toUnix(base::SystemClock().now()) / 300 + 2) * 300;
        for (const char *what : {"endpoint", "training_job"}) {
            const bool isJob = what[0] == 't';
            const QJsonObject done =
                m_moto.ask({{QStringLiteral("do"), QLatin1String(what)},
                            {QStringLiteral("name"), QStringLiteral("Moto")},
                            {QStringLiteral("count"), 2},
                            {isJob ? QStringLiteral("began") : QStringLiteral("tags"),
                             isJob ? QJsonValue(qint64{start}) : QJsonValue(QJsonObject())},
                            {QStringLiteral("type"),
                             isJob ? QStringLiteral("ml.p4d.24xlarge") : QStringLiteral("ml.g4dn.12xlarge")}});
            QVERIFY2(done.contains(QStringLiteral("arn")), qPrintable(done[QStringLiteral("error")].toString()));
        }
        const std::string variant = "EndpointName=Moto,VariantName=all";
        QVERIFY(measure("/aws/sagemaker/Endpoints", variant, start, {80, 80, 80, 80, 80, 0, 0, 0, 0, 0}));
        QVERIFY(measure("/aws/sagemaker/Endpoints", variant, start, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0})); // the other one
        QVERIFY(measure("/aws/sagemaker/TrainingJobs", "Host=Moto/algo-2", start, {800, 800, 400, 400, 400, 800, 800}));
        WatchSetup setup;
        setup.cloud.settings.url = m_moto.url();
        setup.cloud.clock = base::FrozenClock(base::fromUnix(start + 900));
        aws::AwsInventory &inventory = setup.inventory(std::make_shared<http::CurlHttpClient>());
        const auto listed = inventory.read({}, {});
        QVERIFY2(listed && listed->machines.size() == 2, listed ? "not two" : listed.error().text.c_str());
        const auto usage =
            inventory.usage()->usage(listed->machines, {base::fromUnix(start), base::fromUnix(start + 3600)}, {});
        QVERIFY2(usage, usage ? "" : usage.error().text.c_str());
        QVERIFY(usage->complete && usage->rejected.empty());
        std::string endpoint;
        for (int i = 0; i < 8; ++i)
            endpoint += (i > 0 ? "; " : "") + std::to_string(i) + ": 0.1 300";
        QCOMPARE(firstBuckets(*usage, 0), endpoint);
        std::string job;
        for (int i = 8; i < 16; ++i)
            job += (i > 8 ? "; " : "") + std::to_string(i) + ": 0.7 300";
        QCOMPARE(firstBuckets(*usage, 1), job);
        QCOMPARE(usage->gpus.back().buckets[1].observed, std::uint16_t{120});
        const auto now = inventory.usage()->activity(listed->machines,
                                                     {base::fromUnix(start), base::fromUnix(start + 600), 0.05}, {});
        QVERIFY2(now && now->readings.size() == 16, now ? "not sixteen" : now.error().text.c_str());
        QCOMPARE(now->readings[0].activity.most->share, 0.8);
        QCOMPARE(now->readings[15].activity.most->share, 1.0);
    }
};

GPULEDGER_SUITE(TestSageMakerMetrics)

} // namespace tst_sagemakermetrics

#include "tst_sagemakermetrics.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What time series of Cloud Monitoring become: readings in buckets, the newest samples, and what is no reading.
#include "app/base/remedy.h"
#include "connectors/gcp/compute/computeinventory.h"
#include "connectors/gcp/compute/instancepage.h"
#include "connectors/gcp/metrics/monitoringrefusal.h"
#include "connectors/gcp/metrics/monitoringusage.h"
#include "connectors/gcp/serviceaddress.h"
#include "tests/support/suite.h"
#include "tests/unit/gcp/fakemonitoring.h"

#include <QTest>

#include <memory>

namespace tst_monitoring {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using base::UtcTime;
using model::ActivitySignal;
using Json = nlohmann::json;

namespace {

const base::TimeRange kHour{kBegin, kBegin + base::Seconds{3600}};
constexpr std::int64_t kFirstBucket = 1795168800 / 300; // of kBegin

struct Setup {
    Setup()
    {
        settings.name = "cloud";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options["project"] = "ml-training";
        tuning.pause = pause;
    }
    base::Result<std::unique_ptr<ports::InventorySource>> make()
    {
        auto client =
            std::make_shared<ScriptedClient>([this](const http::Request &request) { return cloud.reply(request); });
        return gcp::makeComputeInventory(settings, secrets, clock, client, tuning);
    }
    // After the list was read.
    ports::UsageSource &usage()
    {
        if (!source) {
            source = std::move(*make());
            machines = source->read({{"g2-standard-24", {"L4", 2'000'000}}}, {})->machines;
        }
        return *source->usage();
    }
    base::Result<ports::MeasuredUsage> read()
    {
        ports::UsageSource &of = usage();
        return of.usage(machines, kHour, {});
    }
    base::Result<ports::MeasuredActivity> newest(const ports::ActivityQuestion &question)
    {
        ports::UsageSource &of = usage();
        return of.activity(machines, question, {});
    }

    model::SourceSettings settings;
    OneSecret secrets{"canary-token"};
    base::FrozenClock clock{kHour.end};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    gcp::Tuning tuning;
    Monitoring cloud;
    std::vector<ports::ListedMachine> machines;
    std::unique_ptr<ports::InventorySource> source;
};

std::uint64_t countOf(const ports::MeasuredUsage &usage, const std::string &reason)
{
    for (const auto &one : usage.rejected) {
        if (one.reason == reason)
            return one.count;
    }
    return 0;
}

// "machine/gpu:" and its buckets, as number:observed:percent, from the first one of the hour.
std::string shown(const ports::MeasuredUsage &usage)
{
    std::string out;
    for (const ports::MeasuredGpu &gpu : usage.gpus) {
        out += (out.empty() ? "" : "; ") + std::to_string(gpu.which.machine) + '/' + std::to_string(gpu.which.gpu);
        for (std::size_t i = 0; i < gpu.buckets.size(); ++i) {
            const model::UsageBucket &bucket = gpu.buckets[i];
            out += ' ' + std::to_string(gpu.bucketNumbers[i] - kFirstBucket) + ':' + std::to_string(bucket.observed)
                + ':' + (bucket.activity == model::kNoShare ? "-" : std::to_string(bucket.activity / 600));
        }
    }
    return out;
}

} // namespace

class TestMonitoring : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bucketsAreThoseThatTheAgentReported()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 3, 40, 2000)}, {"222", "1", "GPU-2", minutes(2, 3, 90)}};
        setup.cloud.told[0].samples[0].mib = 4500;
        setup.cloud.told[0].samples.erase(setup.cloud.told[0].samples.begin() + 5,
                                          setup.cloud.told[0].samples.begin() + 8);
        setup.cloud.told[1].samples.push_back({3600, 10, 500}); // the end belongs to the last bucket
        const auto usage = setup.read();
        QVERIFY(usage.has_value());
        QCOMPARE(shown(*usage), std::string("0/0 0:300:40 1:120:40 2:300:40; 1/1 2:300:90 11:60:10"));
        const model::UsageBucket &first = usage->gpus[0].buckets[0];
        QVERIFY(first.signal == ActivitySignal::GpuUtilization);
        QCOMPARE(first.memoryMeanMib, 2500u);
        QCOMPARE(first.memoryMaxMib, 4500u);
        QVERIFY(usage->complete && usage->rejected.empty() && usage->warnings.empty());
        QVERIFY(usage->bytes > 1000);
        QCOMPARE(setup.cloud.asked,
                 (std::vector<std::pair<std::string, std::string>>{
                     {"ALIGN_MEAN", ""}, {"ALIGN_COUNT", ""}, {"ALIGN_MEAN", ""}, {"ALIGN_MAX", ""}}));
        const http::Request &sent = setup.cloud.sent[0];
        QVERIFY(sent.url.starts_with("https://monitoring.googleapis.com/v3/projects/ml-training/timeSeries?filter="));
        QVERIFY(sent.method == "GET" && !sent.followsRedirects && sent.credentials);
        QVERIFY(!setup.usage().paid());
        QCOMPARE(setup.usage().kept().count(), std::int64_t{42 * 86400});
    }

    void machinesMayComeInAnyOrder()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 1, 40)}, {"222", "0", "GPU-2", minutes(0, 1, 90)}};
        setup.usage();
        std::reverse(setup.machines.begin(), setup.machines.end());
        QCOMPARE(shown(*setup.read()), std::string("0/0 0:300:90; 1/0 0:300:40"));
        setup.machines.pop_back(); // others are no failure
        const auto usage = setup.read();
        QCOMPARE(shown(*usage), std::string("0/0 0:300:90"));
        QVERIFY(usage->rejected.empty());
        setup.machines.clear();
        const std::size_t before = setup.cloud.sent.size();
        QVERIFY(setup.read()->gpus.empty());
        QCOMPARE(setup.cloud.sent.size(), before);
    }

    void withoutAgentsOneQuestionIsEnough()
    {
        Setup setup;
        const auto usage = setup.read();
        QVERIFY(usage && usage->complete && usage->gpus.empty());
        QCOMPARE(setup.cloud.sent.size(), std::size_t{1});
        // A metric that nothing ever reported.
        setup.cloud.instead = [](std::size_t) {
            return fault(404, "Cannot find metric(s) that match type = \"agent.googleapis.com/gpu/utilization\".");
        };
        QVERIFY(setup.read()->gpus.empty());
    }

    void readsAllPages()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 12, 40)}, {"111", "1", "GPU-2", minutes(0, 12, 50)}};
        const std::string whole = shown(*setup.read());
        setup.cloud.asked.clear();
        setup.cloud.page = 5;
        QCOMPARE(shown(*setup.read()), whole);
        QCOMPARE(setup.cloud.asked.size(), std::size_t{4 * 5});
        QCOMPARE(setup.cloud.asked[4], (std::pair<std::string, std::string>("ALIGN_MEAN", "20")));
    }

    void endlessPagesEnd()
    {
        for (const auto &[token, code] : {std::pair(Json("a"), ErrorCode::Parse), std::pair(Json(7), ErrorCode::Parse),
                                          std::pair(Json(true), ErrorCode::Parse)}) {
            Setup setup;
            setup.cloud.instead = [&](std::size_t) { return answer(Json{{"nextPageToken", token}}.dump()); };
            const auto usage = setup.read();
            QVERIFY(!usage && usage.error().code == code);
        }
        Setup setup;
        setup.cloud.instead = [](std::size_t number) {
            return answer(Json{{"nextPageToken", std::to_string(number)}}.dump());
        };
        QVERIFY(setup.read().error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.cloud.sent.size(), std::size_t{1000});
    }

    void whatTheServiceCouldNotReadIsSaid()
    {
        for (const auto &[text, words] :
             {std::pair("{'executionErrors':[{'code':13,'message':'shard lost'}]}", "read all time series: shard lost"),
              std::pair("{'executionErrors':{}, 'unreachable':['projects/x']}", "reach all places: projects/x"),
              std::pair("{'executionErrors':7}", "read all time series"),
              std::pair("{'unreachable':[null]}", "reach all places")}) {
            Setup setup;
            setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 1, 40)}};
            setup.cloud.change = [&](Json &page) { page.update(Json::parse(js(text))); };
            const auto usage = setup.read();
            QVERIFY(usage && !usage->complete && usage->gpus.size() == 1);
            QCOMPARE(usage->warnings.size(), std::size_t{1});
            QVERIFY2(usage->warnings[0].find(words) != std::string::npos, usage->warnings[0].c_str());
            QVERIFY(setup.newest({}).error().code == ErrorCode::Server); // less than all may hide what is busy
        }
    }

    void refusalsAreExplained_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("reason");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("hint");
        const auto row = [](int status, const char *message, const char *reason, ErrorCode code, const char *hint) {
            QTest::newRow(message) << status << message << reason << static_cast<int>(code) << hint;
        };
        row(403, "Permission monitoring.timeSeries.list denied", "", ErrorCode::Forbidden,
            "give the account monitoring.timeSeries.list");
        row(403, "Cloud Monitoring API has not been used", "SERVICE_DISABLED", ErrorCode::Forbidden,
            "enable the Cloud Monitoring API");
        row(403, "insufficient scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT", ErrorCode::Forbidden, "access scope");
        row(404, "The requested URL was not found", "", ErrorCode::Forbidden, "set usage of this source to none");
        row(400, "Field interval had an invalid value", "", ErrorCode::Server, "");
        row(401, "invalid authentication credentials", "", ErrorCode::Unauthorized, "");
        row(503, "unavailable", "", ErrorCode::Server, "");
        row(200, "", "", ErrorCode::Parse, ""); // no JSON object
    }
    void refusalsAreExplained()
    {
        QFETCH(int, status);
        QFETCH(QString, message);
        QFETCH(QString, reason);
        QFETCH(int, code);
        QFETCH(QString, hint);
        Setup setup;
        setup.cloud.instead = [&](std::size_t) {
            return status == 200 ? answer("[]") : fault(status, message.toStdString(), reason.toStdString());
        };
        const auto usage = setup.read();
        QVERIFY(!usage);
        QCOMPARE(static_cast<int>(usage.error().code), code);
        QVERIFY2(usage.error().hint.find(hint.toStdString()) != std::string::npos, usage.error().hint.c_str());
        QVERIFY(usage.error().hint.find("BigQuery") == std::string::npos);
        QVERIFY2(usage.error().text.find(message.toStdString()) != std::string::npos, usage.error().text.c_str());
        QVERIFY(usage.error().text.find("canary") == std::string::npos);
    }

    void waitsAndGoesOn()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 12, 40)}};
        const std::string whole = shown(*setup.read());
        setup.cloud.sent.clear();
        setup.cloud.page = 5;
        const int reads = setup.secrets.reads;
        setup.cloud.instead = [](std::size_t number) -> std::optional<http::Response> {
            if (number == 1) {
                http::Response slow = fault(429, "Quota exceeded for quota metric 'Time series queries'");
                slow.retryAfter = base::Seconds{7};
                return slow;
            }
            if (number == 4)
                return fault(401, "the token has ended"); // in the midst of pages
            return std::nullopt;
        };
        QCOMPARE(shown(*setup.read()), whole);
        QCOMPARE(setup.pause->waits.size(), std::size_t{1});
        QVERIFY(setup.pause->waits[0] >= http::Milliseconds{7000});
        QCOMPARE(setup.secrets.reads, reads + 1);
    }

    void aStopRequestEndsIt()
    {
        Setup setup;
        setup.usage();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(setup.source->usage()->usage(setup.machines, kHour, stop.get_token()).error().code
                == ErrorCode::Cancelled);
        QVERIFY(setup.source->usage()->activity(setup.machines, {}, stop.get_token()).error().code
                == ErrorCode::Cancelled);
    }

    void whatIsNoReadingIsCounted_data()
    {
        QTest::addColumn<QString>("patch"); // of the first series, RFC 7396
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("left");
        const auto row = [](const char *patch, const char *reason, const char *left = "") {
            QTest::newRow(patch) << patch << reason << left;
        };
        const char *gpu = "series of a GPU that its machine does not have",
                   *time = "value of another time than was asked for", *number = "value that is no number",
                   *measurement = "value that is no measurement",
                   *metric = "series of another metric than was asked for";
        row("{'metric':{'labels':{'gpu_number':'2'}}}", gpu);
        row("{'metric':{'labels':{'gpu_number':'-1'}}}", gpu);
        row("{'metric':{'labels':{'gpu_number':0}}}", gpu);
        row("{'metric':{'labels':{'gpu_number':null}}}", gpu);
        row("{'metric':{'labels':7}}", gpu);
        row("{'metric':{'type':'agent.googleapis.com/gpu/processes/utilization'}}", metric);
        row("{'metric':null}", metric);
        row("{'resource':{'labels':{'instance_id':111}}}", "series without the number of its machine");
        row("{'resource':7}", "series without the number of its machine");
        row("{'resource':{'labels':{'instance_id':'999'}}}", ""); // another machine
        row("{'points':{}}", "series without values");
        row("{'points':null}", "series without values");
        row("{'points':[7]}", "value without a time");
        row("{'points':[{'value':{'doubleValue':5}}]}", "value without a time");
        row("{'points':[{'interval':{'endTime':1795168800},'value':{'doubleValue':5}}]}", "value without a time");
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:04:00Z'},'value':{'doubleValue':5}}]}", time);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00.5Z'},'value':{'doubleValue':5}}]}", time);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:00:00Z'},'value':{'doubleValue':5}}]}", time);
        row("{'points':[{'interval':{'endTime':'2026-11-20T11:05:00Z'},'value':{'doubleValue':5}}]}", time);
        row("{'points':[{'interval':{'endTime':'9999-01-01T00:00:00Z'},'value':{'doubleValue':5}}]}", time);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'doubleValue':'5'}}]}", number);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'doubleValue':'NaN'}}]}", number);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'int64Value':'5.5'}}]}", number);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'distributionValue':{}}}]}", number);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'}}]}", number);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'doubleValue':-1}}]}", measurement);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'doubleValue':1e300}}]}", measurement);
        row("{'points':[{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'int64Value':'5'}},"
            "{'interval':{'endTime':'2026-11-20T10:05:00Z'},'value':{'int64Value':'50'}}]}",
            "value that was told twice", "0/0 0:300:5; ");
    }
    void whatIsNoReadingIsCounted()
    {
        QFETCH(QString, patch);
        QFETCH(QString, reason);
        QFETCH(QString, left);
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 1, 40)}, {"222", "0", "GPU-2", minutes(0, 1, 90)}};
        setup.cloud.change = [&](Json &page) {
            page["timeSeries"][0].merge_patch(Json::parse(js(patch.toStdString())));
        };
        const auto usage = setup.read();
        QVERIFY(usage.has_value());
        QCOMPARE(shown(*usage), left.toStdString() + "1/0 0:300:90");
        QVERIFY(reason.isEmpty() ? usage->rejected.empty() : countOf(*usage, reason.toStdString()) > 0);
    }

    void whatIsNoListIsRefused()
    {
        for (const char *body : {"{'timeSeries':7}", "{'timeSeries':{}}", "{'timeSeries':'x'}", "{", ""}) {
            Setup setup;
            setup.cloud.instead = [&](std::size_t) { return answer(js(body)); };
            QVERIFY2(setup.read().error().code == ErrorCode::Parse, body);
            QVERIFY2(setup.newest({}).error().code == ErrorCode::Parse, body);
        }
        Setup odd;
        odd.cloud.instead = [](std::size_t) { return answer(js("{'timeSeries':[7,null,[],{}]}")); };
        QCOMPARE(countOf(*odd.read(), "series without the number of its machine"), std::uint64_t{4});
    }

    // A GPU was replaced at 10:12, and for one bucket both told.
    void aPlaceMayHaveHadTwoDevices()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-new", minutes(2, 4, 80)}, {"111", "0", "GPU-old", minutes(0, 3, 20)}};
        auto &samples = setup.cloud.told[0].samples;
        samples.erase(samples.begin(), samples.begin() + 2); // three are left in the bucket
        auto usage = setup.read();
        QCOMPARE(shown(*usage), std::string("0/0 0:300:20 1:300:20 2:300:20 3:300:80"));
        QCOMPARE(countOf(*usage, "bucket of a GPU that another one tells of, too"), std::uint64_t{1});
        setup.cloud.told[1].samples.resize(12); // two
        QCOMPARE(shown(*setup.read()), std::string("0/0 0:300:20 1:300:20 2:180:80 3:300:80"));
        setup.cloud.told[1].samples.push_back({820, 20, 1000}); // three each: the busier one
        QCOMPARE(shown(*setup.read()), std::string("0/0 0:300:20 1:300:20 2:180:80 3:300:80"));
    }

    void instancesAreKnownByTheirNumbers()
    {
        ports::Inventory inventory;
        gcp::InstanceDetails details;
        Json page{{"items",
                   {{"zones/z-a",
                     {{"instances",
                       {instance("a", "6543210987654321098"), instance("b", nullptr), instance("c", 77),
                        instance("d", "-5"), instance("e", ""), instance("f", "9"), instance("g", "9")}}}}}}};
        page["items"]["zones/z-a"]["instances"].push_back(instance("plain", "8"));
        page["items"]["zones/z-a"]["instances"][7]["machineType"] = "https://x/machineTypes/e2-standard-8";
        QVERIFY(gcp::addInstances(page, "p", {{"g2-standard-24", {"L4", 2'000'000}}}, inventory, details).has_value());
        QCOMPARE(inventory.machines.size(), std::size_t{7});
        QCOMPARE(details.numbers, (gcp::InstanceNumbers{{"6543210987654321098", "z-a/a"}, {"9", ""}}));

        Setup setup;
        setup.cloud.instances = Json::array({instance("a", "111"), instance("b", nullptr)});
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 1, 40)}, {"222", "0", "GPU-2", minutes(0, 1, 90)}};
        const auto usage = setup.read();
        QCOMPARE(shown(*usage), std::string("0/0 0:300:40"));
        QCOMPARE(countOf(*usage, "machine without a number of its own"), std::uint64_t{1});
        // Another one of the name, since the list was read anew.
        setup.cloud.instances = Json::array({instance("a", "333")});
        setup.machines = setup.source->read({{"g2-standard-24", {"L4", 2'000'000}}}, {})->machines;
        QVERIFY(setup.read()->gpus.empty());
    }

    void theNewestSamplesAreThoseThatWereWritten()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(0, 12, 5)}, {"222", "1", "GPU-2", {{3570, 90, 0}}}};
        setup.cloud.told[0].samples[50].percent = 70; // 10 minutes before the end
        ports::ActivityQuestion question;
        question.since = kHour.end;
        auto activity = setup.newest(question);
        QVERIFY(activity.has_value());
        QVERIFY(activity->now == ports::SampleTime(kHour.end + base::Seconds{7})); // as the service dated its answer
        QCOMPARE(activity->readings.size(), std::size_t{2});
        const ports::ActivityReading &first = activity->readings[0].activity;
        QVERIFY(activity->readings[0].which.machine == 0 && activity->readings[1].which.machine == 1);
        QCOMPARE(activity->readings[1].which.gpu, std::int64_t{1});
        QVERIFY(first.signal == ActivitySignal::GpuUtilization && first.interval == std::chrono::minutes{1});
        QVERIFY(first.newest->at == ports::SampleTime(kHour.end - base::Seconds{30}));
        QCOMPARE(first.samples, std::size_t{15}); // of 15 minutes
        QCOMPARE(first.most->share, 0.05);
        QVERIFY(activity->readings[1].activity.interval.count() == 0);
        question.since = kHour.end - base::Seconds{1200};
        QCOMPARE(setup.newest(question)->readings[0].activity.most->share, 0.7);
        question.at = kBegin + base::Seconds{600};
        activity = setup.newest(question);
        QVERIFY(activity->now == ports::SampleTime(*question.at));
        QVERIFY(activity->readings[0].activity.newest->at == ports::SampleTime(kBegin + base::Seconds{570}));
        QCOMPARE(setup.cloud.asked.back().first, std::string());
    }

    void samplesThatAreNoMeasurementsAreNone()
    {
        Setup setup;
        setup.cloud.told = {{"111", "0", "GPU-1", minutes(9, 12, 5)}, {"111", "1", "GPU-2", minutes(9, 12, 5)}};
        setup.cloud.change = [](Json &page) {
            Json &points = page["timeSeries"][0]["points"];
            points[0]["value"] = {{"doubleValue", "NaN"}};
            points[0]["interval"]["endTime"] = "2026-11-20T10:59:30.250Z";
            points[1]["value"] = {{"doubleValue", -5}};
            points[2]["interval"]["endTime"] = "2026-11-20T10:57:30.125999Z";
            points.push_back(points[2]); // twice: the busier one
            points.back()["value"] = {{"int64Value", "30"}};
            for (Json &point : page["timeSeries"][1]["points"])
                point["value"] = nullptr;
        };
        const auto activity = setup.newest({});
        QCOMPARE(activity->readings.size(), std::size_t{2});
        const ports::ActivityReading &first = activity->readings[0].activity;
        QVERIFY(first.newest->at
                == ports::SampleTime(*base::parseTime("2026-11-20T10:57:30Z")) + std::chrono::milliseconds{125});
        QCOMPARE(first.newest->share, 0.3);
        QCOMPARE(first.samples, std::size_t{15});
        QVERIFY(!activity->readings[1].activity.newest);
    }

    void theSettingsSayWhether()
    {
        Setup setup;
        QVERIFY((*setup.make())->usage());
        for (const auto &[word, isWanted] : {std::pair("all", true), std::pair("none", false)}) {
            setup.settings.options["usage"] = word;
            QCOMPARE((*setup.make())->usage() != nullptr, isWanted);
        }
        setup.settings.options["usage"] = "some";
        QVERIFY(setup.make().error().code == ErrorCode::InvalidConfig);
    }

    void theAddressIsBesideThatOfComputeEngine()
    {
        const auto address = [](const char *url) { return gcp::serviceAddress(url, "monitoring").value_or("?"); };
        QCOMPARE(address(""), std::string("https://monitoring.googleapis.com"));
        QCOMPARE(address("https://compute.googleapis.com/"), std::string("https://monitoring.googleapis.com"));
        QCOMPARE(address("https://Compute-lab.p.googleapis.com"),
                 std::string("https://monitoring-lab.p.googleapis.com"));
        QCOMPARE(address("https://computer.googleapis.com"), std::string("https://computer.googleapis.com"));
        QCOMPARE(address("https://compute.example"), std::string("https://compute.example"));
        QCOMPARE(address("http://127.0.0.1:80/api/"), std::string("http://127.0.0.1:80/api"));
        QCOMPARE(address("ftp://x"), std::string("?"));
    }

    void aTestSaysWhatIsThere()
    {
        using Text = ports::FindingText;
        Setup setup;
        setup.usage();
        const auto found = [&] {
            std::vector<Text> out;
            const auto findings = setup.source->probe({});
            for (const ports::Finding &one : *findings)
                out.push_back(one.text);
            return out;
        };
        QVERIFY((found() == std::vector{Text::RightGiven, Text::RightGiven, Text::NoUsageMetrics}));
        const auto none = setup.source->probe({});
        QVERIFY((none->back().terms
                 == std::vector<ports::FindingTerm>{"agent.googleapis.com/gpu/utilization", "the Ops Agent"}));
        QVERIFY(none->back().level == ports::Finding::Level::Missing);
        setup.cloud.told = {{"999", "0", "GPU-1", minutes(0, 1, 40)}};
        QVERIFY((found() == std::vector{Text::RightGiven, Text::RightGiven}));
        for (const char *reason : {"", "SERVICE_DISABLED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}) {
            setup.cloud.instead = [&](std::size_t) { return fault(403, "denied", reason); };
            const auto findings = setup.source->probe({});
            QCOMPARE(findings->size(), std::size_t{2});
            QVERIFY(findings->back().text == Text::UsageWithheld);
            QVERIFY(findings->back().terms == std::vector<ports::FindingTerm>{"monitoring.timeSeries.list"});
        }
        setup.cloud.instead = [](std::size_t) { return fault(500, "sorry"); };
        QVERIFY(setup.source->probe({}).error().code == ErrorCode::Server);
        setup.settings.options["usage"] = "none";
        QCOMPARE((*setup.make())->probe({})->size(), std::size_t{1});
    }
};

GPULEDGER_SUITE(TestMonitoring)

} // namespace tst_monitoring

#include "tst_monitoring.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Which machines of SageMaker are listed: against moto, and for what it lacks against a service in the same process.
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakesagemaker.h"
#include "tests/unit/aws/motoserver.h"

#include <QJsonObject>
#include <QTest>

#include <algorithm>

namespace tst_sagemaker {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::FindingText;
using Json = nlohmann::json;

namespace {

constexpr std::int64_t kNow = kSageMakerNow, kHour = kHourLong;
const std::string kArn = kSageMakerArn;
using Setup = SageMakerSetup;
using Reply = FakeSageMaker::Reply;

std::string leftOutIn(const ports::Inventory &inventory)
{
    std::string out;
    for (const auto &one : inventory.leftOut)
        out += (out.empty() ? "" : "; ") + std::to_string(one.count) + ' ' + one.reason;
    return out;
}

// "endpoint/chat 8, endpoint/talk 2": without the begin of the ARN, in order.
std::string machinesIn(const ports::Inventory &inventory)
{
    std::vector<std::string> all;
    for (const ports::ListedMachine &one : inventory.machines)
        all.push_back(one.id.substr(std::min(one.id.size(), kArn.size())) + ' ' + std::to_string(one.gpus));
    std::sort(all.begin(), all.end());
    std::string out;
    for (const std::string &one : all)
        out += (out.empty() ? "" : ", ") + one;
    return out;
}

bool isLeftOut(const std::vector<std::string> &warnings)
{
    return warnings.size() == 1 && warnings.front().starts_with("machines of SageMaker are left out: ");
}

} // namespace

class TestSageMaker : public QObject {
    Q_OBJECT

    MotoServer m_moto;

    // The ARN of what boto3 made.
    std::string boto(const char *what, const char *name, QJsonObject more = {})
    {
        more[QStringLiteral("do")] = QLatin1String(what);
        more[QStringLiteral("name")] = QLatin1String(name);
        const QJsonObject done = m_moto.ask(more);
        if (done.contains(QStringLiteral("error")))
            qWarning("%s", qPrintable(done[QStringLiteral("error")].toString()));
        return done[QStringLiteral("arn")].toString().toStdString();
    }

private Q_SLOTS:
    void listsNotebooksThatAreBilled()
    {
        Setup setup;
        setup.server.lists["ListNotebookInstances"] = {notebookOf("On"),
                                                       notebookOf("Off", "Stopped"),
                                                       notebookOf("Ending", "Stopping", "ml.p3.2xlarge"),
                                                       notebookOf("Begun", "Pending"),
                                                       notebookOf("Small", "InService", "ml.t3.medium"),
                                                       notebookOf("Part", "InService", "ml.g6f.large"),
                                                       notebookOf("On")};
        setup.server.tags[kArn + "notebook-instance/On"] = {{{"Key", "team"}, {"Value", "vision"}}};
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read), std::string("notebook-instance/Ending 1, notebook-instance/On 1"));
        QCOMPARE(leftOutIn(*read), std::string("1 machine with a part of a GPU"));
        QVERIFY(read->warnings.empty() && read->stoppedAndBilled.empty());
        const ports::ListedMachine &on = read->machines[0];
        QVERIFY(on.id == kArn + "notebook-instance/On" && on.providerId == on.id && on.hostName.empty());
        QVERIFY(on.type == "ml.g5.xlarge" && on.gpuName == "A10G" && on.region == "us-east-1" && on.zone.empty());
        QVERIFY(on.since == base::fromUnix(kNow - 2 * kHour) && !on.until && !on.isSpot && !on.isMember);
        QVERIFY((on.tags == model::Labels{{"team", "vision"}}));
        QVERIFY(read->machines[1].gpuName == "NVIDIA V100" && read->machines[1].memoryMib == 16384);
        QCOMPARE(setup.server.count("ListTags " + on.id), 1L);
        QCOMPARE(setup.server.count("ListNotebookInstances"), 4L);
    }

    void listsAVariantAsAMachine()
    {
        Setup setup;
        const Json gpu = typeOf("a", "ml.p4d.24xlarge");
        setup.addEndpoint("one", {variantOf("a", 2), variantOf("cpu", 3)}, {gpu, typeOf("cpu", "ml.c5.xlarge")});
        setup.addEndpoint("two", {variantOf("a", 1), variantOf("b", 3)}, {gpu, typeOf("b", "ml.g5.xlarge")},
                          "Updating");
        setup.addEndpoint("asleep", {variantOf("a", 0), variantOf("b", 1)}, {gpu, typeOf("b", "ml.g5.xlarge")});
        setup.addEndpoint("huge", {variantOf("a", 9)}, {gpu});
        setup.addEndpoint("begun", {variantOf("a", 9)}, {gpu}, "Creating");
        setup.addEndpoint("mixed", {variantOf("a", 1)}, {gpu}, "UpdateRollbackFailed");
        Json serverless = typeOf("a", "ml.p4d.24xlarge"), pooled = serverless;
        serverless["ServerlessConfig"] = Json::object();
        pooled["InstancePools"] = Json::array({Json{{"InstanceType", "ml.p4d.24xlarge"}}});
        setup.addEndpoint("serverless", {variantOf("a", 1)}, {serverless}, "SystemUpdating");
        setup.addEndpoint("pooled", {variantOf("a", 1)}, {pooled}, "RollingBack");
        setup.addEndpoint("shadow", {variantOf("a", 1)}, {gpu});
        setup.server.things["DescribeEndpoint shadow"]["ShadowProductionVariants"] = Json::array({variantOf("s", 2)});
        setup.server.things["DescribeEndpointConfig shadow-c"]["ShadowProductionVariants"] =
            Json::array({typeOf("s", "ml.g5.xlarge")});
        setup.server.things["DescribeEndpoint two"]["EndpointConfigName"] = "asleep-c"; // of two endpoints
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read),
                 std::string("endpoint/asleep/b 1, endpoint/one 16, endpoint/shadow/a 8, endpoint/shadow/s 2, "
                             "endpoint/two/a 8, endpoint/two/b 3"));
        QCOMPARE(leftOutIn(*read),
                 std::string("1 endpoint between two configurations; 1 endpoint with instance pools; 1 endpoint with "
                             "more than 64 GPUs"));
        QVERIFY(!read->machines[0].since && read->machines[1].providerId == read->machines[1].id);
        QCOMPARE(setup.server.count("DescribeEndpointConfig asleep-c"), 1L);
        QVERIFY(setup.server.count("ListTags " + (kArn + "endpoint/two")) == 2);
    }

    void countsEndpointsThatCanNotBeTold()
    {
        Setup setup;
        const Json gpu = typeOf("a", "ml.p4d.24xlarge");
        setup.addEndpoint("gone", {variantOf("a", 1)}, {gpu});
        setup.server.things.erase("DescribeEndpoint gone"); // deleted in the meantime: none
        setup.addEndpoint("unconfigured", {variantOf("a", 1)}, {gpu}); // it runs without its configuration
        setup.server.things.erase("DescribeEndpointConfig unconfigured-c");
        setup.addEndpoint("renamed", {variantOf("b", 1)}, {gpu});
        setup.addEndpoint("twice", {variantOf("a", 1), variantOf("a", 2)}, {gpu});
        setup.addEndpoint("text", {Json{{"VariantName", "a"}, {"CurrentInstanceCount", "2"}}}, {gpu});
        setup.addEndpoint("negative", {variantOf("a", -1)}, {gpu});
        setup.addEndpoint("odd", {7, nullptr}, {7, nullptr});
        setup.addEndpoint("none", {}, {gpu});
        setup.server.things["DescribeEndpoint none"]["ProductionVariants"] = "variants";
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read), std::string("endpoint/twice 8"));
        QCOMPARE(leftOutIn(*read),
                 std::string("2 variant of an endpoint whose type is not told; 7 endpoint that can't be read"));
    }

    void listsTrainingThatRunsOrEndedShortlyAgo()
    {
        Setup setup;
        setup.addJob("on", "InProgress", {}, {{"EnableManagedSpotTraining", true}});
        setup.addJob("ending", "Stopping");
        setup.addJob("done", "Completed", kNow - 5 * kHour + 0.5);
        setup.addJob("failed", "Failed", kNow - 6 * kHour);
        setup.addJob("old", "Stopped", kNow - 6 * kHour - 1);
        setup.addJob("waits", "InProgress", {}, {{"TrainingStartTime", nullptr}});
        setup.addJob("never", "Failed");
        setup.addJob("just", "InProgress", {}, {{"TrainingJobStatus", "Completed"}, {"TrainingEndTime", kNow - 10}});
        setup.addJob("short", "Completed", kNow - kHour, {{"TrainingStartTime", kNow - kHour}});
        setup.addJob("serverless", "InProgress", {}, {{"ServerlessJobConfig", Json::object()}});
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read),
                 std::string("training-job/done 16, training-job/ending 16, training-job/failed 16, "
                             "training-job/just 16, training-job/on 16"));
        QVERIFY(read->leftOut.empty() && read->warnings.empty());
        const auto machine = [&](const std::string &name) {
            return *std::find_if(read->machines.begin(), read->machines.end(),
                                 [&](const auto &one) { return one.id == kArn + "training-job/" + name; });
        };
        QVERIFY(machine("on").isSpot && !machine("on").until
                && machine("on").since == base::fromUnix(kNow - 8 * kHour));
        QVERIFY(!machine("done").isSpot && machine("done").until == base::fromUnix(kNow - 5 * kHour));
        QVERIFY(machine("just").until == base::fromUnix(kNow - 10) && !machine("ending").until);
        QCOMPARE(setup.server.count("DescribeTrainingJob old"), 0L);
        QCOMPARE(setup.server.count("DescribeTrainingJob on"), 1L); // which both lists have
        std::vector<Json> questions;
        for (std::size_t i = 0; i < setup.server.asked.size(); ++i) {
            Json question = setup.server.bodies[i];
            question.erase("NextToken");
            if (setup.server.asked[i] == "ListTrainingJobs" && (questions.empty() || questions.back() != question))
                questions.push_back(question);
        }
        QVERIFY((questions
                 == std::vector<Json>{{{"LastModifiedTimeAfter", kNow - 48 * kHour}, {"MaxResults", 100}},
                                      {{"StatusEquals", "InProgress"},
                                       {"CreationTimeAfter", kNow - 120 * 24 * kHour},
                                       {"MaxResults", 100}}}));
    }

    void addsUpInstanceGroups()
    {
        const auto group = [](const char *type, const Json &count) {
            return Json{{"InstanceType", type}, {"InstanceCount", count}, {"InstanceGroupName", "g"}};
        };
        const auto groups = [](std::initializer_list<Json> all) {
            return Json{{"ResourceConfig", {{"InstanceType", nullptr}, {"InstanceGroups", Json(all)}}}};
        };
        Setup setup;
        setup.addJob("alike", "InProgress", {},
                     groups({group("ml.g5.xlarge", 2), group("ml.c5.xlarge", 9), group("ml.g5.xlarge", 3)}));
        setup.addJob("mixed", "InProgress", {}, groups({group("ml.g5.xlarge", 2), group("ml.p4d.24xlarge", 1)}));
        setup.addJob("large", "InProgress", {}, groups({group("ml.g5.xlarge", 64), group("ml.g5.xlarge", 1)}));
        setup.addJob("most", "InProgress", {}, groups({group("ml.g5.xlarge", 64)}));
        setup.addJob("huge", "InProgress", {}, groups({group("ml.p4d.24xlarge", 18446744073709551615u)}));
        setup.addJob("text", "InProgress", {}, groups({group("ml.g5.xlarge", "2")}));
        setup.addJob("part", "InProgress", {}, groups({group("ml.g5.xlarge", 2.5)}));
        setup.addJob("none", "InProgress", {}, groups({group("ml.g5.xlarge", 0)}));
        setup.addJob("odd", "InProgress", {}, {{"ResourceConfig", "ml.g5.xlarge"}});
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read), std::string("training-job/alike 5, training-job/most 64"));
        QCOMPARE(leftOutIn(*read),
                 std::string("4 training job that can't be read; 1 training job with several types of machines; 2 "
                             "training job with more than 64 GPUs"));
    }

    void listsStudioApps()
    {
        Setup setup;
        Json space = appOf("space", "ml.g5.xlarge"), old = appOf("old", "ml.g5.xlarge");
        space["SpaceName"] = "shared";
        space.erase("UserProfileName");
        old["Status"] = "Deleted";
        setup.server.lists["ListApps"] = {
            appOf("lab", "ml.p4d.24xlarge"), space, old, appOf("gone", "ml.g5.xlarge"), appOf("server", "system"),
            appOf("cpu", "ml.t3.medium")};
        const std::string arn = kArn + "app/d-1/ada/jupyterlab/lab";
        setup.server.things["DescribeApp lab"] = {{"AppArn", arn}, {"Status", "InService"}};
        setup.server.things["DescribeApp space"] = {{"Status", "InService"}}; // without its ARN
        setup.server.tags[arn] = {{{"Key", "owner"}, {"Value", "ada"}}, {{"Value", "x"}}, 7};
        auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read), std::string("app/d-1/ada/jupyterlab/lab 8"));
        QCOMPARE(leftOutIn(*read), std::string("1 Studio app whose ARN is not known"));
        QVERIFY((read->machines[0].tags == model::Labels{{"owner", "ada"}}));
        QVERIFY(read->machines[0].since == base::fromUnix(kNow - kHour));
        QCOMPARE(setup.server.count("DescribeApp cpu") + setup.server.count("DescribeApp old"), 0L);
        QVERIFY(
            std::find(
                setup.server.bodies.begin(), setup.server.bodies.end(),
                Json({{"DomainId", "d-1"}, {"SpaceName", "shared"}, {"AppType", "JupyterLab"}, {"AppName", "space"}}))
            != setup.server.bodies.end());

        // The account is in another ARN; without the right to describe it has no tags.
        setup.server.lists["ListNotebookInstances"] = {notebookOf("On", "InService", "ml.t3.medium")};
        setup.server.before = [](const std::string &action, const Json &) -> Reply {
            return action == "DescribeApp" ? Reply(sageMakerRefusal("AccessDeniedException")) : std::nullopt;
        };
        read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read),
                 std::string("app/d-1/ada/jupyterlab/gone 1, app/d-1/ada/jupyterlab/lab 8, "
                             "app/d-1/shared/jupyterlab/space 1"));
        QVERIFY(read->leftOut.empty() && read->machines[0].tags.empty());
        QCOMPARE(read->warnings,
                 (std::vector<std::string>{"some Studio apps of SageMaker are listed without their tags: "
                                           "sagemaker:DescribeApp is not allowed: AccessDeniedException: said so"}));
    }

    void leavesOutWhatMayNotBeListed_data()
    {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("machines");
        QTest::addColumn<QByteArray>("leftOut");
        QTest::addColumn<QByteArray>("warning");
        constexpr char kBook[] = "notebook-instance/On 1", kChat[] = "endpoint/chat 8", kJob[] = "training-job/on 16";
        const auto row = [](const char *action, std::vector<std::string> all, const char *leftOut, const char *text) {
            QByteArray joined;
            for (const std::string &one : all)
                joined += (joined.isEmpty() ? "" : ", ") + QByteArray::fromStdString(one);
            QTest::newRow(action) << QByteArray(action) << joined << QByteArray(leftOut) << QByteArray(text);
        };
        row("ListNotebookInstances", {kChat, kJob}, "", "notebooks of SageMaker are left out: ");
        row("ListEndpoints", {kBook, kJob}, "", "endpoints of SageMaker are left out: ");
        row("ListTrainingJobs", {kChat, kBook}, "", "training jobs of SageMaker are left out: ");
        row("ListApps", {kChat, kBook, kJob}, "", "Studio apps of SageMaker are left out: ");
        row("DescribeEndpoint", {kBook, kJob}, "1 endpoint that may not be described",
            "some endpoints of SageMaker are left out: ");
        row("DescribeEndpointConfig", {kBook, kJob}, "1 variant of an endpoint whose type is not told",
            "some endpoints of SageMaker are left out: ");
        row("DescribeTrainingJob", {kChat, kBook}, "1 training job that may not be described",
            "some training jobs of SageMaker are left out: ");
        row("ListTags", {kChat, kBook, kJob}, "", "some machines of SageMaker are listed without their tags: ");
    }
    void leavesOutWhatMayNotBeListed()
    {
        QFETCH(QByteArray, action);
        QFETCH(QByteArray, machines);
        QFETCH(QByteArray, leftOut);
        QFETCH(QByteArray, warning);
        Setup setup;
        setup.server.lists["ListNotebookInstances"] = {notebookOf("On")};
        setup.addEndpoint("chat", {variantOf("a", 1)}, {typeOf("a", "ml.p4d.24xlarge")});
        setup.addJob("on", "InProgress");
        const std::string denied = action.toStdString();
        setup.server.before = [&](const std::string &asked, const Json &) -> Reply {
            return asked == denied ? Reply(sageMakerRefusal("AccessDeniedException")) : std::nullopt;
        };
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read), machines.toStdString());
        QCOMPARE(leftOutIn(*read), leftOut.toStdString());
        QCOMPARE(read->warnings,
                 (std::vector<std::string>{warning.toStdString() + "sagemaker:" + denied
                                           + " is not allowed: AccessDeniedException: said so"}));
        for (const char *other : {"InternalFailure", "ValidationException", "UnknownOperationException"}) {
            setup.server.before = [&](const std::string &asked, const Json &) -> Reply {
                return asked == denied ? Reply(sageMakerRefusal(other)) : std::nullopt;
            };
            const auto partial = setup.read();
            QVERIFY2(partial, partial ? "" : partial.error().text.c_str());
            const bool mayLack = denied == "ListApps" && other == std::string("UnknownOperationException");
            QCOMPARE(partial->isPartial, !mayLack);
            QVERIFY(mayLack ? partial->warnings.empty() : isLeftOut(partial->warnings));
        }
    }

    void leavesItOutIfPagesCanNotBeRead_data()
    {
        QTest::addColumn<QByteArray>("body");
        for (const char *body : {"[]", "7", "{}", "{'Endpoints':null}", "{'Endpoints':{}}", "{'Endpoints':[",
                                 "{'Endpoints':[],'NextToken':7}", "{'Endpoints':[],'NextToken':'again'}"})
            QTest::newRow(body) << QByteArray(body);
    }
    void leavesItOutIfPagesCanNotBeRead()
    {
        QFETCH(QByteArray, body);
        Setup setup;
        setup.server.before = [&](const std::string &action, const Json &) -> Reply {
            return action == "ListEndpoints" ? Reply(answer(js(body.toStdString()))) : std::nullopt;
        };
        const auto read = setup.read();
        QVERIFY(read && read->isPartial && isLeftOut(read->warnings));
    }

    void endsListsThatDoNotEnd()
    {
        Setup setup;
        int pages = 0;
        setup.server.before = [&](const std::string &action, const Json &) -> Reply {
            if (action != "ListApps")
                return std::nullopt;
            return answer(Json{{"Apps", Json::array()}, {"NextToken", std::to_string(++pages)}}.dump());
        };
        const auto read = setup.read();
        QVERIFY(read && read->isPartial && isLeftOut(read->warnings));
        QCOMPARE(pages, 1000);

        setup.server.lists["ListNotebookInstances"] = {notebookOf("On")};
        setup.server.before = [&](const std::string &action, const Json &) -> Reply {
            if (action != "ListTags")
                return std::nullopt;
            return answer(Json{{"Tags", Json::array()}, {"NextToken", std::to_string(++pages)}}.dump());
        };
        const auto tags = setup.read();
        QVERIFY(tags && tags->isPartial && isLeftOut(tags->warnings) && pages < 1100);
    }

    void failsWithWhatConcernsTheWholeAccount()
    {
        for (const ErrorCode code : {ErrorCode::Unauthorized, ErrorCode::Refused}) {
            Setup setup;
            setup.server.before = [&](const std::string &action, const Json &) -> Reply {
                return action == "ListEndpoints" ? Reply(base::Result<http::Response>(base::fail(code, "no")))
                                                 : std::nullopt;
            };
            const auto read = setup.read();
            QVERIFY(!read && read.error().code == code);
            const auto findings = setup.probe();
            QVERIFY(!findings && findings.error().code == code);
        }
    }

    void countsThingsThatCanNotBeRead()
    {
        Setup setup;
        Json withoutType = notebookOf("a"), badArn = notebookOf("b"), noStatus = notebookOf("c"),
             before1970 = notebookOf("d"), wild = notebookOf("e", "InService", "ml.*");
        withoutType["InstanceType"] = 7;
        badArn["NotebookInstanceArn"] = "arn:aws:sagemaker:us-east-1:123456789012:notebook-instance/b\nc";
        noStatus["NotebookInstanceStatus"] = nullptr;
        before1970["LastModifiedTime"] = -5;
        setup.server.lists["ListNotebookInstances"] = {withoutType, badArn, noStatus, before1970, wild, 7, nullptr};
        setup.addJob("text", "Completed", "1795348000");
        setup.addJob("begin", "InProgress", {}, {{"TrainingStartTime", "yesterday"}});
        setup.addJob("early", "InProgress", {}, {{"TrainingStartTime", -1}});
        setup.addJob("late", "InProgress", {}, {{"TrainingStartTime", 1e300}});
        setup.server.lists["ListEndpoints"] = {{{"EndpointStatus", "InService"}}, "chat"};
        Json noDomain = appOf("x", "ml.g5.xlarge");
        noDomain.erase("DomainId");
        setup.server.lists["ListApps"] = {noDomain, Json::array()};
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read), std::string("notebook-instance/d 1"));
        QVERIFY(!read->machines[0].since);
        QCOMPARE(leftOutIn(*read),
                 std::string("5 notebook that can't be read; 2 endpoint that can't be read; 4 training job that can't "
                             "be read; 2 Studio app that can't be read"));
    }

    void isNoFailureWhereThereIsNoSageMaker()
    {
        Setup setup;
        std::string away = "ListNotebookInstances";
        setup.server.before = [&](const std::string &action, const Json &) -> Reply {
            if (action != away)
                return std::nullopt;
            return base::Result<http::Response>(base::fail(ErrorCode::Network, "no such host"));
        };
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(read->warnings, (std::vector<std::string>{"SageMaker can't be reached: no such host"}));
        const auto findings = setup.probe();
        QVERIFY(findings && findings->size() == 1 && findings->front().text == FindingText::MachinesUnread);
        away = "ListEndpoints"; // it was there a moment ago
        const auto partial = setup.read();
        QVERIFY(partial && partial->isPartial && isLeftOut(partial->warnings));
        const auto some = setup.probe();
        QVERIFY(some && some->size() == 2 && some->back().text == FindingText::MachinesUnread);
        std::stop_source source;
        source.request_stop();
        const auto stopped = setup.read(source.get_token());
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }

    void tellsWhichRightsAreMissing()
    {
        Setup setup;
        setup.server.before = [](const std::string &action, const Json &) -> Reply {
            if (action == "ListApps")
                return sageMakerRefusal("UnknownOperationException");
            return action == "ListEndpoints" ? Reply(sageMakerRefusal("AccessDeniedException")) : std::nullopt;
        };
        const auto findings = setup.probe();
        QVERIFY2(findings, findings ? "" : findings.error().text.c_str());
        std::string told;
        for (const ports::Finding &one : *findings)
            told += std::get<std::string>(one.terms.at(0)) + (one.text == FindingText::RightGiven ? "+ " : "- ");
        QCOMPARE(told,
                 std::string("sagemaker:ListNotebookInstances+ sagemaker:ListEndpoints- sagemaker:ListTrainingJobs+ "));
        QVERIFY(std::all_of(setup.server.bodies.begin(), setup.server.bodies.end(), [](const Json &body) {
            return body == Json({{"MaxResults", 1}});
        }));
        setup.server.before = {};
        QCOMPARE(setup.probe()->size(), std::size_t{4});
    }

    void readsWhatBotoMade()
    {
        GPULEDGER_START_MOTO(m_moto);
        Setup setup;
        const base::SystemClock clock;
        setup.clock = &clock; // moto filters by its own one
        setup.url = m_moto.url();
        setup.client = std::make_shared<http::CurlHttpClient>();
        setup.known = {{"p3.2xlarge", {"V100 16GB", 1'000'000}}}; // of the others EC2 tells the GPUs

        const std::string book = boto("notebook", "Book");
        boto("notebook", "Off");
        boto("notebook_stop", "Off");
        const QJsonObject tags{{QStringLiteral("team"), QStringLiteral("vision")}};
        const std::string chat = boto("endpoint", "chat",
                                      {{QStringLiteral("count"), 2},
                                       {QStringLiteral("tags"), tags},
                                       {QStringLiteral("type"), QStringLiteral("ml.g4dn.12xlarge")}});
        boto("endpoint", "small", {{QStringLiteral("type"), QStringLiteral("ml.c5.xlarge")}});
        const qint64 now = base::toUnix(clock.now());
        const std::string job = boto(
            "training_job", "on",
            {{QStringLiteral("began"), now - 7 * kHour}, {QStringLiteral("count"), 2}, {QStringLiteral("spot"), true}});
        boto("training_job", "done",
             {{QStringLiteral("began"), now - 7 * kHour}, {QStringLiteral("ended"), now - kHour}});
        boto("training_job", "old",
             {{QStringLiteral("began"), now - 9 * kHour}, {QStringLiteral("ended"), now - 7 * kHour}});
        const auto read = setup.read();
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE(machinesIn(*read),
                 std::string("endpoint/chat 8, notebook-instance/Book 1, training-job/done 8, training-job/on 16"));
        QVERIFY(read->warnings.empty() && read->leftOut.empty());
        QCOMPARE(read->machines[0].id, book);
        QVERIFY(read->machines[0].since && *read->machines[0].since <= clock.now());
        QCOMPARE(read->machines[1].id, chat);
        QVERIFY((read->machines[1].tags == model::Labels{{"team", "vision"}}));
        for (std::size_t i = 2; i < 4; ++i) {
            const ports::ListedMachine &one = read->machines[i];
            QVERIFY(one.since == base::fromUnix(now - 7 * kHour) && one.isSpot == (one.id == job));
            QVERIFY(one.until == (one.id == job ? std::nullopt : std::optional(base::fromUnix(now - kHour))));
        }
        const auto findings = setup.probe();
        QVERIFY(findings && findings->size() == 3); // moto has no apps
    }
};

GPULEDGER_SUITE(TestSageMaker)

} // namespace tst_sagemaker

#include "tst_sagemaker.moc"

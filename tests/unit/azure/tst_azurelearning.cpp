// SPDX-License-Identifier: GPL-3.0-or-later
// The machines of Azure Machine Learning as the kind `azure` lists them.
#include "connectors/azure/compute/computekind.h"
#include "connectors/azure/learning/learningmachines.h"
#include "connectors/format/json.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakelearning.h"

#include <QTest>

#include <algorithm>

namespace tst_azurelearning {

using namespace gpuledger;
using namespace gpuledger::tests;
using namespace gpuledger::tests::learning;
using base::ErrorCode;

namespace {

using Setup = LearningSetup;

const std::string kReason = "machine in an unknown state";

nlohmann::json parsed(const std::string &text)
{
    return *format::parseJson(text);
}

azure::LearningWorkspace vision()
{
    return {"Lab", "vision", "eastus"};
}

azure::LearningCompute read(const std::string &one)
{
    ports::Inventory out;
    const auto computes = azure::computesIn(parsed(page({one})), vision(), out);
    if (!computes || computes->size() != 1)
        qFatal("no compute");
    return computes->front();
}

bool isLeftOut(const base::Result<ports::Inventory> &read)
{
    return read && read->isPartial && read->warnings.size() == 1
        && read->warnings.front().starts_with("the machines of Azure Machine Learning are left out: ");
}

} // namespace

class TestAzureLearning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listsInstancesAndNodes()
    {
        Setup setup;
        setup.answers[kAskComputes] = answer(
            page({instance("Notebook", "JobRunning", "STANDARD_NC6S_V3",
                           operation("Start") + ",'createdBy':{'userName':'somebody@contoso.example','userId':'7'}"),
                  cluster("train", "Standard_ND96isr_H100_v5", ",'vmPriority':'LowPriority','currentNodeCount':3"),
                  compute("aks", "Kubernetes", "'vmSize':'STANDARD_NC6S_V3'"),
                  compute("attached", "VirtualMachine", "'virtualMachineSize':'STANDARD_NC6S_V3'"),
                  compute("copies", "DataFactory", "")}));
        setup.answers[kAskNodes] = answer(nodes({node("TVM-1_p"), node("tvm-2", "idle"), node("tvm-3", "preempted")}));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(told(*inventory),
                 std::string("lab/vision/notebook V100 1; lab/vision/train/tvm-1_p H100 SXM 8 spot; "
                             "lab/vision/train/tvm-2 H100 SXM 8 spot"));
        QVERIFY(inventory->leftOut.empty() && inventory->warnings.empty() && inventory->stoppedAndBilled.empty());
        const ports::ListedMachine &notebook = inventory->machines[0], &member = inventory->machines[1];
        const std::string lower = azure::lowerCase("azure://" + kSubscription + kVision + "/computes/");
        QCOMPARE(notebook.providerId, lower + "notebook");
        QCOMPARE(member.providerId, lower + "train/nodes/tvm-1_p");
        QVERIFY(notebook.type == "STANDARD_NC6S_V3" && notebook.region == "eastus" && notebook.zone == "eastus");
        QVERIFY(notebook.since == *base::parseTime("2026-11-20T10:11:12Z") && !notebook.until && !notebook.isSpot);
        QVERIFY(notebook.tags == (model::Labels{{"team", "vision"}, {"created_by", "somebody@contoso.example"}}));
        QVERIFY(!member.since && !member.isMember && member.tags == (model::Labels{{"team", "vision"}}));
        QCOMPARE(joined(setup.asked, "\n"), joined({kAskWorkspaces, kAskComputes, kAskNodes}, "\n"));
    }

    void knowsWhichStatesAreBilled()
    {
        using Run = azure::ComputeRun;
        for (const char *state :
             {"Running", "Restarting", "JobRunning", "Starting", "SettingUp", "UserSettingUp", "Resizing", "running"})
            QVERIFY2(azure::instanceRun(state) == Run::On, state);
        for (const char *state : {"Stopped", "Stopping", "Deleted", "Deleting", "CreateFailed", "Creating"})
            QVERIFY2(azure::instanceRun(state) == Run::Off, state);
        for (const char *state : {"", "Unknown", "Unusable", "SetupFailed", "UserSetupFailed", "Dreaming"})
            QVERIFY2(azure::instanceRun(state) == Run::Unknown, state);
        for (const char *state : {"idle", "running", "preparing", "unusable", "leaving", "Idle"})
            QVERIFY2(azure::nodeRun(state) == Run::On, state);
        QVERIFY(azure::nodeRun("preempted") == Run::Off);
        for (const char *state : {"", "stopped", "lost"})
            QVERIFY2(azure::nodeRun(state) == Run::Unknown, state);
    }

    void countsStatesThatItDoesNotKnow()
    {
        Setup setup;
        setup.answers[kAskComputes] =
            answer(page({instance("on"), instance("off", "Stopped"), instance("odd", "Unusable"), instance("odder", ""),
                         instance("plain", "Unusable", "Standard_D4s_v5"), cluster("train")}));
        setup.answers[kAskNodes] = answer(nodes({node("a", "lost"), node("b"), "{'nodeId':'c'}"}));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(told(*inventory), std::string("lab/vision/on V100 1; lab/vision/train/b H100 SXM 8"));
        QCOMPARE(leftOut(*inventory), "4 " + kReason);
    }

    void aRunBegins_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("since");
        const auto row = [](const char *name, const std::string &more, const char *since) {
            QTest::newRow(name) << QString::fromStdString(more) << QString::fromLatin1(since);
        };
        const char *const done = "2026-11-20T10:11:12Z";
        row("started", operation("Start"), done);
        row("restarted", operation("Restart"), done);
        row("created", operation("Create"), done);
        row("in another case", operation("START", "SUCCEEDED"), done);
        row("before its creation", operation("Create", "Succeeded", "2026-10-31T23:59:59Z"), "2026-11-01T00:00:00Z");
        row("stopped", operation("Stop"), "");
        row("imaged again", operation("Reimage"), "");
        row("failed", operation("Start", "StartFailed"), "");
        row("under way", operation("Start", "InProgress"), "");
        row("no time", operation("Start", "Succeeded", ""), "");
        row("a time that is none", operation("Start", "Succeeded", "soon"), "");
        row("a time that was never set", operation("Start", "Succeeded", "0001-01-01T00:00:00Z"), "");
        row("nothing", "", "");
        row("hostile", ",'lastOperation':7", "");
        row("hostile members", ",'lastOperation':{'operationName':7,'operationStatus':[],'operationTime':{}}", "");
    }
    void aRunBegins()
    {
        QFETCH(QString, more);
        const auto since = read(instance("a", "Running", "STANDARD_NC6S_V3", more.toStdString())).since;
        QTEST(QString::fromStdString(since ? base::toRfc3339(*since) : std::string()), "since");
    }

    void asksOnlyForWhatMayHaveMachinesWithGpus()
    {
        Setup setup;
        setup.answers[kAskComputes] = answer(page(
            {cluster("plain", "STANDARD_D4S_V5"), cluster("empty", "STANDARD_NC6S_V3", ",'currentNodeCount':0"),
             cluster("part", "Standard_NV6ads_A10_v5"), cluster("gone", "Standard_NC98_v9"),
             instance("plain", "Running", "STANDARD_D4S_V5"), instance("parts", "Running", "STANDARD_NV6ADS_A10_V5"),
             instance("new", "Running", "STANDARD_NC99_X9_V9"), instance("newer", "Running", "STANDARD_NC99_X9_V9"),
             instance("lost", "Running", "STANDARD_NC98_V9"), instance("stopped", "Stopped", "STANDARD_NC98_V9")}));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(told(*inventory), std::string("lab/vision/new X9 4; lab/vision/newer X9 4"));
        QCOMPARE(leftOut(*inventory), std::string("2 machine with a part of a GPU; 2 machine of an unknown size"));
        QCOMPARE(joined(setup.asked, "\n"), joined({kAskWorkspaces, kAskComputes}, "\n"));
        QCOMPARE(setup.sizeQuestions, 1); // one location
    }

    void readsWhereAComputeIs()
    {
        const auto locationOf = [](const std::string &outer, const std::string &inner) {
            return read("{'name':'a'" + outer + ",'properties':{'computeType':'AmlCompute'" + inner
                        + ",'properties':{'vmSize':'STANDARD_NC6S_V3'}}}")
                .location;
        };
        QCOMPARE(locationOf("", ""), std::string("eastus"));
        QCOMPARE(locationOf(",'location':'WestUS3'", ""), std::string("westus3"));
        QCOMPARE(locationOf(",'location':'westus3'", ",'computeLocation':'NorthEurope'"), std::string("northeurope"));
        QCOMPARE(locationOf(",'location':'a\\u0001'", ",'computeLocation':'x or y'"), std::string("eastus"));
    }

    void ownTagsComeFirst()
    {
        const auto tagsOf = [](const std::string &tags, const std::string &creator) {
            return read("{'name':'a','tags':" + tags
                        + ",'properties':{'computeType':'ComputeInstance','properties':{"
                          "'vmSize':'STANDARD_NC6S_V3','createdBy':"
                        + creator + "}}}")
                .tags;
        };
        QVERIFY(tagsOf("{'created_by':'tag'}", "{'userName':'user'}") == (model::Labels{{"created_by", "tag"}}));
        QVERIFY(tagsOf("{'a':7,'b':'c'}", "{'userName':''}") == (model::Labels{{"b", "c"}}));
        QVERIFY(tagsOf("7", "{'userName':7}").empty() && tagsOf("null", "'user'").empty());
        QVERIFY(tagsOf("{}", "{'userName':'a\\nb'}") == (model::Labels{{"created_by", "a b"}}));
    }

    void readsAllPagesAndTellsEachMachineOnce()
    {
        Setup setup;
        const std::string other = "/resourceGroups/Lab" + kService + "/speech";
        setup.answers[kAskWorkspaces] = answer(page({workspace(kVision)}, "/w2"));
        setup.answers["GET /w2"] = answer(page({}, "/w3"));
        setup.answers["GET /w3"] = answer(page({workspace(azure::lowerCase(kVision)), workspace(other)}));
        setup.answers[kAskComputes] = answer(page({instance("one"), cluster("train")}, "/c2"));
        setup.answers["GET /c2"] = answer(page({instance("ONE"), cluster("train"), instance("two")}));
        setup.answers["GET " + other + "/computes"] = answer(page({instance("one")}));
        setup.answers[kAskNodes] = answer(nodes({node("a")}, "/n2"));
        setup.answers["GET /n2"] = answer(nodes({node("A"), node("b")}));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(told(*inventory),
                 std::string("lab/speech/one V100 1; lab/vision/one V100 1; lab/vision/train/a H100 SXM 8; "
                             "lab/vision/train/b H100 SXM 8; lab/vision/two V100 1"));
        QVERIFY(inventory->leftOut.empty());
        QCOMPARE(joined(setup.asked, "\n"),
                 joined({kAskWorkspaces, "GET /w2", "GET /w3", kAskComputes, "GET /c2", "GET " + other + "/computes",
                         kAskNodes, "GET /n2"},
                        "\n"));
    }

    void countsWorkspacesThatCanNotBeRead()
    {
        Setup setup;
        const std::string ours = "{'id':'" + kSubscription;
        const std::vector<std::string> hostile{
            "7",
            "null",
            "'x'",
            "[]",
            "{}",
            "{'id':7}",
            "{'id':'https://elsewhere.example/'}",
            "{'id':'/subscriptions/99999999-2222-3333-4444-555555555555" + kVision + "'}",
            ours + "/resourceGroups/.." + kService + "/vision'}",
            ours + "/resourceGroups/Lab" + kService + "/..'}",
            ours + "/resourceGroups/Lab" + kService + "/'}",
            ours + "/resourceGroups/Lab" + kService + "/a/b'}",
            ours + "/resourceGroups/a/b" + kService + "/c'}",
            ours + "/resourceGroups" + kService + "/c'}",
            ours + "/resourceGroups/Lab" + kService + "/a\\u0007b'}",
            ours + "/resourceGroups/Lab" + kService + '/' + std::string(400, 'a') + "'}"};
        std::vector<std::string> all = hostile;
        all.push_back(workspace("/RESOURCEGROUPS/L%b" + kService + "/a b?c#d"));
        setup.answers[kAskWorkspaces] = answer(page(all));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value() && inventory->machines.empty() && inventory->warnings.empty());
        QCOMPARE(leftOut(*inventory), std::to_string(hostile.size()) + " workspace that can't be read");
        QCOMPARE(setup.asked.size(), std::size_t{2});
        QCOMPARE(setup.asked.back(), "GET /resourceGroups/L%25b" + kService + "/a%20b%3Fc%23d/computes");
    }

    void countsComputesAndNodesThatCanNotBeRead()
    {
        Setup setup;
        const std::vector<std::string> hostile{
            "7",
            "null",
            "'x'",
            "[]",
            "{}",
            "{'name':'a','properties':7}",
            "{'name':'a','properties':{}}",
            "{'name':'a','properties':{'computeType':7}}",
            "{'name':'a','properties':{'computeType':'ComputeInstance','properties':null}}",
            "{'name':7,'properties':{'computeType':'ComputeInstance','properties':{'vmSize':'STANDARD_NC6S_V3'}}}",
            "{'name':'a','properties':{'computeType':'AmlCompute','properties':{'vmSize':7}}}",
            instance(""),
            instance("."),
            instance(".."),
            instance("a/b"),
            instance("a\\u0001b"),
            instance("a\\\\b"),
            instance("a", "Running", "a b"),
            instance("a", "Running", std::string(101, 'a')),
            instance(std::string(400, 'a'))};
        std::vector<std::string> all = hostile;
        all.push_back(cluster("train", "STANDARD_NC6S_V3", ",'currentNodeCount':'0','vmPriority':7"));
        setup.answers[kAskComputes] = answer(page(all));
        setup.answers[kAskNodes] = answer(nodes({"7", "null", "[]", "{}", "{'nodeId':7}", node(""), node("a/b"),
                                                 node(".."), node("a\\u202eb"), node("good")}));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(told(*inventory), std::string("lab/vision/train/good V100 1"));
        QCOMPARE(
            leftOut(*inventory),
            std::to_string(hostile.size())
                + " compute of Machine Learning that can't be read; 9 node of Machine Learning that can't be read");
    }

    void aListThatIsNoneIsLeftOut_data() { addQuestions(); }
    void aListThatIsNoneIsLeftOut()
    {
        QFETCH(QString, question);
        for (const char *body : {"{}", "[]", "null", "{'value':{},'nodes':7}", "{'value':null}", "{", "<html>"}) {
            Setup setup;
            setup.answers[question.toStdString()] = answer(js(body));
            QVERIFY2(isLeftOut(setup.list()), body);
        }
    }

    void pagesThatDoNotEndAreLeftOut_data() { addQuestions(); }
    void pagesThatDoNotEndAreLeftOut()
    {
        QFETCH(QString, question);
        Setup setup;
        setup.answers[question.toStdString()] =
            answer(js("{'value':[],'nodes':[],'nextLink':'" + kAddress + kSubscription + "/again'}"));
        setup.answers["GET /again"] = setup.answers[question.toStdString()];
        QVERIFY(isLeftOut(setup.list()));
        QVERIFY(std::count(setup.asked.begin(), setup.asked.end(), "GET /again") == 1);
        setup.answers[question.toStdString()] =
            answer(js("{'value':[],'nodes':[],'nextLink':'https://elsewhere.example" + kSubscription + "/again'}"));
        QVERIFY(isLeftOut(setup.list()));
        QCOMPARE(setup.asked.back(), question.toStdString()); // its token does not leave the server
    }

    void thereIsAnEndToMachines()
    {
        constexpr std::size_t most = azure::LearningMachines::kMostMachines;
        std::vector<std::string> all;
        for (std::size_t i = 0; i < most; ++i)
            all.push_back("{'nodeId':'n" + std::to_string(i) + "','nodeState':'idle'}");
        Setup setup;
        setup.answers[kAskComputes] = answer(page({cluster("train")}));
        setup.answers[kAskNodes] = answer(nodes(all));
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(inventory->machines.size(), most);
        all.push_back(node("more"));
        setup.answers[kAskNodes] = answer(nodes(all));
        const auto partial = setup.list();
        QVERIFY(isLeftOut(partial));
        QCOMPARE(partial->machines.size(), most);
    }

    void aMissingRightLeavesOutAPart_data()
    {
        QTest::addColumn<QString>("question");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("machines");
        QTest::addColumn<QString>("reasons");
        const auto row = [](const char *name, const std::string &question, const char *right, const char *machines,
                            const char *reasons) {
            QTest::newRow(name) << QString::fromStdString(question) << QString::fromLatin1(right)
                                << QString::fromLatin1(machines) << QString::fromLatin1(reasons);
        };
        row("workspaces", kAskWorkspaces, azure::kWorkspacesRight, "", "");
        row("computes", kAskComputes, azure::kComputesRight, "lab/speech/one V100 1",
            "1 workspace whose computes may not be listed");
        row("nodes", kAskNodes, azure::kNodesRight, "lab/speech/one V100 1; lab/vision/notebook V100 1",
            "1 cluster of Machine Learning whose nodes may not be listed");
    }
    void aMissingRightLeavesOutAPart()
    {
        QFETCH(QString, question);
        QFETCH(QString, right);
        QFETCH(QString, machines);
        QFETCH(QString, reasons);
        Setup setup;
        const std::string other = "/resourceGroups/Lab" + kService + "/speech";
        setup.answers[kAskWorkspaces] = answer(page({workspace(kVision), workspace(other)}));
        setup.answers["GET " + other + "/computes"] = answer(page({instance("one")}));
        setup.answers[question.toStdString()] = refusal(403, "AuthorizationFailed");
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value());
        QCOMPARE(told(*inventory), machines.toStdString());
        QCOMPARE(leftOut(*inventory), reasons.toStdString());
        QCOMPARE(inventory->warnings.size(), std::size_t{1});
        QVERIFY(inventory->warnings.front().find("left out: ") != std::string::npos);
        QVERIFY(inventory->warnings.front().ends_with("this needs the right " + right.toStdString()));
        const std::string policy(azure::computeKind().rights.front().policy);
        QVERIFY(policy.find('"' + right.toStdString() + '"') != std::string::npos);
    }

    void warnsOnceOfEachPart()
    {
        Setup setup;
        const std::string other = "/resourceGroups/Lab" + kService + "/speech", twice = kVision + "/computes/again";
        setup.answers[kAskWorkspaces] = answer(page({workspace(kVision), workspace(other), workspace(other + "2")}));
        setup.answers[kAskComputes] = answer(page({cluster("train"), cluster("again")}));
        for (const std::string &question :
             {"GET " + other + "/computes", "GET " + other + "2/computes", kAskNodes, "POST " + twice + "/listNodes"})
            setup.answers[question] = refusal(403, "AuthorizationFailed");
        const auto inventory = setup.list();
        QVERIFY(inventory.has_value() && inventory->machines.empty());
        QCOMPARE(inventory->warnings.size(), std::size_t{2});
        QCOMPARE(leftOut(*inventory),
                 std::string("2 workspace whose computes may not be listed; 2 cluster of Machine Learning whose nodes "
                             "may not be listed"));
    }

    void whatDoesNotExistHasNoMachines()
    {
        for (const auto &[status, code] : {std::pair(404, "ResourceNotFound"), std::pair(404, "InvalidResourceType"),
                                           std::pair(409, "MissingSubscriptionRegistration")}) {
            for (const std::string &question : {kAskWorkspaces, kAskComputes, kAskNodes}) {
                Setup setup;
                setup.answers[question] = refusal(status, code);
                const auto inventory = setup.list();
                QVERIFY2(inventory.has_value(), code);
                QCOMPARE(told(*inventory), std::string(question == kAskNodes ? "lab/vision/notebook V100 1" : ""));
                QVERIFY(inventory->leftOut.empty() && inventory->warnings.empty());
            }
        }
    }

    void aFailureLeavesOutItsMachines_data() { addQuestions(); }
    void aFailureLeavesOutItsMachines()
    {
        QFETCH(QString, question);
        for (const int status : {500, 409}) {
            Setup setup;
            setup.answers[question.toStdString()] = refusal(status, "Something");
            const auto inventory = setup.list();
            QVERIFY(isLeftOut(inventory));
            QCOMPARE(told(*inventory),
                     std::string(question.toStdString() == kAskNodes ? "lab/vision/notebook V100 1" : ""));
            QCOMPARE(setup.asked.back(), question.toStdString()); // nothing was asked afterwards
        }
        Setup setup;
        setup.answers[question.toStdString()] = refusal(401, "Something");
        const auto inventory = setup.list();
        QVERIFY(!inventory && inventory.error().code == ErrorCode::Unauthorized);
    }

    void canBeCancelled_data() { addQuestions(); }
    void canBeCancelled()
    {
        QFETCH(QString, question);
        Setup setup;
        setup.answers[kAskNodes] = answer(nodes({node("a")}, "/n2"));
        setup.stopsAt = question.toStdString();
        QVERIFY(setup.list().error().code == ErrorCode::Cancelled);
        QCOMPARE(setup.asked.back(), setup.stopsAt); // nothing was asked afterwards
    }

    void aConnectionTestNamesEachRight()
    {
        const std::string all = "+workspaces/read +workspaces/computes/read +workspaces/computes/listNodes/action";
        QCOMPARE(Setup().probed(), all);
        const auto without = [](const std::string &question, int status = 403) {
            Setup setup;
            setup.answers[question] = refusal(status, "AuthorizationFailed");
            return setup.probed();
        };
        QCOMPARE(without(kAskWorkspaces), std::string("-workspaces/read"));
        QCOMPARE(without(kAskComputes), std::string("+workspaces/read -workspaces/computes/read"));
        QCOMPARE(without(kAskNodes),
                 std::string("+workspaces/read +workspaces/computes/read -workspaces/computes/listNodes/action"));
        QCOMPARE(without(kAskWorkspaces, 404), std::string());
        QCOMPARE(without(kAskComputes, 404), std::string("+workspaces/read"));
        QVERIFY(without(kAskNodes, 500).find("HTTP 500") != std::string::npos);
        QVERIFY(without(kAskWorkspaces, 500).find("HTTP 500") != std::string::npos);
        Setup none, idle;
        none.answers[kAskWorkspaces] = answer(page({}));
        QCOMPARE(none.probed(), std::string("+workspaces/read"));
        idle.answers[kAskComputes] = answer(page({instance("a"), cluster("b", "x", ",'currentNodeCount':0")}));
        QCOMPARE(idle.probed(), std::string("+workspaces/read +workspaces/computes/read"));
    }

private:
    // The three kinds of questions.
    static void addQuestions()
    {
        QTest::addColumn<QString>("question");
        for (const auto &[name, question] : {std::pair("workspaces", kAskWorkspaces),
                                             std::pair("computes", kAskComputes), std::pair("nodes", kAskNodes)})
            QTest::newRow(name) << QString::fromStdString(question);
    }
};

GPULEDGER_SUITE(TestAzureLearning)

} // namespace tst_azurelearning

#include "tst_azurelearning.moc"

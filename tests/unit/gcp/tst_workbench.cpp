// SPDX-License-Identifier: GPL-3.0-or-later
// Whose the machines of Vertex AI Workbench are: pages of the Notebooks API, and what the list of machines makes of
// them.
#include "connectors/format/json.h"
#include "connectors/gcp/compute/computeinventory.h"
#include "connectors/gcp/compute/computekind.h"
#include "connectors/gcp/compute/instancestate.h"
#include "connectors/gcp/serviceaddress.h"
#include "connectors/gcp/workbench/workbenchowners.h"
#include "tests/support/suite.h"
#include "tests/unit/gcp/fakemonitoring.h"

#include <QTest>

#include <memory>

namespace tst_workbench {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using tst_monitoring::fault;
using tst_monitoring::instance;
using Json = nlohmann::json;

namespace {

const std::string kPlace = "projects/ml-training/locations/us-central1-a/instances/";
const std::string kUnknown = "owners of Workbench instances are not known: ";
const std::string kSomeUnknown = "owners of some Workbench instances are not known: ";

// An instance of Compute Engine as Workbench makes it, with a merge patch.
Json machine(const std::string &name, const char *patch = "{}")
{
    Json out = instance(name, nullptr);
    out.merge_patch(*format::parseJson(
        js("{'labels':{'notebooks-product':'workbench-instances','consumer-project-id':'ml-training'}}")));
    out.merge_patch(*format::parseJson(js(patch)));
    return out;
}

// An entry of the Notebooks API's list, with a merge patch.
Json notebook(const std::string &name, const char *patch)
{
    Json out{{"name", kPlace + name}, {"state", "ACTIVE"}, {"healthState", "HEALTHY"}};
    out.merge_patch(*format::parseJson(js(patch)));
    return out;
}

http::Response pageOf(const std::vector<Json> &instances, const std::string &next = {})
{
    Json page{{"instances", instances}};
    if (!next.empty())
        page["nextPageToken"] = next;
    return answer(page.dump());
}

struct Notebooks {
    Notebooks()
    {
        settings.name = "cloud";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options["project"] = "ml-training";
        settings.options["usage"] = "none";
        tuning.pause = pause;
        cloud.instances = Json::array({machine("a"), machine("b")});
    }
    base::Result<std::unique_ptr<ports::InventorySource>> make()
    {
        auto client =
            std::make_shared<ScriptedClient>([this](const http::Request &request) -> base::Result<http::Response> {
                urls.push_back(request.url);
                return cloud.reply(request);
            });
        return gcp::makeComputeInventory(settings, secrets, clock, client, tuning);
    }
    base::Result<ports::Inventory> read(std::stop_token stop = {})
    {
        return (*make())->read({{"g2-standard-24", {"L4", 2'000'000}}}, std::move(stop));
    }
    // "a=OWNER b=?" and the warnings.
    std::string listed()
    {
        const auto inventory = read();
        if (!inventory)
            return inventory.error().text;
        std::string out;
        for (const ports::ListedMachine &one : inventory->machines) {
            const auto owner = one.tags.find("created_by");
            out += (out.empty() ? "" : " ") + one.hostName + '=' + (owner == one.tags.end() ? "?" : owner->second);
        }
        for (const std::string &warning : inventory->warnings)
            out += "; " + warning;
        return out;
    }
    // Of a project whose only list of Workbench instances is this one.
    std::string listedWith(const std::vector<Json> &instances)
    {
        cloud.notebooks = [=](const std::string &) { return pageOf(instances); };
        return listed();
    }

    model::SourceSettings settings;
    OneSecret secrets{"canary-token"};
    base::FrozenClock clock{tst_monitoring::kBegin};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    gcp::Tuning tuning;
    tst_monitoring::Monitoring cloud;
    std::vector<std::string> urls;
};

// Of one entry: its owner, "none", or "unreadable".
std::string ownerIn(const char *patch)
{
    gcp::WorkbenchPage page;
    Json all{{"instances", Json::array()}};
    all["instances"].push_back(notebook("a", patch));
    if (!gcp::addWorkbenchPage(all, page))
        return "no page";
    if (page.unreadable > 0)
        return "unreadable";
    return page.owners.empty() ? "none" : page.owners.begin()->second;
}

} // namespace

class TestWorkbench : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOwnerIsALabelOfTheMachine()
    {
        Notebooks setup;
        setup.cloud.instances.push_back(instance("plain", nullptr));
        QCOMPARE(setup.listedWith({notebook("a",
                                            "{'creator':'robot@lab.iam.gserviceaccount.com',"
                                            "'instanceOwners':['ana@lab.example']}"),
                                   notebook("b", "{'creator':'ben@lab.example'}"),
                                   notebook("plain", "{'creator':'nobody@lab.example'}"), // not made by Workbench
                                   notebook("gone", "{'creator':'nobody@lab.example'}")}),
                 std::string("a=ana@lab.example b=ben@lab.example plain=?"));
        QCOMPARE(setup.cloud.askedNotebooks.size(), std::size_t{1});
        const http::Request &asked = setup.cloud.askedNotebooks[0];
        QVERIFY(asked.url.starts_with(
            "https://notebooks.googleapis.com/v2/projects/ml-training/locations/-/instances?pageSize=500"));
        QVERIFY(asked.method == "GET" && !asked.followsRedirects && asked.credentials);
    }

    void otherLabelsStay()
    {
        Notebooks setup;
        setup.cloud.instances = Json::array();
        setup.cloud.instances.push_back(machine("a", "{'labels':{'team':'vision'}}"));
        setup.cloud.notebooks = [](const std::string &) {
            return pageOf({notebook("a", "{'creator':'ana@lab.example','labels':{'team':'other','more':'x'}}")});
        };
        const auto inventory = setup.read();
        QVERIFY(inventory.has_value());
        QVERIFY(inventory->machines.at(0).tags
                == (model::Labels{{"notebooks-product", "workbench-instances"},
                                  {"consumer-project-id", "ml-training"},
                                  {"team", "vision"},
                                  {"created_by", "ana@lab.example"}}));
    }

    void anOwnLabelWins()
    {
        Notebooks setup;
        setup.cloud.instances = Json::array();
        setup.cloud.instances.push_back(machine("a", "{'labels':{'created_by':'finance'}}"));
        const std::vector<Json> all{notebook("a", "{'creator':'ana@lab.example'}"),
                                    notebook("b", "{'creator':'ben@lab.example'}")};
        QCOMPARE(setup.listedWith(all), std::string("a=finance"));
        QVERIFY(setup.cloud.askedNotebooks.empty()); // nothing to ask for
        setup.cloud.instances.push_back(machine("b"));
        QCOMPARE(setup.listedWith(all), std::string("a=finance b=ben@lab.example"));
    }

    void machinesOfWorkbenchAreTold_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<bool>("isNotebook");
        const auto row = [](const char *name, const char *patch, bool isNotebook) {
            QTest::newRow(name) << QString::fromLatin1(patch) << isNotebook;
        };
        row("label", "{}", true);
        row("label of older ones", "{'labels':{'notebooks-product':null,'goog-caip-notebook':''}}", true);
        row("metadata",
            "{'labels':null,'metadata':{'items':[{'key':'x','value':'y'},{'key':'notebooks-api','value':'PROD'}]}}",
            true);
        row("no labels", "{'labels':null}", false);
        row("others", "{'labels':{'notebooks-product':null},'metadata':{'items':[{'key':'x','value':'y'}]}}", false);
        row("hostile", "{'labels':['notebooks-product'],'metadata':{'items':{'key':'notebooks-api'}}}", false);
        row("no GPUs", "{'machineType':'https://x/machineTypes/e2-standard-8'}", false);
    }
    void machinesOfWorkbenchAreTold()
    {
        QFETCH(QString, patch);
        QFETCH(bool, isNotebook);
        Notebooks setup;
        setup.cloud.instances = Json::array();
        setup.cloud.instances.push_back(machine("a", patch.toLatin1().constData()));
        const std::string listed = setup.listedWith({notebook("a", "{'creator':'ana@lab.example'}")});
        QCOMPARE(listed.find("=ana@lab.example") != std::string::npos, isNotebook);
        QCOMPARE(setup.cloud.askedNotebooks.size(), std::size_t{isNotebook ? 1U : 0U}); // else nobody is asked
    }

    void whoOwnsAnInstance()
    {
        QCOMPARE(ownerIn("{'creator':'c@x.example','instanceOwners':['o@x.example']}"), std::string("o@x.example"));
        QCOMPARE(ownerIn("{'instanceOwners':['o@x.example']}"), std::string("o@x.example"));
        QCOMPARE(ownerIn("{'creator':'c@x.example','instanceOwners':[]}"), std::string("c@x.example"));
        QCOMPARE(ownerIn("{'creator':'c@x.example','instanceOwners':['o@x.example','p@x.example']}"),
                 std::string("c@x.example"));
        QCOMPARE(ownerIn("{'creator':'c@x.example','state':'STOPPED'}"), std::string("c@x.example"));
        QCOMPARE(ownerIn("{'creator':'c@x.example','state':'Deleted'}"), std::string("none"));
        QCOMPARE(ownerIn("{}"), std::string("none"));
        QCOMPARE(ownerIn("{'creator':''}"), std::string("none"));
        QCOMPARE(ownerIn("{'instanceOwners':['o@x.example','p@x.example']}"), std::string("none"));
    }

    void whatIsNoOwnerIsCounted()
    {
        for (const char *patch : {"{'creator':7}",
                                  "{'creator':['c@x.example']}",
                                  "{'creator':'somebody'}",
                                  "{'creator':'@x.example'}",
                                  "{'creator':'c@'}",
                                  "{'creator':'c@x@y.example'}",
                                  "{'creator':'c d@x.example'}",
                                  "{'creator':'c\\n@x.example'}",
                                  "{'creator':'c\\u202e@x.example'}",
                                  "{'creator':'c@x.example','instanceOwners':'o@x.example'}",
                                  "{'creator':'c@x.example','instanceOwners':['somebody']}",
                                  "{'creator':'c@x.example','instanceOwners':[null]}",
                                  "{'creator':'c@x.example','instanceOwners':['']}",
                                  "{'creator':'c@x.example','name':null}",
                                  "{'creator':'c@x.example','name':7}",
                                  "{'creator':'c@x.example','name':'a'}",
                                  "{'creator':'c@x.example','name':'projects/p/locations/l/instances/'}",
                                  "{'creator':'c@x.example','name':'projects/p/locations//instances/a'}",
                                  "{'creator':'c@x.example','name':'projects/p/locations/l/instances/a/b/c'}",
                                  "{'creator':'c@x.example','name':'projects/p/locations/l/runtimes/a'}"})
            QVERIFY2(ownerIn(patch) == "unreadable", patch);
        const std::string longest = std::string(242, 'a') + "@lab.example";
        QCOMPARE(ownerIn(("{'creator':'" + longest + "'}").c_str()), longest);
        QCOMPARE(ownerIn(("{'creator':'a" + longest + "'}").c_str()), std::string("unreadable"));

        Notebooks setup;
        QCOMPARE(setup.listedWith({notebook("a", "{'creator':'ana@lab.example'}"), notebook("b", "{'creator':7}"),
                                   Json(nullptr), Json("x")}),
                 "a=ana@lab.example b=?; " + kSomeUnknown + "entries of their list that can't be read: 3");
        QCOMPARE(setup.listedWith({Json::array()}),
                 "a=? b=?; " + kUnknown + "entries of their list that can't be read: 1");
    }

    void zonesAndNamesMayComeInAnyCase()
    {
        Notebooks setup;
        setup.cloud.instances = Json::array();
        setup.cloud.instances.push_back(machine("Box"));
        Json told = notebook("BOX", "{'creator':'Ana@Lab.example'}");
        told["name"] = "projects/4711/locations/US-Central1-A/instances/bOX";
        QCOMPARE(setup.listedWith({told}), std::string("Box=Ana@Lab.example"));
        told["name"] = "projects/4711/locations/us-central1-b/instances/Box"; // another zone
        QCOMPARE(setup.listedWith({told}), std::string("Box=?"));
    }

    void pagesAreReadToTheEnd()
    {
        Notebooks setup;
        setup.cloud.notebooks = [](const std::string &token) {
            if (token.empty())
                return pageOf({notebook("a", "{'creator':'ana@lab.example'}")}, "two & more");
            if (token == "two & more")
                return pageOf({}, "3"); // an empty page with a token
            return pageOf(
                {notebook("b", "{'creator':'ben@lab.example'}"), notebook("a", "{'creator':'x@lab.example'}")});
        };
        QCOMPARE(setup.listed(), std::string("a=ana@lab.example b=ben@lab.example"));
        QCOMPARE(setup.cloud.askedNotebooks.size(), std::size_t{3});
    }

    void pagesThatDoNotEndLoseOnlyTheRest()
    {
        Notebooks setup;
        const auto page = [](const std::string &next) {
            return pageOf({notebook("a", "{'creator':'ana@lab.example'}")}, next);
        };
        setup.cloud.notebooks = [&](const std::string &) { return page("again"); };
        QCOMPARE(setup.listed(),
                 "a=ana@lab.example b=?; " + kSomeUnknown
                     + "the pages of Vertex AI Workbench's instances go in a circle");
        QCOMPARE(setup.cloud.askedNotebooks.size(), std::size_t{2});
        setup.cloud.askedNotebooks.clear();
        setup.cloud.notebooks = [&](const std::string &token) {
            return page(std::to_string(token.empty() ? 1 : std::stoi(token) + 1));
        };
        QCOMPARE(setup.listed(),
                 "a=ana@lab.example b=?; " + kSomeUnknown
                     + "Vertex AI Workbench has more than 1000 pages of instances");
        QCOMPARE(setup.cloud.askedNotebooks.size(), std::size_t{1000});
        setup.cloud.notebooks = [](const std::string &) {
            Json next{{"instances", Json::array()}, {"nextPageToken", 2}};
            next["instances"].push_back(notebook("a", "{'creator':'ana@lab.example'}"));
            return answer(next.dump());
        };
        QCOMPARE(setup.listed(),
                 "a=ana@lab.example b=?; " + kSomeUnknown
                     + "a page of Vertex AI Workbench has a next one that can't be asked for");
    }

    void hostileAnswersLoseNoMachine()
    {
        Notebooks setup;
        for (const char *body : {"[]", "null", "<html>log in</html>", "{'instances':[", "{'instances':{}}",
                                 "{'instances':'x'}", "{'instances':7}"}) {
            setup.cloud.notebooks = [&](const std::string &) { return answer(js(body)); };
            const std::string listed = setup.listed();
            QVERIFY2(listed.starts_with("a=? b=?; " + kUnknown), listed.c_str());
        }
        for (const char *body : {"{}", "{'instances':null}", "{'instances':[]}"}) {
            setup.cloud.notebooks = [&](const std::string &) { return answer(js(body)); };
            QCOMPARE(setup.listed(), std::string("a=? b=?"));
        }
    }

    void whoMayNotAskHasNoOwners()
    {
        Notebooks setup;
        QCOMPARE(setup.listed(), std::string("a=? b=?")); // 404: an address without the service
        for (const http::Response &refused :
             {fault(403, "Notebooks API has not been used in project 4711 before or it is disabled",
                    "SERVICE_DISABLED"),
              fault(403, "Permission 'notebooks.instances.list' denied", "IAM_PERMISSION_DENIED"), fault(403, "no"),
              fault(403, "insufficient scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"), fault(404, "not found")}) {
            setup.cloud.notebooks = [&](const std::string &) { return refused; };
            setup.cloud.askedNotebooks.clear();
            QCOMPARE(setup.listed(), std::string("a=? b=?"));
            QCOMPARE(setup.cloud.askedNotebooks.size(), std::size_t{1});
        }
    }

    void otherFailuresAreWarnings()
    {
        Notebooks setup;
        for (const http::Response &failed :
             {fault(500, "sorry"), fault(503, "sorry"), fault(429, "slowly"), fault(400, "sorry"), fault(401, "who"),
              fault(403, "slowly", "rateLimitExceeded"), answer("{}", 302)}) {
            setup.cloud.notebooks = [&](const std::string &) { return failed; };
            const std::string listed = setup.listed();
            QVERIFY2(listed.starts_with("a=? b=?; " + kUnknown) && listed.size() > kUnknown.size() + 20,
                     listed.c_str());
        }
        setup.cloud.notebooks = [](const std::string &) {
            return base::fail(ErrorCode::Tls, "the certificate has expired");
        };
        QCOMPARE(setup.listed(), "a=? b=?; " + kUnknown + "the certificate has expired");
        int asked = 0; // a failure that passes
        setup.cloud.notebooks = [&](const std::string &) {
            return ++asked == 1 ? fault(503, "sorry") : pageOf({notebook("b", "{'creator':'ben@lab.example'}")});
        };
        QCOMPARE(setup.listed(), std::string("a=? b=ben@lab.example"));
    }

    void silentLocationsAreNamed()
    {
        Notebooks setup;
        Json page{{"instances", Json::array()}, {"unreachable", {"us-west1-b", "projects/p/locations/asia-east1-a"}}};
        setup.cloud.notebooks = [&](const std::string &) { return answer(page.dump()); };
        QCOMPARE(setup.listed(), "a=? b=?; " + kUnknown + "locations that did not answer: asia-east1-a, us-west1-b");
        page["instances"].push_back(notebook("a", "{'creator':'ana@lab.example'}"));
        page["unreachable"] = {"l1", "l2", "l3", "l4", "l5", "l6", "l7", "l7", 8, "", "x\n\x1b[31my"};
        QCOMPARE(setup.listed(),
                 "a=ana@lab.example b=?; " + kSomeUnknown
                     + "locations that did not answer: l1, l2, l3, l4, l5 and 4 more");
        page["unreachable"] = "us-west1-b";
        QVERIFY(setup.listed().ends_with("locations that did not answer: us-west1-b"));
        page["unreachable"] = {{"x", 1}};
        QVERIFY(setup.listed().ends_with("locations that did not answer: one without a name"));
        page["unreachable"] = Json::array();
        QCOMPARE(setup.listed(), std::string("a=ana@lab.example b=?"));
    }

    void aStopRequestEndsTheList()
    {
        Notebooks setup;
        std::stop_source source;
        setup.cloud.notebooks = [&](const std::string &) {
            source.request_stop();
            return base::fail(ErrorCode::Cancelled, "cancelled");
        };
        const auto inventory = setup.read(source.get_token());
        QVERIFY(!inventory && inventory.error().code == ErrorCode::Cancelled);
    }

    void theAddressIsBesideThatOfComputeEngine()
    {
        Notebooks setup;
        setup.settings.url = "https://compute-lab.p.googleapis.com/";
        QCOMPARE(setup.listedWith({notebook("a", "{'creator':'ana@lab.example'}")}),
                 std::string("a=ana@lab.example b=?"));
        QVERIFY(setup.urls.back().starts_with("https://notebooks-lab.p.googleapis.com/v2/projects/"));
        setup.settings.url = "https://google.lab.example";
        QCOMPARE(setup.listed(), std::string("a=ana@lab.example b=?"));
        QVERIFY(setup.urls.back().starts_with("https://google.lab.example/v2/projects/"));
    }

    void aTestSaysWhetherTheListMayBeRead()
    {
        using Text = ports::FindingText;
        Notebooks setup;
        const auto found = [&] { return (*setup.make())->probe({}).value(); };
        QCOMPARE(found().size(), std::size_t{1}); // no such service
        setup.cloud.notebooks = [](const std::string &) { return pageOf({}); };
        const std::vector<ports::FindingTerm> right{"notebooks.instances.list"};
        QCOMPARE(found().size(), std::size_t{2});
        QVERIFY(found()[1].text == Text::RightGiven && found()[1].terms == right);
        for (const char *reason : {"", "IAM_PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}) {
            setup.cloud.notebooks = [&](const std::string &) { return fault(403, "denied", reason); };
            QCOMPARE(found().size(), std::size_t{2});
            QVERIFY(found()[1].text == Text::OwnersUnread && found()[1].level == ports::Finding::Level::Missing);
            QVERIFY(found()[1].terms
                    == (std::vector<ports::FindingTerm>{"Workbench machines",
                                                        "it needs the right notebooks.instances.list"}));
        }
        setup.cloud.notebooks = [](const std::string &) { return fault(403, "off", "SERVICE_DISABLED"); };
        QCOMPARE(found().size(), std::size_t{1});
        setup.cloud.notebooks = [](const std::string &) { return fault(500, "sorry"); };
        QVERIFY(found().size() == 2 && found()[1].text == Text::OwnersUnread);
        QVERIFY(std::get<std::string>(found()[1].terms[1]).find("sorry") != std::string::npos);
        setup.cloud.notebooks = [](const std::string &) { return base::fail(ErrorCode::Cancelled, "cancelled"); };
        const auto ended = (*setup.make())->probe({});
        QVERIFY(!ended && ended.error().code == ErrorCode::Cancelled);
    }

    // A stop through Compute Engine is one of Workbench, too.
    void computeEngineStopsAWorkbenchInstance()
    {
        Json told = machine("a",
                            "{'id':'42','zone':'https://c/zones/us-central1-a','labels':{'goog-caip-notebook':''},"
                            "'metadata':{'items':[{'key':'notebooks-api','value':'PROD'}]}}");
        const auto view = gcp::instanceIn(told);
        QVERIFY(view.has_value());
        QVERIFY(!gcp::stateOf(*view, "ml-training").obstacle);
    }
};

GPULEDGER_SUITE(TestWorkbench)

} // namespace tst_workbench

#include "tst_workbench.moc"

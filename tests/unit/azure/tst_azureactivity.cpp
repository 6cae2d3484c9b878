// SPDX-License-Identifier: GPL-3.0-or-later
// When runs of Azure's machines began and ended, by the activity log. The figures:
// tests/integration/run_azuremachines.py.
#include "connectors/azure/compute/activitylog.h"
#include "connectors/azure/compute/azureinventory.h"
#include "connectors/format/json.h"
#include "tests/support/suite.h"
#include "tests/unit/azure/fakesecrets.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <algorithm>
#include <random>

namespace tst_azureactivity {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr const char *kMachine = "/subscriptions/S/resourceGroups/Lab/providers/Microsoft.Compute/virtualMachines/a";
constexpr const char *kSet =
    "/subscriptions/S/resourceGroups/Lab/providers/Microsoft.Compute/virtualMachineScaleSets/t";

// A time of 20 November: "06:00".
base::UtcTime at(const std::string &time)
{
    return *base::parseTime("2026-11-20T" + time + ":00Z");
}
const base::UtcTime kFrom = *base::parseTime("2026-08-23T00:00:00Z");

std::string entry(const std::string &time, const std::string &operation, const std::string &status = "Succeeded",
                  const std::string &id = kMachine)
{
    return "{'resourceId':'" + id + "','eventTimestamp':'2026-11-20T" + time
        + ":00.1234567Z','operationName':{'value':'Microsoft.Compute/" + operation + "'},'status':{'value':'" + status
        + "'}}";
}

std::string start(const std::string &time, const std::string &status = "Succeeded")
{
    return entry(time, "virtualMachines/start/action", status);
}

std::string stop(const std::string &time, const std::string &status = "Succeeded")
{
    return entry(time, "virtualMachines/deallocate/action", status);
}

azure::MachineFacts machine(const std::string &created = "2026-01-01T00:00:00Z")
{
    azure::MachineFacts facts;
    facts.id = kMachine;
    if (!created.empty())
        facts.created = *base::parseTime(created);
    return facts;
}

nlohmann::json pageOf(const std::vector<std::string> &events)
{
    std::string all;
    for (const std::string &one : events)
        all += (all.empty() ? "" : ",") + one;
    return *format::parseJson(js("{'value':[" + all + "]}"));
}

azure::ActivityLog logOf(const azure::MachineFacts &facts, const std::vector<std::string> &events)
{
    azure::ActivityLog log(kFrom);
    log.follow(facts);
    if (!log.add(pageOf(events)))
        qFatal("no page");
    return log;
}

// "06:00", or "06:00-10:00" of a run that ended; "": the log does not say.
std::string told(const azure::MachineFacts &facts, const std::vector<std::string> &events,
                 const std::string &power = "running", const std::string &done = "11:00")
{
    const auto run = logOf(facts, events).runOf(facts, {power, at(done)});
    const auto shown = [](base::UtcTime time) {
        const std::string text = base::toRfc3339(time);
        return time < at("00:00") ? text.substr(0, 10) : text.substr(11, 5);
    };
    return !run ? "" : shown(run->since) + (run->until ? '-' + shown(*run->until) : "");
}

const std::string kLast = entry("11:02", "virtualMachines/restart/action"); // explains the last operation

} // namespace

class TestAzureActivity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunBegins_data()
    {
        QTest::addColumn<QStringList>("events");
        QTest::addColumn<QString>("run");
        const auto row = [](const char *name, const std::vector<std::string> &events, const char *run) {
            QStringList all;
            for (const std::string &one : events)
                all.append(QString::fromStdString(one));
            QTest::newRow(name) << all << QString::fromLatin1(run);
        };
        row("started", {stop("05:00"), start("06:00"), kLast}, "06:00");
        row("in another order", {kLast, start("06:00"), stop("05:00")}, "06:00");
        row("when it had ended", {start("05:58", "Started"), start("05:59", "Accepted"), start("06:00"), kLast},
            "06:00");
        row("twice", {start("06:00"), start("08:00"), kLast}, "06:00");
        row("after the stop", {start("06:00"), stop("07:00"), start("08:00"), start("09:00"), kLast}, "08:00");
        row("failed", {start("06:00"), start("08:00", "Failed"), kLast}, "06:00");
        row("only failed", {start("06:00", "Failed"), kLast}, "");
        row("stopped, and yet it runs", {start("06:00"), stop("08:00"), kLast}, "");
        row("a stop that failed", {start("06:00"), stop("08:00", "Failed"), kLast}, "");
        row("a stop that began", {start("06:00"), stop("08:00", "Started"), kLast}, "");
        row("at the same time", {stop("06:00"), start("06:00"), kLast}, "");
        row("evicted", {start("06:00"), entry("08:00", "virtualMachines/evictSpotVM/action"), kLast}, "");
        row("shut down only", {start("06:00"), entry("08:00", "virtualMachines/powerOff/action"), kLast}, "06:00");
        row("an extension is not the machine",
            {start("06:00"),
             entry("08:00", "virtualMachines/extensions/delete", "Succeeded", std::string(kMachine) + "/extensions/x"),
             kLast},
            "06:00");
        row("of another one",
            {entry("06:00", "virtualMachines/start/action", "Succeeded", std::string(kMachine) + "b"), kLast},
            "2026-08-23");
        row("in another case",
            {entry("06:00", "VIRTUALMACHINES/START/ACTION", "SUCCEEDED",
                   "/SUBSCRIPTIONS/s/RESOURCEGROUPS/lab/PROVIDERS/microsoft.compute/VIRTUALMACHINES/A"),
             kLast},
            "06:00");
        row("neither started nor stopped", {entry("08:00", "virtualMachines/write"), kLast}, "2026-08-23");
        row("the last operation is missing", {start("06:00")}, "");
        row("it is a little late", {start("06:00"), entry("11:10", "virtualMachines/write")}, "06:00");
        row("it is too late", {start("06:00"), entry("11:11", "virtualMachines/write")}, "");
        row("nothing", {}, "");
        row("no time", {start("06:00"), kLast, js("{'resourceId':'") + kMachine + "'}"}, "");
        row("a time that is none", {start("06:00"), kLast, start("99:99")}, "");
        row("hostile", {start("06:00"), kLast, "7", "null", "[]", "{}", "{'resourceId':7}", "{'resourceId':'/'}"},
            "06:00");
    }
    void aRunBegins()
    {
        QFETCH(QStringList, events);
        std::vector<std::string> all;
        for (const QString &one : events)
            all.push_back(one.toStdString());
        QTEST(QString::fromStdString(told(machine(), all)), "run");
    }

    void aCreationIsABegin()
    {
        const std::string created = "2026-11-20T04:00:30Z";
        const std::string write = entry("04:02", "virtualMachines/write");
        QCOMPARE(told(machine(created), {write, entry("09:00", "virtualMachines/write"), kLast}), std::string("04:02"));
        QCOMPARE(told(machine(created), {entry("04:02", "virtualMachines/write", "Failed"), kLast}),
                 std::string("04:00"));
        QCOMPARE(told(machine(created), {write, start("06:00"), kLast}), std::string("04:02"));
        QCOMPARE(told(machine(created), {write, stop("05:00"), start("06:00"), kLast}), std::string("06:00"));
        // What was before is of another machine of this name.
        QCOMPARE(told(machine(created), {start("03:00"), stop("03:30"), write, kLast}), std::string("04:02"));
        QCOMPARE(told(machine(""), {write, kLast}), std::string()); // when it was created is not known
        QCOMPARE(told(machine(""), {start("06:00"), kLast}), std::string("06:00"));
    }

    void aRunEnds()
    {
        const auto off = [](const azure::MachineFacts &facts, const std::vector<std::string> &events) {
            return told(facts, events, "deallocated");
        };
        QCOMPARE(off(machine(), {start("06:00"), stop("10:55", "Started"), stop("11:00")}), std::string("06:00-10:55"));
        // It was off already: the stop every evening is not the end.
        QCOMPARE(off(machine(), {start("06:00"), stop("08:00"), stop("11:00")}), std::string("06:00-08:00"));
        QCOMPARE(off(machine(), {stop("08:00"), stop("11:00")}), std::string());
        QCOMPARE(off(machine(), {start("05:00"), stop("06:00"), start("07:00"), start("08:00"), stop("11:00")}),
                 std::string("07:00-11:00"));
        QCOMPARE(off(machine(), {start("06:00"), stop("11:00", "Failed")}), std::string());
        QCOMPARE(off(machine(), {start("06:00"), kLast}), std::string()); // nobody stopped it
        QCOMPARE(off(machine(), {stop("05:00"), start("06:00"), kLast}), std::string());
        QCOMPARE(off(machine(), {start("06:00"), stop("09:00"), start("10:00", "Failed"), kLast}),
                 std::string("06:00-09:00"));
        QCOMPARE(off(machine("2026-11-20T04:00:00Z"), {stop("11:00")}), std::string("04:00-11:00"));
        QCOMPARE(told(machine(), {start("06:00"), stop("11:00")}, "deallocating"), std::string());
    }

    void whatThePlatformMovesIsLeftAlone()
    {
        azure::MachineFacts spot = machine(), member = machine("2026-11-20T04:00:00Z"), old = machine();
        spot.isSpot = true;
        member.scaleSet = old.scaleSet = azure::lowerCase(kSet);
        QCOMPARE(told(spot, {start("06:00"), kLast}), std::string());
        QCOMPARE(told(member, {kLast}), std::string());
        QCOMPARE(told(old, {kLast}), std::string());
        QCOMPARE(told(member, {start("06:00"), kLast}), std::string("06:00"));
        QCOMPARE(told(member, {start("06:00"), stop("11:00")}, "deallocated"), std::string());
        const auto ofSet = [](const char *time, const char *operation) {
            return entry(time, std::string("virtualMachineScaleSets/") + operation, "Accepted", kSet);
        };
        QCOMPARE(told(old, {start("06:00"), ofSet("05:59", "deallocate/action"), ofSet("08:00", "write"), kLast}),
                 std::string("06:00"));
        for (const char *operation : {"deallocate/action", "start/action", "delete/action"})
            QCOMPARE(told(old, {start("06:00"), ofSet("06:00", operation), kLast}), std::string());
        QCOMPARE(told(old, {start("06:00"), kLast, js("{'resourceId':'") + kSet + "'}"}), std::string());
        azure::MachineFacts instance = machine();
        instance.id = std::string(kSet) + "/virtualMachines/3";
        QCOMPARE(told(instance,
                      {entry("06:00", "virtualMachineScaleSets/virtualMachines/start/action", "Succeeded", instance.id),
                       entry("11:00", "virtualMachineScaleSets/virtualMachines/extensions/write", "Succeeded",
                             instance.id + "/extensions/x")}),
                 std::string("06:00"));
    }

    // Whatever happens at whatever time: a begin is never before that of the run, and a run that is told was one.
    void noTimeIsMadeUp()
    {
        std::mt19937 random(11);
        int told = 0;
        for (int round = 0; round < 2000; ++round) {
            const bool isNew = random() % 2 == 0;
            std::vector<std::string> events;
            std::vector<std::pair<int, int>> runs; // minutes; one that goes on ends with 0
            bool isOn = isNew || random() % 2 == 0;
            if (isOn)
                runs.push_back({isNew ? 120 : -1, 0});
            const auto clock = [](int minutes) {
                return (minutes < 600 ? "0" : "") + std::to_string(minutes / 60) + ':' + (minutes % 60 < 10 ? "0" : "")
                    + std::to_string(minutes % 60);
            };
            int minute = 120;
            for (int step = 0; step < 6; ++step) {
                minute += 5 + static_cast<int>(random() % 60);
                const unsigned what = random() % 4;
                if (what == 0) { // also one that is on already
                    events.push_back(start(clock(minute), "Started"));
                    minute += 2;
                    events.push_back(start(clock(minute)));
                    if (!isOn)
                        runs.push_back({minute - 2, 0});
                    isOn = true;
                } else if (what == 1) {
                    events.push_back(stop(clock(minute), "Started"));
                    if (isOn)
                        runs.back().second = minute;
                    isOn = false;
                    minute += 2;
                    events.push_back(stop(clock(minute)));
                } else {
                    events.push_back(entry(clock(minute), "virtualMachines/write"));
                }
            }
            std::shuffle(events.begin(), events.end(), random);
            const azure::MachineFacts facts = machine(isNew ? "2026-11-20T02:00:00Z" : "2026-01-01T00:00:00Z");
            const auto run = logOf(facts, events).runOf(facts, {isOn ? "running" : "deallocated", at(clock(minute))});
            if (!run)
                continue;
            ++told;
            const auto minutes = [](base::UtcTime time) { return static_cast<int>((time - at("00:00")).count() / 60); };
            const auto fits = [&](const std::pair<int, int> &one) {
                const int end = one.second == 0 ? 24 * 60 : one.second;
                const int until = run->until ? minutes(*run->until) : one.second == 0 ? end : -1;
                return until >= 0 && std::max(minutes(run->since), one.first) >= one.first && until <= end
                    && (one.first < 0 || minutes(run->since) >= one.first) && minutes(run->since) < end;
            };
            QVERIFY2(std::any_of(runs.begin(), runs.end(), fits), std::to_string(round).c_str());
        }
        QVERIFY(told > 1000);
    }

    void aPageThatIsNoneIsRefused()
    {
        azure::ActivityLog log(kFrom);
        for (const char *body : {"{}", "[]", "null", "{'value':{}}", "{'value':7}"})
            QVERIFY2(log.add(*format::parseJson(js(body))).error().code == ErrorCode::Parse, body);
    }

    void thereIsAnEndToEvents()
    {
        azure::ActivityLog log(kFrom);
        log.follow(machine());
        const nlohmann::json page = pageOf(std::vector<std::string>(10'000, start("06:00")));
        base::Result<void> added;
        for (int i = 0; i < 11 && added; ++i)
            added = log.add(page);
        QVERIFY(!added && added.error().code == ErrorCode::TooMuch);
        azure::ActivityLog other(kFrom); // those of other machines take no place
        for (int i = 0; i < 11; ++i)
            QVERIFY(other.add(page).has_value());
    }

    void asksForOneProviderAndTime()
    {
        const std::string query = azure::activityQuery({at("06:00"), at("07:00")});
        for (const char *part : {"api-version=2015-04-01",
                                 "eventTimestamp%20ge%20%272026-11-20T06%3A00%3A00Z%27%20and%20eventTimestamp%20le%20",
                                 "resourceProvider%20eq%20%27Microsoft.Compute%27", "select="})
            QVERIFY2(query.find(part) != std::string::npos, query.c_str());
    }

    void aListDoesNotNeedTheLog_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("warnings");
        for (const auto &[status, warnings] :
             {std::pair(403, 0), std::pair(400, 1), std::pair(404, 1), std::pair(200, 1)})
            QTest::newRow(std::to_string(status).c_str()) << status << warnings;
    }
    void aListDoesNotNeedTheLog()
    {
        QFETCH(int, status);
        QFETCH(int, warnings);
        const std::string body = "{'value':[{'id':'" + std::string(kMachine)
            + "','location':'eastus','properties':{'hardwareProfile':{'vmSize':'Standard_NC24ads_A100_v4'},'"
              "instanceView':"
              "{'statuses':[{'code':'ProvisioningState/succeeded','time':'2026-11-20T11:00:00Z'},{'code':'PowerState/"
              "running'}]}}}]}";
        auto client = std::make_shared<ScriptedClient>([&](const http::Request &request) {
            if (request.url.find("Microsoft.Insights") != std::string::npos)
                return base::Result<http::Response>(answer(status == 200 ? "{" : std::string(), status));
            const bool isSets = request.url.find("virtualMachineScaleSets") != std::string::npos;
            return base::Result<http::Response>(answer(js(isSets ? "{'value':[]}" : body)));
        });
        model::SourceSettings settings;
        settings.name = "cloud";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {{"subscription", "11111111-2222-3333-4444-555555555555"}};
        CountedSecret secrets;
        const base::FrozenClock clock{at("12:00")};
        azure::Tuning tuning;
        tuning.pause = std::make_shared<SimulatedPause>();
        azure::AzureInventory inventory("cloud", *azure::makeComputeApi(settings, secrets, client, tuning), clock);
        const auto read = inventory.read({{"standard_nc24ads_a100_v4", {"A100 80GB", 1'000'000}}}, {});
        QVERIFY(read.has_value() && read->machines.size() == 1);
        QCOMPARE(read->warnings.size(), static_cast<std::size_t>(warnings));
        QVERIFY(read->machines.front().since == at("11:00"));
        const auto findings = inventory.probe({});
        QVERIFY(findings.has_value());
        QVERIFY(findings->back().text == ports::FindingText::RunsUnread);
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(inventory.read({}, stopped.get_token()).error().code == ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestAzureActivity)

} // namespace tst_azureactivity

#include "tst_azureactivity.moc"

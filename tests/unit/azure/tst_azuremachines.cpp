// SPDX-License-Identifier: GPL-3.0-or-later
// What the Resource Manager's lists of machines become. The figures as a whole: tests/integration/run_azuremachines.py.
#include "connectors/azure/compute/machinepage.h"
#include "connectors/azure/compute/machinesizes.h"
#include "connectors/azure/compute/machinestate.h"
#include "connectors/azure/resourcemanager.h"
#include "connectors/format/json.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <set>

Q_DECLARE_METATYPE(gpuledger::azure::MachineView)

namespace tst_azuremachines {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;

namespace {

constexpr const char *kGroup = "/subscriptions/S/resourceGroups/ML-Lab/providers/Microsoft.Compute/";

nlohmann::json pageOf(const std::string &values)
{
    return *format::parseJson(js("{'value':[" + values + "]}"));
}

std::string machine(const std::string &name, const std::string &properties, const std::string &more = {})
{
    return "{'id':'" + std::string(kGroup) + name + "','location':'EastUS'" + more + ",'properties':{" + properties
        + "}}";
}

std::string view(const std::string &statuses)
{
    return "'instanceView':{'statuses':[" + statuses + "]}";
}

constexpr const char *kDone = "{'code':'ProvisioningState/succeeded','time':'2026-11-20T10:11:12.1234567+00:00'}";

azure::MachineStatus toldBy(const std::string &statuses)
{
    return azure::statusesIn(pageOf(machine("virtualMachines/a", view(statuses))))->begin()->second;
}

azure::MachineFacts facts(const std::string &created = "2026-11-01T00:00:00Z")
{
    return azure::machinesIn(pageOf(machine("virtualMachines/Trainer",
                                            "'hardwareProfile':{'vmSize':'Standard_NC24ads_A100_v4'},'timeCreated':'"
                                                + created + "','osProfile':{'computerName':'trainer'}",
                                            ",'zones':['2'],'tags':{'team':'vision'}")))
        ->front();
}

// A machine that can be stopped, but for what the arguments say.
azure::MachineView described(const std::string &power = "running", const std::string &provisioning = "succeeded",
                             const std::string &more = {}, const std::string &tags = "'team':'vision'")
{
    const auto machine = *format::parseJson(
        js("{'id':'" + std::string(kGroup) + "virtualMachines/Trainer','location':'eastus','tags':{" + tags
           + "},'properties':{'vmId':'AB-1','hardwareProfile':{'vmSize':'Standard_NC24ads_A100_v4'},"
             "'provisioningState':'"
           + provisioning + "'" + more + "}}"));
    const auto view =
        *format::parseJson(js("{'statuses':[{'code':'ProvisioningState/" + provisioning
                              + "','time':'2026-11-20T10:11:12Z'},{'code':'PowerState/" + power + "'}]}"));
    return *azure::viewIn(machine, view);
}

} // namespace

class TestAzureMachines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAMachine()
    {
        bool isUnknown = true;
        const auto status = toldBy(std::string(kDone) + ",{'code':'PowerState/running'}");
        const auto machine = azure::listed(facts(), status, isUnknown);
        QVERIFY(machine && !isUnknown);
        QCOMPARE(machine->id, std::string("ml-lab/trainer"));
        QCOMPARE(machine->hostName, std::string("trainer"));
        QCOMPARE(machine->providerId,
                 std::string("azure:///subscriptions/s/resourcegroups/ml-lab/providers/microsoft.compute/"
                             "virtualmachines/trainer"));
        QVERIFY(machine->region == "eastus" && machine->zone == "eastus-2" && machine->tags.at("team") == "vision");
        QVERIFY(machine->since == *base::parseTime("2026-11-20T10:11:12Z") && !machine->until && !machine->isMember);
    }

    void aRunBeginsWithTheLastOperation()
    {
        bool isUnknown = false;
        const auto status = toldBy(std::string(kDone) + ",{'code':'PowerState/running'}");
        // Its clock may be ahead of that of the operation.
        QVERIFY(azure::listed(facts("2026-11-20T10:11:13Z"), status, isUnknown)->since
                == *base::parseTime("2026-11-20T10:11:13Z"));
        azure::MachineFacts old = facts();
        old.created.reset();
        QVERIFY(azure::listed(old, status, isUnknown)->since == *base::parseTime("2026-11-20T10:11:12Z"));
    }

    void tellsWhatIsBilledFromWhatIsNotAndFromWhatIsUnknown_data()
    {
        QTest::addColumn<QString>("statuses");
        QTest::addColumn<QString>("outcome");
        const auto row = [](const char *name, const std::string &statuses, const char *outcome) {
            QTest::newRow(name) << QString::fromStdString(statuses) << QString::fromLatin1(outcome);
        };
        const auto power = [](const char *state) {
            return std::string(kDone) + ",{'code':'PowerState/" + state + "'}";
        };
        for (const char *state : {"running", "starting", "stopping", "stopped"})
            row(state, power(state), "billed");
        for (const char *state : {"deallocating", "deallocated"})
            row(state, power(state), "free");
        row("another word", power("hibernating"), "unknown");
        row("no power state", kDone, "unknown");
        row("nothing", "", "unknown");
        row("an operation goes on",
            "{'code':'ProvisioningState/updating','time':'2026-11-20T10:11:12Z'},{'code':'PowerState/running'}",
            "unknown");
        row("a failed operation",
            "{'code':'ProvisioningState/failed/VMExtensionProvisioningError','time':'2026-11-20T10:11:12Z'},"
            "{'code':'PowerState/running'}",
            "billed");
        row("a time that is none", "{'code':'ProvisioningState/succeeded','time':'soon'},{'code':'PowerState/running'}",
            "unknown");
        row("free without a time", "{'code':'PowerState/deallocated'}", "free");
        row("hostile", "{'code':7},null,'x',{'code':'PowerState/'}", "unknown");
    }
    void tellsWhatIsBilledFromWhatIsNotAndFromWhatIsUnknown()
    {
        QFETCH(QString, statuses);
        QFETCH(QString, outcome);
        bool isUnknown = false;
        const auto machine = azure::listed(facts(), toldBy(statuses.toStdString()), isUnknown);
        QCOMPARE(QString::fromLatin1(machine ? "billed" : isUnknown ? "unknown" : "free"), outcome);
    }

    void onlyAStoppedMachineIsWarnedOf()
    {
        for (const char *state : {"running", "starting", "stopping", "stopped", "deallocated"})
            QCOMPARE(azure::isStoppedAndBilled(toldBy("{'code':'PowerState/" + std::string(state) + "'}")),
                     std::string_view(state) == "stopped");
    }

    void readsAScaleSetAndItsInstances()
    {
        const auto sets = *azure::scaleSetsIn(pageOf(
            "{'id':'/subscriptions/s/a','location':'eastus','sku':{'name':'Standard_NC4as_T4_v3','capacity':2},"
            "'properties':{'orchestrationMode':'Uniform','virtualMachineProfile':{'priority':'Spot'}}},"
            "{'id':'/subscriptions/s/b','sku':{'name':'x','capacity':0},'properties':{'orchestrationMode':'Flexible'}},"
            "{'id':'/subscriptions/s/c'}"));
        QVERIFY(sets[0].isSpot && !sets[1].isSpot);
        QVERIFY(sets[0].isUniform && !sets[0].isEmpty && sets[0].size == "Standard_NC4as_T4_v3");
        QVERIFY(!sets[1].isUniform && sets[1].isEmpty);
        QVERIFY(sets[2].isUniform && !sets[2].isEmpty); // older than the modes, and a size that is not told
        const auto instance =
            azure::machinesIn(pageOf(machine("virtualMachineScaleSets/aks-gpu-vmss/virtualMachines/17",
                                             "'osProfile':{'computerName':'aks-gpu-vmss00000h'}",
                                             ",'sku':{'name':'Standard_NC4as_T4_v3'},'tags':{'aks-managed-poolName':"
                                             "'gpu'}")))
                ->front();
        bool isUnknown = false;
        const auto machine =
            azure::listed(instance, toldBy(std::string(kDone) + ",{'code':'PowerState/running'}"), isUnknown);
        QVERIFY(machine->id == "ml-lab/aks-gpu-vmss_17" && machine->type == "Standard_NC4as_T4_v3");
        QVERIFY(machine->hostName == "aks-gpu-vmss00000h" && machine->zone == "eastus" && machine->isMember);
    }

    void aListThatIsNoneIsRefused()
    {
        for (const char *body : {"{}", "[]", "null", "{'value':{}}", "{'value':[{}]}", "{'value':[{'id':7}]}",
                                 "{'value':[{'id':'https://elsewhere/'}]}", "{'value':[null]}"}) {
            const auto page = *format::parseJson(js(body));
            for (const ErrorCode code : {azure::machinesIn(page).error().code, azure::statusesIn(page).error().code,
                                         azure::scaleSetsIn(page).error().code})
                QVERIFY2(code == ErrorCode::Parse, body);
        }
        QVERIFY(azure::machinesIn(pageOf(""))->empty());
    }

    void knowsSizesFromTheCatalogueAndFromAzure()
    {
        const std::map<std::string, ports::KnownMachine> known{{"standard_nc24ads_a100_v4", {"A100 80GB", 1'000'000}},
                                                               {"standard_nv6ads_a10_v5", {"A10", 166'667}}};
        azure::MachineSizes sizes(known);
        QVERIFY(!sizes.isMissing("Standard_NC24ads_A100_v4") && !sizes.isMissing("Standard_D4s_v5"));
        QVERIFY(sizes.isMissing("Standard_ND96isr_MI300X_v9") && sizes.isMissing("STANDARD_NC99_v9"));
        QVERIFY(sizes.of("STANDARD_NC24ADS_A100_V4").gpus == 1 && sizes.of("Standard_NV6ads_A10_v5").gpus == 0);
        QVERIFY(sizes.of("Standard_D4s_v5").name.empty() && !sizes.of("Standard_NC99_v9").isKnown);
        QVERIFY(
            sizes.learn(pageOf("{'resourceType':'disks','name':'Standard_NC99_v9','capabilities':[{'name':'GPUs',"
                               "'value':'4'}]},"
                               "{'resourceType':'virtualMachines','name':'Standard_ND96isr_MI300X_v9','capabilities':["
                               "{'name':'vCPUs','value':'96'},{'name':'GPUs','value':'8'}]},"
                               "{'resourceType':'virtualMachines','name':'Standard_NV9ads_v9','capabilities':["
                               "{'name':'GPUs','value':'0.5'}]},null,{'resourceType':'virtualMachines'}")));
        for (const char *body : {"{}", "null", "{'value':7}"})
            QVERIFY2(sizes.learn(*format::parseJson(js(body))).error().code == ErrorCode::Parse, body);
        const azure::SizeGpus told = sizes.of("standard_nd96isr_mi300x_v9");
        QVERIFY(told.gpus == 8 && told.name == "MI300X" && told.isKnown);
        QVERIFY(sizes.of("Standard_NV9ads_v9").gpus == 0 && sizes.of("Standard_NV9ads_v9").isKnown);
        QVERIFY(!sizes.of("Standard_NC99_v9").isKnown && !sizes.isMissing("Standard_NV9ads_v9"));
    }

    void findsTheAcceleratorInASize_data()
    {
        QTest::addColumn<QString>("size");
        QTest::addColumn<QString>("accelerator");
        const auto row = [](const char *size, const char *accelerator) {
            QTest::newRow(size) << QString::fromLatin1(size) << QString::fromLatin1(accelerator);
        };
        row("Standard_ND96isr_MI300X_v5", "MI300X");
        row("Standard_ND128isr_NDR_GB200_v6", "GB200");
        row("Standard_NC320ds_xl_RTXPRO6000BSE_v6", "RTXPRO6000BSE");
        row("Standard_NC4as_T4_v3", "T4");
        row("Standard_NV12s_v3", "NV12s_v3");
        row("NC6", "NC6");
        row("", "");
    }
    void findsTheAcceleratorInASize()
    {
        QFETCH(QString, size);
        QTEST(QString::fromStdString(azure::acceleratorIn(size.toStdString())), "accelerator");
    }

    void knowsSeriesWithGpus()
    {
        for (const char *size :
             {"Standard_NC6", "standard_nd96isr_H100_v5", "Standard_NV4as_v4", "Standard_NGads_V620"})
            QVERIFY2(azure::isGpuSeries(size), size);
        for (const char *size : {"Standard_NP10s", "Standard_NM16ads_MA35D", "Standard_D4s_v5", "Standard_N",
                                 "Standard_NC", "Basic_A1", ""})
            QVERIFY2(!azure::isGpuSeries(size), size);
    }

    void whatCanBeStopped_data()
    {
        using Kind = model::Obstacle::Kind;
        QTest::addColumn<azure::MachineView>("view");
        QTest::addColumn<int>("obstacle"); // -1: none
        const auto row = [](const char *name, const azure::MachineView &view, int obstacle) {
            QTest::newRow(name) << view << obstacle;
        };
        const auto of = [](Kind kind) { return static_cast<int>(kind); };
        row("running", described(), -1);
        row("off, but billed", described("stopped"), -1);
        row("after a failed operation", described("running", "failed/SomeError"), -1);
        row("deallocated", described("deallocated"), of(Kind::AlreadyStopped));
        row("on its way", described("deallocating"), of(Kind::AlreadyStopped));
        row("starting", described("starting"), of(Kind::Other));
        row("unknown", described(""), of(Kind::Other));
        row("under way", described("running", "updating"), of(Kind::Other));
        row("of a set", described("running", "succeeded", ",'virtualMachineScaleSet':{'id':'/a/set'}"),
            of(Kind::ManagedElsewhere));
        row("of AKS", described("running", "succeeded", {}, "'aks-managed-poolName':'gpu'"),
            of(Kind::ManagedElsewhere));
        row("of Databricks", described("running", "succeeded", {}, "'Vendor':'Databricks'"),
            of(Kind::ManagedElsewhere));
    }
    void whatCanBeStopped()
    {
        QFETCH(azure::MachineView, view);
        QFETCH(int, obstacle);
        const model::TargetState state = azure::stateOf(view, std::vector<std::string>{});
        QCOMPARE(state.obstacle ? static_cast<int>(state.obstacle->kind) : -1, obstacle);
        QCOMPARE(state.isStopped, view.status.power == "deallocated");
        QVERIFY(state.ref.nameSpace == "ml-lab" && state.ref.name == "trainer" && state.ref.uid == "ab-1");
        QVERIFY(state.ref.cluster == "s" && !state.isReversible && state.losses.size() == 4);
    }

    void locksAndTagsProtect()
    {
        const auto locked = azure::stateOf(described(), std::vector<std::string>{"keep"});
        QVERIFY(locked.obstacle && locked.obstacle->kind == model::Obstacle::Kind::StopProtection);
        QVERIFY(azure::stateOf(described(), {}).cautions.size() == locked.cautions.size() + 1); // locks unread
        const auto tagged = [](const char *tags) {
            return azure::stateOf(described("running", "succeeded", {}, tags), {}).protectedBy.has_value();
        };
        QVERIFY(tagged("'gpu-ledger.io-protect':'true'") && tagged("'gpu-ledger.io-protect':''"));
        QVERIFY(!tagged("'gpu-ledger.io-protect':'false'") && !tagged("'protect':'true'"));
        const auto names = [](const char *body) { return azure::readOnlyLocksIn(*format::parseJson(js(body))); };
        QVERIFY(*names("{'value':[{'name':'a','properties':{'level':'CanNotDelete'}},"
                       "{'name':'b','properties':{'level':'ReadOnly'}},{'name':'c'}]}")
                == (std::vector<std::string>{"b", "c"})); // what it may not know counts as a lock
        QVERIFY(names("{}").error().code == ErrorCode::Parse);
    }

    void anotherStateIsAnotherVersion()
    {
        std::set<std::string> versions;
        azure::MachineView later = described(), bigger = described(), other = described();
        *later.status.done += base::Seconds{1};
        bigger.facts.size = "Standard_ND96isr_H100_v5";
        other.uid = "ab-2";
        for (const azure::MachineView &view :
             {described(), described("stopped"), described("running", "updating"), later, bigger, other,
              described("running", "succeeded", ",'virtualMachineScaleSet':{'id':'/a/set'}"),
              described("running", "succeeded", {}, "'team':'nlp'")})
            QVERIFY(versions.insert(azure::versionOf(view)).second && !view.facts.isSpot);
        QVERIFY(described("running", "succeeded", ",'priority':'Spot'").facts.isSpot);
        azure::MachineView upper = described();
        upper.facts.id = "/SUBSCRIPTIONS/S/x";
        upper.facts.size = "STANDARD_NC24ADS_A100_V4";
        QVERIFY(versions.contains(azure::versionOf(upper))); // Azure changes the case
    }

    void rightsHaveWildcards_data()
    {
        QTest::addColumn<QString>("entries");
        QTest::addColumn<bool>("isAllowed");
        const auto row = [](const char *name, const char *entries, bool isAllowed) {
            QTest::newRow(name) << QString::fromLatin1(entries) << isAllowed;
        };
        row("nothing", "", false);
        row("all", "{'actions':['*']}", true);
        row("it", "{'actions':['a','Microsoft.Compute/virtualMachines/deallocate/action']}", true);
        row("in other case", "{'actions':['MICROSOFT.compute/VIRTUALmachines/DEALLOCATE/Action']}", true);
        row("below", "{'actions':['Microsoft.Compute/virtualMachines/*']}", true);
        row("in the middle", "{'actions':['Microsoft.Compute/*/deallocate/action']}", true);
        row("twice", "{'actions':['*/virtualMachines/*/action']}", true);
        row("reading", "{'actions':['*/read']}", false);
        row("another", "{'actions':['Microsoft.Compute/virtualMachines/start/action']}", false);
        row("a part", "{'actions':['Microsoft.Compute/virtualMachines/deallocate']}", false);
        row("denied", "{'actions':['*'],'notActions':['Microsoft.Compute/virtualMachines/deallocate/*']}", false);
        row("denied there, allowed here",
            "{'actions':['*'],'notActions':['*/action']},{'actions':['Microsoft.Compute/*']}", true);
        row("hostile", "7,null,{'actions':7},{'actions':[7,null,{}]},{'notActions':['*']}", false);
        row("many stars", "{'actions':['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b']}", false);
    }
    void rightsHaveWildcards()
    {
        QFETCH(QString, entries);
        QFETCH(bool, isAllowed);
        QCOMPARE(azure::allows(pageOf(entries.toStdString()), "Microsoft.Compute/virtualMachines/deallocate/action"),
                 isAllowed);
    }

    void aMachineWithoutIdOrStateIsNone()
    {
        const auto body = [](const char *text) { return *format::parseJson(js(text)); };
        const auto whole = body("{'id':'/s/a','properties':{'vmId':'1'}}"), view = body("{'statuses':[]}");
        QVERIFY(azure::viewIn(whole, view).has_value());
        for (const char *machine : {"{}", "null", "{'id':'/s/a'}", "{'properties':{'vmId':'1'}}"})
            QVERIFY2(azure::viewIn(body(machine), view).error().code == ErrorCode::Parse, machine);
        QVERIFY(azure::viewIn(whole, body("{}")).error().code == ErrorCode::Parse);
    }

    void aNextPageStaysOnTheServer()
    {
        const std::string manager = "https://management.azure.com";
        QCOMPARE(*azure::nextPage("https://MANAGEMENT.azure.com:443/x?$skiptoken=1", manager),
                 std::string("https://MANAGEMENT.azure.com:443/x?$skiptoken=1"));
        QVERIFY(azure::nextPage("", manager)->empty());
        for (const char *link : {"http://management.azure.com/x", "https://management.azure.com.evil.example/x",
                                 "https://management.azure.com@evil.example/x", "/x", "x", "https://"})
            QVERIFY2(!azure::nextPage(link, manager), link);
    }

    void aSubscriptionIsAnId()
    {
        QVERIFY(azure::isGuid("11111111-2222-3333-4444-55555555AbCd"));
        for (const char *text : {"", "11111111-2222-3333-4444-55555555555g", "11111111222233334444555555555555",
                                 "/subscriptions/11111111-2222-3333-4444-555555555555"})
            QVERIFY2(!azure::isGuid(text), text);
    }
};

GPULEDGER_SUITE(TestAzureMachines)

} // namespace tst_azuremachines

#include "tst_azuremachines.moc"

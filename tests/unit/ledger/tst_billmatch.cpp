// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/billmatch.h"
#include "app/model/money/billdays.h"
#include "resources/resources.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_billmatch {

using namespace gpuledger;
using namespace gpuledger::ledger;
using model::LedgerCategory;
using model::LedgerMatch;

namespace {

const PriceBook &prices()
{
    static const PriceBook kBook = [] {
        const auto catalog = GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
        return PriceBook::create({}, base::Currency::usd(), resources::find("prices/instances.csv").value(), catalog)
            .value();
    }();
    return kBook;
}

model::BillLine usage(const std::string &provider, const std::string &resource, const std::string &unit = "Hours")
{
    model::BillLine line;
    line.product.provider = provider;
    line.product.serviceCategory = "Compute";
    line.resource.id = resource;
    line.consumedQuantity.unit = unit;
    return line;
}

// Nodes that live as long as the test.
struct Fleet {
    std::vector<model::Node> records;
    std::vector<NodeDay> nodes;

    void add(const std::string &name, const std::string &providerId, const std::string &cloud,
             const std::string &type = {}, const std::string &region = {})
    {
        records.reserve(16);
        model::Node node;
        node.name = name;
        node.providerId = providerId;
        node.cloud = cloud;
        node.instanceType = type;
        node.region = region;
        records.push_back(node);
        NodeDay day;
        day.node = &records.back();
        day.ticks = 1;
        nodes.push_back(day);
    }
    BillMatch::Found find(const model::BillLine &line) const { return BillMatch(nodes).byId(describe(line, prices())); }
};

} // namespace

class TestBillMatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachCloudsIdsFindTheirMachine_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("resource");
        QTest::addColumn<int>("node"); // -1: none; -2: conflict
        QTest::addColumn<int>("match");
        const auto row = [](const char *name, const char *provider, const char *id, int node, LedgerMatch match) {
            QTest::newRow(name) << QString::fromUtf8(provider) << QString::fromUtf8(id) << node
                                << static_cast<int>(match);
        };
        row("instance id alone", "AWS", "i-0A", 0, LedgerMatch::ResourceId);
        row("arn", "AWS", "arn:aws:ec2:us-east-1:1:instance/i-0a", 0, LedgerMatch::InstanceId);
        row("another cloud", "Google Cloud", "i-0a", -1, LedgerMatch::None);
        row("azure, other capitals", "Microsoft",
            "/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/VM1", 1,
            LedgerMatch::ResourceId);
        row("google, in its project and zone", "Google Cloud",
            "//compute.googleapis.com/projects/p2/zones/z1/instances/same", 3, LedgerMatch::InstanceId);
        row("google, name alone", "Google Cloud", "same", -2, LedgerMatch::ResourceId);
        row("scale set", "Microsoft",
            "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/ss", 4,
            LedgerMatch::ProviderId);
        row("node name", "Lambda", "bare-1", 5, LedgerMatch::ProviderId);
        row("unknown instance", "AWS", "i-0b", -1, LedgerMatch::None);
        row("no id", "AWS", "", -1, LedgerMatch::None);
    }
    void eachCloudsIdsFindTheirMachine()
    {
        QFETCH(QString, provider);
        QFETCH(QString, resource);
        QFETCH(int, node);
        QFETCH(int, match);
        const std::string azure = "azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/";
        Fleet fleet;
        fleet.add("n0", "aws:///us-east-1a/i-0a", "aws");
        fleet.add("n1", azure + "virtualMachines/vm1", "azure");
        fleet.add("same-a", "gce://p1/z1/same", "gcp");
        fleet.add("same-b", "gce://p2/z1/same", "gcp");
        fleet.add("n4", azure + "virtualMachineScaleSets/ss/virtualMachines/0", "azure");
        fleet.add("bare-1", "", "");
        const auto found = fleet.find(usage(provider.toStdString(), resource.toStdString()));
        QCOMPARE(found.conflict, node == -2);
        QCOMPARE(found.isGroup, node == 4);
        QCOMPARE(static_cast<int>(found.match), match);
        if (node >= 0)
            QCOMPARE(found.nodes, std::vector<std::size_t>{static_cast<std::size_t>(node)});
        else if (node == -1)
            QVERIFY(found.nodes.empty());
    }

    void typeAndRegionFindOnlyWhereIdsCannot()
    {
        Fleet fleet;
        fleet.add("with-id", "aws:///us-east-1a/i-0a", "aws", "p4d.24xlarge", "us-east-1");
        fleet.add("without-id", "", "aws", "p4d.24xlarge", "us-east-1");
        fleet.add("elsewhere", "", "aws", "p4d.24xlarge", "eu-west-1");
        model::BillLine line = usage("AWS", "");
        line.product.skuDetails["InstanceType"] = "p4d.24xlarge";
        line.resource.regionId = "us-east-1";
        const auto find = [&](const std::vector<char> &taken) {
            return BillMatch(fleet.nodes).byAttributes(describe(line, prices()), line, taken).nodes;
        };
        QCOMPARE(find({0, 0, 0}), (std::vector<std::size_t>{0, 1}));
        QCOMPARE(find({1, 0, 0}), std::vector<std::size_t>{1});
        line.resource.id = "i-unknown"; // it names a machine other than those with an id
        QCOMPARE(find({0, 0, 0}), std::vector<std::size_t>{1});
    }

    void typeFindsNodesOfAnUnknownCloudAndOfTheCluster()
    {
        Fleet fleet;
        fleet.add("bare", "", "", "gd-8xh100ib-i128");
        fleet.add("named", "other://x/1", "other", "gd-8xh100ib-i128");
        fleet.add("small", "", "", "gd-1xl40");
        fleet.add("known", "coreweave://x/2", "coreweave", "gd-8xh100ib-i128");
        model::BillLine line = usage("CoreWeave", "");
        line.product.skuDetails["InstanceType"] = "GD-8xH100ib-i128";
        line.subAccountId = "West";
        line.subAccountType = "Cluster";
        const auto find = [&] {
            return BillMatch(fleet.nodes).byAttributes(describe(line, prices()), line, {0, 0, 0, 0}).nodes;
        };
        QVERIFY(find().empty()); // telemetry knows no cluster of this name
        fleet.records.front().cluster = "west";
        QCOMPARE(find(), std::vector<std::size_t>{0});
        line.subAccountType = "Account";
        QCOMPARE(find(), (std::vector<std::size_t>{0, 3}));
    }

    void instanceTypesAreFoundInWordsOfProviders()
    {
        model::BillLine line = usage("AWS", "i-1");
        line.extra.push_back({"x_UsageType", "USE1-BoxUsage:p4d.24xlarge"});
        BillItem item = describe(line, prices());
        QVERIFY(item.isGpuMachine());
        QCOMPARE(item.machine->devices, std::int64_t(8));
        line.extra[0].value = "USE1-BoxUsage:m5.large";
        QVERIFY(!describe(line, prices()).isGpuMachine());
        line.extra[0].value = "USW2-BoxUsage:g3.4xlarge";
        item = describe(line, prices());
        QVERIFY(item.isGpuMachine() && !item.unknownType && item.machine->devices == 1);
        line.extra.clear();
        line.product.skuDetails = {{"GpuCount", "4"}};
        item = describe(line, prices());
        QVERIFY(item.isGpuMachine() && item.gpus == 4);
    }

    // A type that the list does not have is known by its family; how many GPUs it has is not.
    void familiesAreFoundInWordsOfProviders_data()
    {
        QTest::addColumn<QByteArray>("provider");
        QTest::addColumn<QByteArray>("column");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("type"); // empty: not a machine with GPUs
        const auto row = [](const char *provider, const char *column, const char *text, const char *type) {
            QTest::newRow(text) << QByteArray(provider) << QByteArray(column) << QByteArray(text) << QByteArray(type);
        };
        row("AWS", "x_UsageType", "USE1-BoxUsage:p9x.48xlarge", "p9x.48xlarge");
        row("AWS", "x_UsageType", "EU-SpotUsage:p6e-gb200.36xlarge", "p6e-gb200.36xlarge");
        row("AWS", "", "$0.65 per On Demand Linux g2.2xlarge Instance Hour", "g2.2xlarge");
        row("AWS", "x_InstanceType", "ml.g9.xlarge", "ml.g9.xlarge");
        row("AWS", "x_UsageType", "USE1-BoxUsage:m5.large", "");
        row("AWS", "x_UsageType", "USE1-BoxUsage:trn1.32xlarge", "");
        row("AWS", "x_UsageType", "USE1-BoxUsage:inf2.xlarge", "");
        row("AWS", "x_UsageType", "USE1-BoxUsage:dl1.24xlarge", "");
        row("AWS", "x_UsageType", "InstanceUsage:db.r6g.xlarge", "");
        row("AWS", "x_UsageType", "USE1-EBS:VolumeUsage.gp3", "");
        row("AWS", "", "Provisioned storage, gp2.large", "");
        row("Microsoft", "x_SkuMeterName", "NC80adis H300 v9", "nc80adis h300 v9");
        row("Microsoft", "x_InstanceType", "Standard_ND96isrf_H100_v5", "standard_nd96isrf_h100_v5");
        row("Microsoft", "x_SkuMeterSubcategory", "NGads V620 Series", "ngads v620 series");
        row("Microsoft", "x_SkuMeterName", "NP10s", "");
        row("Microsoft", "x_SkuMeterName", "D4s v5", "");
        row("Microsoft", "x_SkuMeterName", "Network Watcher", "");
        row("Google Cloud", "", "A4 instance a4-megagpu-16g in Iowa", "a4-megagpu-16g");
        row("Google Cloud", "", "Nvidia Tesla T4 GPU running in Americas", "nvidia tesla t4 gpu running in americas");
        row("Google Cloud", "", "N1 Predefined Instance Core running in Americas", "");
        row("Oracle", "", "VM.GPU.A10.1 p9x.48xlarge", "");
    }
    void familiesAreFoundInWordsOfProviders()
    {
        QFETCH(QByteArray, provider);
        QFETCH(QByteArray, column);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, type);
        model::BillLine line = usage(provider.toStdString(), "i-1");
        if (column.isEmpty())
            line.description = text.toStdString();
        else
            line.extra.push_back({column.toStdString(), text.toStdString()});
        BillItem item = describe(line, prices());
        QCOMPARE(item.unknownType, !type.isEmpty());
        QCOMPARE(item.isGpuMachine(), !type.isEmpty());
        QVERIFY(!item.machine && item.gpus == 0);
        if (!type.isEmpty())
            QCOMPARE(QByteArray::fromStdString(item.instanceType), type);
        line.consumedQuantity.unit = "GB";
        QVERIFY(!describe(line, prices()).isGpuMachine()); // traffic of such a machine is not its time
    }

    void otherSpellingsOfAType()
    {
        const auto typeOf = [](const char *provider, const char *column, const char *text) {
            model::BillLine line = usage(provider, "i-1");
            line.extra.push_back({column, text});
            const BillItem item = describe(line, prices());
            return item.machine && !item.unknownType ? item.machine->instanceType + " = " + item.instanceType
                                                     : std::string();
        };
        QCOMPARE(typeOf("Microsoft", "x_InstanceType", "NC24ads_A100_v4"),
                 std::string("Standard_NC24ads_A100_v4 = standard_nc24ads_a100_v4"));
        QCOMPARE(typeOf("Microsoft", "x_SkuMeterName", "NC24ads A100 v4 Spot"),
                 std::string("Standard_NC24ads_A100_v4 = standard_nc24ads_a100_v4"));
        // A machine of SageMaker is not one of the nodes of that type.
        QCOMPARE(typeOf("AWS", "x_InstanceType", "ml.p4d.24xlarge"), std::string("p4d.24xlarge = ml.p4d.24xlarge"));
    }

    void onlyTimeIsAMachines_data()
    {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<bool>("timed");
        QTest::addColumn<int>("category");
        QTest::newRow("hours") << "Hrs" << true << static_cast<int>(LedgerCategory::Compute);
        QTest::newRow("none") << "" << true << static_cast<int>(LedgerCategory::Compute);
        QTest::newRow("traffic") << "GB" << false << static_cast<int>(LedgerCategory::Network);
        QTest::newRow("disk") << "GB-Mo" << false << static_cast<int>(LedgerCategory::Storage);
    }
    void onlyTimeIsAMachines()
    {
        QFETCH(QString, unit);
        QFETCH(bool, timed);
        QFETCH(int, category);
        const BillItem item = describe(usage("AWS", "i-1", unit.toStdString()), prices());
        QCOMPARE(item.timed, timed);
        QCOMPARE(static_cast<int>(item.category), category);
    }

    void otherChargesKeepTheirCategory()
    {
        model::BillLine line = usage("AWS", "i-1");
        const auto categoryOf = [&](model::ChargeCategory category) {
            line.category = category;
            return describe(line, prices());
        };
        QVERIFY(categoryOf(model::ChargeCategory::Tax).category == LedgerCategory::Tax);
        QVERIFY(categoryOf(model::ChargeCategory::Credit).category == LedgerCategory::Credit);
        QVERIFY(categoryOf(model::ChargeCategory::Purchase).category == LedgerCategory::Purchase);
        QVERIFY(categoryOf(model::ChargeCategory::Adjustment).category == LedgerCategory::Adjustment);
        QVERIFY(!categoryOf(model::ChargeCategory::Tax).timed);
        line.commitment.status = model::UseStatus::Unused;
        QVERIFY(categoryOf(model::ChargeCategory::Usage).category == LedgerCategory::Commitment);
        QVERIFY(!categoryOf(model::ChargeCategory::Usage).timed);
    }

    void aLineLiesOnTheDaysOfItsChargePeriod()
    {
        const base::UtcTime period = base::parseTime("2025-03-01").value();
        const auto at = [](const char *text) { return base::parseTime(text).value(); };
        std::vector<std::int64_t> seconds;
        const base::TimeRange charge{at("2025-03-01T18:00:00Z"), at("2025-03-03T06:00:00Z")};
        const auto days = model::placementOf(charge, period);
        model::secondsPerDay(charge, days, seconds);
        QVERIFY(!days.whole);
        QCOMPARE(seconds, (std::vector<std::int64_t>{21600, 86400, 21600}));
        const auto instant = model::placementOf({charge.start, charge.start}, period);
        QVERIFY(instant.first == instant.last && !instant.whole && instant.first == base::dayOf(charge.start));
        const auto midnight = model::placementOf({at("2025-03-01"), at("2025-03-02")}, period);
        QVERIFY(midnight.first == midnight.last);
        const auto huge = model::placementOf({at("1000-01-01"), at("9000-01-01")}, period);
        QVERIFY(huge.whole && huge.first == base::dayOf(period) && huge.last == huge.first);
        QVERIFY(model::placementOf({at("1000-01-01"), at("1000-01-02")}, at("0900-01-01")).first
                == model::kFirstLedgerDay);
    }
};

GPULEDGER_SUITE(TestBillMatch)

} // namespace tst_billmatch

#include "tst_billmatch.moc"

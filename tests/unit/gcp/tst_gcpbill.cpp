// SPDX-License-Identifier: GPL-3.0-or-later
// What rows of the export become, the query that asks for them, and what is kept of a month. The figures as a whole:
// tests/integration/run_gcpbilling.py.
#include "connectors/format/keptmonth.h"
#include "connectors/gcp/billquery.h"
#include "connectors/gcp/billrow.h"
#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <map>

namespace tst_gcpbill {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using gcp::BillColumn;
using Json = nlohmann::json;

namespace {

constexpr const char *kDetailed = "gcp_billing_export_resource_v1_01AB23_CD45EF_678901";

base::UtcTime at(const char *text)
{
    return *base::parseTime(text);
}

base::TimeRange october()
{
    return {at("2026-10-01"), at("2026-11-01")};
}

model::SourceSettings sourceOf(const std::string &table = kDetailed)
{
    model::SourceSettings settings;
    settings.name = "bill";
    settings.options = {{"project", "lab-billing"}, {"dataset", "billing"}, {"table", table}};
    settings.auth.kind = model::AuthSettings::Kind::Bearer;
    return settings;
}

using Given = std::map<BillColumn, Json>;

// An hour of a GPU, with these cells in place of its own.
Json rowWith(const Given &given = {})
{
    Given cells{{BillColumn::Day, "2026-10-03"},
                {BillColumn::ProjectId, "ml-serving"},
                {BillColumn::ProjectName, "ML Serving"},
                {BillColumn::Service, "Compute Engine"},
                {BillColumn::SkuId, "2922-40C5-B19F"},
                {BillColumn::Sku, "Nvidia Tesla A100 GPU running in Iowa"},
                {BillColumn::Region, "us-central1"},
                {BillColumn::Zone, "us-central1-a"},
                {BillColumn::Resource, "//compute.googleapis.com/projects/4711/zones/us-central1-a/instances/99"},
                {BillColumn::ResourceName, "gpu-1"},
                {BillColumn::Machine, "a2-highgpu-8g"},
                {BillColumn::CostType, "regular"},
                {BillColumn::Labels, js("[{'key':'team','value':'vision'},{'key':'bare','value':''}]")},
                {BillColumn::Tags, "[]"},
                {BillColumn::ProjectLabels, js("[{'key':'env','value':'prod'},{'key':'team','value':'all'}]")},
                {BillColumn::Unit, "hour"},
                {BillColumn::Currency, "USD"},
                {BillColumn::Credit, ""},
                {BillColumn::CreditName, ""},
                {BillColumn::Amount, "563.123456789"},
                {BillColumn::Quantity, "192"}};
    for (const auto &[column, value] : given)
        cells[column] = value;
    Json fields = Json::array();
    for (std::size_t i = 0; i < gcp::kBillColumns.size(); ++i)
        fields.push_back({{"v", cells[static_cast<BillColumn>(i)]}});
    return {{"f", fields}};
}

model::BillLine lineWith(const Given &given = {}, const std::string &table = kDetailed)
{
    const auto row = gcp::BillRow::of(rowWith(given), october());
    if (!row)
        qFatal("%s", row.error().text.c_str());
    return *gcp::lineOf(*row, *gcp::BillSettings::of(sourceOf(table)), october());
}

} // namespace

class TestGcpBill : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aMachineHasTheHoursOfItsGpus()
    {
        const model::BillLine line = lineWith();
        QCOMPARE(line.billingAccountId, std::string("01AB23-CD45EF-678901"));
        QVERIFY(line.billingPeriod == october());
        QVERIFY(line.chargePeriod == (base::TimeRange{at("2026-10-03"), at("2026-10-04")}));
        QCOMPARE(line.billed.toDecimal(), std::string("563.123456789"));
        QVERIFY(line.billed == line.effective);
        QVERIFY(line.category == model::ChargeCategory::Usage);
        QCOMPARE(line.product.provider, std::string("Google Cloud"));
        QCOMPARE(line.product.serviceCategory, std::string("Compute"));
        QCOMPARE(line.subAccountId + ' ' + line.subAccountName, std::string("ml-serving ML Serving"));
        // As the provider id of a node has it: gce://ml-serving/us-central1-a/gpu-1.
        QCOMPARE(line.resource.id,
                 std::string("//compute.googleapis.com/projects/ml-serving/zones/us-central1-a/instances/gpu-1"));
        QCOMPARE(line.consumedQuantity.amount->toText() + ' ' + line.consumedQuantity.unit, std::string("192 hour"));
        // Hours of one GPU each: with the type of the machine they would count eight times.
        QVERIFY(line.product.skuDetails == (model::Labels{{"GpuCount", "1"}}));
        QVERIFY(line.tags == (model::Labels{{"bare", "true"}, {"env", "prod"}, {"team", "vision"}}));
    }

    // The hours of its processors are none of the machine, and neither is its memory another service.
    void processorsAndMemoryHaveNoHours()
    {
        for (const auto &[sku, unit] : {std::pair("A2 Instance Core running in Iowa", "hour"),
                                        std::pair("A2 Instance Ram running in Iowa", "gibibyte hour")}) {
            const model::BillLine line = lineWith({{BillColumn::Sku, sku}, {BillColumn::Unit, unit}});
            QVERIFY(!line.consumedQuantity.amount && line.consumedQuantity.unit.empty());
            QVERIFY(line.pricingQuantity.unit.empty());
            QVERIFY(line.product.skuDetails.empty());
        }
        const model::BillLine disk = lineWith({{BillColumn::Sku, "SSD"},
                                               {BillColumn::Unit, "gibibyte month"},
                                               {BillColumn::Resource, "//compute.googleapis.com/x/disks/7"}});
        QCOMPARE(disk.consumedQuantity.unit, std::string("gibibyte month"));
        QVERIFY(disk.product.skuDetails.empty());
        QCOMPARE(disk.resource.id, std::string("//compute.googleapis.com/x/disks/7"));
    }

    void theStandardExportHasTypesInPlaceOfResources()
    {
        const model::BillLine line = lineWith({{BillColumn::Resource, nullptr}, {BillColumn::ResourceName, nullptr}},
                                              "gcp_billing_export_v1_01AB23_CD45EF_678901");
        QVERIFY(line.resource.id.empty() && line.resource.name.empty());
        QVERIFY(line.product.skuDetails == (model::Labels{{"GpuCount", "1"}, {"InstanceType", "a2-highgpu-8g"}}));
        QVERIFY(line.pricing == model::PricingCategory::Other); // no price of a machine of this type
        const model::BillLine memory = lineWith({{BillColumn::Resource, nullptr},
                                                 {BillColumn::ResourceName, nullptr},
                                                 {BillColumn::Sku, "A2 Instance Ram running in Iowa"},
                                                 {BillColumn::Unit, "gibibyte hour"}});
        QVERIFY(memory.product.skuDetails == (model::Labels{{"InstanceType", "a2-highgpu-8g"}}));
    }

    void chargesAreWhatTheyAreCalled_data()
    {
        QTest::addColumn<QString>("column");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("category");
        const auto add = [](const char *column, const char *value, model::ChargeCategory category) {
            QTest::newRow(value) << QString::fromLatin1(column) << QString::fromLatin1(value)
                                 << static_cast<int>(category);
        };
        add("cost_type", "regular", model::ChargeCategory::Usage);
        add("cost_type", "tax", model::ChargeCategory::Tax);
        add("cost_type", "adjustment", model::ChargeCategory::Adjustment);
        add("cost_type", "rounding_error", model::ChargeCategory::Adjustment);
        add("cost_type", "a new one", model::ChargeCategory::Adjustment);
        add("credit", "SUSTAINED_USAGE_DISCOUNT", model::ChargeCategory::Credit);
        add("credit", "COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE", model::ChargeCategory::Credit);
        add("sku", "Commitment v1: A100 GPU in Iowa for 1 Year", model::ChargeCategory::Purchase);
    }
    void chargesAreWhatTheyAreCalled()
    {
        QFETCH(QString, column);
        QFETCH(QString, value);
        QFETCH(int, category);
        const BillColumn at = column == QLatin1String("credit") ? BillColumn::Credit
            : column == QLatin1String("sku")                    ? BillColumn::Sku
                                                                : BillColumn::CostType;
        const model::BillLine line = lineWith({{at, value.toStdString()}, {BillColumn::CreditName, "Named"}});
        QCOMPARE(static_cast<int>(line.category), category);
        if (at == BillColumn::Credit)
            QCOMPARE(line.description, "Named (" + value.toStdString() + ')');
        if (line.category != model::ChargeCategory::Usage)
            QVERIFY(!line.consumedQuantity.amount && line.product.skuDetails.empty());
    }

    void spotAndUnusedReservations()
    {
        const model::BillLine spot =
            lineWith({{BillColumn::Sku, "Nvidia L4 GPU attached to Spot Preemptible VMs running in Iowa"}});
        QVERIFY(spot.pricing == model::PricingCategory::Dynamic);
        QCOMPARE(spot.product.skuDetails.at("GpuCount"), std::string("1"));
        QVERIFY(lineWith().pricing == model::PricingCategory::Standard);
        QVERIFY(lineWith({{BillColumn::UnusedReservation, "true"}}).capacityReservation == model::UseStatus::Unused);
    }

    void amountsStayExact()
    {
        QCOMPARE(lineWith({{BillColumn::Amount, "-0.000000001"}}).billed.nanos(), std::int64_t{-1});
        QCOMPARE(lineWith({{BillColumn::Amount, "1234567.123456789"}}).billed.nanos(),
                 std::int64_t{1'234'567'123'456'789});
        QVERIFY(gcp::BillRow::of(rowWith({{BillColumn::Amount, "1e30"}}), october()).error().code
                == ErrorCode::Overflow);
    }

    void hostileTextsAreText()
    {
        const model::BillLine line = lineWith(
            {{BillColumn::Labels, js("[{'key':'a\\u001b','value':'x\\u202e'}]")}, {BillColumn::ProjectId, "\x1b[2J"}});
        QVERIFY(line.tags.contains("a\uFFFD") && line.subAccountId.find('\x1b') == std::string::npos);
        const model::BillLine longer = lineWith({{BillColumn::ResourceName, std::string(100'000, 'x')}});
        QVERIFY(longer.resource.name.size() < 1100);
    }

    void refusesWhatWasNotAsked_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("json");
        const auto add = [](BillColumn column, const char *json) {
            QTest::addRow("%d %s", static_cast<int>(column), json) << static_cast<int>(column) << json;
        };
        add(BillColumn::Day, "null");
        add(BillColumn::Day, "\"2026-13-01\"");
        add(BillColumn::Day, "\"1970-01-01\"");
        add(BillColumn::Day, "\"2027-03-01\"");
        add(BillColumn::Amount, "null");
        add(BillColumn::Amount, "1.5"); // a number has passed through a double somewhere
        add(BillColumn::Amount, "\"NaN\"");
        add(BillColumn::Currency, "\"$\"");
        add(BillColumn::Labels, "\"{\"");
        add(BillColumn::Sku, "{\"f\":[]}");
    }
    void refusesWhatWasNotAsked()
    {
        QFETCH(int, column);
        QFETCH(QString, json);
        const Json row = rowWith({{static_cast<BillColumn>(column), Json::parse(json.toStdString())}});
        const auto read = gcp::BillRow::of(row, october());
        QVERIFY(!read && read.error().code == ErrorCode::Parse);
        for (const char *other : {"null", "7", "{\"f\":[]}", "{\"f\":7}"})
            QVERIFY(!gcp::BillRow::of(Json::parse(other), october()));
    }

    void theQueryScansTheMonthAlone()
    {
        const auto settings = *gcp::BillSettings::of(sourceOf());
        const gcp::BillQuery query = gcp::queryOf(settings, october());
        QCOMPARE(query.month, std::string("202610"));
        QVERIFY(query.partitions == (base::TimeRange{at("2026-09-29"), at("2026-12-06")}));
        QVERIFY(query.sql.find("FROM `lab-billing.billing." + std::string(kDetailed) + '`') != std::string::npos);
        for (const char *part : {"_PARTITIONTIME >= @from AND _PARTITIONTIME < @until AND invoice.month = @month",
                                 "CAST(cost AS NUMERIC)", "CAST(c.amount AS NUMERIC)", "resource.global_name"})
            QVERIFY2(query.sql.find(part) != std::string::npos, part);
        const auto standard = *gcp::BillSettings::of(sourceOf("gcp_billing_export_v1_01AB23_CD45EF_678901"));
        QVERIFY(gcp::queryOf(standard, october()).sql.find("resource.") == std::string::npos);
        const Json dry = Json::parse(gcp::queryBody(query, settings, true, "id"));
        QVERIFY(dry["dryRun"] == true && dry["useLegacySql"] == false && !dry.contains("requestId"));
        const Json real = Json::parse(gcp::queryBody(query, settings, false, "id"));
        QVERIFY(real["requestId"] == "id" && real["maximumBytesBilled"] == "20000000000" && !real.contains("dryRun"));
        QCOMPARE(real["queryParameters"][1]["parameterValue"]["value"].get<std::string>(),
                 std::string("2026-09-29 00:00:00+00:00"));
    }

    void aMonthIsFinalAfterTheNextOne()
    {
        format::KeptMonth month;
        month.range = october();
        month.identity = "a.b.c";
        month.settles = gcp::kSettles;
        const base::UtcTime now = at("2026-12-05T12:00:00Z");
        const base::Seconds refresh{86400};
        QVERIFY(month.isDue(now, refresh));
        month.put("rows", now);
        QVERIFY(!month.isDue(now + refresh - base::Seconds{1}, refresh) && month.isDue(now + refresh, refresh));
        const std::string hash = month.fileHash("bigquery");
        month.put("rows", at("2026-12-06T00:00:00Z"));
        QCOMPARE(month.fileHash("bigquery"), hash);
        QVERIFY(!month.isDue(at("2030-01-01"), refresh));
        QVERIFY(month.isDue(at("2026-11-01"), refresh)); // a clock that was ahead
        // A bill that changes back is a new one.
        month.put("others", now);
        month.put("rows", now);
        QVERIFY(month.fileHash("bigquery") != hash);
        const auto read = format::KeptMonth::fromText(month.toText(), october());
        QVERIFY(read && read->fileHash("bigquery") == month.fileHash("bigquery") && read->asked == month.asked);
        QVERIFY(!format::KeptMonth::fromText(month.toText(), {at("2026-11-01"), at("2026-12-01")}));
        for (const char *bad : {"", "{", "[]", "{\"version\":2}"})
            QVERIFY(!format::KeptMonth::fromText(bad, october()));
    }
};

GPULEDGER_PLAIN_SUITE(TestGcpBill)

} // namespace tst_gcpbill

#include "tst_gcpbill.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The lines that Cost and Usage Reports become.
#include "tests/support/suite.h"
#include "tests/unit/focus/usagereport.h"

#include <QtTest>

#include <cctype>

namespace tst_usagereports {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::BillLine;
using model::ChargeCategory;
using ports::BillFindingText;
using ports::RejectReason;

namespace {

inline std::string text(const base::Money &amount)
{
    return base::Decimal::of(amount).toText();
}
inline std::string text(const std::optional<base::Money> &amount)
{
    return amount ? text(*amount) : "-";
}

std::string when(base::UtcTime time)
{
    return base::toRfc3339(time);
}

// "category billed effective list contracted", and what else FOCUS says of the charge.
std::string said(const BillLine &line)
{
    std::string out = std::string(model::toString(line.category)) + ' ' + text(line.billed) + ' ' + text(line.effective)
        + ' ' + text(line.list) + ' ' + text(line.contracted) + ' ' + std::string(model::toString(line.frequency));
    for (const std::string_view word :
         {model::toString(line.pricing), model::toString(line.chargeClass), model::toString(line.commitment.status),
          model::toString(line.commitment.category)})
        out += word.empty() ? "" : ' ' + std::string(word);
    return out;
}

using Texts = std::vector<std::string>;

} // namespace

class TestUsageReports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachTypeOfLine_data()
    {
        QTest::addColumn<std::string>("type");
        QTest::addColumn<std::string>("cost");
        QTest::addColumn<Texts>("more"); // columns and values
        QTest::addColumn<Texts>("lines");
        const auto row = [](const char *type, const std::string &cost, const Texts &more, const Texts &lines) {
            QTest::addRow("%s %s %d", type, cost.c_str(), int(more.size()))
                << std::string(type) << cost << more << lines;
        };
        row("Usage", "32.7726", {}, {"Usage 32.7726 32.7726 32.7726 32.7726 Usage-Based Standard"});
        row("Usage", "-1", {"pricing_public_on_demand_cost", ""}, {"Usage -1 -1 - -1 Usage-Based Standard"});
        row("Usage", "9.5", {"line_item_usage_type", "SpotUsage:p4d.24xlarge"},
            {"Usage 9.5 9.5 32.7726 9.5 Usage-Based Dynamic"});
        row("Usage", "9.5", {"product", "\"{\"\"purchase_option\"\":\"\"Spot Instances\"\"}\""},
            {"Usage 9.5 9.5 32.7726 9.5 Usage-Based Dynamic"});
        row("DiscountedUsage", "0",
            {"reservation_effective_cost", "20.5", "reservation_reservation_a_r_n", kReservedArn},
            {"Usage 0 20.5 32.7726 - Usage-Based Committed Used Usage"});
        row("SavingsPlanUpfrontFee", "8760", {"savings_plan_savings_plan_a_r_n", kPlanArn},
            {"Purchase 8760 0 32.7726 8760 One-Time Spend"});
        const Texts wholePlan{"savings_plan_savings_plan_a_r_n",       kPlanArn,
                              "savings_plan_total_commitment_to_date", "10",
                              "savings_plan_used_commitment",          "10.0"};
        row("SavingsPlanRecurringFee", "10", wholePlan, {"Purchase 10 0 32.7726 10 Recurring Spend"});
        Texts half = wholePlan;
        half[5] = "6.25";
        row("SavingsPlanRecurringFee", "5", half,
            {"Purchase 5 0 32.7726 5 Recurring Spend", "Usage 0 3.75 - - Usage-Based Committed Unused Spend"});
        row("RIFee", "7",
            {"reservation_reservation_a_r_n", kReservedArn, "reservation_unused_recurring_fee", "0.25",
             "reservation_unused_amortized_upfront_fee_for_billing_period", "1.5E0"},
            {"Purchase 7 0 32.7726 7 Recurring Usage", "Usage 0 1.75 - - Usage-Based Committed Unused Usage"});
        row("RIFee", "7", {"reservation_reservation_a_r_n", kReservedArn, "reservation_unused_recurring_fee", "0"},
            {"Purchase 7 0 32.7726 7 Recurring Usage"});
        row("Fee", "1000", {"reservation_reservation_a_r_n", kReservedArn},
            {"Purchase 1000 0 32.7726 1000 One-Time Usage"});
        row("Fee", "15", {}, {"Purchase 15 15 32.7726 15 One-Time"});
        row("Tax", "3.1", {}, {"Tax 3.1 3.1 32.7726 3.1 One-Time"});
        row("Credit", "-4", {}, {"Credit -4 -4 32.7726 -4 One-Time"});
        row("Refund", "-4", {}, {"Adjustment -4 -4 32.7726 -4 One-Time"});
        row("Refund", "-4", {"line_item_usage_start_date", "2026-09-30T23:00:00Z"},
            {"Adjustment -4 -4 32.7726 -4 One-Time Correction"});
        for (const char *type : {"Discount", "BundledDiscount", "EdpDiscount", "PrivateRateDiscount", "SppDiscount"})
            row(type, "-0.5", {}, {"Adjustment -0.5 -0.5 32.7726 -0.5 One-Time"});
        row("FlatRateSubscription", "12", {}, {"Adjustment 12 12 32.7726 12 One-Time"});
        row("SavingsPlanNegation", "0", {}, {});
        row("SavingsPlanNegation", "-4", {}, {"Adjustment -4 0 - - Usage-Based"});
    }
    void eachTypeOfLine()
    {
        QFETCH(std::string, type);
        QFETCH(std::string, cost);
        QFETCH(Texts, more);
        QFETCH(Texts, lines);
        Cells changes;
        for (std::size_t i = 0; i < more.size(); i += 2)
            changes[more[i]] = more[i + 1];
        const ReadReports one({typed(type.c_str(), cost, changes)});
        QVERIFY(one.result);
        QCOMPARE(one.report.rejected.lines, std::uint64_t{0});
        Texts found;
        for (const BillLine &line : one.lines)
            found.push_back(said(line));
        QCOMPARE(found, lines);
        QCOMPARE(one.billed(), cost);
    }

    void anHourOfAMachine()
    {
        const ReadReports one({hour({{"bill_invoice_id", "777"},
                                     {"line_item_availability_zone", "us-east-2a"},
                                     {"capacity_reservation_capacity_reservation_arn", "arn:cr"},
                                     {"line_item_usage_account_name", "lab"}})});
        QCOMPARE(one.lines.size(), std::size_t{1});
        const BillLine &line = one.lines.front();
        QCOMPARE(line.billingAccountId, std::string("999999999999"));
        QCOMPARE(line.billingAccountName, std::string("payer"));
        QCOMPARE(line.subAccountId, std::string("111111111111"));
        QCOMPARE(line.subAccountName, std::string("lab"));
        QCOMPARE(when(line.billingPeriod.start), std::string("2026-10-01T00:00:00Z"));
        QCOMPARE(when(line.chargePeriod.end), std::string("2026-10-05T08:00:00Z"));
        QCOMPARE(line.invoiceId, std::string("777"));
        QCOMPARE(line.invoiceIssuer, std::string("Amazon Web Services, Inc."));
        QCOMPARE(line.product.provider, std::string("AWS"));
        QCOMPARE(line.product.serviceName, std::string("Amazon Elastic Compute Cloud"));
        QCOMPARE(line.product.serviceCategory, std::string("Compute"));
        QCOMPARE(line.product.skuDetails, (model::Labels{{"InstanceType", "p4d.24xlarge"}}));
        QCOMPARE(line.product.skuPriceId, std::string("SKU1.TERM.RATE"));
        QCOMPARE(line.consumedQuantity.amount->toText(), std::string("1"));
        QCOMPARE(line.consumedQuantity.unit, std::string("Hrs"));
        QCOMPARE(line.resource.id, std::string("i-0123456789abcdef0"));
        QCOMPARE(line.resource.regionId, std::string("us-east-2"));
        QCOMPARE(line.resource.zone, std::string("us-east-2a"));
        QVERIFY(line.capacityReservation == model::UseStatus::Used);
        QCOMPARE(line.row, std::uint64_t{2});
        QVERIFY(one.report.version == ports::FocusVersion::UsageReport);
        QVERIFY(one.report.findings.empty());
    }

    void servicesMachinesAndRegions_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("usageType");
        QTest::addColumn<QString>("product");
        QTest::addColumn<QString>("want"); // category / service / machine / region
        const auto row = [](const char *code, const char *usage, const char *product, const char *want) {
            QTest::addRow("%s %s %s", code, usage, product) << code << usage << product << want;
        };
        row("AmazonEC2", "BoxUsage:p5.48xlarge", "", "Compute/Amazon Elastic Compute Cloud/p5.48xlarge/us-east-1");
        row("AmazonEC2", "BoxUsage", "{\"instance_type\":\"g5.xlarge\"}",
            "Compute/Amazon Elastic Compute Cloud/g5.xlarge/us-east-1");
        row("AmazonEC2", "EUC1-UnusedBox:p5.48xlarge", "",
            "Compute/Amazon Elastic Compute Cloud/p5.48xlarge/eu-central-1");
        row("AmazonEC2", "EUC1-EBS:VolumeUsage.gp3", "{\"instance_type\":\"g5.xlarge\"}",
            "Storage/Amazon Elastic Compute Cloud//eu-central-1");
        row("AmazonEC2", "EU-DataTransfer-Out-Bytes", "{\"region\":\"eu-west-1\"}",
            "Networking/Amazon Elastic Compute Cloud//eu-west-1");
        row("AmazonSageMaker", "USE1-Train:ml.p4d.24xlarge", "",
            "AI and Machine Learning/Amazon SageMaker/ml.p4d.24xlarge/us-east-1");
        row("AmazonEKS", "EUC1-AmazonEKS-Hours:perCluster", "",
            "Compute/Amazon Elastic Container Service for Kubernetes//eu-central-1");
        row("AmazonS3", "TimedStorage-ByteHrs", "{\"product_name\":\"Amazon Simple Storage Service\"}",
            "Storage/Amazon Simple Storage Service//");
        row("AmazonVPC", "USE1-NatGateway-Hours", "[{\"key\":\"product_name\",\"value\":\"Amazon VPC\"}]",
            "Networking/Amazon VPC//us-east-1");
        row("AmazonNew", "Thing", "{\"product_name\":7}", "Other/AmazonNew//");
        row("AmazonNew", "Thing", "{broken", "Other/AmazonNew//");
    }
    void servicesMachinesAndRegions()
    {
        QFETCH(QString, code);
        QFETCH(QString, usageType);
        QFETCH(QString, product);
        QFETCH(QString, want);
        const ReadReports one({hour({{"line_item_product_code", code.toStdString()},
                                     {"line_item_usage_type", usageType.toStdString()},
                                     {"product", quoted(product.toStdString())},
                                     {"product_region_code", ""}})});
        QCOMPARE(one.lines.size(), std::size_t{1});
        const BillLine &line = one.lines.front();
        const auto machine = line.product.skuDetails.find("InstanceType");
        QCOMPARE(line.product.serviceCategory + '/' + line.product.serviceName + '/'
                     + (machine == line.product.skuDetails.end() ? "" : machine->second) + '/' + line.resource.regionId,
                 want.toStdString());
        QCOMPARE(line.capacityReservation == model::UseStatus::Unused, usageType.contains(QLatin1String("Unused")));
    }

    void tagsAndCostCategories()
    {
        const ReadReports one(
            {hour({{"resource_tags", quoted(R"({"user_team":"vision","aws_created_by":"x","free":null})")},
                   {"cost_category", quoted(R"({"unit":"lab"})")}}),
             hour({{"resource_tags", quoted("{broken")}}), hour({{"resource_tags", "{}"}})});
        QCOMPARE(one.lines.size(), std::size_t{3});
        QCOMPARE(one.lines[0].tags, (model::Labels{{"team", "vision"}, {"aws_created_by", "x"}, {"free", ""}}));
        QCOMPARE(one.finding(BillFindingText::TagsUnreadable), std::string("1"));
        QVERIFY(one.lines[1].tags.empty() && one.lines[2].tags.empty());
        const std::vector<model::ExtraColumn> want{{"x_UsageType", "USE2-BoxUsage:p4d.24xlarge"},
                                                   {"x_Operation", "RunInstances"},
                                                   {"x_ServiceCode", "AmazonEC2"},
                                                   {"x_LineItemType", "Usage"},
                                                   {"x_CostCategories", R"({"unit":"lab"})"}};
        QCOMPARE(one.lines[0].extra, want);
    }

    // The older report and its Parquet files name the same columns otherwise, and have columns for tags.
    void theOlderReportHasTheSameLines()
    {
        const std::vector<Cells> rows{
            covered("32", "20"), typed("SavingsPlanNegation", "-32"), typed("Tax", "1.5"),
            typed("RIFee", "7",
                  {{"reservation_unused_recurring_fee", "2"}, {"reservation_reservation_a_r_n", kReservedArn}})};
        std::string older = csvText(kReportColumns, rows), table = older;
        const std::string header = older.substr(0, older.find('\n'));
        std::string names;
        for (const std::string &column : kReportColumns) {
            // As AWS spells it: "lineItem/UsageAccountId", "reservation/ReservationARN", "pricing/publicOnDemandCost".
            std::string name;
            bool up = false;
            const std::size_t section = column.starts_with("line_item_") ? 9
                : column.starts_with("savings_plan_")                    ? 12
                : column.starts_with("split_line_item_")                 ? 15
                : column.starts_with("capacity_reservation_")            ? 20
                                                                         : column.find('_');
            for (std::size_t i = 0; i < column.size(); ++i) {
                if (i == section)
                    name += '/';
                up = up || (i == section && !column.starts_with("pricing") && !column.starts_with("product"));
                if (column[i] == '_') {
                    up = up || i != section;
                    continue;
                }
                name += up ? static_cast<char>(std::toupper(column[i])) : column[i];
                up = false;
            }
            names += (names.empty() ? "" : ",") + (column.find('_') == std::string::npos ? column : name);
        }
        QVERIFY(names.find("lineItem/UsageAccountId") != std::string::npos);
        QVERIFY(names.find("savingsPlan/SavingsPlanARN") != std::string::npos);
        QVERIFY(names.find("pricing/publicOnDemandCost") != std::string::npos);
        older.replace(0, header.size(), names);
        const ReadReports one(rows), other({older});
        QVERIFY2(other.result, other.result ? "" : other.result.error().text.c_str());
        QCOMPARE(one.lines.size(), std::size_t{4});
        QCOMPARE(other.lines, one.lines);

        std::vector<std::string> columns = kReportColumns;
        columns.erase(std::find(columns.begin(), columns.end(), "resource_tags"));
        const auto tagged = [&](const std::string &tag, const std::string &category) {
            std::vector<std::string> all = columns;
            all.insert(all.end(), {tag, category});
            return ReadReports({csvText(all, {hour({{tag, "a \"b\""}, {category, "lab"}}), hour({{tag, "NULL"}})})});
        };
        for (const ReadReports &read : {tagged("resourceTags/user:Team", "costCategory/Unit"),
                                        tagged("resource_tags_user_Team", "cost_category_Unit"),
                                        tagged("resource_tags.user_Team", "cost_category.Unit")}) {
            QCOMPARE(read.lines.size(), std::size_t{2});
            QCOMPARE(read.lines[0].tags, (model::Labels{{"Team", "a \"b\""}}));
            QCOMPARE(read.lines[0].extra.back(), (model::ExtraColumn{"x_CostCategories", R"({"Unit":"lab"})"}));
            QVERIFY(read.lines[1].tags.empty());
        }
    }

    void coveredUsageIsBilledAtNothing()
    {
        const ReadReports one({covered("32.7726", "20.1"), typed("SavingsPlanNegation", "-32.7726")});
        QCOMPARE(one.lines.size(), std::size_t{1});
        QCOMPARE(said(one.lines[0]), std::string("Usage 0 20.1 32.7726 32.7726 Usage-Based Committed Used Spend"));
        QCOMPARE(one.lines[0].commitment.id, kPlanArn);
        QCOMPARE(one.lines[0].commitment.type, std::string("Savings Plan"));
    }

    void whatNegationsLeaveIsALineOfItsOwn()
    {
        // Of two accounts and two months, over two files.
        const Cells other{{"line_item_usage_account_id", "222222222222"}};
        const Cells before{{"bill_billing_period_start_date", "2026-09-01T00:00:00Z"},
                           {"bill_billing_period_end_date", "2026-10-01T00:00:00Z"},
                           {"line_item_usage_start_date", "2026-09-05T07:00:00Z"},
                           {"line_item_usage_end_date", "2026-09-05T08:00:00Z"}};
        const std::vector<Cells> first{covered("10", "6"), covered("10", "6"), covered("1.0000000001", "1", other),
                                       covered("5", "3", before)};
        const std::vector<Cells> second{typed("SavingsPlanNegation", "-20"), typed("SavingsPlanNegation", "-1", other)};
        const ReadReports one({csvText(kReportColumns, first), csvText(kReportColumns, second)});
        QCOMPARE(one.lines.size(), std::size_t{6});
        std::vector<std::string> rests;
        for (const BillLine &line : one.lines) {
            if (line.category == ChargeCategory::Adjustment)
                rests.push_back(line.subAccountId + ' ' + when(line.billingPeriod.start) + ' ' + text(line.billed) + ' '
                                + text(line.effective) + ' ' + std::to_string(line.file) + ':'
                                + std::to_string(line.row));
        }
        QCOMPARE(rests,
                 (std::vector<std::string>{"111111111111 2026-09-01T00:00:00Z 5 0 0:5",
                                           "222222222222 2026-10-01T00:00:00Z 0 0 1:3"}));
        QCOMPARE(one.billed(), std::string("5.0000000001"));
        QCOMPARE(one.effective(), std::string("16"));
        // Everything that is added up by account is bounded.
        std::vector<Cells> many;
        for (int i = 0; i < 10'050; ++i)
            many.push_back(covered("1", "1", {{"line_item_usage_account_id", std::to_string(i)}}));
        many.push_back(typed("SavingsPlanNegation", "-2", {{"line_item_usage_account_id", "new"}}));
        const ReadReports bounded(many);
        QCOMPARE(bounded.billed(), std::string("10048"));
        QCOMPARE(bounded.report.rejected.lines, std::uint64_t{0});
    }

    void anUnusedCommitmentIsItsOwnResource()
    {
        const ReadReports one({typed("SavingsPlanRecurringFee", "5",
                                     {{"savings_plan_savings_plan_a_r_n", kPlanArn},
                                      {"savings_plan_total_commitment_to_date", "5"},
                                      {"savings_plan_used_commitment", ""}})});
        QCOMPARE(one.lines.size(), std::size_t{2});
        QCOMPARE(one.lines[1].resource.id, kPlanArn);
        QCOMPARE(one.lines[1].resource.regionId, std::string("us-east-2"));
        QVERIFY(!one.lines[1].consumedQuantity.amount);
        QCOMPARE(one.lines[0].row, one.lines[1].row);
        // Nothing is known of what was used: the fee stays, and its unused part is rejected by name.
        const ReadReports unknown({typed("RIFee", "5")});
        QCOMPARE(unknown.lines.size(), std::size_t{1});
        QCOMPARE(unknown.report.rejectCounts.size(), std::size_t{1});
        QVERIFY(unknown.report.rejectCounts[0].reason == RejectReason::MissingValue);
        QCOMPARE(unknown.billed(), std::string("5"));
    }

    void chargesWithoutHoursHaveTheIntervalOrTheMonth()
    {
        const Cells instant{{"line_item_usage_start_date", "2026-10-05T00:00:00Z"},
                            {"line_item_usage_end_date", "2026-10-05T00:00:00Z"}};
        Cells day = instant;
        day["identity_time_interval"] = "2026-10-05T00:00:00Z/2026-10-06T00:00:00Z";
        Cells none{{"line_item_usage_start_date", ""}};
        const ReadReports one({typed("Credit", "-1", instant), typed("Credit", "-1", day), typed("Fee", "1", none)});
        QCOMPARE(one.lines.size(), std::size_t{3});
        QVERIFY(one.lines[0].chargePeriod == one.lines[0].billingPeriod);
        QCOMPARE(when(one.lines[1].chargePeriod.end), std::string("2026-10-06T00:00:00Z"));
        QVERIFY(one.lines[2].chargePeriod == one.lines[2].billingPeriod);
    }
};

GPULEDGER_PLAIN_SUITE(TestUsageReports)

} // namespace tst_usagereports

#include "tst_usagereports.moc"

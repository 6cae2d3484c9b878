// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of Cost and Usage Reports that can't become lines as they are, and the sums of all of them.
#include "tests/support/suite.h"
#include "tests/unit/focus/usagereport.h"

#include <QtTest>

#include <random>

namespace tst_reportrows {

using namespace gpuledger;
using namespace gpuledger::tests;
using ports::BillFindingText;
using ports::RejectReason;

class TestReportRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sharesOfPodsAreNotAddedToTheirMachine()
    {
        const Cells pod{{"split_line_item_parent_resource_id", "i-0123456789abcdef0"},
                        {"line_item_usage_type", "EKS-EC2-vCPU-Hours"}};
        const ReadReports one(
            {hour(), typed("Usage", "0", pod), typed("Usage", "0.0", pod), typed("Usage", "0.5", pod)});
        QCOMPARE(one.lines.size(), std::size_t{2}); // a share that costs something is never dropped
        QCOMPARE(one.billed(), std::string("33.2726"));
        QCOMPARE(one.finding(BillFindingText::PodSharesLeftOut), std::string("2"));
    }

    void newTypesAreKeptAndNamed()
    {
        std::vector<Cells> rows{typed("FlatRateSubscription", "12"), typed("FlatRateSubscription", "1"),
                                typed("\"<b>\x1b[31m\"", "-2.5")};
        for (int i = 0; i < 30; ++i)
            rows.push_back(typed(("Z" + std::to_string(100 + i)).c_str(), "1"));
        const ReadReports one(rows);
        QCOMPARE(one.lines.size(), rows.size());
        QCOMPARE(one.billed(), std::string("40.5"));
        QCOMPARE(one.effective(), std::string("40.5"));
        const std::string found = one.finding(BillFindingText::LineTypeNew);
        QVERIFY2(found.find("FlatRateSubscription 2") != std::string::npos, found.c_str());
        QVERIFY2(found.find("… 12") != std::string::npos, found.c_str());
        QVERIFY(found.find('\x1b') == std::string::npos);
    }

    void aMissingColumnIsNamed()
    {
        const auto without = [](const std::string &column, const Cells &row) {
            std::vector<std::string> columns = kReportColumns;
            std::erase(columns, column);
            Cells cells = row;
            cells.erase(column);
            return ReadReports({csvText(columns, {cells})});
        };
        for (const char *column :
             {"line_item_line_item_type", "line_item_unblended_cost", "line_item_currency_code",
              "bill_payer_account_id", "bill_billing_period_start_date", "bill_billing_period_end_date",
              "line_item_usage_start_date", "line_item_usage_end_date", "line_item_usage_account_id",
              "line_item_product_code", "line_item_usage_type"}) {
            const ReadReports one = without(column, hour());
            QVERIFY2(!one.result, column);
            QVERIFY(one.result.error().code == base::ErrorCode::Unsupported);
            QCOMPARE(one.result.error().text, std::string("the Cost and Usage Report has no column ") + column);
            QCOMPARE(one.result.error().hint, std::string("add to the SELECT of the export's query: ") + column);
        }
        const std::vector<std::pair<std::string, Cells>> needed{
            {"reservation_effective_cost", typed("DiscountedUsage", "0")},
            {"savings_plan_savings_plan_effective_cost", covered("1", "1")},
            {"savings_plan_used_commitment", typed("SavingsPlanRecurringFee", "1")},
            {"savings_plan_total_commitment_to_date", typed("SavingsPlanRecurringFee", "1")},
            {"reservation_unused_recurring_fee", typed("RIFee", "1")},
            {"reservation_unused_amortized_upfront_fee_for_billing_period", typed("RIFee", "1")},
            {"reservation_reservation_a_r_n", typed("Fee", "1", {{"line_item_usage_type", "HeavyUsage:p4d.24xlarge"}})},
        };
        for (const auto &[column, row] : needed) {
            const ReadReports one = without(column, row);
            QVERIFY2(!one.result, column.c_str());
            QVERIFY2(one.result.error().text.find(column + ", which line 2 of the type") != std::string::npos,
                     one.result.error().text.c_str());
            QVERIFY(one.sink.bills.empty());
            QVERIFY(without(column, hour()).result); // no line needs it
        }
        QCOMPARE(without("pricing_public_on_demand_cost", hour()).finding(BillFindingText::ColumnMissing),
                 std::string("ListCost"));
        std::string twice = csvText(kReportColumns, {hour()});
        twice.replace(twice.find("line_item_net_unblended_cost"), 28, "lineItem/UnblendedCost");
        QVERIFY(!ReadReports({twice}).result);
    }

    void rowsThatCantBeReadAreCounted()
    {
        const ReadReports one({hour(), typed("Usage", "12,5"), typed("Usage", ""), typed("", "3"),
                               typed("SavingsPlanNegation", "x"), covered("NaN", "1"), covered("2", "oops"),
                               typed("SavingsPlanNegation", "-2"),
                               typed("Tax", "1", {{"line_item_currency_code", "dollars"}}),
                               typed("Usage", "1", {{"bill_payer_account_id", "NULL"}}),
                               typed("DiscountedUsage", "0", {{"reservation_effective_cost", "1e400"}}),
                               typed("Usage", "1", {{"line_item_usage_start_date", "yesterday"}})});
        QVERIFY(one.result);
        // "12,5" are two fields, so that nothing in its row can be trusted.
        QCOMPARE(one.report.accepted.lines, std::uint64_t{1});
        QCOMPARE(one.report.rejected.lines, std::uint64_t{10});
        QCOMPARE(one.report.accepted.sums.at(0).billed.toText(), std::string("32.7726"));
        for (const ports::Rejection &rejection : one.report.rejections) {
            if (rejection.reason == RejectReason::ColumnCount) {
                QCOMPARE(std::get<std::uint64_t>(rejection.terms[0]), std::uint64_t{kReportColumns.size() + 1});
                QCOMPARE(std::get<std::uint64_t>(rejection.terms[1]), std::uint64_t{kReportColumns.size()});
                QCOMPARE(rejection.row, std::uint64_t{3});
            }
        }
        // The last row is cut off: the file may still be being written.
        std::string cut = csvText(kReportColumns, {hour(), hour()});
        cut.resize(cut.size() - 40);
        QVERIFY(ReadReports({cut}).report.outcome == ports::ImportReport::Outcome::Unfinished);
        // A header alone, and one of which a part is there.
        QVERIFY(ReadReports({csvText(kReportColumns, {})}).result);
        QVERIFY(!ReadReports({std::string("line_item_line_item_type\n")}).result);
    }

    // Whatever the rows are, nothing of what was billed is lost, and nothing is counted twice.
    void sumsAreExact()
    {
        const std::vector<std::string> types{"Usage",
                                             "Tax",
                                             "Credit",
                                             "DiscountedUsage",
                                             "SavingsPlanCoveredUsage",
                                             "SavingsPlanNegation",
                                             "SavingsPlanRecurringFee",
                                             "SavingsPlanUpfrontFee",
                                             "RIFee",
                                             "Fee",
                                             "Refund",
                                             "EdpDiscount",
                                             "Unheard"};
        for (unsigned seed = 1; seed <= 20; ++seed) {
            std::mt19937_64 random(seed);
            const auto amount = [&] {
                const std::int64_t digits = static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000;
                return std::to_string(digits) + "E-" + std::to_string(random() % 13);
            };
            base::Decimal billed, effective;
            std::vector<std::vector<Cells>> files(3);
            for (int i = 0; i < 300; ++i) {
                const std::string type = types[random() % types.size()];
                const std::string cost = amount(), more = amount(), less = amount();
                files[random() % files.size()].push_back(
                    typed(type.c_str(), cost,
                          {{"line_item_usage_account_id", std::to_string(random() % 4)},
                           {"reservation_effective_cost", more},
                           {"reservation_unused_recurring_fee", more},
                           {"reservation_unused_amortized_upfront_fee_for_billing_period", less},
                           {"savings_plan_savings_plan_effective_cost", more},
                           {"savings_plan_total_commitment_to_date", more},
                           {"savings_plan_used_commitment", less}}));
                const auto value = [](const std::string &written) { return *base::Decimal::parse(written); };
                billed = *billed.plus(value(cost));
                const base::Decimal wanted = type == "DiscountedUsage" || type == "SavingsPlanCoveredUsage"
                    ? value(more)
                    : type == "SavingsPlanRecurringFee"                                ? *value(more).minus(value(less))
                    : type == "RIFee"                                                  ? *value(more).plus(value(less))
                    : type == "SavingsPlanNegation" || type == "SavingsPlanUpfrontFee" ? base::Decimal()
                                                                                       : value(cost);
                effective = *effective.plus(wanted);
            }
            std::vector<std::string> texts;
            for (const auto &rows : files)
                texts.push_back(csvText(kReportColumns, rows));
            const ReadReports one(texts);
            QVERIFY(one.result);
            QCOMPARE(one.report.rejected.lines, std::uint64_t{0});
            QCOMPARE(one.billed(), billed.toText());
            QCOMPARE(one.effective(), effective.toText());
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestReportRows)

} // namespace tst_reportrows

#include "tst_reportrows.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/focus/billimport.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/fleets/billtext.h"

#include <QTemporaryDir>

// Cost and Usage Reports of AWS as tests write them, and what an import makes of them.
namespace gpuledger::tests {

inline const std::string kPlanArn = "arn:aws:savingsplans::111111111111:savingsplan/one";
inline const std::string kReservedArn = "arn:aws:ec2:us-east-1:111111111111:reserved-instances/two";

// The columns of the query that the handbook recommends, and some more.
inline const std::vector<std::string> kReportColumns{
    "bill_billing_period_end_date",
    "bill_billing_period_start_date",
    "bill_invoice_id",
    "bill_invoicing_entity",
    "bill_payer_account_id",
    "bill_payer_account_name",
    "capacity_reservation_capacity_reservation_arn",
    "cost_category",
    "identity_time_interval",
    "line_item_availability_zone",
    "line_item_currency_code",
    "line_item_legal_entity",
    "line_item_line_item_description",
    "line_item_line_item_type",
    "line_item_net_unblended_cost",
    "line_item_operation",
    "line_item_product_code",
    "line_item_resource_id",
    "line_item_unblended_cost",
    "line_item_unblended_rate",
    "line_item_usage_account_id",
    "line_item_usage_account_name",
    "line_item_usage_amount",
    "line_item_usage_end_date",
    "line_item_usage_start_date",
    "line_item_usage_type",
    "pricing_public_on_demand_cost",
    "pricing_public_on_demand_rate",
    "pricing_rate_code",
    "pricing_unit",
    "product",
    "product_instance_type",
    "product_region_code",
    "product_sku",
    "reservation_effective_cost",
    "reservation_reservation_a_r_n",
    "reservation_unused_amortized_upfront_fee_for_billing_period",
    "reservation_unused_recurring_fee",
    "resource_tags",
    "savings_plan_savings_plan_a_r_n",
    "savings_plan_savings_plan_effective_cost",
    "savings_plan_total_commitment_to_date",
    "savings_plan_used_commitment",
    "split_line_item_parent_resource_id",
};

inline std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

// An hour of a machine.
inline Cells hour(const Cells &changes = {})
{
    Cells cells{{"bill_billing_period_start_date", "2026-10-01T00:00:00.000Z"},
                {"bill_billing_period_end_date", "2026-11-01T00:00:00.000Z"},
                {"bill_payer_account_id", "999999999999"},
                {"bill_payer_account_name", "payer"},
                {"bill_invoicing_entity", "\"Amazon Web Services, Inc.\""},
                {"line_item_legal_entity", "\"Amazon Web Services, Inc.\""},
                {"line_item_usage_account_id", "111111111111"},
                {"line_item_line_item_type", "Usage"},
                {"line_item_usage_start_date", "2026-10-05T07:00:00.000Z"},
                {"line_item_usage_end_date", "2026-10-05T08:00:00.000Z"},
                {"line_item_product_code", "AmazonEC2"},
                {"line_item_usage_type", "USE2-BoxUsage:p4d.24xlarge"},
                {"line_item_operation", "RunInstances"},
                {"line_item_resource_id", "i-0123456789abcdef0"},
                {"line_item_usage_amount", "1.0"},
                {"line_item_currency_code", "USD"},
                {"line_item_unblended_rate", "32.7726"},
                {"line_item_unblended_cost", "32.7726"},
                {"line_item_line_item_description", "$32.7726 per On Demand Linux p4d.24xlarge Instance Hour"},
                {"pricing_public_on_demand_cost", "32.7726"},
                {"pricing_public_on_demand_rate", "32.7726"},
                {"pricing_rate_code", "SKU1.TERM.RATE"},
                {"pricing_unit", "Hrs"},
                {"product_sku", "SKU1"},
                {"product_region_code", "us-east-2"}};
    for (const auto &[name, value] : changes)
        cells[name] = value;
    return cells;
}

inline Cells typed(const char *type, const std::string &cost, Cells changes = {})
{
    changes.emplace("line_item_line_item_type", type);
    changes.emplace("line_item_unblended_cost", cost);
    return hour(changes);
}

inline Cells covered(const std::string &cost, const std::string &effective, Cells changes = {})
{
    changes.emplace("savings_plan_savings_plan_effective_cost", effective);
    changes.emplace("savings_plan_savings_plan_a_r_n", kPlanArn);
    return typed("SavingsPlanCoveredUsage", cost, std::move(changes));
}

// An import of reports, and its result.
struct ReadReports {
    explicit ReadReports(const std::vector<std::string> &texts)
    {
        ports::BillDelivery delivery;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const std::string name = "report-0000" + std::to_string(i) + ".csv";
            delivery.files.emplace_back(dir.filePath(QString::fromStdString(name)).toStdString());
            writeFile(delivery.files.back(), texts[i]);
        }
        const base::SystemClock clock;
        focus::BillImport import("cloud", delivery, sink, clock, {});
        result = import.run();
        if (result)
            report = *result;
        for (const auto &[key, of] : sink.bills)
            lines.insert(lines.end(), of.begin(), of.end());
    }
    explicit ReadReports(const std::vector<Cells> &rows)
        : ReadReports(std::vector{csvText(kReportColumns, rows)})
    {
    }

    std::string finding(ports::BillFindingText text) const
    {
        std::string all;
        for (const ports::BillFinding &one : report.findings) {
            for (const ports::FindingTerm &term : one.text == text ? one.terms : std::vector<ports::FindingTerm>()) {
                const auto *said = std::get_if<std::string>(&term);
                all += (all.empty() ? "" : " ") + (said ? *said : std::to_string(std::get<std::uint64_t>(term)));
            }
        }
        return all;
    }
    // What was billed in USD, with what was rejected.
    std::string billed() const { return report.read.sums.empty() ? "0" : report.read.sums.back().billed.toText(); }
    std::string effective() const
    {
        return report.read.sums.empty() ? "0" : report.read.sums.back().effective.toText();
    }

    QTemporaryDir dir;
    MemoryBillSink sink;
    base::Result<ports::ImportReport> result;
    ports::ImportReport report;
    std::vector<model::BillLine> lines;
};

} // namespace gpuledger::tests

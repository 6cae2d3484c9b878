// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/costquestions.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestName = 512; // bytes of an account's name, a usage type or a tag

Json dimension(const char *key, std::vector<std::string> values)
{
    return {{"Dimensions", {{"Key", key}, {"Values", std::move(values)}}}};
}

// Services whose machines can have GPUs.
Json machineServices()
{
    return dimension("SERVICE", {"Amazon Elastic Compute Cloud - Compute", "Amazon SageMaker"});
}

// Types of records that are usage. Every other type, also one that appears later, is asked as CostPart::Record.
const std::vector<std::string> kCoveredRecords{"DiscountedUsage", "SavingsPlanCoveredUsage", "SavingsPlanNegation"};

Json allUsage()
{
    std::vector<std::string> all = kCoveredRecords;
    all.emplace_back("Usage");
    return dimension("RECORD_TYPE", std::move(all));
}

Json filterOf(const CostQuestion &question)
{
    Json both = Json::array();
    switch (question.part) {
    case CostPart::Usage:
    case CostPart::Covered:
        both = {machineServices(),
                dimension("RECORD_TYPE",
                          question.part == CostPart::Usage ? std::vector<std::string>{"Usage"} : kCoveredRecords)};
        if (!question.account.empty())
            both.push_back(dimension("LINKED_ACCOUNT", {question.account}));
        return {{"And", std::move(both)}};
    case CostPart::Service:
        both = {Json{{"Not", machineServices()}}, allUsage()};
        return {{"And", std::move(both)}};
    case CostPart::Record:
    case CostPart::Rest:
        break;
    }
    return {{"Not", allUsage()}};
}

const char *itemDimension(CostPart part)
{
    return part == CostPart::Service ? "SERVICE" : part == CostPart::Record ? "RECORD_TYPE" : "USAGE_TYPE";
}

tl::unexpected<base::Error> unreadable(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Cost Explorer's answer can't be read: " + what);
}

struct CostAmount {
    base::Decimal amount;
    std::string unit;
};

Result<CostAmount> amountIn(const Json &metrics, const char *name)
{
    const Json &metric = format::memberOf(metrics, name);
    auto amount = base::Decimal::parse(format::textOf(metric, "Amount"));
    if (!amount)
        return unreadable(std::string("no amount of ") + name);
    return CostAmount{*amount, format::textOf(metric, "Unit")};
}

} // namespace

CostMetrics metricsOf(const CostQuery &query)
{
    return query.isNet ? CostMetrics{"NetUnblendedCost", "NetAmortizedCost"}
                       : CostMetrics{"UnblendedCost", "AmortizedCost"};
}

std::string dateText(base::UtcTime day)
{
    constexpr std::size_t kDate = 10;
    return base::toRfc3339(day).substr(0, kDate);
}

Call costCall(const CostQuestion &question, const CostQuery &query, const std::string &token)
{
    const CostMetrics metrics = metricsOf(query);
    Json body{{"TimePeriod", {{"Start", dateText(question.days.start)}, {"End", dateText(question.days.end)}}},
              {"Granularity", "DAILY"},
              {"Metrics", {metrics.billed, metrics.effective}}};
    if (!question.isTotal) {
        body["Filter"] = filterOf(question);
        const Json item{{"Type", "DIMENSION"}, {"Key", itemDimension(question.part)}};
        body["GroupBy"] = question.account.empty()
            ? Json::array({Json{{"Type", "DIMENSION"}, {"Key", "LINKED_ACCOUNT"}}, item})
            : Json::array({item, Json{{"Type", "TAG"}, {"Key", query.tag}}});
        if (question.part == CostPart::Usage || question.part == CostPart::Covered)
            body["Metrics"].push_back("UsageQuantity");
    }
    if (!token.empty())
        body["NextPageToken"] = token;
    return costExplorerCall("GetCostAndUsage", body.dump());
}

CostAnswer::CostAnswer(CostQuestion question, CostQuery query)
    : m_question(std::move(question))
    , m_query(std::move(query))
{
}

Result<std::string> CostAnswer::add(const std::string &body)
{
    const auto page = format::parseJson(body);
    GPULEDGER_TRY(page);
    const Json &results = format::memberOf(*page, "ResultsByTime");
    if (!results.is_array())
        return unreadable("it has no results");
    for (const Json &result : results)
        GPULEDGER_TRY(addDay(result));
    addNames(*page);
    return format::textOf(*page, "NextPageToken");
}

Result<void> CostAnswer::addDay(const Json &result)
{
    const Json &period = format::memberOf(result, "TimePeriod");
    const auto start = base::parseTime(format::textOf(period, "Start"));
    if (!start || !m_question.days.contains(*start) || base::floorTo(*start, base::kDay) != *start)
        return unreadable("it has a day that was not asked");
    const base::Day number = base::dayOf(*start);
    const bool isNew = !m_days.contains(number);
    CostDay &day = m_days[number];
    const Json &estimated = format::memberOf(result, "Estimated");
    // One page that calls the day an estimate is enough; a day is final only if every page says so.
    const bool isEstimate = !estimated.is_boolean() || estimated.get<bool>();
    day.isEstimate = isNew ? isEstimate : day.isEstimate || isEstimate;
    if (m_question.isTotal)
        return addRow(format::memberOf(result, "Total"), {}, day);
    const Json &groups = format::memberOf(result, "Groups");
    if (!groups.is_array())
        return unreadable("a day has no groups");
    for (const Json &group : groups)
        GPULEDGER_TRY(addGroup(group, day));
    return {};
}

Result<void> CostAnswer::addGroup(const Json &group, CostDay &day)
{
    const Json &keys = format::memberOf(group, "Keys");
    if (!keys.is_array() || keys.size() != 2 || !keys[0].is_string() || !keys[1].is_string())
        return unreadable("a group has no two keys");
    const std::string first = keys[0].get<std::string>(), second = keys[1].get<std::string>();
    CostRow row;
    row.part = m_question.part;
    row.account = base::printable(m_question.account.empty() ? first : m_question.account, kLongestName);
    row.item = base::printable(m_question.account.empty() ? second : first, kLongestName);
    if (!m_question.account.empty()) {
        const std::string begin = m_query.tag + '$';
        row.tag = base::printable(second.starts_with(begin) ? second.substr(begin.size()) : second, kLongestName);
    }
    return addRow(format::memberOf(group, "Metrics"), std::move(row), day);
}

Result<void> CostAnswer::addRow(const Json &metrics, CostRow row, CostDay &day)
{
    const CostMetrics names = metricsOf(m_query);
    const auto billed = amountIn(metrics, names.billed), effective = amountIn(metrics, names.effective);
    GPULEDGER_TRY(billed);
    GPULEDGER_TRY(effective);
    const auto currency = base::Currency::parse(billed->unit);
    if (!currency || effective->unit != billed->unit)
        return unreadable("an amount has no currency");
    if (day.currency == base::Currency())
        day.currency = *currency;
    if (day.currency != *currency)
        return unreadable("a day has amounts in two currencies");
    row.billed = billed->amount;
    row.effective = effective->amount;
    const Json &quantity = format::memberOf(metrics, "UsageQuantity");
    const std::string unit = format::textOf(quantity, "Unit");
    if (const auto amount = base::Decimal::parse(format::textOf(quantity, "Amount"));
        amount && !unit.empty() && unit != "N/A") {
        row.quantity = *amount;
        row.unit = base::printable(unit, kLongestName);
    }
    if (++m_rows > kMostRows)
        return base::fail(ErrorCode::TooMuch, "one answer of Cost Explorer has more than 1,000,000 groups");
    day.rows.push_back(std::move(row));
    return {};
}

void CostAnswer::addNames(const Json &page)
{
    const Json &all = format::memberOf(page, "DimensionValueAttributes");
    if (!all.is_array())
        return;
    for (const Json &one : all) {
        const std::string name = format::textOf(format::memberOf(one, "Attributes"), "description");
        const std::string account = format::textOf(one, "Value");
        if (!name.empty() && !account.empty())
            m_names[base::printable(account, kLongestName)] = base::printable(name, kLongestName);
    }
}

namespace {

auto costKey(const CostRow &row)
{
    return std::tie(row.part, row.account, row.item, row.tag);
}

// A page may end within a day, and a group may be on two pages: its rows become one.
Result<void> mergeRows(std::vector<CostRow> &rows)
{
    std::stable_sort(rows.begin(), rows.end(),
                     [](const CostRow &a, const CostRow &b) { return costKey(a) < costKey(b); });
    std::vector<CostRow> merged;
    for (CostRow &row : rows) {
        if (merged.empty() || costKey(merged.back()) != costKey(row)) {
            merged.push_back(std::move(row));
            continue;
        }
        CostRow &to = merged.back();
        const auto billed = to.billed.plus(row.billed), effective = to.effective.plus(row.effective);
        GPULEDGER_TRY(billed);
        GPULEDGER_TRY(effective);
        to.billed = *billed;
        to.effective = *effective;
        if (!to.quantity || !row.quantity || to.unit != row.unit) {
            to.quantity.reset();
            to.unit.clear();
            continue;
        }
        const auto quantity = to.quantity->plus(*row.quantity);
        GPULEDGER_TRY(quantity);
        to.quantity = *quantity;
    }
    rows = std::move(merged);
    return {};
}

} // namespace

Result<CostDays> CostAnswer::take()
{
    for (base::UtcTime day = m_question.days.start; day < m_question.days.end; day += base::kDay) {
        if (!m_days.contains(base::dayOf(day)))
            return unreadable("it has no " + dateText(day));
    }
    for (auto &[number, day] : m_days)
        GPULEDGER_TRY(mergeRows(day.rows));
    return std::move(m_days);
}

} // namespace gpuledger::aws

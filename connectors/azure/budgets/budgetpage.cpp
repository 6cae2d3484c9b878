// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/budgets/budgetpage.h"

#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/azure/budgets/budgetfilter.h"
#include "connectors/azure/budgets/budgetperiod.h"
#include "connectors/azure/readamount.h"
#include "connectors/format/json.h"

#include <array>
#include <optional>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kBudgetCloud = "Microsoft"; // as in the bill of azure-costs
constexpr const char *kCostCategory = "cost"; // all others limit hours or shares
constexpr std::size_t kLongestBudgetName = 200; // bytes: Azure allows 63 characters
constexpr std::size_t kLongestScope = 500; // bytes
constexpr std::string_view kOfBudget = "/providers/microsoft.consumption/budgets/";
constexpr std::array<std::string_view, 3> kScopePrefixes{"/subscriptions/",
                                                         "/providers/microsoft.management/managementgroups/",
                                                         "/providers/microsoft.billing/billingaccounts/"};

std::optional<base::Currency> unitOf(const Json &spend)
{
    const auto currency = base::Currency::parse(format::textOf(spend, "unit"));
    return currency ? std::optional(*currency) : std::nullopt;
}

// The path that a budget is at, in lower case; empty: its id does not say.
std::string scopeOfBudget(const Json &budget)
{
    std::string id = lowerCase(format::textOf(budget, "id"));
    if (!id.starts_with('/')) // some answers leave out the first slash
        id.insert(0, 1, '/');
    const std::size_t end = id.rfind(kOfBudget);
    return end == std::string::npos ? std::string() : base::printableLine(id.substr(0, end), kLongestScope);
}

// Where it is and what it counts there.
void limitTo(const Json &budget, const std::string &asked, model::CloudBudget &out)
{
    const Json &properties = format::memberOf(budget, "properties");
    const std::string scope = scopeOfBudget(budget), own = lowerCase(asked);
    out.account = scopeId(scope.empty() ? own : scope);
    if (!scope.empty() && scope != own)
        out.scope = "Scope: " + scope;
    // `filters` is that of versions before 2019-10-01.
    for (const char *key : {"filter", "filters"}) {
        const std::string words = filterWords(format::memberOf(properties, key));
        if (!words.empty())
            out.scope += (out.scope.empty() ? "" : "; ") + words;
    }
    out.isWholeBill = scope == own && out.scope.empty();
}

// std::nullopt: its amounts can't be read. Azure writes the currency only with what was spent.
std::optional<model::CloudBudget> amountsOf(const Json &properties, model::CloudBudget budget)
{
    const Json &spent = format::memberOf(properties, "currentSpend");
    const Json &forecast = format::memberOf(properties, "forecastSpend");
    const auto ofSpent = unitOf(spent), ofForecast = unitOf(forecast);
    const auto currency = ofSpent ? ofSpent : ofForecast;
    if (!currency || (ofForecast && *ofForecast != *currency))
        return std::nullopt;
    budget.currency = *currency;
    const ReadAmount limit = ReadAmount::in(properties, "amount", *currency),
                     now = ReadAmount::in(spent, "amount", *currency),
                     later = ReadAmount::in(forecast, "amount", *currency);
    if (!limit.isReadable || !now.isReadable || !later.isReadable || (limit.amount && limit.amount->isNegative()))
        return std::nullopt;
    budget.limit = limit.amount;
    budget.spent = ofSpent ? now.amount : std::nullopt;
    budget.forecast = ofForecast ? later.amount : std::nullopt;
    return budget;
}

void addBudget(const Json &one, const std::string &scope, base::Day today, ports::BudgetList &out)
{
    const Json &properties = format::memberOf(one, "properties");
    const std::string category = lowerCase(format::textOf(properties, "category"));
    if (!category.empty() && category != kCostCategory) {
        ++out.withoutMoney;
        return;
    }
    model::CloudBudget budget;
    budget.cloud = kBudgetCloud;
    budget.name = base::printableLine(format::textOf(one, "name"), kLongestBudgetName);
    limitTo(one, scope, budget);
    const BudgetPeriod period =
        BudgetPeriod::of(format::textOf(properties, "timeGrain"), format::memberOf(properties, "timePeriod"), today);
    budget.period = period.period;
    budget.first = period.first;
    budget.last = period.last;
    auto whole = category.empty() || budget.name.empty() ? std::nullopt : amountsOf(properties, std::move(budget));
    if (whole)
        out.budgets.push_back(std::move(*whole));
    else
        ++out.rejected;
}

} // namespace

std::string scopeId(std::string_view scope)
{
    const std::string path = lowerCase(std::string(scope));
    for (const std::string_view prefix : kScopePrefixes) {
        if (path.starts_with(prefix))
            return path.substr(prefix.size());
    }
    return path;
}

Result<void> addBudgets(const Json &page, const std::string &scope, base::Day today, ports::BudgetList &out)
{
    const Json &values = format::memberOf(page, "value");
    if (!values.is_array())
        return base::fail(ErrorCode::Parse, "Azure's list of budgets can't be read: it has no values");
    for (const Json &one : values) {
        if (out.budgets.size() + out.withoutMoney + out.rejected >= kMostBudgets)
            return base::fail(ErrorCode::TooMuch, "Azure lists more than 10,000 budgets at one scope");
        addBudget(one, scope, today, out);
    }
    return {};
}

} // namespace gpuledger::azure

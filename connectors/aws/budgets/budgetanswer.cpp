// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/budgets/budgetanswer.h"

#include "app/base/text/text.h"
#include "connectors/aws/budgets/budgetscope.h"
#include "connectors/aws/budgets/budgettimes.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kBudgetCloud = "AWS"; // as in the bill of aws-costs
constexpr std::size_t kLongestBudgetName = 400; // bytes: AWS allows 100 characters
constexpr std::array<std::string_view, 5> kTypesWithoutMoney{"USAGE", "RI_UTILIZATION", "RI_COVERAGE",
                                                             "SAVINGS_PLANS_UTILIZATION", "SAVINGS_PLANS_COVERAGE"};

// An amount that is there and can't be read makes the budget unreadable.
struct BudgetSpend {
    bool isReadable = true;
    std::optional<base::Decimal> amount; // std::nullopt: not there
    base::Currency currency;
};

// {"Amount":"12.5","Unit":"USD"}
BudgetSpend spendOf(const Json &spend)
{
    if (spend.is_null())
        return {};
    const auto amount = base::Decimal::parse(format::textOf(spend, "Amount"));
    const auto currency = base::Currency::parse(format::textOf(spend, "Unit"));
    // What is more than Money holds is not an amount that anybody budgets.
    if (!amount || !currency || !amount->toMoney(*currency))
        return {false, std::nullopt, {}};
    return {true, *amount, *currency};
}

// Planned limits are by the time from which they count; the last one goes on. Without one that counts already,
// BudgetLimit does, which is also that of a budget that adjusts itself.
BudgetSpend limitOf(const Json &budget, base::UtcTime now)
{
    const Json &planned = format::memberOf(budget, "PlannedBudgetLimits");
    if (!planned.is_null() && !planned.is_object())
        return {false, std::nullopt, {}};
    const Json *limit = &format::memberOf(budget, "BudgetLimit");
    std::optional<base::UtcTime> newest;
    for (const auto &[start, spend] : planned.items()) {
        const auto from = budgetTimeOf(start);
        if (!from)
            return {false, std::nullopt, {}};
        if (*from <= now && (!newest || *newest < *from)) {
            newest = from;
            limit = &spend;
        }
    }
    BudgetSpend out = spendOf(*limit);
    if (out.amount && out.amount->isNegative())
        out.isReadable = false;
    return out;
}

// False: its amounts can't be read.
bool readAmounts(const Json &budget, base::UtcTime now, model::CloudBudget &out)
{
    const Json &calculated = format::memberOf(budget, "CalculatedSpend");
    const BudgetSpend limit = limitOf(budget, now), spent = spendOf(format::memberOf(calculated, "ActualSpend")),
                      forecast = spendOf(format::memberOf(calculated, "ForecastedSpend"));
    for (const BudgetSpend *one : {&limit, &spent, &forecast}) {
        if (!one->isReadable || (one->amount && out.currency != base::Currency() && out.currency != one->currency))
            return false;
        if (one->amount)
            out.currency = one->currency;
    }
    out.limit = limit.amount;
    // AWS no longer updates it then, so what it says is of an earlier time.
    if (!isBudgetWord(format::textOf(format::memberOf(budget, "HealthStatus"), "Status"), "UNHEALTHY")) {
        out.spent = spent.amount;
        out.forecast = forecast.amount;
    }
    return calculated.is_null() || calculated.is_object();
}

void addBudget(const Json &budget, const std::string &account, base::UtcTime now, ports::BudgetList &out)
{
    const std::string type = format::textOf(budget, "BudgetType");
    const bool isCost = isBudgetWord(type, "COST");
    const BudgetScope scope = BudgetScope::of(budget);
    if (std::any_of(kTypesWithoutMoney.begin(), kTypesWithoutMoney.end(),
                    [&](std::string_view one) { return isBudgetWord(type, one); })
        || (isCost && !scope.isMoney)) {
        ++out.withoutMoney;
        return;
    }
    model::CloudBudget found;
    found.cloud = kBudgetCloud;
    found.account = account;
    found.name = base::printableLine(format::textOf(budget, "BudgetName"), kLongestBudgetName);
    found.scope = scope.words;
    found.isWholeBill = scope.isWhole();
    const BudgetTimes times =
        BudgetTimes::of(format::textOf(budget, "TimeUnit"), format::memberOf(budget, "TimePeriod"), now);
    found.period = times.period;
    found.first = times.first;
    found.last = times.last;
    if (isCost && !found.name.empty() && readAmounts(budget, now, found))
        out.budgets.push_back(std::move(found));
    else
        ++out.rejected;
}

tl::unexpected<base::Error> unreadableBudgets(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "the answer of AWS Budgets can't be read: " + what);
}

} // namespace

Result<std::string> addBudgetPage(const std::string &body, const std::string &account, base::UtcTime now,
                                  ports::BudgetList &out)
{
    const auto page = format::parseWithNumbersAsText(body);
    if (!page)
        return unreadableBudgets(page.error().text);
    const Json &budgets = format::memberOf(*page, "Budgets"); // absent where there are none
    const Json &next = format::memberOf(*page, "NextToken");
    if (!page->is_object() || (!budgets.is_null() && !budgets.is_array()))
        return unreadableBudgets("it has no list of budgets");
    if (!next.is_null() && !next.is_string())
        return unreadableBudgets("it does not say where it goes on");
    for (const Json &one : budgets) {
        if (out.budgets.size() + out.withoutMoney + out.rejected >= kMostBudgets)
            return base::fail(ErrorCode::TooMuch, "AWS lists more than 50,000 budgets of one account");
        addBudget(one, account, now, out);
    }
    return format::textOf(*page, "NextToken");
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unit/aws/fakeaws.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

// AWS Budgets in the same process, with STS and a little of Cost Explorer.
namespace gpuledger::tests {

inline constexpr const char *kBudgetAccount = "123456789012";

// A budget of 100 USD a month with these members, too, which may replace its own.
inline std::string budget(const std::string &more = {})
{
    nlohmann::json one = nlohmann::json::parse(js(
        "{'BudgetName':'gpus','BudgetType':'COST','TimeUnit':'MONTHLY','BudgetLimit':{'Amount':'100.0','Unit':'USD'},"
        "'TimePeriod':{'Start':1.4779584E9,'End':3706473600}}"));
    if (!more.empty())
        one.update(nlohmann::json::parse(js('{' + more + '}')));
    return one.dump();
}

inline std::string budgetPage(const std::string &budgets, const std::string &next = {})
{
    return "{\"Budgets\":[" + budgets + ']' + (next.empty() ? "" : ",\"NextToken\":\"" + next + '"') + '}';
}

inline http::Response budgetsError(const std::string &code, const std::string &text = "said so", int status = 400)
{
    return answer("{\"__type\":\"com.amazonaws.budgets#" + code + "\",\"Message\":\"" + text + "\"}", status);
}

inline http::Response budgetsDenied()
{
    return budgetsError("AccessDeniedException",
                        "User: arn:aws:iam::123456789012:user/x is not authorized to perform: budgets:ViewBudget");
}

// STS, AWS Budgets by `budgets`, AWS Organizations by `accounts`, and Cost Explorer, where each day costs one dollar
// or, with `isCostDenied`, nothing is told.
class FakeBudgets {
public:
    std::function<base::Result<http::Response>(const std::string &token)> budgets = [](const std::string &) {
        return answer(budgetPage(budget()));
    };
    std::string account = kBudgetAccount;
    std::string accounts = "AccessDeniedException"; // how AWS Organizations refuses to list accounts; empty: not at all
    bool isCostDenied = false;
    int identities = 0;
    std::vector<http::Request> asked; // of AWS Budgets

    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return handle(request); });
    }

private:
    base::Result<http::Response> handle(const http::Request &request)
    {
        if (request.body.starts_with("Action=GetCallerIdentity")) {
            ++identities;
            return answer("<GetCallerIdentityResponse><GetCallerIdentityResult><Account>" + account
                              + "</Account></GetCallerIdentityResult></GetCallerIdentityResponse>",
                          200, "text/xml");
        }
        const auto body = nlohmann::json::parse(request.body);
        if (body.contains("AccountId")) {
            asked.push_back(request);
            return budgets(body.value("NextToken", std::string()));
        }
        if (!body.contains("TimePeriod"))
            return accounts.empty() ? answer("{\"Accounts\":[],\"NextToken\":\"2\"}") : budgetsError(accounts);
        if (isCostDenied)
            return budgetsDenied();
        const nlohmann::json cost{{"Amount", "1"}, {"Unit", "USD"}};
        nlohmann::json day{{"TimePeriod", {{"Start", body["TimePeriod"]["Start"]}}},
                           {"Total", {{"UnblendedCost", cost}, {"AmortizedCost", cost}}}};
        nlohmann::json days = nlohmann::json::array();
        days.push_back(std::move(day));
        return answer(nlohmann::json{{"ResultsByTime", days}}.dump());
    }
};

inline base::UtcTime timeAt(const char *text)
{
    return *base::parseTime(text);
}

inline std::string textOf(const std::optional<base::Decimal> &amount)
{
    return amount ? amount->toText() : "unknown";
}

inline std::string textOf(const std::optional<base::Day> &day)
{
    return day ? base::toRfc3339(day->start()).substr(0, 10) : "unknown";
}

} // namespace gpuledger::tests

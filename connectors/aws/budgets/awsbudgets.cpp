// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/budgets/awsbudgets.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/aws/budgets/budgetanswer.h"
#include "connectors/aws/eachpage.h"

#include <nlohmann/json.hpp>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kMostBudgetPages = 1000;
constexpr int kBudgetsOfPage = 100;

// Only with its filter expression is a budget that has one told apart from one without filters.
Call describeBudgets(const std::string &account, const std::string &token)
{
    nlohmann::json body{{"AccountId", account}, {"MaxResults", kBudgetsOfPage}, {"ShowFilterExpression", true}};
    if (!token.empty())
        body["NextToken"] = token;
    return budgetsCall("DescribeBudgets", kBudgetsRight, body.dump());
}

bool isAccountNumber(std::string_view text)
{
    constexpr std::size_t kDigits = 12;
    return text.size() == kDigits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

Result<ports::BudgetList> readBudgets(AwsApi &api, const std::string &account, base::UtcTime now,
                                      const std::stop_token &stop, AwsApi::Try how)
{
    if (!isAccountNumber(account))
        return base::fail(ErrorCode::InvalidConfig,
                          "AWS Budgets are asked for by the number of an account, which has twelve digits, not by \""
                              + base::printable(account) + '"');
    ports::BudgetList list;
    auto all = eachPage(
        api, kMostBudgetPages, [&](const std::string &token) { return describeBudgets(account, token); },
        [&](const std::string &page) { return addBudgetPage(page, account, now, list); }, stop, how);
    if (!all && all.error().code == ErrorCode::Forbidden)
        all.error().hint = base::text(base::Remedy::AllowAwsBudgets);
    GPULEDGER_TRY(all);
    return list;
}

Result<ports::Finding> probeBudgets(AwsApi &api, const std::string &account, base::UtcTime now,
                                    const std::stop_token &stop)
{
    using Level = ports::Finding::Level;
    const auto list = readBudgets(api, account, now, stop, AwsApi::Try::Once);
    if (list)
        return ports::Finding{
            Level::Good, ports::FindingText::BudgetsFound, {static_cast<std::uint64_t>(list->budgets.size())}, {}, {}};
    if (list.error().code == ErrorCode::Cancelled)
        return base::fail(list.error());
    const std::string why = list.error().code == ErrorCode::Forbidden ? kBudgetsRight : list.error().text;
    return ports::Finding{Level::Missing, ports::FindingText::BudgetsUnread, {why}, {}, {}};
}

AwsBudgets::AwsBudgets(const model::SourceSettings &settings, std::string account, const base::Clock &clock,
                       const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_name(settings.name)
    , m_account(std::move(account))
    , m_clock(clock)
    , m_api(Wire(std::move(client), realClock, billingPlaceOf(settings, tuning)), settings.auth.profile,
            std::move(tuning.surroundings), tuning.retries, tuning.pause)
{
}

Result<ports::BudgetList> AwsBudgets::read(std::stop_token stop)
{
    if (m_account.empty()) {
        auto account = callerAccount(m_api, stop);
        GPULEDGER_TRY(account);
        m_account = std::move(*account);
    }
    return readBudgets(m_api, m_account, m_clock.now(), stop);
}

Result<std::unique_ptr<ports::BudgetSource>> makeAwsBudgets(const model::SourceSettings &settings,
                                                            const base::Clock &clock, const base::Clock &realClock,
                                                            std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(checkAwsSettings(settings));
    const auto account = settings.options.find("account");
    const std::string number = account == settings.options.end() ? std::string() : account->second;
    if (!number.empty() && !isAccountNumber(number))
        return base::fail(
            base::Error::make(ErrorCode::InvalidConfig,
                              "source \"" + settings.name + "\" has an account that is not a number of twelve digits")
                .withSource(settings.name));
    return std::make_unique<AwsBudgets>(settings, number, clock, realClock, std::move(client));
}

} // namespace gpuledger::aws

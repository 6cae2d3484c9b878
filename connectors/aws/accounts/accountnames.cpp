// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/accounts/accountnames.h"

#include "app/base/text/text.h"
#include "connectors/aws/eachpage.h"
#include "connectors/format/json.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace gpuledger::aws {

using base::Result;

namespace {

constexpr std::size_t kMostAccountPages = 1000;
constexpr std::size_t kMostAccounts = 100'000;
constexpr http::Milliseconds kLongestListing{60'000};
constexpr int kAccountsOfPage = 20;
constexpr std::size_t kLongestAccountText = 512; // bytes: a name has at most 128 characters
constexpr const char *kNoOrganization = "AWSOrganizationsNotInUseException";

Call listAccounts(const std::string &token)
{
    nlohmann::json body{{"MaxResults", kAccountsOfPage}};
    if (!token.empty())
        body["NextToken"] = token;
    return organizationsCall("ListAccounts", body.dump());
}

tl::unexpected<base::Error> unreadableAccounts(const std::string &what)
{
    return base::fail(base::ErrorCode::Parse, "AWS Organizations answered " + what);
}

bool isNumberOfAccount(std::string_view text)
{
    constexpr std::size_t kDigits = 12;
    return text.size() == kDigits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns the token of the next page. Accounts without a number or a name are left out.
Result<std::string> addAccountPage(const std::string &page, AccountNames &names)
{
    const auto json = format::parseJson(page);
    if (!json || !format::memberOf(*json, "Accounts").is_array())
        return unreadableAccounts("without accounts");
    const nlohmann::json &token = format::memberOf(*json, "NextToken");
    if (!token.is_string() && !token.is_null()) // else part of the list would pass for all of it
        return unreadableAccounts("without saying where its list goes on");
    for (const nlohmann::json &one : format::memberOf(*json, "Accounts")) {
        const std::string number = format::textOf(one, "Id"), name = format::textOf(one, "Name");
        if (isNumberOfAccount(number) && name.find_first_not_of(" \t\r\n") != std::string::npos)
            names[number] = base::printable(name, kLongestAccountText);
    }
    if (names.size() > kMostAccounts)
        return base::fail(base::ErrorCode::TooMuch, "AWS Organizations lists more than 100,000 accounts");
    return format::textOf(*json, "NextToken");
}

} // namespace

Result<OrganizationNames> readAccountNames(AwsApi &api, const std::stop_token &stop)
{
    OrganizationNames out;
    bool isRefused = false;
    const http::Milliseconds begin = api.steadyNow();
    const auto ask = [&](const Call &call) -> Result<Answer> {
        auto answer = api.ask(call, stop);
        GPULEDGER_TRY(answer);
        if (!answer->isError())
            return answer;
        isRefused = answer->errorCode == kNoOrganization || faultOf(*answer) == Fault::Denied;
        return base::fail(errorOf(*answer, call.action));
    };
    const auto add = [&](const std::string &page) -> Result<std::string> {
        if (api.steadyNow() - begin > kLongestListing)
            return base::fail(base::ErrorCode::Timeout, "AWS Organizations did not list all accounts within a minute");
        return addAccountPage(page, out.names);
    };
    const auto all = eachPage(kMostAccountPages, listAccounts, ask, add);
    if (isRefused)
        return OrganizationNames{};
    GPULEDGER_TRY(all);
    out.mayAsk = true;
    return out;
}

Result<bool> mayReadAccountNames(AwsApi &api, const std::stop_token &stop)
{
    const auto page = api.read(listAccounts({}), stop, AwsApi::Try::Once);
    if (!page && page.error().code == base::ErrorCode::Cancelled)
        return base::fail(page.error());
    return page.has_value();
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/accounts/accountnames.h"

#include "app/base/text/text.h"
#include "connectors/aws/eachpage.h"
#include "connectors/format/json.h"

#include <nlohmann/json.hpp>

namespace gpuledger::aws {

using base::Result;

namespace {

constexpr std::size_t kMostAccountPages = 1000;
constexpr int kAccountsOfPage = 20;
constexpr std::size_t kLongestAccountText = 400; // bytes: a name has at most 50 characters
constexpr const char *kNoOrganization = "AWSOrganizationsNotInUseException";

Call listAccounts(const std::string &token)
{
    nlohmann::json body{{"MaxResults", kAccountsOfPage}};
    if (!token.empty())
        body["NextToken"] = token;
    return organizationsCall("ListAccounts", body.dump());
}

// Returns the token of the next page. Accounts without a number or a name are left out.
Result<std::string> addAccountPage(const std::string &page, AccountNames &names)
{
    const auto json = format::parseJson(page);
    if (!json || !format::memberOf(*json, "Accounts").is_array())
        return base::fail(base::ErrorCode::Parse, "AWS Organizations answered without accounts");
    for (const nlohmann::json &one : format::memberOf(*json, "Accounts")) {
        const std::string number = format::textOf(one, "Id"), name = format::textOf(one, "Name");
        if (!number.empty() && !name.empty())
            names[base::printable(number, kLongestAccountText)] = base::printable(name, kLongestAccountText);
    }
    return format::textOf(*json, "NextToken");
}

} // namespace

Result<OrganizationNames> readAccountNames(AwsApi &api, const std::stop_token &stop)
{
    OrganizationNames out;
    bool isRefused = false;
    const auto ask = [&](const Call &call) -> Result<Answer> {
        auto answer = api.ask(call, stop);
        GPULEDGER_TRY(answer);
        if (!answer->isError())
            return answer;
        isRefused = answer->errorCode == kNoOrganization || faultOf(*answer) == Fault::Denied;
        return base::fail(errorOf(*answer, call.action));
    };
    const auto all = eachPage(kMostAccountPages, listAccounts, ask,
                              [&](const std::string &page) { return addAccountPage(page, out.names); });
    if (isRefused)
        return OrganizationNames{};
    GPULEDGER_TRY(all);
    out.mayAsk = true;
    return out;
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awsapi.h"

#include <map>
#include <stop_token>
#include <string>

namespace gpuledger::aws {

inline constexpr char kAccountNamesRight[] = "organizations:ListAccounts";

using AccountNames = std::map<std::string, std::string>; // by number, which has twelve digits; printable

// The names of an organization.
struct OrganizationNames {
    bool mayAsk = false; // false: the right is missing, or the account is in no organization; there are no names
    AccountNames names;
};

// The names that AWS Organizations has of all accounts of the organization. Free. `api` must be at billingPlaceOf().
// Blocking, for a minute and one more request at most. Fails with Parse, TooMuch, Timeout, or with the errors of
// AwsApi::read.
[[nodiscard]] base::Result<OrganizationNames> readAccountNames(AwsApi &api, const std::stop_token &stop);
// Whether the first page is given out, asked once; false also without an answer. Fails with Cancelled.
[[nodiscard]] base::Result<bool> mayReadAccountNames(AwsApi &api, const std::stop_token &stop);

} // namespace gpuledger::aws

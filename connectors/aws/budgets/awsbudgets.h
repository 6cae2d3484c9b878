// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/budgetsource.h"
#include "app/ports/finding.h"
#include "connectors/aws/awstarget.h"

#include <memory>
#include <string>
#include <string_view>

namespace gpuledger::aws {

inline constexpr char kBudgetsRight[] = "budgets:ViewBudget";

// The budgets of an account, which is a number of twelve digits. Free. `api` must be at billingPlaceOf(). Fails with
// InvalidConfig (no such number), Parse, TooMuch, Forbidden (the right is missing), or with the errors of
// AwsApi::read.
[[nodiscard]] base::Result<ports::BudgetList> readBudgets(AwsApi &api, const std::string &account, base::UtcTime now,
                                                          const std::stop_token &stop,
                                                          AwsApi::Try how = AwsApi::Try::Again);
// What a connection test says of them, asked once; a failure is a finding, too. Fails with Cancelled.
[[nodiscard]] base::Result<ports::Finding> probeBudgets(AwsApi &api, const std::string &account, base::UtcTime now,
                                                        const std::stop_token &stop);

// The budgets that an AWS account has in AWS Budgets. Threads and errors: see ports::BudgetSource and readBudgets().
class AwsBudgets final : public ports::BudgetSource {
public:
    // `account`: number of the account; empty: that of the credentials. `clock` tells which period is the current one,
    // `realClock` signs. Both must outlive it.
    AwsBudgets(const model::SourceSettings &settings, std::string account, const base::Clock &clock,
               const base::Clock &realClock, std::shared_ptr<http::HttpClient> client, Tuning tuning = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<ports::BudgetList> read(std::stop_token stop) override;

private:
    std::string m_name;
    std::string m_account; // found so far; empty: not yet
    const base::Clock &m_clock;
    AwsApi m_api;
};

// For the catalogue. Fails with InvalidConfig (no sigv4, no region, a wrong url or account).
[[nodiscard]] base::Result<std::unique_ptr<ports::BudgetSource>>
makeAwsBudgets(const model::SourceSettings &settings, const base::Clock &clock, const base::Clock &realClock,
               std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "connectors/aws/awsapi.h"
#include "connectors/aws/costs/costquestions.h"

#include <cstdint>
#include <functional>

namespace gpuledger::aws {

// AWS charges USD 0.01 for each request, and each page is one (aws.amazon.com/aws-cost-management/pricing).
inline constexpr std::int64_t kNanosPerCostRequest = 10'000'000;
ports::PaidCalls paidFor(std::uint64_t requests);
// Questions that every refresh of a month asks, each at least one request: the parts, and the total.
inline constexpr std::uint64_t kCostQuestions = 5;

// Asks Cost Explorer for whole days, and checks that the parts add up to the total. Counts what that costs: each
// request that was answered, and each whose answer did not come in time. A refused or throttled one is free. One
// thread.
class CostExplorer {
public:
    // Called after each request that is paid for. An error ends the question, and is returned.
    using PaidFn = std::function<base::Result<void>()>;
    static constexpr int kMostPages = 500; // of one question

    // Fails with TooMuch before request number `mostRequests` + 1. `api` must outlive it.
    CostExplorer(AwsApi &api, CostQuery query, std::uint64_t mostRequests, PaidFn onPaid);

    // Every day of the range, each whole. Fails with Parse, TooMuch, Overflow, Forbidden (`ce:GetCostAndUsage` is
    // missing), NotFound (no data), or with the errors of AwsApi::read.
    [[nodiscard]] base::Result<CostDays> days(const base::TimeRange &range, const std::stop_token &stop);
    // The total alone: one request.
    [[nodiscard]] base::Result<CostDays> totals(const base::TimeRange &range, const std::stop_token &stop);

    const AccountNames &names() const { return m_names; } // of all answers so far
    std::uint64_t requests() const { return m_requests; } // paid ones so far

private:
    base::Result<CostDays> ask(const CostQuestion &question, const std::stop_token &stop);
    base::Result<CostDays> askOnce(const CostQuestion &question, const std::stop_token &stop, bool &expired);
    base::Result<std::string> page(const Call &call, const std::stop_token &stop, std::string &errorCode);
    base::Result<void> splitByTag(CostPart part, const base::TimeRange &range, CostDays &days,
                                  const std::stop_token &stop);

    AwsApi &m_api;
    CostQuery m_query;
    std::uint64_t m_mostRequests;
    PaidFn m_onPaid;
    AccountNames m_names;
    std::uint64_t m_requests = 0;
};

} // namespace gpuledger::aws

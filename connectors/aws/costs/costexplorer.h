// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/costs/costquestions.h"
#include "connectors/aws/costs/paidrequests.h"

#include <cstdint>

namespace gpuledger::aws {

// Questions that every refresh of a month asks, each at least one request: the parts, and the total.
inline constexpr std::uint64_t kCostQuestions = 5;

// Asks Cost Explorer for whole days, and checks that the parts add up to the total. Counts what that costs. One thread.
class CostExplorer {
public:
    using PaidFn = PaidRequests::PaidFn;
    static constexpr int kMostPages = 500; // of one question

    // Fails with TooMuch before request number `mostRequests` + 1. `api` must outlive it.
    CostExplorer(AwsApi &api, CostQuery query, std::uint64_t mostRequests, PaidFn onPaid);

    // Every day of the range, each whole. Fails with Parse, TooMuch, Overflow, Forbidden (`ce:GetCostAndUsage` is
    // missing), NotFound (no data), or with the errors of AwsApi::read.
    [[nodiscard]] base::Result<CostDays> days(const base::TimeRange &range, const std::stop_token &stop);
    // The total alone: one request.
    [[nodiscard]] base::Result<CostDays> totals(const base::TimeRange &range, const std::stop_token &stop);

    const AccountNames &names() const { return m_names; } // of all answers so far
    std::uint64_t requests() const { return m_requests.count(); } // paid ones so far

private:
    base::Result<CostDays> ask(const CostQuestion &question, const std::stop_token &stop);
    base::Result<CostDays> askOnce(const CostQuestion &question, const std::stop_token &stop, bool &expired);
    base::Result<void> splitByTag(CostPart part, const base::TimeRange &range, CostDays &days,
                                  const std::stop_token &stop);

    PaidRequests m_requests;
    CostQuery m_query;
    AccountNames m_names;
};

} // namespace gpuledger::aws

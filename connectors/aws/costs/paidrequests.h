// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "connectors/aws/awsapi.h"

#include <cstdint>
#include <functional>

namespace gpuledger::aws {

// AWS charges USD 0.01 for each request, and each page is one (aws.amazon.com/aws-cost-management/pricing).
inline constexpr std::int64_t kNanosPerCostRequest = 10'000'000;
ports::PaidCalls paidFor(std::uint64_t requests);

// Sends requests to Cost Explorer, and counts those that are paid for: each that was answered, and each whose answer
// did not come in time. A refused or throttled one is free. One thread.
class PaidRequests {
public:
    // Called after each request that is paid for. An error ends the request, and is returned.
    using PaidFn = std::function<base::Result<void>()>;

    // `api` must outlive it. No request is sent after `most` paid ones.
    PaidRequests(AwsApi &api, std::uint64_t most, PaidFn onPaid);

    // Any answer is a result, also an error of the service. Fails with TooMuch (all are used up), the error of
    // `onPaid`, or the errors of AwsApi::ask.
    [[nodiscard]] base::Result<Answer> ask(const Call &call, const std::stop_token &stop);
    std::uint64_t count() const { return m_count; } // paid ones so far

private:
    AwsApi &m_api;
    std::uint64_t m_most;
    PaidFn m_onPaid;
    std::uint64_t m_count = 0;
};

// The token of a page is of no use, because the bill was restated: its question has to start once more.
bool isTokenStale(const Answer &answer);

} // namespace gpuledger::aws

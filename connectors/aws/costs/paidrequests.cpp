// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/costs/paidrequests.h"

#include "app/base/remedy.h"

#include <algorithm>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

ports::PaidCalls paidFor(std::uint64_t requests)
{
    constexpr std::uint64_t kMost = 100'000'000; // its price still fits
    return {requests,
            base::Money(static_cast<std::int64_t>(std::min(requests, kMost)) * kNanosPerCostRequest,
                        base::Currency::usd())};
}

PaidRequests::PaidRequests(AwsApi &api, std::uint64_t most, PaidFn onPaid)
    : m_api(api)
    , m_most(most)
    , m_onPaid(std::move(onPaid))
{
}

Result<Answer> PaidRequests::ask(const Call &call, const std::stop_token &stop)
{
    if (m_count >= m_most)
        return base::fail(ErrorCode::TooMuch, "the requests to Cost Explorer that one sync may pay for are used up",
                          base::Remedy::RaiseCostRequests);
    Result<void> counted;
    const auto count = [&](const Result<Answer> &answer) {
        const bool isPaid = answer ? !answer->isError() : answer.error().code == ErrorCode::Timeout;
        if (!isPaid)
            return;
        ++m_count;
        if (m_onPaid && counted)
            counted = m_onPaid();
    };
    auto answer = m_api.ask(call, stop, count);
    GPULEDGER_TRY(answer);
    GPULEDGER_TRY(counted);
    return answer;
}

bool isTokenStale(const Answer &answer)
{
    return answer.errorCode == "InvalidNextTokenException" || answer.errorCode == "RequestChangedException";
}

} // namespace gpuledger::aws

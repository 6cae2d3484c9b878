// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/metrics/cloudwatch.h"

#include "connectors/format/json.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

struct CloudWatch::Question {
    std::string action;
    Json body;
    std::uint64_t price = 0; // of each page, in metrics
    std::size_t mostPages = 0;
};

void addRejected(const RejectedCounts &some, RejectedCounts &to)
{
    for (const auto &[reason, count] : some)
        to[reason] += count;
}

Result<std::string> nextTokenIn(const Json &page)
{
    const Json &token = format::memberOf(page, "NextToken");
    if (token.is_null())
        return std::string();
    // Without it, what follows would be missing silently.
    if (!token.is_string())
        return base::fail(ErrorCode::Parse, "CloudWatch's answer can't be read: its NextToken is no text");
    return token.get<std::string>();
}

CloudWatch::CloudWatch(AwsApi &api)
    : m_api(api)
{
}

Result<void> CloudWatch::listMetrics(const MetricName &name, const PageFn &add, const std::stop_token &stop)
{
    // Without RecentlyActive, which would leave out machines that stopped more than three hours ago.
    return eachAnswer({"ListMetrics", {{"Namespace", name.nameSpace}, {"MetricName", name.metric}}, 1, kMostListPages},
                      add, stop);
}

Result<void> CloudWatch::metricData(const Json &question, std::size_t queries, const PageFn &add,
                                    const std::stop_token &stop)
{
    return eachAnswer({"GetMetricData", question, queries, kMostDataPages}, add, stop);
}

Result<void> CloudWatch::eachAnswer(const Question &question, const PageFn &add, const std::stop_token &stop)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        Json body = question.body;
        if (!token.empty())
            body["NextToken"] = token;
        const Call call = cloudWatchCall(question.action, body.dump());
        const auto answer = answerTo(call, question.price, stop);
        GPULEDGER_TRY(answer);
        auto next = add(*answer);
        GPULEDGER_TRY(next);
        if (next->empty())
            return {};
        if (!tokens.insert(*next).second)
            return base::fail(ErrorCode::Parse, "the pages of " + call.action + " go in a circle");
        if (tokens.size() > question.mostPages)
            return base::fail(ErrorCode::TooMuch,
                              call.action + " has more than " + std::to_string(question.mostPages) + " pages");
        token = std::move(*next);
    }
}

Result<std::string> CloudWatch::answerTo(const Call &call, std::uint64_t price, const std::stop_token &stop)
{
    const auto count = [&](const Result<Answer> &answer) {
        // One that is too large was answered, too.
        const bool isPaid = answer
            ? !answer->isError()
            : answer.error().code == ErrorCode::Timeout || answer.error().code == ErrorCode::TooMuch;
        if (answer)
            m_bytes += answer->body.size();
        if (!isPaid)
            return;
        ++m_requests;
        m_metrics += price;
    };
    auto answer = m_api.ask(call, stop, count);
    GPULEDGER_TRY(answer);
    if (answer->isError())
        return base::fail(errorOf(*answer, call.action));
    return std::move(answer->body);
}

ports::PaidCalls CloudWatch::paid() const
{
    constexpr std::uint64_t kMostMetrics = 100'000'000'000; // their price still fits
    return {m_requests,
            base::Money(static_cast<std::int64_t>(std::min(m_metrics, kMostMetrics)) * kNanosPerMetric,
                        base::Currency::usd())};
}

} // namespace gpuledger::aws

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "connectors/aws/awsapi.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace gpuledger::aws {

// AWS charges USD 0.01 for 1,000 metrics of GetMetricData, where each query is one, and as much for 1,000 requests of
// ListMetrics (aws.amazon.com/cloudwatch/pricing, us-east-1).
inline constexpr std::int64_t kNanosPerMetric = 10'000;

struct MetricName {
    const char *nameSpace = nullptr, *metric = nullptr;
};
// Share of time in which a kernel ran, percent, in the namespace that the agent has unless it is configured otherwise.
inline constexpr MetricName kAgentUtilization{"CWAgent", "nvidia_smi_utilization_gpu"};

// How much of answers was left out, by reason.
using RejectedCounts = std::map<std::string, std::uint64_t>;
void addRejected(const RejectedCounts &some, RejectedCounts &to);

// The token of the next page, empty after the last. Fails with Parse (it is no text).
[[nodiscard]] base::Result<std::string> nextTokenIn(const nlohmann::json &page);

// Asks CloudWatch for all pages, and counts what that costs: each request that was answered, and each whose answer did
// not come in time. A refused or throttled one is free. One thread.
class CloudWatch {
public:
    static constexpr std::size_t kMostListPages = 1000; // of up to 500 metrics
    static constexpr std::size_t kMostDataPages = 100; // of one question, whose values fit into one page

    // Takes a page, and returns the token of the next one.
    using PageFn = std::function<base::Result<std::string>(const std::string &body)>;

    explicit CloudWatch(AwsApi &api); // which must outlive it

    // Every metric of this name, also of machines that have stopped. Both fail as `add` and AwsApi::read do, with
    // Parse (the pages go in a circle) and TooMuch (too many pages).
    [[nodiscard]] base::Result<void> listMetrics(const MetricName &name, const PageFn &add,
                                                 const std::stop_token &stop);
    // The answer to a question of so many queries.
    [[nodiscard]] base::Result<void> metricData(const nlohmann::json &question, std::size_t queries, const PageFn &add,
                                                const std::stop_token &stop);

    ports::PaidCalls paid() const;
    std::uint64_t bytes() const { return m_bytes; } // received so far

private:
    struct Question;
    base::Result<void> eachAnswer(const Question &question, const PageFn &add, const std::stop_token &stop);
    base::Result<std::string> answerTo(const Call &call, std::uint64_t price, const std::stop_token &stop);

    AwsApi &m_api;
    std::uint64_t m_requests = 0, m_metrics = 0; // paid ones
    std::uint64_t m_bytes = 0;
};

} // namespace gpuledger::aws

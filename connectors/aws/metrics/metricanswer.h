// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/metrics/metriclist.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gpuledger::aws {

// A statistic of one metric.
struct MetricQuery {
    MetricName name;
    const MetricDimensions *dimensions = nullptr;
    const char *statistic = nullptr; // "Average"
};

// A question to GetMetricData: every query over these periods, which the range has as a whole.
struct MetricQuestion {
    std::vector<MetricQuery> queries;
    base::TimeRange range;
    base::Seconds period{};
};
nlohmann::json bodyOf(const MetricQuestion &question);
// How many queries over this range may be in one question: CloudWatch takes 500, and gives 100,800 values a page.
std::size_t mostQueries(const base::TimeRange &range, base::Seconds period);

// Reads pages into values. One object for each question.
class MetricAnswer {
public:
    using Values = std::map<std::int64_t, double>; // by the number of the period since the epoch

    MetricAnswer(const base::TimeRange &range, base::Seconds period, std::size_t queries);

    // Adds a page, and returns the token of the next one. Fails with Parse, or Forbidden (a metric may not be read).
    [[nodiscard]] base::Result<std::string> add(const std::string &page);
    const Values &of(std::size_t query) const { return m_parts[query].values; }
    // After the last page: the queries of which something may be missing.
    std::size_t unfinished() const;
    const std::vector<std::string> &messages() const { return m_messages; } // about the question as a whole
    const RejectedCounts &rejected() const { return m_rejected; }

private:
    struct Part {
        Values values;
        bool isComplete = false; // by its last page
    };
    base::Result<void> addResult(const nlohmann::json &result);
    void addValue(const nlohmann::json &time, const nlohmann::json &value, Values &to);
    void addMessages(const nlohmann::json &page);

    base::TimeRange m_range;
    base::Seconds m_period;
    std::vector<Part> m_parts;
    std::vector<std::string> m_messages;
    RejectedCounts m_rejected;
};

} // namespace gpuledger::aws

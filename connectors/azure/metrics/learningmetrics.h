// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/azure/learning/learningpage.h"
#include "connectors/format/gauges/rejectedreadings.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// What Azure Monitor has of the GPUs of Azure Machine Learning: the metrics of a workspace
// (learn.microsoft.com/rest/api/monitor/metrics, api-version 2018-01-01). No calls; values.
namespace gpuledger::azure {

inline constexpr std::string_view kGpuUtilizationMetric = "GpuUtilizationPercentage"; // 0 to 100
inline constexpr std::string_view kGpuMemoryMetric = "GpuMemoryUtilizationMegabytes"; // taken for MiB
inline constexpr std::size_t kMostMetricSeries = 5000; // of an answer: Azure Monitor returns no more of them
inline constexpr std::int64_t kMostMetricValues = 200'000; // of an answer: about 12 MB

enum class MetricStatistic { Average, Maximum };

// What is asked about all GPUs of a workspace.
struct MetricQuestion {
    std::string_view metric;
    std::vector<MetricStatistic> statistics;
    base::Seconds grain{}; // whole minutes
    base::TimeRange range; // on boundaries of the grain
};
// What follows the address of the workspace.
std::string metricQuery(const MetricQuestion &question);
// The question in parts of whole hours, so that an answer about so many GPUs has at most kMostMetricValues values; an
// hour is not divided.
std::vector<base::TimeRange> metricParts(const MetricQuestion &question, std::int64_t gpus);

// The machines of a workspace that are asked about. Names are in lower case.
class AskedComputes {
public:
    struct Machine {
        std::size_t index = 0; // of the machines that were asked for
        std::int64_t gpus = 0;
    };
    // `node`: of a cluster; empty: an instance.
    void add(const std::string &compute, const std::string &node, Machine machine);
    bool contains(const std::string &compute) const { return m_computes.contains(compute); }
    // The machine that a series is about: an instance, whatever `node` is, or that node of a cluster. Null: it is not
    // asked about.
    const Machine *find(const std::string &compute, const std::string &node) const;
    std::int64_t gpus() const { return m_gpus; } // of them all

private:
    std::map<std::string, std::map<std::string, Machine>> m_computes; // by compute and node
    std::int64_t m_gpus = 0;
};

struct AskedWorkspace {
    LearningWorkspace workspace;
    AskedComputes machines;
};
// The machines of Azure Machine Learning, by workspace. All others are left out: Azure Monitor has no GPU metrics of
// virtual machines.
std::vector<AskedWorkspace> askedWorkspaces(const std::vector<ports::ListedMachine> &machines);

// A value of a GPU.
struct MetricValue {
    ports::ListedGpu which;
    std::string device; // InstanceId in lower case, which tells apart what reports for one place
    base::UtcTime start{}; // of its interval
    MetricStatistic statistic = MetricStatistic::Average;
    std::optional<double> value; // std::nullopt: not a number
};
using TakeMetricValue = std::function<void(const MetricValue &)>;

// Passes on each value of the machines that are asked about; all others, and intervals without a value, are left out
// without a word. Fails with Parse.
[[nodiscard]] base::Result<void> readMetric(const nlohmann::json &answer, const MetricQuestion &question,
                                            const AskedComputes &asked, format::RejectedReadings &rejected,
                                            const TakeMetricValue &take);
// Whether the answer has a value of any machine. Fails with Parse.
[[nodiscard]] base::Result<bool> hasMetricValues(const nlohmann::json &answer);
// What is missing in an answer about `workspace`, as sentences; empty if nothing is.
std::set<std::string> metricGaps(const nlohmann::json &answer, const LearningWorkspace &workspace);

} // namespace gpuledger::azure

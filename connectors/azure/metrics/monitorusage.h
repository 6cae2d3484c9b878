// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/usagesource.h"
#include "connectors/azure/compute/computeapi.h"
#include "connectors/azure/metrics/learningmetrics.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuledger::azure {

inline constexpr char kMetricsRight[] = "Microsoft.Insights/metrics/read";

// What Azure Monitor has of the GPUs of Azure Machine Learning's machines; of all other machines, it has nothing.
// Threads and errors: see ports::UsageSource; calls also fail with the errors of AzureToken.
class MonitorUsage final : public ports::UsageSource {
public:
    // `realClock` must outlive it.
    MonitorUsage(std::unique_ptr<ComputeApi> api, const base::Clock &realClock);

    base::Seconds kept() const override;
    // Fails with Forbidden if no workspace may be read; that some may not is a warning.
    [[nodiscard]] base::Result<ports::MeasuredUsage> usage(const std::vector<ports::ListedMachine> &machines,
                                                           base::TimeRange range, std::stop_token stop) override;
    // As usage(). What may not be read has no reading. Fails also with Server if an answer lacks something.
    [[nodiscard]] base::Result<ports::MeasuredActivity> activity(const std::vector<ports::ListedMachine> &machines,
                                                                 const ports::ActivityQuestion &question,
                                                                 std::stop_token stop) override;
    // Whether it may be read, and whether anything was reported in the last hour, by the first workspace; empty: there
    // is no workspace. Fails like usage(), but not with Forbidden.
    [[nodiscard]] base::Result<std::vector<ports::Finding>> probe(const std::stop_token &stop);

private:
    using Visit = std::function<base::Result<void>(const AskedWorkspace &)>;
    base::Result<std::optional<base::Error>> eachWorkspace(const std::vector<ports::ListedMachine> &machines,
                                                           const Visit &visit);
    base::Result<nlohmann::json> answerOf(const LearningWorkspace &workspace, const MetricQuestion &question,
                                          const std::stop_token &stop);
    base::Result<void> ask(const AskedWorkspace &of, const MetricQuestion &question, format::RejectedReadings &rejected,
                           const TakeMetricValue &take, std::set<std::string> &gaps, const std::stop_token &stop);

    std::unique_ptr<ComputeApi> m_api;
    const base::Clock &m_realClock;
};

// Of the settings of the kind `azure`; null: they don't ask for it. Fails with InvalidConfig (another word for usage,
// or as makeComputeApi does).
[[nodiscard]] base::Result<std::unique_ptr<MonitorUsage>>
makeMonitorUsage(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &realClock,
                 std::shared_ptr<http::HttpClient> client, const Tuning &tuning);

} // namespace gpuledger::azure

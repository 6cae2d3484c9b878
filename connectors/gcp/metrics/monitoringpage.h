// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/usagesource.h"
#include "connectors/format/gauges/rejectedreadings.h"
#include "connectors/gcp/metrics/instancenumbers.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A page of Cloud Monitoring's time series (monitoring/v3 projects.timeSeries.list). No calls; values.
namespace gpuledger::gcp {

// Of the Ops Agent: percent, and bytes.
inline constexpr std::string_view kUtilizationMetric = "agent.googleapis.com/gpu/utilization";
inline constexpr std::string_view kMemoryMetric = "agent.googleapis.com/gpu/memory/bytes_used";
inline constexpr std::string_view kUsedMemory = "used"; // of the label memory_state

// The machines that are asked about, by their numbers.
class AskedInstances {
public:
    AskedInstances(const InstanceNumbers &numbers, const std::vector<ports::ListedMachine> &machines);

    bool empty() const { return m_known.empty(); }
    std::size_t unnumbered() const { return m_unnumbered; } // machines without a number of their own
    struct Instance {
        std::size_t machine = 0; // its index
        std::int64_t gpus = 0;
    };
    // Null: it is not asked about.
    const Instance *find(const std::string &number) const;

private:
    std::map<std::string, Instance> m_known;
    std::size_t m_unnumbered = 0;
};

// A value of a GPU.
struct MonitoredValue {
    ports::ListedGpu which;
    std::string device; // tells apart what was in one place one after the other: its uuid and model
    ports::SampleTime end{}; // of its interval
    std::optional<double> value; // std::nullopt: no number
};
using TakeValue = std::function<void(MonitoredValue)>;

// Gives each value of the machines that were asked about; all others are left out without a word. Fails with Parse.
[[nodiscard]] base::Result<void> readSeries(const nlohmann::json &page, std::string_view metric,
                                            const AskedInstances &asked, format::RejectedReadings &rejected,
                                            const TakeValue &take);
// Whether the page has a series.
bool hasSeries(const nlohmann::json &page);
// What the page says is missing in it, as sentences; empty: nothing.
std::vector<std::string> gapsOf(const nlohmann::json &page);
// The next page's token; empty: there is none. Fails with Parse.
[[nodiscard]] base::Result<std::string> nextPageOf(const nlohmann::json &page);

} // namespace gpuledger::gcp

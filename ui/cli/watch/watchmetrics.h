// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/services/alerts/alertdesk.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::model {
struct Settings;
}
namespace gpuledger::services {
struct SourceStatus;
struct SyncReport;
} // namespace gpuledger::services

namespace gpuledger::cli {

class MetricsText;

// What `watch` tells about itself in the text format of Prometheus; docs/alerts.md has the list. Labels are names of
// the configuration, so that their number is bounded and no address or secret is among them. Any thread; no errors.
class WatchMetrics {
public:
    using Duration = std::chrono::duration<double>;
    enum class Step { Settle, Sync, Alerts, Delivery, Marks };

    // `sources`: how far each was synced when the program began.
    WatchMetrics(const model::Settings &settings, const std::vector<services::SourceStatus> &sources,
                 base::UtcTime now);

    void synced(const services::SyncReport &report, base::UtcTime at);
    void evaluated(const services::AlertRound &round, Duration took);
    void delivered(const std::vector<services::OutboxEntry> &tried, base::UtcTime begun);
    void waiting(const std::vector<services::OutboxCount> &outbox);
    void failed(Step step);
    void roundEnded(base::UtcTime at);
    std::string text() const;

private:
    void addSources(MetricsText &out) const;
    void addAlerts(MetricsText &out) const;
    void addOutbox(MetricsText &out) const;

    struct Source {
        std::uint64_t whole = 0, partial = 0, failed = 0; // syncs
        double seconds = 0;
        std::optional<base::UtcTime> lastSuccess, dataEnd;
    };
    struct Target {
        std::uint64_t sent = 0, failed = 0;
        std::int64_t waiting = 0, dead = 0;
    };
    struct Rule {
        std::string severity;
        std::uint64_t firing = 0;
    };

    mutable std::mutex m_mutex; // guards all that follows
    const base::UtcTime m_begin;
    std::map<std::pair<std::string, std::string>, Source> m_sources; // by name and kind
    std::map<std::string, Rule> m_rules;
    std::map<std::string, Target> m_targets;
    std::array<std::uint64_t, 5> m_errors{}; // by Step
    std::uint64_t m_evaluations = 0, m_rounds = 0;
    double m_evaluationSeconds = 0;
    bool m_leads = false;
    std::optional<base::UtcTime> m_lastRound;
};

} // namespace gpuledger::cli

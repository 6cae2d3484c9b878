// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/query/queryrunner.h"
#include "connectors/prometheus/series/exportermapping.h"
#include "connectors/prometheus/series/seriesnormalizer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::prometheus {

// Reads what devices, their hosts and inference servers did in the hours of one stretch of time in which a device was
// nearly idle. A metric that the server lacks is not asked for. One chunk, one thread; what it is created with must
// outlive it.
class SignalAssembler {
public:
    struct Known {
        const std::vector<ExporterMapping> &exporters;
        const std::vector<RequestMetric> &requests;
        const ClusterNaming &clusters;
        const std::set<std::string> &names; // of metrics
    };

    // `batch` is the stretch's, with all its series.
    SignalAssembler(const Known &known, const ports::FactBatch &batch);
    ~SignalAssembler();
    SignalAssembler(const SignalAssembler &) = delete;
    SignalAssembler &operator=(const SignalAssembler &) = delete;

    // Empty if nothing was nearly idle.
    std::vector<Query> firstQueries();
    // About the hosts that the first answers named.
    std::vector<Query> hostQueries();
    // Adds the signals of nearly idle hours.
    void finish(ports::FactBatch &batch) const;

    // The mean activity of a nearly idle hour is at most this; twice the default idle threshold.
    static constexpr double kNearlyIdle = 0.1;

private:
    using Labels = std::span<const format::Label>;
    using Resolve = std::function<std::optional<std::uint32_t>(Labels)>; // a device, node or subject of the batch
    using Expression = std::function<std::string(base::Seconds window)>;
    enum class Reading : std::uint8_t { Bytes, Share, IdleCpu, IoWait, Count, Sign };
    class HourVisitor;
    class HostVisitor;
    using Place = std::pair<std::uint32_t, std::int64_t>; // a device, node or subject, and an hour
    struct Value {
        std::int32_t seconds = 0;
        double value = 0;
    };
    using Values = std::map<Place, Value>;
    // What a device's two directions are summed by: a set of metrics, and a scrape target by its number.
    using Recorder = std::pair<int, std::uint32_t>;

    void findQuietHours();
    void addHourly(std::vector<Query> &out, model::HourSignal signal, Reading reading, const Expression &expression,
                   const Resolve &resolve, int set = 0);
    std::uint32_t targetOf(Labels labels);
    void addHost(std::vector<Query> &out, const std::string &matchers);
    Resolve deviceBy(const ExporterMapping &exporter) const;
    Resolve podBy() const;
    std::optional<std::uint32_t> nodeNamed(const std::string &cluster, std::string_view name) const;
    bool isWanted(model::HourSignal signal, const Place &place) const;
    std::map<Recorder, Values> highestOf(const HourVisitor &visitor) const;
    std::map<model::HourSignal, Values> combined() const;

    const Known m_known;
    const ports::FactBatch &m_batch;
    std::set<Place> m_devices, m_nodes, m_subjects; // nearly idle
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_hosts; // nodes by cluster and `instance`
    std::map<std::string, std::uint32_t> m_targets; // numbered from 1
    std::vector<std::unique_ptr<HourVisitor>> m_visitors;
    std::unique_ptr<HostVisitor> m_hostVisitor;
};

} // namespace gpuledger::prometheus

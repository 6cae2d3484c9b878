// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "connectors/format/seriesreader.h"
#include "connectors/prometheus/kube/kubefacts.h"
#include "connectors/prometheus/series/exportermapping.h"
#include "connectors/prometheus/series/seriesnormalizer.h"
#include "connectors/prometheus/usage/usagecells.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpuledger::prometheus {

// A series as the exporter reports it, before series of the same device and holder are merged.
struct RawSeries {
    std::string_view key; // of the assembler's index
    SeriesIdentity identity;
    const ExporterMapping *exporter = nullptr;
    int ordinal = 0; // of the metric name it was read from
    UsageCells cells;
};

// Buckets whose mean includes a sample that is not a measurement and that are read again sample by sample.
struct Repair {
    const ExporterMapping *exporter = nullptr;
    const MetricMapping *metric = nullptr;
    std::uint32_t series = 0;
    int bucket = 0;
};

// A series and bucket from which a scrape interval can be measured.
struct IntervalProbe {
    std::string job;
    std::string device; // measured for this device alone; if empty, for the job
    std::string metric;
    std::string uuidLabel, uuidText, instance;
    std::int64_t bucketNumber = 0;
    std::uint16_t samples = 0;
};

// Collects the answers about one stretch of time, column by column, and turns them into the series of a FactBatch. One
// chunk, one thread; the mappings must outlive it.
class UsageAssembler {
public:
    // Per source; any more are rejected and counted.
    static constexpr std::size_t kMaxSeries = 2'000'000;

    UsageAssembler(base::TimeRange range, base::UtcTime now, ClusterNaming clusters);
    ~UsageAssembler();

    // Reads the answers to `aggregate`_over_time(metric[5m] offset 1ms), evaluated at the bucket's end. Owned by this
    // object.
    format::SeriesVisitor &visitor(const ExporterMapping &exporter, const MetricMapping &metric, Aggregate aggregate);
    // Reads raw samples and fills the buckets that repairs() listed.
    format::SeriesVisitor &rawVisitor(const ExporterMapping &exporter, const MetricMapping &metric);
    // Model and index by UUID, for exporters that have an info series.
    format::SeriesVisitor &infoVisitor(const ExporterMapping &exporter);
    // Means of used, free, reserved or total memory over the stretch.
    format::SeriesVisitor &memoryVisitor(const ExporterMapping &exporter, const MetricMapping &metric);

    const std::vector<Repair> &repairs() const { return m_repairs; }
    const RawSeries &series(std::uint32_t index) const { return m_series[index]; }
    std::size_t seriesCount() const { return m_series.size(); }
    // One probe per scrape job, and one for each device (up to kMaxDeviceProbes) with clearly fewer samples than its
    // job.
    std::vector<IntervalProbe> intervalProbes() const;
    static constexpr std::size_t kMaxDeviceProbes = 6'400;
    void setInterval(const IntervalProbe &probe, base::Seconds interval);
    std::vector<std::string> jobs() const;
    // Identifies a target that exports percentages under the name of a ratio. The keys are kept by the source, so a
    // target is recognised once.
    static std::string percentKey(std::string_view metric, std::string_view instance);
    // The pods that were scraped for GPU metrics, by the labels of `up`.
    format::SeriesVisitor &targetVisitor();
    void setPercentTargets(std::set<std::string> *targets) { m_percentTargets = targets; }
    // The pods that the labels name as holders.
    std::vector<PodName> podNames() const;
    // Those of them that hold a device through a DRA claim.
    std::set<PodName> claimants() const;
    // Turns everything into facts. `facts` decides who can be a holder and which nodes exist.
    void finish(const KubeFacts &facts, ports::FactBatch &batch);

    void reject(std::string_view reason, std::uint64_t count = 1) { m_rejected[std::string(reason)] += count; }

private:
    class BucketVisitor;
    class RawVisitor;
    class CallbackVisitor;
    class TargetVisitor;
    friend class UsageMerger;
    static constexpr std::uint32_t kNotFound = 0xFFFFFFFF;

    std::uint32_t find(const ExporterMapping &exporter, int ordinal, std::span<const format::Label> labels,
                       std::string_view &reason);
    CellWriter writer(const MetricMapping &metric, Aggregate aggregate, const RawSeries &series) const;
    // Detects from a maximum that a target exports percentages.
    void noticePercent(const MetricMapping &metric, const RawSeries &series, double greatest);
    static std::string deviceKey(const SeriesIdentity &identity) { return identity.cluster + '\n' + identity.uuid; }
    std::uint16_t fullCount(const std::string &job) const;

    std::int64_t m_first = 0; // bucket number
    int m_buckets = 0;
    base::UtcTime m_now;
    ClusterNaming m_clusters;
    std::vector<RawSeries> m_series;
    std::unordered_map<std::string, std::uint32_t> m_index; // by key; its keys stay where they are
    std::vector<std::unique_ptr<format::SeriesVisitor>> m_visitors;
    std::vector<Repair> m_repairs;
    std::map<std::string, base::Seconds> m_intervals; // by job
    std::map<std::string, base::Seconds> m_deviceIntervals; // by cluster and uuid
    std::map<std::string, std::uint64_t> m_rejected;
    std::set<std::string> *m_percentTargets = nullptr;
    struct DeviceInfo {
        std::string modelName;
        int index = -1;
    };
    std::map<std::string, DeviceInfo> m_info; // by uuid
    std::set<PodName> m_targets;
    struct Memory {
        double used = 0, free = 0, reserved = 0, total = 0;
    };
    // By uuid, GPU instance and the remaining labels: used and free memory must come from the same series.
    std::map<std::string, std::map<std::string, std::map<std::string, Memory>>> m_memory;
};

} // namespace gpuledger::prometheus

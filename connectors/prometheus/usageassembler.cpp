// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usageassembler.h"

#include "connectors/prometheus/usagemerger.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

constexpr double kMaxShare = 1.5; // a mean above it holds a value that is no share
constexpr double kMaxSmActive = 2.0; // profiling counters reach 1.29: clamped
constexpr double kMaxWatts = 6500;
constexpr double kMaxPercent = 1000;

} // namespace

UsageAssembler::UsageAssembler(base::TimeRange range, base::UtcTime now, ClusterNaming clusters)
    : m_first(base::toUnix(range.start) / base::kBucket.count())
    , m_buckets(static_cast<int>(range.length() / base::kBucket))
    , m_now(now)
    , m_clusters(std::move(clusters))
{
}

UsageAssembler::~UsageAssembler() = default;

std::uint32_t UsageAssembler::find(const ExporterMapping &exporter, int ordinal, std::span<const format::Label> labels,
                                   std::string_view &reason)
{
    std::string key = exporter.name + '\1' + static_cast<char>('0' + ordinal) + seriesKey(labels);
    if (const auto known = m_index.find(key); known != m_index.end())
        return known->second;
    if (m_series.size() >= kMaxSeries) {
        reason = "more than 2,000,000 series";
        return kNotFound;
    }
    std::optional<SeriesIdentity> identity = identify(exporter, m_clusters, labels, reason);
    if (!identity)
        return kNotFound;
    const auto index = static_cast<std::uint32_t>(m_series.size());
    RawSeries series;
    series.key = key;
    series.identity = std::move(*identity);
    series.exporter = &exporter;
    series.ordinal = ordinal;
    series.cells.resize(static_cast<std::size_t>(m_buckets));
    m_series.push_back(std::move(series));
    m_index.emplace(std::move(key), index);
    return index;
}

int UsageAssembler::bucketOf(double endTime) const
{
    const double bucket = endTime / 300 - 1 - static_cast<double>(m_first);
    if (!(bucket >= 0) || bucket >= m_buckets || bucket != std::floor(bucket))
        return -1;
    return endTime > static_cast<double>(base::toUnix(m_now)) + 300 ? -1 : static_cast<int>(bucket);
}

double UsageAssembler::scaled(const MetricMapping &metric, const RawSeries &series, double value) const
{
    const bool percent =
        metric.percentAbove && m_percentTargets && m_percentTargets->contains(series.identity.instance);
    return value * (percent ? 0.01 : metric.factor);
}

bool UsageAssembler::plausible(const MetricMapping &metric, double value) const
{
    if (!std::isfinite(value) || value < 0)
        return false;
    if (isShare(metric.quantity))
        return value <= (metric.quantity == Quantity::SmActive ? kMaxSmActive : kMaxShare);
    return value <= (metric.quantity == Quantity::Power ? kMaxWatts : kMaxMemoryMib);
}

void UsageAssembler::put(const MetricMapping &metric, Aggregate aggregate, std::uint32_t series, int bucket, double raw)
{
    RawSeries &target = m_series[series];
    UsageCell &cell = target.cells[static_cast<std::size_t>(bucket)];
    const auto signal = static_cast<std::size_t>(metric.quantity);
    if (aggregate == Aggregate::Count) {
        if (isSignal(metric.quantity) && raw >= 0 && raw < 65535)
            cell.samples[signal] = static_cast<std::uint16_t>(raw);
        return;
    }
    if (aggregate == Aggregate::Max && metric.percentAbove && raw > *metric.percentAbove && raw <= kMaxPercent
        && m_percentTargets)
        m_percentTargets->insert(target.identity.instance);
    const double value = scaled(metric, target, raw);
    const bool good = plausible(metric, value);
    if (aggregate == Aggregate::Max) {
        if (good && metric.quantity == Quantity::MemoryUsed)
            cell.memoryMax = static_cast<std::uint32_t>(std::lround(value));
        return;
    }
    if (!good) {
        m_repairs.push_back({target.exporter, &metric, series, bucket});
        return;
    }
    if (isSignal(metric.quantity))
        cell.activity[signal] = model::toShare(value);
    else if (metric.quantity == Quantity::TensorActive)
        cell.tensor = model::toShare(value);
    else if (metric.quantity == Quantity::MemoryUsed)
        cell.memoryMean = static_cast<std::uint32_t>(std::lround(value));
    else if (metric.quantity == Quantity::Power)
        cell.power = static_cast<std::uint16_t>(std::lround(value * 10));
}

std::vector<std::string> UsageAssembler::jobs() const
{
    std::set<std::string> names;
    for (const RawSeries &series : m_series) {
        if (!series.identity.job.empty())
            names.insert(series.identity.job);
    }
    return {names.begin(), names.end()};
}

std::vector<PodName> UsageAssembler::podNames() const
{
    std::set<PodName> names;
    for (const RawSeries &series : m_series) {
        for (const SubjectCandidate &subject : series.identity.subjects) {
            if (subject.kind == model::SubjectKind::Pod)
                names.insert({series.identity.cluster, subject.nameSpace, subject.name});
        }
    }
    return {names.begin(), names.end()};
}

void UsageAssembler::finish(const KubeFacts &facts, ports::FactBatch &batch)
{
    UsageMerger(*this, facts, batch).run();
    for (const auto &[reason, count] : m_rejected)
        batch.rejected.push_back({reason, count});
}

} // namespace gpuledger::prometheus

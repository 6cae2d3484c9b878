// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/usageassembler.h"

#include "connectors/prometheus/usage/usagemerger.h"

namespace gpuledger::prometheus {

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
    series.key = m_index.emplace(std::move(key), index).first->first;
    series.identity = std::move(*identity);
    series.exporter = &exporter;
    series.ordinal = ordinal;
    m_series.push_back(std::move(series));
    return index;
}

CellWriter UsageAssembler::writer(const MetricMapping &metric, Aggregate aggregate, const RawSeries &series) const
{
    return CellWriter(metric, aggregate,
                      metric.percentAbove && m_percentTargets
                          && m_percentTargets->contains(percentKey(metric.name, series.identity.instance)));
}

// A target may export a ratio and a percentage side by side.
std::string UsageAssembler::percentKey(std::string_view metric, std::string_view instance)
{
    return std::string(metric) + '\n' + std::string(instance);
}

void UsageAssembler::noticePercent(const MetricMapping &metric, const RawSeries &series, double greatest)
{
    constexpr double kMaxPercent = 1000;
    if (metric.percentAbove && m_percentTargets && greatest > *metric.percentAbove && greatest <= kMaxPercent)
        m_percentTargets->insert(percentKey(metric.name, series.identity.instance));
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

std::set<PodName> UsageAssembler::claimants() const
{
    std::set<PodName> names;
    for (const RawSeries &series : m_series) {
        if (!series.identity.claim || series.identity.subjects.empty())
            continue;
        const SubjectCandidate &subject = series.identity.subjects.front();
        names.insert({series.identity.cluster, subject.nameSpace, subject.name});
    }
    return names;
}

void UsageAssembler::finish(const KubeFacts &facts, ports::FactBatch &batch)
{
    UsageMerger(*this, facts, batch).run();
    for (const auto &[reason, count] : m_rejected)
        batch.rejected.push_back({reason, count});
}

} // namespace gpuledger::prometheus

// SPDX-License-Identifier: GPL-3.0-or-later
// The visitors of UsageAssembler: what each kind of answer puts into it.
#include "connectors/prometheus/usage/usageassembler.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

namespace gpuledger::prometheus {

namespace {

constexpr std::string_view kOutside = "a sample is outside of the requested time range";
constexpr std::string_view kFuture = "a sample is in the future";
constexpr std::string_view kTwice = "a second value for the same time";
constexpr std::string_view kDisorder = "samples out of order";
constexpr std::string_view kSameSeries = "the same series twice in one response";

} // namespace

// Counts rejected samples per answer, so that an answer that is read twice counts once.
class UsageAssembler::BucketVisitor : public format::SeriesVisitor {
    // The buckets of a stretch of time, looked up by their ends in seconds since the epoch.
    struct BucketGrid {
        BucketGrid(std::int64_t firstBucket, int buckets, base::UtcTime now)
            : firstEnd(static_cast<double>((firstBucket + 1) * base::kBucket.count()))
            , length(static_cast<double>(buckets * base::kBucket.count()))
            , latest(static_cast<double>(base::toUnix(now) + base::kBucket.count()))
        {
        }
        // -1 if outside the range, between two ends, in the future or NaN.
        int bucketEndingAt(double time) const
        {
            const double offset = time - firstEnd;
            if (!(offset >= 0 && offset < length && time <= latest))
                return -1;
            const int seconds = static_cast<int>(offset);
            return seconds == offset && seconds % kSeconds == 0 ? seconds / kSeconds : -1;
        }

        // The bucket of a sample that follows one at `last` in bucket `before`; -1 also if it does not follow.
        int bucketAfter(int before, double last, double time) const
        {
            if (before >= 0 && time == last + kSeconds && time < firstEnd + length && time <= latest)
                return before + 1; // the usual case
            return time > last ? bucketEndingAt(time) : -1;
        }

        static constexpr int kSeconds = static_cast<int>(base::kBucket.count());
        double firstEnd, length, latest;
    };

public:
    BucketVisitor(UsageAssembler &owner, const ExporterMapping &exporter, const MetricMapping &metric,
                  Aggregate aggregate)
        : m_grid(owner.m_first, owner.m_buckets, owner.m_now)
        , m_owner(owner)
        , m_exporter(exporter)
        , m_metric(metric)
        , m_aggregate(aggregate)
    {
    }

    void begin() override
    {
        m_seen.clear();
        m_refused.clear();
    }

    void refused(std::string_view reason) override { ++m_refused[reason]; }

    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        if (samples.empty())
            return;
        std::string_view reason;
        const std::uint32_t series = m_owner.find(m_exporter, m_metric.ordinal, labels, reason);
        if (series == kNotFound) {
            if (!reason.empty())
                ++m_refused[reason];
            return;
        }
        if (!m_seen.insert(series).second) {
            ++m_refused[kSameSeries];
            return;
        }
        RawSeries &target = m_owner.m_series[series];
        const CellWriter writer = m_owner.writer(m_metric, m_aggregate, target);
        target.cells.reserve(std::min(samples.size(), static_cast<std::size_t>(m_owner.m_buckets)));
        double last = -1;
        int bucket = -1;
        for (const format::Sample &sample : samples) {
            bucket = m_grid.bucketAfter(bucket, last, sample.time);
            if (bucket < 0) {
                ++m_refused[whyNot(sample.time, last)];
                continue;
            }
            last = sample.time;
            if (m_aggregate == Aggregate::Max)
                m_owner.noticePercent(m_metric, target, sample.value);
            const bool good = writer.write(target.cells.keep(static_cast<std::size_t>(bucket)), sample.value);
            if (!good && m_aggregate == Aggregate::Mean)
                m_owner.m_repairs.push_back({target.exporter, &m_metric, series, bucket});
        }
    }

    void end() override
    {
        for (const auto &[reason, count] : m_refused)
            m_owner.reject(reason, count);
    }

private:
    std::string_view whyNot(double time, double last) const
    {
        if (time <= last)
            return time == last ? kTwice : kDisorder;
        return time > m_grid.latest ? kFuture : kOutside;
    }

    const BucketGrid m_grid;
    UsageAssembler &m_owner;
    const ExporterMapping &m_exporter;
    const MetricMapping &m_metric;
    Aggregate m_aggregate;
    std::unordered_set<std::uint32_t> m_seen;
    std::map<std::string_view, std::uint64_t> m_refused;
};

class UsageAssembler::RawVisitor : public format::SeriesVisitor {
public:
    RawVisitor(UsageAssembler &owner, const ExporterMapping &exporter, const MetricMapping &metric)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_metric(metric)
    {
        for (const Repair &repair : owner.m_repairs) {
            if (repair.metric == &metric)
                m_wanted.insert({repair.series, repair.bucket});
        }
    }

    void begin() override { m_sums.clear(); }
    void refused(std::string_view) override { }

    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        std::string_view reason;
        const std::uint32_t series = m_owner.find(m_exporter, m_metric.ordinal, labels, reason);
        if (series == kNotFound)
            return;
        const CellWriter writer = m_owner.writer(m_metric, Aggregate::Mean, m_owner.m_series[series]);
        for (const format::Sample &sample : samples) {
            const double number = std::floor(sample.time / 300);
            const double bucket = number - static_cast<double>(m_owner.m_first);
            if (!(bucket >= 0) || bucket >= m_owner.m_buckets || !m_wanted.contains({series, static_cast<int>(bucket)}))
                continue;
            if (!writer.plausible(sample.value)) {
                ++m_bad;
                continue;
            }
            Sum &sum = m_sums[{series, static_cast<int>(bucket)}];
            ++sum.count;
            sum.total += sample.value;
            sum.max = std::max(sum.max, sample.value);
        }
    }

    void end() override
    {
        for (const auto &[where, sum] : m_sums) {
            RawSeries &series = m_owner.m_series[where.first];
            UsageCell &cell = series.cells.keep(static_cast<std::size_t>(where.second));
            const auto write = [&](Aggregate aggregate, double value) {
                return m_owner.writer(m_metric, aggregate, series).write(cell, value);
            };
            if (!write(Aggregate::Mean, sum.total / sum.count))
                m_owner.m_repairs.push_back({series.exporter, &m_metric, where.first, where.second});
            m_owner.noticePercent(m_metric, series, sum.max);
            write(Aggregate::Max, sum.max);
            write(Aggregate::Count, sum.count);
        }
        if (m_bad)
            m_owner.reject("a sample is not a measurement (NaN, infinite or blank)", m_bad);
    }

private:
    struct Sum {
        int count = 0;
        double total = 0;
        double max = 0;
    };
    UsageAssembler &m_owner;
    const ExporterMapping &m_exporter;
    const MetricMapping &m_metric;
    std::set<std::pair<std::uint32_t, int>> m_wanted;
    std::map<std::pair<std::uint32_t, int>, Sum> m_sums;
    std::uint64_t m_bad = 0;
};

class UsageAssembler::CallbackVisitor : public format::SeriesVisitor {
public:
    using Take = std::function<void(const SeriesIdentity &, const std::string &key, double)>;
    CallbackVisitor(UsageAssembler &owner, const ExporterMapping &exporter, Take take)
        : m_owner(owner)
        , m_exporter(exporter)
        , m_take(std::move(take))
    {
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        std::string_view reason;
        if (const auto identity = identify(m_exporter, m_owner.m_clusters, labels, reason);
            identity && !samples.empty())
            m_take(*identity, seriesKey(labels), samples.back().value);
    }

private:
    UsageAssembler &m_owner;
    const ExporterMapping &m_exporter;
    Take m_take;
};

format::SeriesVisitor &UsageAssembler::visitor(const ExporterMapping &exporter, const MetricMapping &metric,
                                               Aggregate aggregate)
{
    m_visitors.push_back(std::make_unique<BucketVisitor>(*this, exporter, metric, aggregate));
    return *m_visitors.back();
}

format::SeriesVisitor &UsageAssembler::rawVisitor(const ExporterMapping &exporter, const MetricMapping &metric)
{
    m_visitors.push_back(std::make_unique<RawVisitor>(*this, exporter, metric));
    return *m_visitors.back();
}

format::SeriesVisitor &UsageAssembler::infoVisitor(const ExporterMapping &exporter)
{
    m_visitors.push_back(std::make_unique<CallbackVisitor>(
        *this, exporter, [this](const SeriesIdentity &identity, const std::string &, double) {
            m_info[identity.uuid] = {identity.modelName, identity.index};
        }));
    return *m_visitors.back();
}

class UsageAssembler::TargetVisitor : public format::SeriesVisitor {
public:
    explicit TargetVisitor(UsageAssembler &owner)
        : m_owner(owner)
    {
    }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample>) override
    {
        if (const std::string_view pod = labelValue(labels, "pod"); !pod.empty())
            m_owner.m_targets.insert(
                {m_owner.m_clusters.of(labels), std::string(labelValue(labels, "namespace")), std::string(pod)});
    }

private:
    UsageAssembler &m_owner;
};

format::SeriesVisitor &UsageAssembler::targetVisitor()
{
    m_visitors.push_back(std::make_unique<TargetVisitor>(*this));
    return *m_visitors.back();
}

format::SeriesVisitor &UsageAssembler::memoryVisitor(const ExporterMapping &exporter, const MetricMapping &metric)
{
    m_visitors.push_back(std::make_unique<CallbackVisitor>(
        *this, exporter, [this, &metric](const SeriesIdentity &identity, const std::string &key, double value) {
            const double mib = value * metric.factor;
            if (!(mib > 0) || mib > kMaxMemoryMib)
                return;
            Memory &memory = m_memory[identity.uuid][identity.gpuInstance][key];
            double &field = metric.quantity == Quantity::MemoryUsed ? memory.used
                : metric.quantity == Quantity::MemoryFree           ? memory.free
                : metric.quantity == Quantity::MemoryReserved       ? memory.reserved
                                                                    : memory.total;
            field = std::max(field, mib);
        }));
    return *m_visitors.back();
}

} // namespace gpuledger::prometheus

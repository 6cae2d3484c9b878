// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usageassembler.h"

#include "connectors/prometheus/usagemerger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

namespace gpuledger::prometheus {

namespace {

constexpr double kMaxShare = 1.5; // a mean above it holds a value that is no share
constexpr double kMaxSmActive = 2.0; // profiling counters reach 1.29: clamped
constexpr double kMaxMemoryMib = 10.0 * 1024 * 1024;
constexpr double kMaxWatts = 6500;
constexpr double kMaxPercent = 1000;

constexpr std::string_view kOutside = "a sample lies outside of the time asked for";
constexpr std::string_view kFuture = "a sample lies in the future";
constexpr std::string_view kTwice = "a second value for the same time";
constexpr std::string_view kDisorder = "samples out of order";
constexpr std::string_view kSameSeries = "the same series twice in one answer";

} // namespace

// Counts what it refuses per answer, so that an answer that is read again counts once.
class UsageAssembler::BucketVisitor : public format::SeriesVisitor {
public:
    BucketVisitor(UsageAssembler &owner, const ExporterMapping &exporter, const MetricMapping &metric,
                  Aggregate aggregate)
        : m_owner(owner)
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
        double last = -1;
        for (const format::Sample &sample : samples)
            take(series, sample, last);
    }

    void end() override
    {
        for (const auto &[reason, count] : m_refused)
            m_owner.reject(reason, count);
    }

    static constexpr std::uint32_t kNotFound = 0xFFFFFFFF;

private:
    void take(std::uint32_t series, const format::Sample &sample, double &last)
    {
        if (sample.time == last) {
            ++m_refused[kTwice];
            return;
        }
        if (sample.time < last) {
            ++m_refused[kDisorder];
            return;
        }
        const int bucket = m_owner.bucketOf(sample.time);
        if (bucket < 0) {
            ++m_refused[sample.time > static_cast<double>(base::toUnix(m_owner.m_now)) + 300 ? kFuture : kOutside];
            return;
        }
        last = sample.time;
        m_owner.put(m_metric, m_aggregate, series, bucket, sample.value);
    }

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
        if (series == BucketVisitor::kNotFound)
            return;
        for (const format::Sample &sample : samples) {
            const double number = std::floor(sample.time / 300);
            const double bucket = number - static_cast<double>(m_owner.m_first);
            if (!(bucket >= 0) || bucket >= m_owner.m_buckets || !m_wanted.contains({series, static_cast<int>(bucket)}))
                continue;
            const double value = m_owner.scaled(m_metric, m_owner.m_series[series], sample.value);
            if (!m_owner.plausible(m_metric, value)) {
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
            m_owner.put(m_metric, Aggregate::Mean, where.first, where.second, sum.total / sum.count);
            m_owner.put(m_metric, Aggregate::Max, where.first, where.second, sum.max);
            m_owner.put(m_metric, Aggregate::Count, where.first, where.second, sum.count);
        }
        if (m_bad)
            m_owner.reject("a sample is no measurement (NaN, infinite or blank)", m_bad);
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

UsageAssembler::UsageAssembler(base::TimeRange range, base::UtcTime now, ClusterNaming clusters)
    : m_first(base::toUnix(range.start) / base::kBucket.count())
    , m_buckets(static_cast<int>(range.length() / base::kBucket))
    , m_now(now)
    , m_clusters(std::move(clusters))
{
}

UsageAssembler::~UsageAssembler() = default;

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

std::uint32_t UsageAssembler::find(const ExporterMapping &exporter, int ordinal, std::span<const format::Label> labels,
                                   std::string_view &reason)
{
    std::string key = exporter.name + '\1' + static_cast<char>('0' + ordinal) + seriesKey(labels);
    if (const auto known = m_index.find(key); known != m_index.end())
        return known->second;
    if (m_series.size() >= kMaxSeries) {
        reason = "more than 2,000,000 series";
        return BucketVisitor::kNotFound;
    }
    std::optional<SeriesIdentity> identity = identify(exporter, m_clusters, labels, reason);
    if (!identity)
        return BucketVisitor::kNotFound;
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

namespace {

std::uint16_t mostSamples(const UsageCell &cell)
{
    return *std::max_element(cell.samples.begin(), cell.samples.end());
}

// Remembers the fullest bucket of a series as the place to measure at.
void offer(IntervalProbe &probe, const RawSeries &series, std::int64_t firstBucket)
{
    for (std::size_t b = 0; b < series.cells.size(); ++b) {
        const auto &samples = series.cells[b].samples;
        for (std::size_t s = 0; s < kSignals; ++s) {
            if (samples[s] <= probe.samples)
                continue;
            probe.samples = samples[s];
            probe.bucketNumber = firstBucket + static_cast<std::int64_t>(b);
            probe.uuidLabel = series.identity.uuidLabel;
            probe.uuidText = series.identity.uuidText;
            probe.instance = series.identity.instance;
            for (const MetricMapping &metric : series.exporter->metrics) {
                if (static_cast<std::size_t>(metric.quantity) == s && metric.ordinal == series.ordinal)
                    probe.metric = metric.name;
            }
        }
    }
}

} // namespace

std::vector<IntervalProbe> UsageAssembler::intervalProbes() const
{
    constexpr double kClearlyFewer = 0.8;
    std::map<std::string, IntervalProbe> jobs, devices;
    std::map<std::string, std::vector<unsigned>> sums; // a device's samples under all its holders
    for (const RawSeries &series : m_series) {
        const std::string device = deviceKey(series.identity);
        IntervalProbe &one = devices[device];
        one.job = jobs[series.identity.job].job = series.identity.job;
        one.device = device;
        offer(jobs[series.identity.job], series, m_first);
        offer(one, series, m_first);
        std::vector<unsigned> &sum = sums[device];
        sum.resize(series.cells.size());
        for (std::size_t b = 0; b < sum.size(); ++b)
            sum[b] += mostSamples(series.cells[b]);
    }
    std::vector<IntervalProbe> out;
    for (const auto &[job, probe] : jobs) {
        if (probe.samples > 0)
            out.push_back(probe);
    }
    std::size_t own = 0;
    for (const auto &[device, probe] : devices) {
        const std::vector<unsigned> &sum = sums[device];
        const unsigned most = *std::max_element(sum.begin(), sum.end());
        if (most > 0 && most < kClearlyFewer * jobs[probe.job].samples && own++ < kMaxDeviceProbes)
            out.push_back(probe);
    }
    return out;
}

void UsageAssembler::setInterval(const IntervalProbe &probe, base::Seconds interval)
{
    if (probe.device.empty())
        m_intervals[probe.job] = interval;
    else
        m_deviceIntervals[probe.device] = interval;
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

std::uint16_t UsageAssembler::fullCount(const std::string &job) const
{
    std::uint16_t most = 1;
    for (const RawSeries &series : m_series) {
        if (series.identity.job != job)
            continue;
        for (const UsageCell &cell : series.cells)
            most = std::max(most, mostSamples(cell));
    }
    return most;
}

void UsageAssembler::finish(const KubeFacts &facts, ports::FactBatch &batch)
{
    UsageMerger(*this, facts, batch).run();
    for (const auto &[reason, count] : m_rejected)
        batch.rejected.push_back({reason, count});
}

} // namespace gpuledger::prometheus

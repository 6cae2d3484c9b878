// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/signalassembler.h"

#include "connectors/prometheus/query/promql.h"
#include "connectors/prometheus/usage/batchpods.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

using base::Seconds;
using model::HourSignal;
using ports::FactBatch;

constexpr Seconds kSignalHour{3600};
constexpr std::int64_t kBucketsPerHour = 12;
constexpr std::size_t kHostsPerQuery = 100;
constexpr double kMostShare = 1.5; // more is no share
constexpr char kHostCpu[] = "node_cpu_seconds_total";
constexpr char kHostStorage[] = "node_pressure_io_waiting_seconds_total";
constexpr char kHostName[] = "node_uname_info";

// How often a counter was increased. One that is new in the window counts as increased once: increase() does not see
// its first value.
std::string servedIn(const std::string &metric, Seconds window)
{
    return "((" + promql::overTime("max_over_time", metric, "", window) + " > bool 0) unless max_over_time(" + metric
        + "[600s] offset " + promql::number(window.count() + 1) + "s)) or "
        + promql::overTime("increase", metric, "", window);
}

// Counts requests, not tokens or batches.
bool countsRequests(const RequestMetric &metric)
{
    return !metric.isGauge && metric.name.find("request") != std::string::npos;
}

std::string_view shortName(std::string_view host)
{
    return host.substr(0, host.find('.'));
}

std::string hostKey(std::string_view cluster, std::string_view name)
{
    return std::string(cluster) + '\n' + std::string(name);
}

} // namespace

// Keeps the values of one answer, by what they are about.
class SignalAssembler::HourVisitor final : public format::SeriesVisitor {
public:
    struct Row {
        Place place;
        double value = 0;
        std::uint32_t target = 0; // 0 where nothing adds up
    };

    HourVisitor(SignalAssembler &owner, HourSignal of, Reading as, Seconds length, Resolve resolve, int metrics)
        : signal(of)
        , reading(as)
        , window(length)
        , set(metrics)
        , m_owner(owner)
        , m_resolve(std::move(resolve))
    {
    }
    void begin() override { rows.clear(); }
    void refused(std::string_view) override { }
    void series(Labels labels, std::span<const format::Sample> samples) override
    {
        const auto of = m_resolve(labels);
        const std::uint32_t target = of && reading == Reading::Bytes ? m_owner.targetOf(labels) : 0;
        for (const format::Sample &sample : of ? samples : std::span<const format::Sample>()) {
            constexpr double kLatest = 1e11;
            if (!(sample.time >= 1 && sample.time < kLatest && isMeasurement(sample.value)))
                continue;
            const Place place{*of, (static_cast<std::int64_t>(sample.time) - 1) / kSignalHour.count()};
            if (m_owner.isWanted(signal, place)) // most hours are not
                rows.push_back({place, sample.value, target});
        }
    }

    const HourSignal signal;
    const Reading reading;
    const Seconds window;
    const int set;
    std::vector<Row> rows;

private:
    bool isMeasurement(double value) const
    {
        const bool share = reading == Reading::Share || reading == Reading::IdleCpu || reading == Reading::IoWait;
        return value >= 0 && value <= (share ? kMostShare : static_cast<double>(model::kMostSignal)); // false for NaN
    }

    SignalAssembler &m_owner;
    Resolve m_resolve;
};

// Collects which `instance` of the host exporter is which node.
class SignalAssembler::HostVisitor final : public format::SeriesVisitor {
public:
    explicit HostVisitor(const SignalAssembler &owner)
        : m_owner(owner)
    {
    }
    void begin() override { hosts.clear(); }
    void refused(std::string_view) override { }
    void series(Labels labels, std::span<const format::Sample> samples) override
    {
        const std::string cluster = m_owner.m_known.clusters.of(labels);
        const std::string_view instance = labelValue(labels, "instance");
        if (samples.empty() || instance.empty())
            return;
        for (const char *label : {"nodename", "node", "kubernetes_node"}) {
            if (const auto node = m_owner.nodeNamed(cluster, labelValue(labels, label))) {
                hosts[{cluster, std::string(instance)}] = *node;
                return;
            }
        }
    }

    std::map<std::pair<std::string, std::string>, std::uint32_t> hosts;

private:
    const SignalAssembler &m_owner;
};

SignalAssembler::SignalAssembler(const Known &known, const FactBatch &batch)
    : m_known(known)
    , m_batch(batch)
{
    findQuietHours();
}

SignalAssembler::~SignalAssembler() = default;

void SignalAssembler::findQuietHours()
{
    struct Mean {
        double sum = 0;
        int count = 0;
    };
    std::map<Place, Mean> means;
    const auto visit = [&](const auto &each) {
        for (const FactBatch::Series &series : m_batch.series) {
            for (std::size_t i = 0; i < series.buckets.size(); ++i)
                each(series, series.bucketNumbers[i] / kBucketsPerHour, series.buckets[i]);
        }
    };
    visit([&](const FactBatch::Series &series, std::int64_t hour, const model::UsageBucket &bucket) {
        if (bucket.activity == model::kNoShare)
            return;
        Mean &mean = means[{series.device, hour}];
        mean.sum += model::shareToDouble(bucket.activity);
        ++mean.count;
    });
    for (const auto &[place, mean] : means) {
        if (mean.sum <= kNearlyIdle * mean.count)
            m_devices.insert(place);
    }
    visit([&](const FactBatch::Series &series, std::int64_t hour, const model::UsageBucket &) {
        if (!m_devices.contains({series.device, hour}))
            return;
        if (series.node != FactBatch::kNone)
            m_nodes.insert({series.node, hour});
        if (series.subject != FactBatch::kNone)
            m_subjects.insert({series.subject, hour});
    });
}

// Asks for each whole hour, and for what there is of the last one.
void SignalAssembler::addHourly(std::vector<Query> &out, HourSignal signal, Reading reading,
                                const Expression &expression, const Resolve &resolve, int set)
{
    const auto visitor = [&](Seconds window) {
        return m_visitors.emplace_back(std::make_unique<HourVisitor>(*this, signal, reading, window, resolve, set))
            .get();
    };
    const base::TimeRange range = m_batch.covered;
    const base::UtcTime last = base::floorTo(range.end, kSignalHour);
    const base::UtcTime first = base::floorTo(range.start, kSignalHour) + kSignalHour;
    if (first <= last)
        out.push_back({rangeQuery(expression(kSignalHour), first, last, kSignalHour), visitor(kSignalHour)});
    if (const Seconds rest = range.end - last; rest.count() > 0)
        out.push_back({instantQuery(expression(rest), range.end), visitor(rest)});
}

// Those that scrape one exporter twice, or two exporters of one machine, differ in one of these.
std::uint32_t SignalAssembler::targetOf(Labels labels)
{
    std::string key;
    for (const char *label : {"job", "instance", "prometheus", "prometheus_replica", "replica", "__replica__"})
        key.append(labelValue(labels, label)).append(1, '\n');
    return m_targets.try_emplace(std::move(key), static_cast<std::uint32_t>(m_targets.size() + 1)).first->second;
}

SignalAssembler::Resolve SignalAssembler::deviceBy(const ExporterMapping &exporter) const
{
    auto devices = std::make_shared<std::map<std::string, std::uint32_t>>();
    for (std::uint32_t i = 0; i < m_batch.devices.size(); ++i)
        devices->emplace(hostKey(m_batch.devices[i].cluster, m_batch.devices[i].uuid), i);
    return [this, &exporter, devices](Labels labels) -> std::optional<std::uint32_t> {
        std::string_view reason;
        const auto identity = identify(exporter, m_known.clusters, labels, reason);
        const auto found = identity ? devices->find(hostKey(identity->cluster, identity->uuid)) : devices->end();
        return found == devices->end() ? std::nullopt : std::optional(found->second);
    };
}

SignalAssembler::Resolve SignalAssembler::podBy() const
{
    const auto pods = std::make_shared<const BatchPods>(m_known.clusters, m_batch);
    return [pods](Labels labels) { return pods->of(labels); };
}

// By its name, or by the part before the first dot if that is one node's only.
std::optional<std::uint32_t> SignalAssembler::nodeNamed(const std::string &cluster, std::string_view name) const
{
    std::optional<std::uint32_t> alike;
    for (std::uint32_t i = 0; i < m_batch.nodes.size() && !name.empty(); ++i) {
        const model::Node &node = m_batch.nodes[i];
        if (node.cluster != cluster)
            continue;
        if (node.name == name)
            return i;
        const bool isShort = name.find('.') == std::string_view::npos || node.name.find('.') == std::string::npos;
        if (!isShort || shortName(node.name) != shortName(name))
            continue;
        if (alike)
            return std::nullopt;
        alike = i;
    }
    return alike;
}

std::vector<Query> SignalAssembler::firstQueries()
{
    std::vector<Query> out;
    if (m_devices.empty())
        return out;
    for (const ExporterMapping &exporter : m_known.exporters) {
        for (const SignalMetric &metric : exporter.signals) {
            addHourly(
                out, metric.signal, model::isShare(metric.signal) ? Reading::Share : Reading::Bytes,
                [&metric](Seconds window) {
                    const std::string mean = promql::overTime("avg_over_time", metric.name, "", window);
                    return metric.factor == 1 ? mean : mean + " * " + promql::decimal(metric.factor);
                },
                deviceBy(exporter), metric.set);
        }
    }
    for (const RequestMetric &metric : m_known.requests) {
        if (!m_known.names.contains(metric.name) || m_subjects.empty())
            continue;
        addHourly(
            out, HourSignal::Requests, countsRequests(metric) ? Reading::Count : Reading::Sign,
            [&metric](Seconds window) {
                return metric.isGauge ? promql::overTime("max_over_time", metric.name, "", window)
                                      : servedIn(metric.name, window);
            },
            podBy());
    }
    if (m_known.names.contains(kHostName) && !m_nodes.empty()) {
        m_hostVisitor = std::make_unique<HostVisitor>(*this);
        out.push_back({instantQuery(promql::overTime("count_over_time", kHostName, "", m_batch.covered.length()),
                                    m_batch.covered.end),
                       m_hostVisitor.get()});
    }
    return out;
}

std::vector<Query> SignalAssembler::hostQueries()
{
    std::vector<Query> out;
    if (!m_hostVisitor)
        return out;
    std::set<std::uint32_t> quiet;
    for (const Place &place : m_nodes)
        quiet.insert(place.first);
    std::set<std::string> instances;
    m_hosts = m_hostVisitor->hosts;
    for (const auto &[key, node] : m_hosts) {
        if (quiet.contains(node))
            instances.insert(key.second);
    }
    std::vector<std::string> group;
    for (const std::string &instance : instances) {
        group.push_back(instance);
        if (group.size() < kHostsPerQuery && instance != *instances.rbegin())
            continue;
        addHost(out, "instance=~" + promql::anyOf(group));
        group.clear();
    }
    return out;
}

void SignalAssembler::addHost(std::vector<Query> &out, const std::string &matchers)
{
    const Resolve resolve = [this](Labels labels) -> std::optional<std::uint32_t> {
        const auto found = m_hosts.find({m_known.clusters.of(labels), std::string(labelValue(labels, "instance"))});
        return found == m_hosts.end() ? std::nullopt : std::optional(found->second);
    };
    const auto cpu = [&](const char *mode) {
        return [matchers, mode](Seconds window) {
            const std::string of = matchers + ",mode=" + promql::quoted(mode);
            return "avg without (cpu, mode) (" + promql::overTime("rate", kHostCpu, of, window) + ')';
        };
    };
    if (m_known.names.contains(kHostCpu)) {
        addHourly(out, HourSignal::HostCpu, Reading::IdleCpu, cpu("idle"), resolve);
        addHourly(out, HourSignal::HostIoWait, Reading::IoWait, cpu("iowait"), resolve);
    }
    if (m_known.names.contains(kHostStorage))
        addHourly(
            out, HourSignal::StorageWait, Reading::Share,
            [matchers](Seconds window) { return promql::overTime("rate", kHostStorage, matchers, window); }, resolve);
}

bool SignalAssembler::isWanted(HourSignal signal, const Place &place) const
{
    switch (model::subjectOf(signal)) {
    case model::SignalOf::Device:
        return m_devices.contains(place);
    case model::SignalOf::Node:
        return m_nodes.contains(place);
    case model::SignalOf::Subject:
        break;
    }
    return m_subjects.contains(place);
}

// Of the series of one metric and target about one thing, the highest counts: a server's models and outcomes.
std::map<SignalAssembler::Recorder, SignalAssembler::Values>
SignalAssembler::highestOf(const HourVisitor &visitor) const
{
    std::map<Recorder, Values> highest;
    for (const HourVisitor::Row &row : visitor.rows) {
        const double sign = row.value > 0 ? 1 : 0;
        Value &value = highest[{visitor.set, row.target}][row.place];
        value.seconds = static_cast<std::int32_t>(visitor.window.count());
        value.value = std::max(value.value, visitor.reading == Reading::Sign ? sign : row.value);
    }
    return highest;
}

// Bytes received and sent are metrics of their own and add up, if one exporter tells both. Of all recorders of one
// thing the highest counts. `HostCpu` holds the idle share here.
std::map<HourSignal, SignalAssembler::Values> SignalAssembler::combined() const
{
    std::map<HourSignal, Values> out;
    std::map<HourSignal, std::map<Recorder, Values>> directions;
    const auto take = [&](HourSignal signal, const Values &values) {
        Values &all = out[signal];
        for (const auto &[place, value] : values) {
            Value &most = all[place];
            most.seconds = value.seconds;
            most.value = std::max(most.value, value.value);
        }
    };
    for (const auto &visitor : m_visitors) {
        for (const auto &[recorder, values] : highestOf(*visitor)) {
            if (visitor->reading != Reading::Bytes) {
                take(visitor->signal, values);
                continue;
            }
            Values &sums = directions[visitor->signal][recorder];
            for (const auto &[place, value] : values) {
                sums[place].seconds = value.seconds;
                sums[place].value += value.value;
            }
        }
    }
    for (const auto &[signal, recorders] : directions) {
        for (const auto &[recorder, sums] : recorders)
            take(signal, sums);
    }
    return out;
}

void SignalAssembler::finish(FactBatch &batch) const
{
    auto all = combined();
    Values &idle = all[HourSignal::HostCpu];
    const Values &waits = all[HourSignal::HostIoWait];
    for (auto it = idle.begin(); it != idle.end();) {
        const auto wait = waits.find(it->first);
        if (wait == waits.end()) {
            it = idle.erase(it); // neither is known without the other
            continue;
        }
        it->second.value = std::clamp(1 - it->second.value - wait->second.value, 0.0, 1.0);
        ++it;
    }
    for (const auto &[signal, values] : all) {
        for (const auto &[place, value] : values) {
            const double scaled = model::isShare(signal) ? std::min(value.value, 1.0) * model::kSignalShareScale
                : signal == HourSignal::Requests         ? (value.value > 0 ? std::max(1.0, value.value) : 0)
                                                         : value.value;
            const auto most = static_cast<double>(model::kMostSignal);
            batch.signals.push_back(
                {signal, place.first, {place.second, value.seconds, std::llround(std::min(scaled, most))}});
        }
    }
}

} // namespace gpuledger::prometheus

// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/usage/writeassembler.h"

#include "connectors/prometheus/query/promql.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

namespace {

constexpr base::Seconds kWriteHour{3600};
constexpr std::int64_t kWriteBucketsPerHour = kWriteHour.count() / base::kBucket.count();
constexpr base::Seconds kWriteWindow{420};
constexpr std::size_t kPodsPerQuery = 100;
constexpr char kWritten[] = "container_fs_writes_bytes_total";

// How often in `window` each series began to rise by kMuchWritten. It is looked at every five minutes, over a little
// more: a rise between two scrapes is seen only by a window that has both. Prometheus 2 alone includes the left edge of
// a subquery, whose length is therefore a second less.
std::string burstsIn(const std::string &matchers, base::Seconds window)
{
    const std::string step = promql::number(base::kBucket.count());
    const std::string written = std::string("increase(") + kWritten + '{' + matchers + "}["
        + promql::number(kWriteWindow.count()) + "s] offset ";
    const std::string much = promql::number(model::kMuchWritten);
    const std::string before = promql::number(base::kBucket.count() * 1000 + 1);
    return "sum_over_time(((" + written + "1ms) > bool " + much + ") * (" + written + before + "ms) <= bool " + much
        + "))[" + promql::number(window.count() - 1) + "s:" + step + "s])";
}

} // namespace

// Of the containers and disks of a pod, that with the most bursts counts.
class WriteAssembler::HourVisitor final : public format::SeriesVisitor {
public:
    HourVisitor(const WriteAssembler &owner, base::Seconds window)
        : m_owner(owner)
        , m_window(window)
    {
    }
    void begin() override { bursts.clear(); }
    void refused(std::string_view) override { }
    void series(std::span<const format::Label> labels, std::span<const format::Sample> samples) override
    {
        const auto pod = m_owner.m_pods.of(labels);
        for (const format::Sample &sample : pod ? samples : std::span<const format::Sample>()) {
            constexpr double kLatest = 1e11, kMost = 12;
            const bool isCount = sample.value >= 0 && sample.value <= kMost; // false for NaN
            if (!isCount || !(sample.time >= 1 && sample.time < kLatest))
                continue;
            const Place place{*pod, (static_cast<std::int64_t>(sample.time) - 1) / kWriteHour.count()};
            if (!m_owner.m_working.contains(place))
                continue;
            Bursts &most = bursts[place];
            most.seconds = static_cast<std::int32_t>(m_window.count());
            most.count = std::max(most.count, sample.value);
        }
    }

    std::map<Place, Bursts> bursts;

private:
    const WriteAssembler &m_owner;
    const base::Seconds m_window;
};

WriteAssembler::WriteAssembler(const ClusterNaming &clusters, const std::set<std::string> &names,
                               const ports::FactBatch &batch)
    : m_batch(batch)
    , m_isRecorded(names.contains(kWritten))
    , m_pods(clusters, batch)
{
    if (m_isRecorded)
        findWorkingHours();
}

WriteAssembler::~WriteAssembler() = default;

void WriteAssembler::findWorkingHours()
{
    for (const ports::FactBatch::Series &series : m_batch.series) {
        if (series.subject == ports::FactBatch::kNone
            || m_batch.subjects[series.subject].kind != model::SubjectKind::Pod)
            continue;
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            const auto activity = series.buckets[i].activity;
            if (activity != model::kNoShare && model::shareToDouble(activity) > kWorks)
                m_working.insert({series.subject, series.bucketNumbers[i] / kWriteBucketsPerHour});
        }
    }
}

// Asks for each whole hour, and for what there is of the last one.
void WriteAssembler::addHourly(std::vector<Query> &out, const std::string &matchers)
{
    const auto visitor = [this](base::Seconds window) {
        return m_visitors.emplace_back(std::make_unique<HourVisitor>(*this, window)).get();
    };
    const base::TimeRange range = m_batch.covered;
    const base::UtcTime last = base::floorTo(range.end, kWriteHour);
    const base::UtcTime first = base::floorTo(range.start, kWriteHour) + kWriteHour;
    if (first <= last)
        out.push_back({rangeQuery(burstsIn(matchers, kWriteHour), first, last, kWriteHour), visitor(kWriteHour)});
    if (const base::Seconds rest = range.end - last; rest.count() > 0)
        out.push_back({instantQuery(burstsIn(matchers, rest), range.end), visitor(rest)});
}

std::vector<Query> WriteAssembler::queries()
{
    std::set<std::string> names;
    for (const Place &place : m_working)
        names.insert(m_batch.subjects[place.first].name);
    std::vector<Query> out;
    std::vector<std::string> group;
    for (const std::string &name : names) {
        group.push_back(name);
        if (group.size() < kPodsPerQuery && name != *names.rbegin())
            continue;
        // Without the series of the whole pod, whose container has no name.
        addHourly(out, "container!=\"\",pod=~" + promql::anyOf(group));
        group.clear();
    }
    return out;
}

void WriteAssembler::finish(ports::FactBatch &batch) const
{
    for (const auto &visitor : m_visitors) {
        for (const auto &[place, bursts] : visitor->bursts)
            batch.signals.push_back({model::HourSignal::WriteBursts,
                                     place.first,
                                     {place.second, bursts.seconds, std::llround(bursts.count)}});
    }
}

} // namespace gpuledger::prometheus

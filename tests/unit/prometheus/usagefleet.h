// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/usage/usageassembler.h"
#include "tests/unit/prometheus/testtools.h"

#include <QtGlobal>

// Series passed to a UsageAssembler one by one, as a server would return them.
namespace gpuledger::tests {

using namespace gpuledger::prometheus;

inline constexpr std::int64_t kBegin = 1700000100;

// Knows the given pods and nodes.
class Facts final : public KubeFacts {
public:
    PodVerdict verdict(const PodName &pod) const override
    {
        const auto it = pods.find(pod.name);
        return it == pods.end() ? PodVerdict::Unknown : it->second;
    }
    bool knowsRequests(const std::string &) const override { return requests; }
    bool isNode(const std::string &, const std::string &name) const override { return nodes.contains(name); }
    std::string nodeAt(const std::string &, const std::string &address) const override
    {
        return address == "10.0.0.7" ? "n7" : "";
    }
    std::string nodeOfPod(const PodName &) const override { return {}; }

    std::map<std::string, PodVerdict> pods;
    std::set<std::string> nodes;
    bool requests = false;
};

using Values = std::vector<double>; // one per bucket; NaN: no sample

class Fleet {
public:
    explicit Fleet(int buckets, std::int64_t now = kBegin + 1'000'000)
        : m_buckets(buckets)
        , assembler({base::fromUnix(kBegin), base::fromUnix(kBegin + buckets * 300)}, base::fromUnix(now),
                    {"", "cluster", "prod"})
    {
        Mappings all = *loadMappings({});
        std::set<std::string> names;
        for (const auto &e : all.exporters) {
            for (const auto &m : e.metrics)
                names.insert(m.name);
        }
        exporters = presentExporters(all, names);
        assembler.setPercentTargets(&percentTargets);
    }

    void give(const std::string &metric, Aggregate aggregate, std::span<const format::Label> labels,
              const Values &values)
    {
        std::vector<format::Sample> samples;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!(values[i] <= -1000))
                samples.push_back({static_cast<double>(kBegin + 300 * (static_cast<std::int64_t>(i) + 1)), values[i]});
        }
        samplesOf(metric, aggregate, labels, samples);
    }
    void samplesOf(const std::string &metric, Aggregate aggregate, std::span<const format::Label> labels,
                   const std::vector<format::Sample> &samples)
    {
        format::SeriesVisitor &visitor = visitorOf(metric, aggregate);
        visitor.begin();
        visitor.series(labels, samples);
        visitor.end();
    }
    format::SeriesVisitor &visitorOf(const std::string &metric, Aggregate aggregate)
    {
        const auto [e, m] = find(metric);
        return assembler.visitor(*e, *m, aggregate);
    }
    std::pair<const ExporterMapping *, const MetricMapping *> find(const std::string &metric)
    {
        for (const auto &e : exporters) {
            for (const auto &m : e.metrics) {
                if (m.name == metric)
                    return {&e, &m};
            }
        }
        qFatal("no metric %s", metric.c_str());
    }
    // Mean of a signal with its samples.
    void signal(const std::string &metric, std::span<const format::Label> labels, const Values &means,
                const Values &counts)
    {
        give(metric, Aggregate::Mean, labels, means);
        give(metric, Aggregate::Count, labels, counts);
    }
    ports::FactBatch finish()
    {
        ports::FactBatch batch;
        assembler.finish(facts, batch);
        return batch;
    }

private:
    int m_buckets;

public:
    std::vector<ExporterMapping> exporters;
    std::set<std::string> percentTargets;
    Facts facts;
    UsageAssembler assembler;
};

} // namespace gpuledger::tests

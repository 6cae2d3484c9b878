// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/tracefleet.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gpuledger::tests {

namespace fs = std::filesystem;

fs::path sourceFolder()
{
    const char *source = std::getenv("GPULEDGER_SOURCE_DIR");
    return source ? fs::path(source) : fs::path(".");
}

fs::path traceFolder()
{
    const char *shared = std::getenv("GPULEDGER_SHARED");
    return (shared ? fs::path(shared) : sourceFolder() / ".." / "shared") / "data" / "fleet";
}

int numberFrom(const char *variable, int usual)
{
    const char *text = std::getenv(variable);
    return text ? std::atoi(text) : usual;
}

TraceFleet::TraceFleet(const fs::path &file, std::int64_t begin, std::int64_t end)
    : m_fleet(static_cast<int>((end - begin) / 86400), base::toRfc3339(base::fromUnix(begin)))
    , m_begin(begin)
{
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        char kind = 0;
        words >> kind;
        if (kind == 'N')
            addNode(words);
        else if (kind == 'D')
            addDevice(words);
        else if (kind == 'P')
            addPod(words);
        else if (kind == 'S')
            addSlot(words);
    }
    for (auto &[key, series] : m_series)
        m_fleet.batch.series.push_back(std::move(series));
    m_series.clear();
}

void TraceFleet::addNode(std::istream &words)
{
    std::string name;
    words >> name;
    m_nodes[name] = m_fleet.node(name);
}

void TraceFleet::addDevice(std::istream &words)
{
    std::string node;
    int gpu = 0;
    words >> node >> gpu;
    m_devices[{node, gpu}] = m_fleet.device("GPU-" + node + '-' + std::to_string(gpu), gpu);
}

void TraceFleet::addPod(std::istream &words)
{
    std::string name, node, team, kind;
    std::int64_t start = 0, end = 0;
    words >> name >> node >> team >> kind >> start >> end;
    const auto pod = m_fleet.pod(name, "uid-" + name, node);
    auto &facts = m_fleet.batch.holders[pod];
    facts.labels = {{"team", team}, {"workload_kind", kind}};
    m_fleet.runs(pod, std::max(start, m_begin) - m_begin, end - m_begin);
    facts.startedAt = base::fromUnix(start);
    m_subjects[name] = m_fleet.label(name, "uid-" + name);
}

void TraceFleet::addSlot(std::istream &words)
{
    std::string pod, node;
    int gpu = 0;
    std::int64_t slot = 0;
    double seconds = 0, percent = 0;
    std::uint32_t memory = 0;
    words >> pod >> node >> gpu >> slot >> seconds >> percent >> memory;
    const auto device = m_devices.at({node, gpu});
    const auto subject = m_subjects.at(pod);
    ports::FactBatch::Series &series = m_series[{device, subject}];
    series.device = device;
    series.subject = subject;
    series.node = m_nodes.at(node);
    series.bucketNumbers.push_back(slot / base::kBucket.count());
    model::UsageBucket &bucket = series.buckets.emplace_back();
    bucket.observed = static_cast<std::uint16_t>(seconds);
    bucket.activity = model::toShare(percent / 100 + 1e-9);
    bucket.signal = model::ActivitySignal::GpuUtilization;
    bucket.memoryMeanMib = bucket.memoryMaxMib = memory;
}

} // namespace gpuledger::tests

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/data/promfleet.h"

#include "tests/bench/process.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace gpuledger::bench {

namespace fs = std::filesystem;
using ports::FactBatch;

namespace {

constexpr base::Day kFirstDay{20000};
constexpr int kBlockHours = 6;
constexpr const char *kBlockDuration = "6h";
constexpr const char *kScript = GPULEDGER_SOURCE_DIR "/tests/support/promserver.py";

// OpenMetrics text, metric by metric as the format requires.
class Writer {
public:
    Writer(const fs::path &file, base::TimeRange range, int interval)
        : m_out(file, std::ios::binary)
        , m_from(base::toUnix(range.start))
        , m_to(base::toUnix(range.end))
        , m_interval(interval)
    {
    }
    void family(const std::string &name) { m_out << "# TYPE " << name << " gauge\n"; }
    // A sample at every scrape of [from, to) that belongs to this file; value(t) returns its text.
    template <typename Value>
    void samples(const std::string &series, std::int64_t from, std::int64_t to, const Value &value)
    {
        const std::int64_t first = std::max(from, m_from);
        m_lines.clear();
        char number[48];
        for (std::int64_t t = first + (m_interval - first % m_interval) % m_interval; t < std::min(to, m_to);
             t += m_interval) {
            m_lines += series;
            m_lines += ' ';
            const double v = value(t);
            m_lines.append(number, std::to_chars(number, number + sizeof number, v).ptr);
            m_lines += ' ';
            m_lines.append(number, std::to_chars(number, number + sizeof number, t).ptr);
            m_lines += '\n';
        }
        m_out << m_lines;
    }
    void one(const std::string &series, base::TimeRange range)
    {
        samples(series, base::toUnix(range.start), base::toUnix(range.end), [](std::int64_t) { return 1.0; });
    }
    bool finish()
    {
        m_out << "# EOF\n";
        m_out.close();
        return !m_out.fail();
    }

private:
    std::ofstream m_out;
    std::int64_t m_from, m_to;
    int m_interval;
    std::string m_lines;
};

std::string label(const char *name, const std::string &value)
{
    return ',' + std::string(name) + "=\"" + value + '"';
}

std::string deviceLabels(const FactBatch &batch, const FactBatch::Series &series)
{
    const model::Device &d = batch.devices[series.device];
    const std::string index = std::to_string(d.index);
    std::string out = "{gpu=\"" + index + '"' + label("UUID", d.uuid) + label("device", "nvidia" + index)
        + label("modelName", d.model) + label("Hostname", batch.nodes[series.node].name) + label("cluster", d.cluster)
        + label("job", "dcgm-exporter") + label("instance", batch.nodes[series.node].name + ":9400");
    if (series.subject != FactBatch::kNone) {
        const model::Subject &s = batch.subjects[series.subject];
        out += label("namespace", s.nameSpace) + label("pod", s.name) + label("container", "main");
    }
    return out + '}';
}

void writeDevices(Writer &out, const FactBatch &batch)
{
    const auto metric = [&](const std::string &name, const auto &valueOf) {
        out.family(name);
        for (const FactBatch::Series &s : batch.series) {
            const std::int64_t first = s.bucketNumbers.front() * 300, last = s.bucketNumbers.back() * 300 + 300;
            out.samples(name + deviceLabels(batch, s), first, last, [&](std::int64_t t) {
                return valueOf(s, s.buckets[static_cast<std::size_t>((t - first) / 300)], t);
            });
        }
    };
    using Series = FactBatch::Series;
    using Bucket = model::UsageBucket;
    metric("DCGM_FI_DEV_GPU_UTIL", [](const Series &, const Bucket &b, std::int64_t t) {
        const auto percent = static_cast<double>(b.activity * 100 / model::kShareScale);
        return percent > 0 ? static_cast<double>((t / 60) % 5) + percent - 2 : 0;
    });
    metric("DCGM_FI_DEV_FB_USED",
           [](const Series &, const Bucket &b, std::int64_t) { return double(b.memoryMeanMib); });
    metric("DCGM_FI_DEV_FB_FREE", [](const Series &, const Bucket &b, std::int64_t) {
        return 81920.0 - static_cast<double>(b.memoryMeanMib);
    });
    metric("DCGM_FI_DEV_POWER_USAGE", [](const Series &, const Bucket &b, std::int64_t t) {
        return (b.powerDeciwatt * 100.0 + static_cast<double>(t / 60 % 7)) / 1000;
    });
}

void writeHolders(Writer &out, const FactBatch &batch)
{
    const auto metric = [&](const std::string &name, const auto &labelsOf) {
        out.family(name);
        for (const FactBatch::HolderSpan &span : batch.holderSpans) {
            const model::Holder &h = batch.holders[span.holder];
            out.one(name + "{job=\"ksm\",instance=\"ksm:8080\"" + label("cluster", h.cluster)
                        + label("namespace", h.nameSpace) + label("pod", h.name) + label("uid", h.uid) + labelsOf(h)
                        + '}',
                    span.range);
        }
    };
    metric("kube_pod_container_resource_requests", [](const model::Holder &h) {
        return label("container", "main") + label("node", h.node) + label("resource", "nvidia_com_gpu")
            + label("unit", "integer");
    });
    metric("kube_pod_status_phase", [](const model::Holder &) { return label("phase", "Running"); });
    metric("kube_pod_labels", [](const model::Holder &h) {
        return label("label_team", h.labels.at("team")) + label("label_env", h.labels.at("env"));
    });
    metric("kube_pod_owner", [](const model::Holder &h) {
        return label("owner_kind", h.ownerKind) + label("owner_name", h.ownerName)
            + label("owner_is_controller", "true");
    });
}

void writeNodes(Writer &out, const FactBatch &batch)
{
    const auto begin = [](const std::string &metric, const model::Node &n) {
        return metric + "{job=\"ksm\",instance=\"ksm:8080\"" + label("cluster", n.cluster) + label("node", n.name);
    };
    out.family("kube_node_info");
    for (const model::Node &n : batch.nodes)
        out.one(begin("kube_node_info", n) + label("provider_id", "aws:///us-east-1a/i-" + n.name) + '}',
                batch.covered);
    out.family("kube_node_labels");
    for (const model::Node &n : batch.nodes)
        out.one(begin("kube_node_labels", n) + label("label_node_kubernetes_io_instance_type", n.instanceType) + '}',
                batch.covered);
    out.family("kube_node_status_capacity");
    for (const model::Node &n : batch.nodes)
        out.samples(begin("kube_node_status_capacity", n) + label("resource", "nvidia_com_gpu") + '}',
                    base::toUnix(batch.covered.start), base::toUnix(batch.covered.end),
                    [&](std::int64_t) { return static_cast<double>(n.gpuCapacity); });
}

bool writeBlock(const fs::path &file, const FactBatch &day, base::TimeRange range, int interval)
{
    Writer out(file, range, interval);
    writeDevices(out, day);
    writeHolders(out, day);
    writeNodes(out, day);
    return out.finish();
}

} // namespace

PromFleetServer::PromFleetServer(const fs::path &folder, const PromFleet &fleet)
    : m_folder(folder
               / (std::to_string(fleet.gpus) + "-gpus-short-jobs-every-" + std::to_string(fleet.interval) + "-s"))
    , m_fleet(fleet)
{
    if (!makeBlocks()) {
        std::fprintf(stderr, "bench: could not make the blocks for Prometheus in %s\n", m_folder.c_str());
        return;
    }
    // Blocks are not compacted, so that compaction does not disturb the measurement.
    const std::string duration = kBlockDuration;
    const Finished started =
        runProgram({"python3", kScript, "start", m_folder.string(), "--step", std::to_string(m_fleet.interval),
                    "--argument=--storage.tsdb.min-block-duration=" + duration,
                    "--argument=--storage.tsdb.max-block-duration=" + duration});
    if (started.status == 0)
        m_url = started.output.substr(0, started.output.find_last_not_of('\n') + 1);
}

PromFleetServer::~PromFleetServer()
{
    if (!m_url.empty())
        runProgram({"python3", kScript, "stop", m_folder.string()});
}

base::TimeRange PromFleetServer::range() const
{
    return {kFirstDay.start(), base::Day{kFirstDay.number + m_fleet.days}.start()};
}

bool PromFleetServer::makeBlocks()
{
    const fs::path data = m_folder / "data", text = m_folder / "samples.om";
    std::error_code ignored;
    fs::create_directories(data, ignored);
    for (int d = 0; d < m_fleet.days; ++d) {
        const fs::path done = m_folder / ("day-" + std::to_string(d));
        if (fs::exists(done))
            continue;
        std::fprintf(stderr, "bench: making the blocks of day %d of %d in %s, once\n", d + 1, m_fleet.days,
                     m_folder.c_str());
        const FactBatch day = fleetDay(m_fleet.gpus, base::Day{kFirstDay.number + d}, Jobs::Short);
        const fs::path fresh = m_folder / "fresh"; // the blocks of a day are complete or absent
        fs::remove_all(fresh, ignored);
        for (int hour = 0; hour < 24; hour += kBlockHours) {
            const base::UtcTime from = day.covered.start + base::Seconds(hour * 3600);
            if (!writeBlock(text, day, {from, from + base::Seconds(kBlockHours * 3600)}, m_fleet.interval))
                return false;
            const Finished made =
                runProgram({"promtool", "tsdb", "create-blocks-from", "openmetrics", "-q",
                            std::string("--max-block-duration=") + kBlockDuration, text.string(), fresh.string()});
            if (made.status != 0)
                return false;
        }
        for (const auto &block : fs::directory_iterator(fresh))
            fs::rename(block.path(), data / block.path().filename());
        std::ofstream(done) << "1\n";
    }
    fs::remove_all(m_folder / "fresh", ignored);
    fs::remove(text, ignored);
    return true;
}

} // namespace gpuledger::bench

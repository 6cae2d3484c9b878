// SPDX-License-Identifier: GPL-3.0-or-later
// Answers about traffic, hosts and requests, given one by one as a server would return them.
#include "connectors/prometheus/usage/signalassembler.h"

#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <limits>

namespace tst_signalassembler {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using namespace gpuledger::tests;
using model::HourSignal;
using ports::FactBatch;

namespace {

constexpr std::int64_t kStart = 1'699'999'200; // on an hour
constexpr std::int64_t kHour = 3600;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using LabelList = std::vector<std::pair<std::string, std::string>>;

std::vector<format::Label> labelsOf(const LabelList &list)
{
    std::vector<format::Label> out;
    for (const auto &[name, value] : list)
        out.push_back({name, value});
    std::sort(out.begin(), out.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
    return out;
}

// Two hours and a quarter; the GPU works in the first hour and is idle in the others.
struct Stretch {
    explicit Stretch(const std::set<std::string> &metrics)
        : names(metrics)
        , mappings(*loadMappings({}))
        , clusters{"", "cluster", "prod"}
    {
        names.insert("DCGM_FI_DEV_GPU_UTIL");
        exporters = presentExporters(mappings, names);
        batch.covered = {base::fromUnix(kStart), base::fromUnix(kStart + 2 * kHour + 900)};
        batch.nodes.resize(1);
        batch.nodes[0].cluster = "prod";
        batch.nodes[0].name = "n1.example";
        batch.devices.resize(1);
        batch.devices[0].cluster = "prod";
        batch.devices[0].uuid = "GPU-a";
        batch.subjects.resize(1);
        batch.subjects[0].cluster = "prod";
        batch.subjects[0].nameSpace = "ml";
        batch.subjects[0].name = "llm-0";
        FactBatch::Series series;
        series.node = series.subject = 0;
        for (std::int64_t b = 0; b < 27; ++b) {
            series.bucketNumbers.push_back(kStart / 300 + b);
            series.buckets.emplace_back().activity = model::toShare(b < 12 ? 0.8 : 0.01);
        }
        batch.series.push_back(series);
        assembler = std::make_unique<SignalAssembler>(
            SignalAssembler::Known{exporters, mappings.requests, clusters, names}, batch);
    }
    // Answers each query whose text contains `part`: one value per hour, and one for the rest.
    int feed(const std::vector<Query> &queries, const std::string &part, const LabelList &labels,
             const std::vector<double> &values)
    {
        int count = 0;
        for (const Query &query : queries) {
            if (textOf(query).find(part) == std::string::npos)
                continue;
            ++count;
            const bool isRange = query.call.path == kRangePath;
            std::vector<format::Sample> samples;
            for (std::size_t i = 0; isRange && i < 2; ++i)
                samples.push_back({static_cast<double>(kStart + static_cast<std::int64_t>(i + 1) * kHour), values[i]});
            if (!isRange)
                samples.push_back({static_cast<double>(kStart + 2 * kHour + 900), values[2]});
            query.visitor->series(labelsOf(labels), samples);
        }
        return count;
    }
    static std::string textOf(const Query &query)
    {
        for (const auto &[name, value] : query.call.parameters) {
            if (name == "query")
                return value;
        }
        return {};
    }
    std::vector<FactBatch::Signal> finished(HourSignal signal) const;

    std::set<std::string> names;
    Mappings mappings;
    ClusterNaming clusters;
    std::vector<ExporterMapping> exporters;
    FactBatch batch;
    std::unique_ptr<SignalAssembler> assembler;
};

// Outside of its class, where moc takes the name of the member for a section.
std::vector<FactBatch::Signal> Stretch::finished(HourSignal signal) const
{
    FactBatch out;
    assembler->finish(out);
    std::erase_if(out.signals, [&](const FactBatch::Signal &s) { return s.signal != signal; });
    return out.signals;
}

const LabelList kGpu{{"UUID", "GPU-a"}, {"gpu", "0"}, {"Hostname", "n1.example"}};
const LabelList kServer{{"namespace", "ml"}, {"pod", "llm-0"}, {"model_name", "m"}};
const LabelList kNode{{"instance", "10.0.0.1:9100"}};

} // namespace

class TestSignalAssembler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksOnlyForWhatIsThere()
    {
        Stretch none({});
        QVERIFY(none.assembler->firstQueries().empty());
        QVERIFY(none.assembler->hostQueries().empty());
        Stretch busy({"DCGM_FI_PROF_PCIE_TX_BYTES", "vllm:request_success_total", "node_uname_info"});
        for (auto &bucket : busy.batch.series[0].buckets)
            bucket.activity = model::toShare(0.9);
        SignalAssembler quiet({busy.exporters, busy.mappings.requests, busy.clusters, busy.names}, busy.batch);
        QVERIFY(quiet.firstQueries().empty()); // nothing was nearly idle
        QCOMPARE(busy.assembler->firstQueries().size(), std::size_t{5});
    }

    void bothDirectionsAddUp()
    {
        Stretch s({"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES", "DCGM_FI_DEV_MEM_COPY_UTIL"});
        const auto queries = s.assembler->firstQueries();
        QCOMPARE(s.feed(queries, "PCIE_TX", kGpu, {1e6, 2e6, 3e6}), 2);
        QCOMPARE(s.feed(queries, "PCIE_RX", kGpu, {1e6, 20e6, 30e6}), 2);
        QCOMPARE(s.feed(queries, "PCIE_RX", kGpu, {1e6, 19e6, 31e6}), 2); // a second recorder of the same device
        QCOMPARE(s.feed(queries, "MEM_COPY_UTIL[3600s] offset 1ms) * 0.01", kGpu, {0.5, 0.25, 0}), 1);
        const auto bytes = s.finished(HourSignal::PcieBytes);
        QCOMPARE(bytes.size(), std::size_t{2}); // not of the hour in which it worked
        QVERIFY(bytes[0].hour == (model::SignalHour{kStart / kHour + 1, 3600, 22'000'000}));
        QVERIFY(bytes[1].hour == (model::SignalHour{kStart / kHour + 2, 900, 34'000'000}));
        const auto copies = s.finished(HourSignal::MemoryCopies);
        QCOMPARE(copies.size(), std::size_t{1});
        QCOMPARE(copies[0].hour.value, model::kSignalShareScale / 4);
    }

    // Whoever records a device, its traffic is there once.
    void twoRecordersCountOnce()
    {
        const auto with = [](LabelList labels, const char *job) {
            labels.emplace_back("job", job);
            return labels;
        };
        const LabelList smi{{"uuid", "a"}};
        Stretch s({"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES", "DCGM_FI_PROF_NVLINK_TX_BYTES",
                   "nvidia_smi_utilization_gpu_ratio", "nvidia_smi_pcie_throughput_tx_bytes_per_second",
                   "nvidia_smi_pcie_throughput_rx_bytes_per_second"});
        const auto queries = s.assembler->firstQueries();
        for (const char *job : {"dcgm", "dcgm-too"}) {
            const double more = job == std::string("dcgm") ? 0 : 1e6;
            QCOMPARE(s.feed(queries, "DCGM_FI_PROF_PCIE_TX", with(kGpu, job), {0, 10e6 + more, 30e6}), 2);
            QCOMPARE(s.feed(queries, "DCGM_FI_PROF_PCIE_RX", with(kGpu, job), {0, 20e6 - more, 10e6}), 2);
            QCOMPARE(s.feed(queries, "NVLINK_TX", with(kGpu, job), {0, 5e6, 5e6}), 2);
        }
        QCOMPARE(s.feed(queries, "nvidia_smi_pcie_throughput_tx", with(smi, "dcgm"), {0, 12e6, 20e6}), 2);
        QCOMPARE(s.feed(queries, "nvidia_smi_pcie_throughput_rx", with(smi, "dcgm"), {0, 19e6, 10e6}), 2);
        const auto bytes = s.finished(HourSignal::PcieBytes);
        QCOMPARE(bytes.size(), std::size_t{2});
        QCOMPARE(bytes[0].hour.value, std::int64_t{31'000'000}); // of the exporter that tells the most
        QCOMPARE(bytes[1].hour.value, std::int64_t{40'000'000});
        QCOMPARE(s.finished(HourSignal::NvlinkBytes).at(0).hour.value, std::int64_t{5'000'000});
    }

    void hostileValuesAreNoMeasurement()
    {
        Stretch s({"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_DEV_MEM_COPY_UTIL", "vllm:request_success_total"});
        const auto queries = s.assembler->firstQueries();
        const double infinite = std::numeric_limits<double>::infinity();
        for (const double bad : {kNan, infinite, -infinite, -1.0, 9223372036854775794.0, 1e300}) {
            s.feed(queries, "PCIE_TX", kGpu, {bad, bad, bad});
            s.feed(queries, "MEM_COPY", kGpu, {bad, bad, bad});
            s.feed(queries, "vllm", kServer, {bad, bad, bad});
        }
        s.feed(queries, "MEM_COPY", kGpu, {9, 9, 1.2}); // 900 % is no share, 120 % is a rounded one
        s.feed(queries, "PCIE_TX", {{"UUID", "GPU-unknown"}}, {1, 1, 1});
        s.feed(queries, "PCIE_TX", {{"nothing", "x"}}, {1, 1, 1});
        s.feed(queries, "vllm", {{"pod", "elsewhere"}}, {1, 1, 1});
        for (const Query &query : queries) {
            const std::vector<format::Sample> odd{{kNan, 1}, {-5, 1}, {1e300, 1}, {0, 1}};
            query.visitor->series(labelsOf(kGpu), odd);
            query.visitor->refused("too long");
        }
        QVERIFY(s.finished(HourSignal::PcieBytes).empty());
        QVERIFY(s.finished(HourSignal::Requests).empty());
        const auto copies = s.finished(HourSignal::MemoryCopies);
        QCOMPARE(copies.size(), std::size_t{1});
        QCOMPARE(copies[0].hour.value, model::kSignalShareScale);
    }

    void anAnswerThatIsReadAgainCountsOnce()
    {
        Stretch s({"DCGM_FI_PROF_PCIE_TX_BYTES"});
        const auto queries = s.assembler->firstQueries();
        s.feed(queries, "PCIE_TX", kGpu, {7e6, 7e6, 7e6});
        for (const Query &query : queries)
            query.visitor->begin();
        s.feed(queries, "PCIE_TX", kGpu, {5e6, 5e6, 5e6});
        QCOMPARE(s.finished(HourSignal::PcieBytes).at(0).hour.value, std::int64_t{5'000'000});
    }

    void hostsAreFoundByTheirNames()
    {
        for (const char *name : {"n1.example", "n1"}) {
            Stretch s({"node_uname_info", "node_cpu_seconds_total", "node_pressure_io_waiting_seconds_total"});
            const auto first = s.assembler->firstQueries();
            QCOMPARE(first.size(), std::size_t{1});
            s.feed(first, "node_uname_info", {{"instance", "10.0.0.1:9100"}, {"nodename", name}}, {1, 1, 1});
            s.feed(first, "node_uname_info", {{"instance", "10.0.0.2:9100"}, {"nodename", "n2"}}, {1, 1, 1});
            const auto queries = s.assembler->hostQueries();
            QCOMPARE(queries.size(), std::size_t{6});
            QVERIFY(Stretch::textOf(queries[0]).find(R"(10\\.0\\.0\\.1:9100)") != std::string::npos);
            QVERIFY(Stretch::textOf(queries[0]).find("10.0.0.2") == std::string::npos);
            s.feed(queries, "\"idle\"", kNode, {0.1, 0.1, 0.2});
            s.feed(queries, "\"iowait\"", kNode, {0.3, 0.3, kNan});
            s.feed(queries, "pressure", kNode, {0, 0.4, 0.5});
            const auto cpu = s.finished(HourSignal::HostCpu);
            QCOMPARE(cpu.size(), std::size_t{1}); // of the rest, what waits is not known
            QCOMPARE(cpu[0].hour.value, model::kSignalShareScale * 6 / 10);
            QCOMPARE(s.finished(HourSignal::HostIoWait).size(), std::size_t{1});
            QCOMPARE(s.finished(HourSignal::StorageWait).size(), std::size_t{2});
        }
    }

    void requestsAreNotTokens()
    {
        Stretch s({"vllm:request_success_total", "vllm:generation_tokens_total", "vllm:num_requests_running"});
        const auto queries = s.assembler->firstQueries();
        s.feed(queries, "request_success", kServer, {0, 3.2, 0});
        s.feed(queries, "generation_tokens", kServer, {0, 50'000, 800});
        s.feed(queries, "num_requests_running", kServer, {0, 4, 0});
        const auto served = s.finished(HourSignal::Requests);
        QCOMPARE(served.size(), std::size_t{2});
        QCOMPARE(served[0].hour.value, std::int64_t{3});
        QCOMPARE(served[1].hour.value, std::int64_t{1}); // tokens without a completed request: one at least
    }
};

GPULEDGER_SUITE(TestSignalAssembler)

} // namespace tst_signalassembler

#include "tst_signalassembler.moc"

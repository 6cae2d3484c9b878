// SPDX-License-Identifier: GPL-3.0-or-later
// Answers about what pods write, given one by one as a server would return them.
#include "connectors/prometheus/usage/writeassembler.h"

#include "tests/support/suite.h"
#include "tests/unit/prometheus/testtools.h"

#include <QTest>

#include <limits>

namespace tst_writeassembler {

using namespace gpuledger;
using namespace gpuledger::prometheus;
using ports::FactBatch;

namespace {

constexpr std::int64_t kStart = 1'699'999'200; // on an hour
constexpr std::int64_t kHour = 3600;
const std::set<std::string> kMetric{"container_fs_writes_bytes_total"};

// Two hours and a quarter of a pod that works in the first hour and in the quarter.
FactBatch batchOf(int pods)
{
    FactBatch batch;
    batch.covered = {base::fromUnix(kStart), base::fromUnix(kStart + 2 * kHour + 900)};
    batch.devices.resize(1);
    for (int i = 0; i < pods; ++i) {
        model::Subject &subject = batch.subjects.emplace_back();
        subject.cluster = "prod";
        subject.nameSpace = "ml";
        subject.name = "train-" + std::to_string(i);
        FactBatch::Series series;
        series.subject = static_cast<std::uint32_t>(i);
        for (std::int64_t b = 0; b < 27; ++b) {
            series.bucketNumbers.push_back(kStart / 300 + b);
            series.buckets.emplace_back().activity = model::toShare(b < 12 || b >= 24 ? 0.8 : 0.05);
        }
        batch.series.push_back(series);
    }
    return batch;
}

std::string textOf(const Query &query)
{
    for (const auto &[name, value] : query.call.parameters) {
        if (name == "query")
            return value;
    }
    return {};
}

std::vector<format::Label> labelsOf(const std::string &pod, const std::string &nameSpace = "ml")
{
    static const std::map<std::string, std::string> kRest{{"container", "main"}, {"device", "/dev/sda"}};
    std::vector<format::Label> out;
    for (const auto &[name, value] : kRest)
        out.push_back({name, value});
    out.push_back({"namespace", nameSpace});
    out.push_back({"pod", pod});
    return out;
}

} // namespace

class TestWriteAssembler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asksOnlyAboutPodsThatWork()
    {
        FactBatch batch = batchOf(1);
        QVERIFY(WriteAssembler(m_clusters, {"container_cpu_usage_seconds_total"}, batch).queries().empty());
        WriteAssembler asked(m_clusters, kMetric, batch);
        const auto queries = asked.queries();
        QCOMPARE(queries.size(), std::size_t{2}); // the whole hours, and the quarter
        QVERIFY(textOf(queries[0]).find("pod=~\"train-0\"") != std::string::npos);
        batch.subjects[0].kind = model::SubjectKind::SlurmJob;
        QVERIFY(WriteAssembler(m_clusters, kMetric, batch).queries().empty());
        batch.subjects[0].kind = model::SubjectKind::Pod;
        for (auto &bucket : batch.series[0].buckets)
            bucket.activity = model::toShare(0.1);
        QVERIFY(WriteAssembler(m_clusters, kMetric, batch).queries().empty());
        const FactBatch many = batchOf(201);
        QCOMPARE(WriteAssembler(m_clusters, kMetric, many).queries().size(), std::size_t{6}); // 100, 100 and 1 pods
    }

    void theBusiestDiskCountsInHoursOfWork()
    {
        FactBatch batch = batchOf(1);
        WriteAssembler writes(m_clusters, kMetric, batch);
        const auto queries = writes.queries();
        const auto at = [](std::int64_t second) { return static_cast<double>(kStart + second); };
        const std::vector<format::Sample> hours{{at(kHour), 2}, {at(2 * kHour), 7}};
        const std::vector<format::Sample> less{{at(kHour), 1}},
            bad{{at(kHour), std::numeric_limits<double>::quiet_NaN()}, {at(kHour), -1}, {at(kHour), 13}};
        for (const auto &samples : {hours, less, bad})
            queries[0].visitor->series(labelsOf("train-0"), samples);
        queries[0].visitor->series(labelsOf("train-0", "other"), std::vector<format::Sample>{{at(kHour), 9}});
        queries[1].visitor->series(labelsOf("train-0"), std::vector<format::Sample>{{at(2 * kHour + 900), 0}});
        writes.finish(batch);
        QCOMPARE(batch.signals.size(), std::size_t{2}); // not in the hour without work
        QVERIFY((batch.signals[0].hour == model::SignalHour{kStart / kHour, 3600, 2}));
        QVERIFY((batch.signals[1].hour == model::SignalHour{kStart / kHour + 2, 900, 0}));
        for (const FactBatch::Signal &signal : batch.signals)
            QCOMPARE(signal.signal, model::HourSignal::WriteBursts);
    }

private:
    ClusterNaming m_clusters{"", "cluster", "prod"};
};

GPULEDGER_PLAIN_SUITE(TestWriteAssembler)

} // namespace tst_writeassembler

#include "tst_writeassembler.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/storefixture.h"

#include "app/store/codecs/cubecodec.h"
#include "app/store/codecs/usagecodec.h"
#include "app/store/sqlite/pagevfs.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace gpuledger::tests {

using ports::FactBatch;

base::TimeRange bucketRange(std::int64_t first, std::int64_t end)
{
    return {base::fromUnix(first * 300), base::fromUnix(end * 300)};
}

model::UsageBucket usageAt(std::int64_t bucket, int device)
{
    model::UsageBucket b;
    const auto noise = static_cast<std::uint16_t>((bucket * 7919 + device * 104729) % 997);
    b.observed = static_cast<std::uint16_t>(noise % 10 == 0 ? 150 : 300);
    b.signal = model::ActivitySignal::GpuUtilization;
    b.activity = static_cast<std::uint16_t>(noise * 60);
    b.memoryMeanMib = 40000U + noise;
    b.memoryMaxMib = 40100U + noise;
    b.powerDeciwatt = static_cast<std::uint16_t>(3000 + noise);
    return b;
}

namespace {

// Pod n runs for 100 buckets from bucket 90 n on; consecutive pods overlap for a while.
constexpr std::int64_t kPodLength = 100, kPodEvery = 90;

void addHolders(FactBatch &batch, std::int64_t first, std::int64_t end)
{
    for (std::int64_t n = (first - kFirstBucket - kPodLength) / kPodEvery; n <= (end - kFirstBucket) / kPodEvery; ++n) {
        const std::int64_t from = std::max(first, kFirstBucket + n * kPodEvery);
        const std::int64_t to = std::min(end, kFirstBucket + n * kPodEvery + kPodLength);
        if (n < 0 || from >= to)
            continue;
        model::Holder h;
        h.cluster = "c1";
        h.nameSpace = "ml";
        h.name = "train-0"; // the same name each time, but another uid
        h.uid = "uid-" + std::to_string(n);
        h.node = "n0";
        h.labels = {{"team", "vision"}};
        h.gpuRequests = {{"nvidia_com_gpu", 1}};
        h.startedAt = base::fromUnix((kFirstBucket + n * kPodEvery) * 300);
        if (n % 3 == 0 && to == kFirstBucket + n * kPodEvery + kPodLength)
            h.endReason = model::EndReason::Preempted;
        batch.holderSpans.push_back({static_cast<std::uint32_t>(batch.holders.size()), bucketRange(from, to)});
        batch.holders.push_back(std::move(h));
    }
}

void addSeries(FactBatch &batch, std::uint32_t device, std::uint32_t subject, std::uint32_t node,
               const std::string &instance, std::int64_t first, std::int64_t end)
{
    FactBatch::Series s;
    s.device = device;
    s.subject = subject;
    s.node = node;
    s.gpuInstance = instance;
    for (std::int64_t bucket = first; bucket < end; ++bucket) {
        if (bucket % 37 == 0)
            continue; // a gap
        s.bucketNumbers.push_back(bucket);
        s.buckets.push_back(usageAt(bucket, static_cast<int>(device)));
    }
    if (!s.bucketNumbers.empty())
        batch.series.push_back(std::move(s));
}

} // namespace

FactBatch fleetBatch(std::int64_t first, std::int64_t end)
{
    FactBatch batch;
    batch.covered = bucketRange(first, end);
    for (int i = 0; i < 2; ++i) {
        model::Node n;
        n.cluster = "c1";
        n.name = "n" + std::to_string(i);
        n.labels = {{"pool", i ? "b" : "a"}};
        n.gpuCapacity = 2;
        batch.nodes.push_back(n);
        batch.nodeSpans.push_back({static_cast<std::uint32_t>(i), batch.covered});
    }
    for (int i = 0; i < 3; ++i) {
        model::Device d;
        d.cluster = "c1";
        d.uuid = "GPU-" + std::to_string(i);
        d.model = "NVIDIA H100 80GB HBM3";
        d.vendor = "nvidia";
        d.index = i;
        d.memoryMib = 81559;
        if (i == 2)
            d.slices.push_back({"7", "1g.10gb", {1, 7}});
        batch.devices.push_back(d);
    }
    model::Subject pod;
    pod.cluster = "c1";
    pod.nameSpace = "ml";
    pod.name = "train-0";
    batch.subjects.push_back(pod);
    addHolders(batch, first, end);
    addSeries(batch, 0, 0, 0, "", first, end);
    addSeries(batch, 1, FactBatch::kNone, 0, "", first, end);
    addSeries(batch, 2, FactBatch::kNone, 1, "7", first, end);
    return batch;
}

namespace {

const std::vector<std::string> &dumpQueries()
{
    static const std::vector<std::string> queries{
        "SELECT 'range', s.name, range_start, range_end FROM sync_range r JOIN source s ON s.id = r.source ORDER BY 2, "
        "3",
        "SELECT 'hull', s.name, hull_start, hull_end FROM sync_state t JOIN source s ON s.id = t.source ORDER BY 2",
        "SELECT 'node', c.name, n.name, as_of, labels, provider_id, instance_type, cloud, region, zone, gpu_capacity,"
        " shared_gpus FROM node n JOIN cluster c ON c.id = n.cluster ORDER BY 2, 3",
        "SELECT 'device', c.name, uuid, as_of, model, vendor, position, memory_mib FROM device d"
        " JOIN cluster c ON c.id = d.cluster ORDER BY 2, 3",
        "SELECT 'slice', d.uuid, gpu_instance, m.as_of, profile, part, whole FROM mig_slice m"
        " JOIN device d ON d.id = m.device ORDER BY 2, 3",
        "SELECT 'subject', kind, namespace, name, uid, exporter_like FROM subject_view ORDER BY 2, 3, 4, 5",
        "SELECT 'holder', namespace, name, uid, kind, as_of, node, owner_kind, owner_name, labels, namespace_labels,"
        " gpu_requests, started_at, completed_at, end_reason FROM holder_view ORDER BY 2, 3, 4",
        "SELECT 'placement', d.uuid, gpu_instance, ifnull(s.name, ''), ifnull(n.name, ''), role, seen_start, seen_end"
        " FROM placement p JOIN device d ON d.id = p.device LEFT JOIN subject_view s ON s.id = p.subject"
        " LEFT JOIN node n ON n.id = p.node ORDER BY 2, 3, 4, 5, 6, 7",
        "SELECT 'holds', s.name, h.uid, span_start, span_end FROM holder_span x JOIN holder_view h ON h.id = x.holder"
        " JOIN source s ON s.id = x.source ORDER BY 2, 3, 4",
        "SELECT 'exists', s.name, n.name, span_start, span_end FROM node_span x JOIN node n ON n.id = x.node"
        " JOIN source s ON s.id = x.source ORDER BY 2, 3, 4",
    };
    return queries;
}

void dumpUsage(SQLite::Database &db, std::ostream &out)
{
    store::UsageCodec codec;
    SQLite::Statement s(db,
                        "SELECT u.id, u.data, d.uuid FROM usage_day u"
                        " JOIN device d ON d.id = (u.id & 4294967295) ORDER BY u.id >> 32, d.uuid");
    while (s.executeStep()) {
        const std::int64_t id = s.getColumn(0).getInt64();
        const SQLite::Column blob = s.getColumn(1);
        const auto tracks =
            codec.decode(id, {static_cast<const char *>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes())});
        out << "usage|" << store::UsageCodec::dayOf(id).number << '|' << s.getColumn(2).getString();
        if (!tracks) {
            out << "|damaged\n";
            continue;
        }
        for (const auto &t : *tracks) {
            out << "|[" << t.gpuInstance << ',' << (t.subject ? "named" : "") << ',' << static_cast<int>(t.role) << ']';
            for (const auto &b : t.buckets)
                out << ' ' << b.index << ':' << b.observed << ',' << static_cast<int>(b.signal) << ',' << b.activity
                    << ',' << b.smActive << ',' << b.tensorActive << ',' << b.memoryMeanMib << ',' << b.memoryMaxMib
                    << ',' << b.powerDeciwatt;
        }
        out << '\n';
    }
}

void dumpCube(SQLite::Database &db, std::ostream &out)
{
    SQLite::Statement s(db,
                        "SELECT r.id, r.data, team, cluster, cloud, region, gpu_model, workload_kind, environment"
                        " FROM rollup r JOIN rollup_group g ON g.id = (r.id & 16777215)"
                        " ORDER BY 3, 4, 5, 6, 7, 8, 9, r.id >> 24");
    while (s.executeStep()) {
        const std::int64_t id = s.getColumn(0).getInt64();
        const SQLite::Column blob = s.getColumn(1);
        store::CellRow cells{};
        const bool whole = store::cubecodec::decode(
            id, {static_cast<const char *>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes())}, cells);
        out << "cube|" << (id >> 24) << (whole ? "" : "|damaged");
        for (int c = 2; c < 9; ++c)
            out << '|' << s.getColumn(c).getString();
        for (const std::int64_t cell : cells)
            out << ' ' << cell;
        out << '\n';
    }
}

} // namespace

std::string dumpOf(const std::filesystem::path &file)
{
    std::ostringstream out;
    SQLite::Database db(file.string(), SQLite::OPEN_READONLY, 0, store::pageVfs());
    for (const std::string &query : dumpQueries()) {
        SQLite::Statement s(db, query);
        while (s.executeStep()) {
            for (int c = 0; c < s.getColumnCount(); ++c)
                out << (c ? "|" : "") << s.getColumn(c).getString();
            out << '\n';
        }
    }
    dumpUsage(db, out);
    dumpCube(db, out);
    return out.str();
}

std::string queryText(const std::filesystem::path &file, const std::string &sql)
{
    SQLite::Database db(file.string(), SQLite::OPEN_READONLY, 0, store::pageVfs());
    SQLite::Statement s(db, sql);
    return s.executeStep() ? s.getColumn(0).getString() : std::string();
}

void executeOn(const std::filesystem::path &file, const std::string &sql)
{
    SQLite::Database db(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 0, store::pageVfs());
    db.exec(sql);
}

std::string bytesOf(const std::filesystem::path &file)
{
    std::string bytes(std::filesystem::file_size(file), '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

} // namespace gpuledger::tests

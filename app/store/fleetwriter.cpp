// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that writes what exists: clusters, nodes, devices, subjects, holders.
#include "app/store/factwriter.h"
#include "app/store/labeltext.h"

#include <limits>
#include <set>
#include <utility>

namespace gpuledger::store {

using base::fail;
using base::Result;
using ports::FactBatch;

namespace {

// Newer evidence replaces an attribute, older evidence fills it in, and "unknown" never replaces anything.
class Merge {
public:
    explicit Merge(bool newer)
        : m_newer(newer)
    {
    }
    template <typename T> void take(T &stored, const T &said, const T &unknown)
    {
        if (said != unknown && stored != said && (m_newer || stored == unknown)) {
            stored = said;
            changed = true;
        }
    }
    template <typename T> void take(T &stored, const T &said) { take(stored, said, T{}); }
    bool newer() const { return m_newer; }

    bool changed = false;

private:
    bool m_newer;
};

std::optional<std::int64_t> unixOf(const std::optional<base::UtcTime> &t)
{
    return t ? std::optional(base::toUnix(*t)) : std::nullopt;
}

std::optional<base::UtcTime> timeOf(const std::optional<std::int64_t> &v)
{
    return v ? std::optional(base::fromUnix(*v)) : std::nullopt;
}

} // namespace

Result<std::int64_t> FactWriter::clusterId(const std::string &name)
{
    if (const auto known = m_clusters.find(name); known != m_clusters.end())
        return known->second;
    Statement add = m_db.statement("INSERT INTO cluster (name) VALUES (?1) ON CONFLICT DO NOTHING");
    GPULEDGER_TRY(add.bind(1, name).run());
    std::int64_t id = 0;
    Statement find = m_db.statement("SELECT id FROM cluster WHERE name = ?1");
    GPULEDGER_TRY(find.bind(1, name).each([&] { id = find.integer(0); }));
    m_clusters.emplace(name, id);
    return id;
}

Result<void> FactWriter::putNodes(const FactBatch &batch)
{
    const auto newest = m_db.scalar("SELECT max(id) FROM node");
    if (!newest)
        return fail(newest.error());
    for (std::size_t i = 0; i < batch.nodes.size(); ++i) {
        const auto put = putNode(batch.nodes[i], m_nodeAsOf[i]);
        if (!put)
            return fail(put.error());
        m_nodes.push_back(put->id);
        if (!put->changed)
            continue;
        GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node = ?1 UNION ALL"
                                 " SELECT min(seen_start), max(seen_end) + 3600 FROM placement WHERE device IN"
                                 " (SELECT device FROM placement WHERE node = ?1) GROUP BY device",
                                 put->id));
        GPULEDGER_TRY(touchHoldersOn(put->id, put->id));
    }
    return touchHoldersOn(newest->value_or(0) + 1, std::numeric_limits<std::int64_t>::max());
}

Result<FactWriter::Upsert> FactWriter::putNode(const model::Node &node, std::int64_t asOf)
{
    const auto cluster = clusterId(node.cluster);
    if (!cluster)
        return fail(cluster.error());
    Statement find = m_db.statement("SELECT id, as_of, labels, provider_id, instance_type, cloud, region, zone,"
                                    " gpu_capacity, shared_gpus FROM node WHERE cluster = ?1 AND name = ?2");
    const Result<bool> known = find.bind(1, *cluster).bind(2, node.name).step();
    if (!known)
        return fail(known.error());
    model::Node row = node;
    std::string labels = toJsonText(node.labels);
    Upsert out;
    std::int64_t newest = asOf;
    if (*known) {
        out.id = find.integer(0);
        newest = std::max(asOf, find.integer(1));
        Merge merge(asOf >= find.integer(1));
        std::string stored = find.text(2);
        row = {{},
               {},
               {},
               {},
               find.text(3),
               find.text(4),
               find.text(5),
               find.text(6),
               find.text(7),
               find.integer(8),
               find.integer(9) != 0};
        merge.take(stored, labels, std::string("{}"));
        merge.take(row.providerId, node.providerId);
        merge.take(row.instanceType, node.instanceType);
        merge.take(row.cloud, node.cloud);
        merge.take(row.region, node.region);
        merge.take(row.zone, node.zone);
        // A node without labels and capacity is known by name only; it says nothing about sharing.
        const bool speaks = node.gpuCapacity != 0 || !node.labels.empty();
        if (row.sharedGpus != node.sharedGpus && (node.sharedGpus || (merge.newer() && speaks))) {
            row.sharedGpus = node.sharedGpus;
            merge.changed = true;
        }
        merge.take(row.gpuCapacity, node.gpuCapacity);
        labels = stored;
        out.changed = merge.changed;
        if (!merge.changed && newest == find.integer(1))
            return out;
    }
    find.reset();
    Statement put = m_db.statement(
        "INSERT INTO node (cluster, name, as_of, labels, provider_id, instance_type, cloud, region, zone, gpu_capacity,"
        " shared_gpus) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (cluster, name) DO UPDATE SET"
        " as_of = excluded.as_of, labels = excluded.labels, provider_id = excluded.provider_id,"
        " instance_type = excluded.instance_type, cloud = excluded.cloud, region = excluded.region,"
        " zone = excluded.zone, gpu_capacity = excluded.gpu_capacity, shared_gpus = excluded.shared_gpus");
    put.bind(1, *cluster).bind(2, node.name).bind(3, newest).bind(4, labels).bind(5, row.providerId);
    put.bind(6, row.instanceType).bind(7, row.cloud).bind(8, row.region).bind(9, row.zone).bind(10, row.gpuCapacity);
    GPULEDGER_TRY(put.bind(11, std::int64_t{row.sharedGpus}).run());
    if (!*known)
        out.id = m_db.lastInsertId();
    return out;
}

Result<void> FactWriter::putDevices(const FactBatch &batch)
{
    for (std::size_t i = 0; i < batch.devices.size(); ++i) {
        const auto put = putDevice(batch.devices[i], m_deviceAsOf[i]);
        if (!put)
            return fail(put.error());
        m_devices.push_back(put->id);
        const auto slices = putSlices(put->id, batch.devices[i], m_deviceAsOf[i]);
        if (!slices)
            return fail(slices.error());
        if (put->changed || *slices)
            GPULEDGER_TRY(touchDevice(put->id));
    }
    return {};
}

Result<FactWriter::Upsert> FactWriter::putDevice(const model::Device &device, std::int64_t asOf)
{
    const auto cluster = clusterId(device.cluster);
    if (!cluster)
        return fail(cluster.error());
    Statement find = m_db.statement("SELECT id, as_of, model, vendor, position, memory_mib FROM device"
                                    " WHERE cluster = ?1 AND uuid = ?2");
    const Result<bool> known = find.bind(1, *cluster).bind(2, device.uuid).step();
    if (!known)
        return fail(known.error());
    model::Device row = device;
    Upsert out;
    std::int64_t newest = asOf;
    if (*known) {
        out.id = find.integer(0);
        newest = std::max(asOf, find.integer(1));
        Merge merge(asOf >= find.integer(1));
        row.model = find.text(2);
        row.vendor = find.text(3);
        row.index = static_cast<int>(find.integer(4));
        row.memoryMib = find.integer(5);
        merge.take(row.model, device.model);
        merge.take(row.vendor, device.vendor);
        merge.take(row.index, device.index, -1);
        merge.take(row.memoryMib, device.memoryMib);
        out.changed = merge.changed;
        if (!merge.changed && newest == find.integer(1))
            return out;
    }
    find.reset();
    Statement put = m_db.statement("INSERT INTO device (cluster, uuid, as_of, model, vendor, position, memory_mib)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (cluster, uuid) DO UPDATE SET"
                                   " as_of = excluded.as_of, model = excluded.model, vendor = excluded.vendor,"
                                   " position = excluded.position, memory_mib = excluded.memory_mib");
    put.bind(1, *cluster).bind(2, device.uuid).bind(3, newest).bind(4, row.model).bind(5, row.vendor);
    GPULEDGER_TRY(put.bind(6, std::int64_t{row.index}).bind(7, row.memoryMib).run());
    if (!*known)
        out.id = m_db.lastInsertId();
    if (out.id > 0xFFFFFFFF)
        return fail(base::ErrorCode::Storage, "the cache has more devices than fit");
    return out;
}

Result<bool> FactWriter::putSlices(std::int64_t device, const model::Device &facts, std::int64_t asOf)
{
    bool anyChanged = false;
    Statement find = m_db.statement("SELECT as_of, profile, part, whole FROM mig_slice"
                                    " WHERE device = ?1 AND gpu_instance = ?2");
    Statement put = m_db.statement("INSERT INTO mig_slice (device, gpu_instance, as_of, profile, part, whole)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET"
                                   " as_of = excluded.as_of, profile = excluded.profile, part = excluded.part,"
                                   " whole = excluded.whole");
    for (const model::MigSlice &slice : facts.slices) {
        const Result<bool> known = find.bind(1, device).bind(2, slice.gpuInstance).step();
        if (!known)
            return fail(known.error());
        std::int64_t newest = asOf;
        model::MigSlice row = slice;
        bool changed = true;
        if (*known) {
            newest = std::max(asOf, find.integer(0));
            model::MigSlice stored{slice.gpuInstance, find.text(1), {find.integer(2), find.integer(3)}};
            changed = asOf >= find.integer(0) && !slice.profile.empty()
                && (stored.profile != slice.profile || stored.fraction != slice.fraction);
            row = changed ? slice : stored;
            if (!changed && newest == find.integer(0)) {
                find.reset();
                continue;
            }
        }
        find.reset();
        put.bind(1, device).bind(2, slice.gpuInstance).bind(3, newest).bind(4, row.profile);
        GPULEDGER_TRY(put.bind(5, row.fraction.part).bind(6, row.fraction.of).run());
        anyChanged = anyChanged || changed;
    }
    return anyChanged;
}

Result<void> FactWriter::putSubjects(const FactBatch &batch)
{
    Statement add = m_db.statement("INSERT INTO subject (cluster, kind, namespace, name, uid, exporter_like)"
                                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING");
    Statement find = m_db.statement("SELECT id, exporter_like FROM subject WHERE cluster = ?1 AND kind = ?2"
                                    " AND namespace = ?3 AND name = ?4 AND uid = ?5");
    Statement mark = m_db.statement("UPDATE subject SET exporter_like = 1 WHERE id = ?1");
    for (const model::Subject &s : batch.subjects) {
        const auto cluster = clusterId(s.cluster);
        if (!cluster)
            return fail(cluster.error());
        for (Statement *statement : {&add, &find}) {
            statement->bind(1, *cluster).bind(2, static_cast<std::int64_t>(s.kind)).bind(3, s.nameSpace);
            statement->bind(4, s.name).bind(5, s.uid);
        }
        GPULEDGER_TRY(add.bind(6, std::int64_t{s.exporterLike}).run());
        std::int64_t id = 0;
        bool marked = false;
        GPULEDGER_TRY(find.each([&] {
            id = find.integer(0);
            marked = find.integer(1) != 0;
        }));
        m_subjects.push_back(id);
        if (!s.exporterLike || marked)
            continue;
        GPULEDGER_TRY(mark.bind(1, id).run());
        GPULEDGER_TRY(touchQuery("SELECT min(seen_start), max(seen_end) FROM placement WHERE subject = ?1"
                                 " GROUP BY subject",
                                 id));
    }
    return {};
}

Result<void> FactWriter::putHolders(const FactBatch &batch)
{
    std::set<std::int64_t> clusters;
    for (const model::Holder &holder : batch.holders) {
        const auto cluster = clusterId(holder.cluster);
        if (!cluster)
            return fail(cluster.error());
        if (!clusters.insert(*cluster).second)
            continue;
        const auto known = holdersKnown(*cluster);
        if (!known)
            return fail(known.error());
        // From the first one on, the records of the cluster's nodes say when the scheduler's are complete.
        if (!*known)
            GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node IN"
                                     " (SELECT id FROM node WHERE cluster = ?1)",
                                     *cluster));
    }
    for (std::size_t i = 0; i < batch.holders.size(); ++i) {
        const auto put = putHolder(batch.holders[i], m_holderAsOf[i]);
        if (!put)
            return fail(put.error());
        m_holders.push_back(put->id);
        if (put->changed)
            GPULEDGER_TRY(touchHolder(put->id));
    }
    return {};
}

Result<FactWriter::Upsert> FactWriter::putHolder(const model::Holder &holder, std::int64_t asOf)
{
    const auto cluster = clusterId(holder.cluster);
    if (!cluster)
        return fail(cluster.error());
    Statement find = m_db.statement("SELECT id, as_of, kind, node, owner_kind, owner_name, labels, namespace_labels,"
                                    " gpu_requests, started_at, completed_at FROM holder"
                                    " WHERE cluster = ?1 AND namespace = ?2 AND name = ?3 AND uid = ?4");
    find.bind(1, *cluster).bind(2, holder.nameSpace).bind(3, holder.name).bind(4, holder.uid);
    const Result<bool> known = find.step();
    if (!known)
        return fail(known.error());
    model::Holder row = holder;
    std::string labels = toJsonText(holder.labels), spaceLabels = toJsonText(holder.namespaceLabels),
                requests = toJsonText(holder.gpuRequests);
    Upsert out;
    std::int64_t newest = asOf;
    if (*known) {
        out.id = find.integer(0);
        newest = std::max(asOf, find.integer(1));
        Merge merge(asOf >= find.integer(1));
        const auto takeText = [&merge](std::string stored, std::string &said) {
            merge.take(stored, said, std::string("{}"));
            said = std::move(stored);
        };
        row.kind = static_cast<model::SubjectKind>(find.integer(2));
        row.node = find.text(3);
        row.ownerKind = find.text(4);
        row.ownerName = find.text(5);
        row.startedAt = timeOf(find.optionalInteger(9));
        row.completedAt = timeOf(find.optionalInteger(10));
        merge.take(row.node, holder.node);
        merge.take(row.ownerKind, holder.ownerKind);
        merge.take(row.ownerName, holder.ownerName);
        takeText(find.text(6), labels);
        takeText(find.text(7), spaceLabels);
        takeText(find.text(8), requests);
        // Start and end are told to people; who held what when is told by the spans, so no day changes with these two.
        out.changed = merge.changed;
        merge.take(row.startedAt, holder.startedAt);
        merge.take(row.completedAt, holder.completedAt);
        if (!merge.changed && newest == find.integer(1))
            return out;
    }
    find.reset();
    Statement put = m_db.statement(
        "INSERT INTO holder (cluster, namespace, name, uid, kind, as_of, node, owner_kind, owner_name, labels,"
        " namespace_labels, gpu_requests, started_at, completed_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        " ON CONFLICT (cluster, namespace, name, uid) DO UPDATE SET as_of = excluded.as_of, node = excluded.node,"
        " owner_kind = excluded.owner_kind, owner_name = excluded.owner_name, labels = excluded.labels,"
        " namespace_labels = excluded.namespace_labels, gpu_requests = excluded.gpu_requests,"
        " started_at = excluded.started_at, completed_at = excluded.completed_at");
    put.bind(1, *cluster).bind(2, holder.nameSpace).bind(3, holder.name).bind(4, holder.uid);
    put.bind(5, static_cast<std::int64_t>(row.kind)).bind(6, newest).bind(7, row.node).bind(8, row.ownerKind);
    put.bind(9, row.ownerName).bind(10, labels).bind(11, spaceLabels).bind(12, requests);
    GPULEDGER_TRY(put.bind(13, unixOf(row.startedAt)).bind(14, unixOf(row.completedAt)).run());
    if (!*known)
        out.id = m_db.lastInsertId();
    return out;
}

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that writes nodes and devices.
#include "app/model/fleet/listedmachine.h"
#include "app/store/codecs/labeltext.h"
#include "app/store/facts/factwriter.h"
#include "app/store/facts/merge.h"

#include <algorithm>
#include <array>

namespace gpuledger::store {

using base::fail;
using base::Result;
using ports::FactBatch;

namespace {

void addNamesOf(const model::Node &node, std::set<std::string, std::less<>> &names)
{
    const auto host = node.labels.find(model::kHostNameLabel);
    const std::string hostName = host == node.labels.end() ? std::string() : host->second;
    for (const std::string &name :
         {node.name, model::sameCase(node.providerId), std::string(model::machineIdIn(node.providerId)), hostName,
          hostName.substr(0, hostName.find('.'))}) {
        if (!name.empty())
            names.insert(name);
    }
}

} // namespace

Result<std::int64_t> FactWriter::clusterId(const std::string &name)
{
    const auto cluster = m_names.cluster(name);
    if (!cluster)
        return fail(cluster.error());
    return (*cluster)->id;
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
        const bool isNew = put->id > newest->value_or(0);
        if (put->changed)
            GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node = ?1 UNION ALL"
                                     " SELECT min(seen_start), max(seen_end) + 3600 FROM placement WHERE device IN"
                                     " (SELECT device FROM device_node WHERE node = ?1) GROUP BY device",
                                     put->id));
        if (put->changed || isNew) {
            GPULEDGER_TRY(touchHoldersOn(put->id, batch.nodes[i].name));
            addNamesOf(batch.nodes[i], m_machineNames);
        }
    }
    return {};
}

// A machine that a list told belongs to the node under which telemetry knows it, also in the past, and completes what
// telemetry knows of it.
Result<void> FactWriter::touchListed()
{
    if (m_machineNames.empty())
        return {};
    const auto isNew = [&](const std::string &name) { return m_machineNames.contains(name); };
    std::set<std::string, std::less<>> listed; // all names of those that are new, or known under a new name
    Statement s = m_db.statement("SELECT name, json_extract(labels, ?1), span_start, span_end, provider_id FROM node n"
                                 " JOIN node_span x ON x.node = n.id WHERE json_extract(labels, ?1) IS NOT NULL");
    s.bind(1, std::string("$.") + model::kHostNameLabel);
    GPULEDGER_TRY(s.each([&] {
        const std::string host = s.text(1);
        const std::array names{s.text(0), model::sameCase(s.text(4)), host, host.substr(0, host.find('.'))};
        if (std::none_of(names.begin(), names.end(), isNew))
            return;
        touch({base::fromUnix(s.integer(2)), base::fromUnix(s.integer(3))});
        listed.insert(names.begin(), names.end());
    }));
    listed.erase("");
    return listed.empty() ? Result<void>() : touchKnown(listed);
}

// All time of the nodes under which telemetry may know machines of these names.
Result<void> FactWriter::touchKnown(const std::set<std::string, std::less<>> &names)
{
    std::set<std::int64_t> nodes;
    Statement byName = m_db.statement("SELECT id, name, provider_id FROM node WHERE json_extract(labels, ?1) IS NULL");
    byName.bind(1, std::string("$.") + model::kHostNameLabel);
    GPULEDGER_TRY(byName.each([&] {
        const std::string provider = byName.text(2);
        if (names.contains(byName.text(1)) || names.contains(model::sameCase(provider))
            || names.contains(model::machineIdIn(provider)))
            nodes.insert(byName.integer(0));
    }));
    std::vector<std::int64_t> holders;
    Statement byHolder = m_db.statement("SELECT s.id, coalesce(s.name, b.name) FROM subject s"
                                        " LEFT JOIN subject b ON b.id = s.base WHERE s.kind = ?1");
    byHolder.bind(1, static_cast<std::int64_t>(model::SubjectKind::Machine));
    GPULEDGER_TRY(byHolder.each([&] {
        if (names.contains(byHolder.text(1)))
            holders.push_back(byHolder.integer(0));
    }));
    for (const std::int64_t holder : holders) {
        Statement s = m_db.statement("SELECT DISTINCT node FROM placement WHERE subject = ?1 AND role <> ?2");
        s.bind(1, holder).bind(2, static_cast<std::int64_t>(model::SeriesRole::Listed));
        GPULEDGER_TRY(s.each([&] { nodes.insert(s.integer(0)); }));
    }
    for (const std::int64_t node : nodes)
        GPULEDGER_TRY(touchQuery("SELECT min(seen_start), max(seen_end) + 3600 FROM placement WHERE device IN"
                                 " (SELECT device FROM device_node WHERE node = ?1) GROUP BY device",
                                 node));
    return {};
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
        // A node without labels and capacity is known by name only; it provides no information about sharing.
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
        return fail(base::ErrorCode::Storage, "the cache has too many devices");
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

} // namespace gpuledger::store

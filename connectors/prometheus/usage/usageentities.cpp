// SPDX-License-Identifier: GPL-3.0-or-later
// The part of UsageMerger that finds out which device, holder and node a raw series speaks of.
#include "connectors/prometheus/usage/usagemerger.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::prometheus {

using ports::FactBatch;

namespace {

bool looksLikeExporter(const SeriesIdentity &identity, const SubjectCandidate &subject)
{
    const auto has = [](const std::string &text) { return text.find("exporter") != std::string::npos; };
    return !subject.exported && (has(identity.container) || has(subject.name));
}

} // namespace

std::uint32_t UsageMerger::deviceOf(const RawSeries &series)
{
    const SeriesIdentity &id = series.identity;
    const auto [it, fresh] =
        m_devices.try_emplace({id.cluster, id.uuid}, static_cast<std::uint32_t>(m_batch.devices.size()));
    if (fresh) {
        model::Device device;
        device.cluster = id.cluster;
        device.uuid = id.uuid;
        device.vendor = series.exporter->vendor;
        m_batch.devices.push_back(std::move(device));
    }
    model::Device &device = m_batch.devices[it->second];
    const auto info = m_assembler.m_info.find(id.uuid);
    if (device.model.empty())
        device.model =
            !id.modelName.empty() || info == m_assembler.m_info.end() ? id.modelName : info->second.modelName;
    if (device.index < 0)
        device.index = id.index >= 0 || info == m_assembler.m_info.end() ? id.index : info->second.index;
    const auto same = [&](const model::MigSlice &s) {
        return s.gpuInstance == id.gpuInstance && s.profile == id.profile;
    };
    if (!id.gpuInstance.empty() && !id.profile.empty()
        && std::none_of(device.slices.begin(), device.slices.end(), same))
        device.slices.push_back({id.gpuInstance, id.profile, migFraction(id.profile, device.model)});
    return it->second;
}

bool UsageMerger::isOfScheduler(const SeriesIdentity &id) const
{
    const auto isNode = [&](const std::string &name) { return m_facts.isNode(id.cluster, name); };
    return std::any_of(id.nodes.begin(), id.nodes.end(), isNode)
        || (!id.address.empty() && !m_facts.nodeAt(id.cluster, id.address).empty());
}

std::uint32_t UsageMerger::subjectOf(const RawSeries &series)
{
    const SeriesIdentity &id = series.identity;
    const SubjectCandidate *chosen = nullptr;
    bool exporterLike = false;
    for (const SubjectCandidate &candidate : id.subjects) {
        PodVerdict verdict = PodVerdict::Unknown;
        if (candidate.kind == model::SubjectKind::Pod)
            verdict = m_facts.verdict({id.cluster, candidate.nameSpace, candidate.name});
        if (verdict == PodVerdict::Other && !id.claim)
            continue;
        if (m_exporters.has(id, candidate))
            continue;
        if (candidate.kind == model::SubjectKind::Machine && isOfScheduler(id))
            continue; // its GPUs are allocated by a scheduler
        const bool exporter = verdict == PodVerdict::Unknown && candidate.kind == model::SubjectKind::Pod
            && looksLikeExporter(id, candidate);
        if (!chosen || (exporterLike && !exporter)) {
            chosen = &candidate;
            exporterLike = exporter;
        }
        if (!exporterLike)
            break;
    }
    if (!chosen)
        return FactBatch::kNone;
    const bool pod = chosen->kind == model::SubjectKind::Pod;
    const std::string uid = pod ? id.podUid : std::string();
    const auto [it, fresh] =
        m_subjects.try_emplace({id.cluster, static_cast<int>(chosen->kind), chosen->nameSpace, chosen->name, uid},
                               static_cast<std::uint32_t>(m_batch.subjects.size()));
    if (fresh) {
        m_batch.subjects.push_back({{}, id.cluster, chosen->kind, chosen->nameSpace, chosen->name, uid, exporterLike});
    }
    return it->second;
}

std::uint32_t UsageMerger::nodeOf(const RawSeries &series)
{
    const SeriesIdentity &id = series.identity;
    std::string name;
    for (const std::string &candidate : id.nodes) {
        if (name.empty() && m_facts.isNode(id.cluster, candidate))
            name = candidate;
    }
    if (name.empty() && !id.address.empty())
        name = m_facts.nodeAt(id.cluster, id.address);
    for (const SubjectCandidate &candidate : id.subjects) {
        if (name.empty() && candidate.kind == model::SubjectKind::Pod)
            name = m_facts.nodeOfPod({id.cluster, candidate.nameSpace, candidate.name});
    }
    if (name.empty() && !id.nodes.empty())
        name = id.nodes.front();
    if (name.empty())
        return FactBatch::kNone;
    const auto [it, fresh] = m_nodes.try_emplace({id.cluster, name}, static_cast<std::uint32_t>(m_batch.nodes.size()));
    if (fresh) {
        model::Node node;
        node.cluster = id.cluster;
        node.name = name;
        m_batch.nodes.push_back(std::move(node));
    }
    return it->second;
}

void UsageMerger::hearMachine(std::uint32_t subject, std::uint32_t node, const RawSeries &series)
{
    if (subject == FactBatch::kNone || node == FactBatch::kNone
        || m_batch.subjects[subject].kind != model::SubjectKind::Machine)
        return;
    std::size_t heardUntil = series.cells.end(); // the bucket after the last one with a sample
    while (heardUntil > series.cells.first() && hasNoSamples(series.cells.at(heardUntil - 1)))
        --heardUntil;
    m_machines.hear(node, m_batch.subjects[subject].name, series.identity.machineLabels,
                    heardUntil > series.cells.first() ? heardUntil : 0);
}

void UsageMerger::describeMemory()
{
    for (model::Device &device : m_batch.devices) {
        const auto found = m_assembler.m_memory.find(device.uuid);
        if (found == m_assembler.m_memory.end())
            continue;
        const auto sizeOf = [](const auto &bySeries) {
            double most = 0;
            for (const auto &[key, m] : bySeries)
                most = std::max(most, m.total > 0 ? m.total : m.free > 0 ? m.used + m.free + m.reserved : 0);
            return most;
        };
        double mib = 0;
        if (const auto whole = found->second.find(""); whole != found->second.end()) {
            mib = sizeOf(whole->second);
        } else {
            for (const auto &[instance, bySeries] : found->second)
                mib += sizeOf(bySeries);
        }
        device.memoryMib = std::llround(mib);
    }
}

} // namespace gpuledger::prometheus

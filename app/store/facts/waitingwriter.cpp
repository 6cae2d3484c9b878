// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that writes which pods waited for GPUs. No day of the roll-up depends on it.
#include "app/store/facts/factwriter.h"
#include "app/store/facts/holdercolumns.h"
#include "app/store/facts/timecolumns.h"

#include <tuple>
#include <utility>

namespace gpuledger::store {

using base::fail;
using base::Result;
using base::TimeRange;
using ports::FactBatch;

namespace {

TimeRange hullOfWaits(const FactBatch &batch)
{
    TimeRange hull = batch.covered;
    for (const model::PastWait &wait : batch.waits)
        hull = hullOf(hull, wait.range);
    for (const FactBatch::WaitingKnown &known : batch.waitingKnown)
        hull = hullOf(hull, known.range);
    return hull;
}

// What this source reported for other times than the covered ones stays.
Spans joinedWaits(Spans said, const Spans &before, const FactBatch &batch)
{
    const Spans kept = batch.complete ? without(before, batch.covered) : before;
    said.insert(said.end(), kept.begin(), kept.end());
    return coalesced(std::move(said));
}

} // namespace

struct FactWriter::WaitRow {
    std::int64_t resource = 0, gpus = 0;
    std::optional<std::int64_t> node;
    Spans spans;
    bool operator==(const WaitRow &) const = default;
};

bool FactWriter::isSound(const model::PastWait &wait)
{
    constexpr std::int64_t kMostGpus = 1'000'000;
    return !wait.name.empty() && !wait.resource.empty() && wait.gpus > 0 && wait.gpus <= kMostGpus
        && !wait.range.empty();
}

Result<void> FactWriter::putWaiting(const FactBatch &batch)
{
    const TimeRange hull = hullOfWaits(batch);
    if (hull.empty())
        return {};
    WaitMap said;
    for (const model::PastWait &wait : batch.waits) {
        const auto cluster = m_names.cluster(wait.cluster);
        GPULEDGER_TRY(cluster);
        const auto name = m_names.name((*cluster)->id, wait.nameSpace, wait.name);
        GPULEDGER_TRY(name);
        const auto resource = m_names.text(wait.resource);
        GPULEDGER_TRY(resource);
        const auto node = m_names.text(wait.node);
        GPULEDGER_TRY(node);
        WaitRow &row = said[{(*name)->id, wait.uid}];
        row.resource = resource->value_or(0);
        row.gpus = wait.gpus;
        row.node = *node;
        row.spans.push_back(wait.range);
    }
    const auto before = loadWaits(hull);
    GPULEDGER_TRY(before);
    for (const auto &[key, stored] : *before) {
        const auto [at, isNew] = said.try_emplace(key, stored);
        if (isNew)
            at->second.spans.clear();
        else if (!at->second.node)
            at->second.node = stored.node;
    }
    for (auto &[key, row] : said) {
        const auto stored = before->find(key);
        row.spans = joinedWaits(std::move(row.spans), stored == before->end() ? Spans{} : stored->second.spans, batch);
        if (stored == before->end() || !(stored->second == row))
            GPULEDGER_TRY(replaceWait(key, stored == before->end() ? Spans{} : stored->second.spans, row));
    }
    return putWaitingKnown(batch, hull);
}

Result<FactWriter::WaitMap> FactWriter::loadWaits(const TimeRange &range)
{
    WaitMap all;
    Statement s = m_db.statement("SELECT subject, uid, resource, gpus, node, span_start, span_end FROM waiting_span"
                                 " WHERE span_end >= ?1 AND span_start <= ?2 AND source = ?3");
    s.bind(1, base::toUnix(range.start)).bind(2, base::toUnix(range.end)).bind(3, m_source);
    GPULEDGER_TRY(s.each([&] {
        WaitRow &row = all[{s.integer(0), uidAt(s, 1)}];
        row.resource = s.integer(2);
        row.gpus = s.integer(3);
        row.node = s.optionalInteger(4);
        row.spans.push_back(rangeAt(s, 5));
    }));
    for (auto &[key, row] : all)
        row.spans = coalesced(std::move(row.spans));
    return all;
}

Result<void> FactWriter::replaceWait(const WaitKey &key, const Spans &before, const WaitRow &row)
{
    const auto &[subject, uid] = key;
    Statement remove = m_db.statement("DELETE FROM waiting_span WHERE subject = ?1 AND uid = ?2 AND source = ?3"
                                      " AND span_start = ?4");
    for (const TimeRange &r : before) {
        bindUid(remove, 2, uid);
        GPULEDGER_TRY(remove.bind(1, subject).bind(3, m_source).bind(4, base::toUnix(r.start)).run());
    }
    Statement add = m_db.statement("INSERT INTO waiting_span (subject, uid, source, span_start, span_end, resource,"
                                   " gpus, node) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    for (const TimeRange &r : row.spans) {
        bindUid(add, 2, uid);
        add.bind(1, subject).bind(3, m_source).bind(4, base::toUnix(r.start)).bind(5, base::toUnix(r.end));
        GPULEDGER_TRY(add.bind(6, row.resource).bind(7, row.gpus).bind(8, row.node).run());
    }
    return {};
}

Result<void> FactWriter::putWaitingKnown(const FactBatch &batch, const TimeRange &hull)
{
    SpanMap said, before;
    for (const FactBatch::WaitingKnown &known : batch.waitingKnown) {
        const auto cluster = m_names.cluster(known.cluster);
        GPULEDGER_TRY(cluster);
        said[(*cluster)->id].push_back(known.range);
    }
    Statement load = m_db.statement("SELECT cluster, span_start, span_end FROM waiting_known"
                                    " WHERE span_end >= ?1 AND span_start <= ?2 AND source = ?3");
    load.bind(1, base::toUnix(hull.start)).bind(2, base::toUnix(hull.end)).bind(3, m_source);
    GPULEDGER_TRY(load.each([&] { before[load.integer(0)].push_back(rangeAt(load, 1)); }));
    for (const auto &[cluster, spans] : before)
        said.try_emplace(cluster);
    Statement remove =
        m_db.statement("DELETE FROM waiting_known WHERE cluster = ?1 AND source = ?2 AND span_start = ?3");
    Statement add = m_db.statement("INSERT INTO waiting_known (cluster, source, span_start, span_end)"
                                   " VALUES (?1, ?2, ?3, ?4)");
    for (auto &[cluster, spans] : said) {
        const Spans stored = coalesced(before[cluster]);
        const Spans after = joinedWaits(std::move(spans), stored, batch);
        if (after == stored)
            continue;
        for (const TimeRange &r : stored)
            GPULEDGER_TRY(remove.bind(1, cluster).bind(2, m_source).bind(3, base::toUnix(r.start)).run());
        for (const TimeRange &r : after) {
            add.bind(1, cluster).bind(2, m_source).bind(3, base::toUnix(r.start)).bind(4, base::toUnix(r.end));
            GPULEDGER_TRY(add.run());
        }
    }
    return {};
}

} // namespace gpuledger::store

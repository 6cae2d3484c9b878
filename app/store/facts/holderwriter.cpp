// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FactWriter that writes subjects and holders.
#include "app/store/codecs/labeltext.h"
#include "app/store/facts/factwriter.h"
#include "app/store/facts/holdercolumns.h"
#include "app/store/facts/merge.h"
#include "app/store/facts/timecolumns.h"

#include <algorithm>
#include <utility>

namespace gpuledger::store {

using base::fail;
using base::Result;
using ports::FactBatch;

namespace {

std::optional<base::UtcTime> timeOf(const std::optional<std::int64_t> &v)
{
    return v ? std::optional(base::fromUnix(*v)) : std::nullopt;
}

std::optional<model::EndReason> endOf(const std::optional<std::int64_t> &v)
{
    return v ? model::endReasonOf(*v) : std::nullopt;
}

// Empty maps become an empty text.
template <typename Value> std::string labelText(const std::map<std::string, Value> &labels)
{
    return labels.empty() ? std::string() : toJsonText(labels);
}

} // namespace

Result<void> FactWriter::putSubjects(const FactBatch &batch)
{
    for (const model::Subject &s : batch.subjects) {
        const auto cluster = m_names.cluster(s.cluster);
        if (!cluster)
            return fail(cluster.error());
        const bool byNameAlone = s.uid.empty() && s.kind == model::SubjectKind::Pod;
        const auto name = m_names.name((*cluster)->id, s.nameSpace, s.name, byNameAlone, byNameAlone && s.exporterLike);
        if (!name)
            return fail(name.error());
        const auto id = byNameAlone ? putPlainSubject(**name, s.exporterLike) : putSubjectOf(**name, s);
        if (!id)
            return fail(id.error());
        m_subjects.push_back(*id);
        m_subjectIsNew.push_back((*name)->isNew ? 1 : 0);
    }
    return {};
}

Result<std::int64_t> FactWriter::putPlainSubject(Names::Name &name, bool exporterLike)
{
    const bool isNew = !name.told, marks = exporterLike && !name.exporterLike;
    if (!isNew && !marks)
        return name.id;
    name.told = true;
    name.exporterLike = name.exporterLike || exporterLike;
    Statement mark = m_db.statement("UPDATE subject SET told = 1, exporter_like = ?2 WHERE id = ?1");
    GPULEDGER_TRY(mark.bind(1, name.id).bind(2, std::int64_t{name.exporterLike}).run());
    if (!isNew)
        GPULEDGER_TRY(touchSubject(name.id));
    return name.id;
}

// A subject whose series identify it by more than a pod name.
Result<std::int64_t> FactWriter::putSubjectOf(const Names::Name &name, const model::Subject &subject)
{
    const auto kind = static_cast<std::int64_t>(subject.kind);
    Statement find = m_db.statement("SELECT id, exporter_like FROM subject WHERE base = ?1 AND uid = ?2 AND kind = ?3");
    const Result<bool> known = find.bind(1, name.id).bind(2, subject.uid).bind(3, kind).step();
    if (!known)
        return fail(known.error());
    if (!*known) {
        find.reset();
        Statement add = m_db.statement("INSERT INTO subject (namespace, base, uid, kind, told, exporter_like)"
                                       " SELECT namespace, id, ?2, ?3, 1, ?4 FROM subject WHERE id = ?1");
        add.bind(1, name.id).bind(2, subject.uid).bind(3, kind);
        GPULEDGER_TRY(add.bind(4, std::int64_t{subject.exporterLike}).run());
        return m_db.lastInsertId();
    }
    const std::int64_t id = find.integer(0);
    if (!subject.exporterLike || find.integer(1) != 0)
        return id;
    find.reset();
    GPULEDGER_TRY(m_db.statement("UPDATE subject SET exporter_like = 1 WHERE id = ?1").bind(1, id).run());
    GPULEDGER_TRY(touchSubject(id));
    return id;
}

Result<void> FactWriter::touchSubject(std::int64_t subject)
{
    return touchQuery("SELECT min(seen_start), max(seen_end) FROM placement WHERE subject = ?1 AND subject <> 0"
                      " GROUP BY subject",
                      subject);
}

Result<void> FactWriter::putHolders(const FactBatch &batch)
{
    for (std::size_t i = 0; i < batch.holders.size(); ++i) {
        const auto cluster = m_names.cluster(batch.holders[i].cluster);
        if (!cluster)
            return fail(cluster.error());
        // From the first holder on, the cluster's node records show when the scheduler's records are complete.
        if (!(*cluster)->hasHolders) {
            (*cluster)->hasHolders = true;
            Statement mark = m_db.statement("UPDATE cluster SET has_holders = 1 WHERE id = ?1");
            GPULEDGER_TRY(mark.bind(1, (*cluster)->id).run());
            GPULEDGER_TRY(touchQuery("SELECT span_start, span_end FROM node_span WHERE node IN"
                                     " (SELECT id FROM node WHERE cluster = ?1)",
                                     (*cluster)->id));
        }
        const auto put = putHolder((*cluster)->id, batch.holders[i], m_holderAsOf[i]);
        if (!put)
            return fail(put.error());
        m_holders.push_back(put->id);
        if (put->changed)
            GPULEDGER_TRY(touchHolder(put->id));
    }
    return {};
}

Result<FactWriter::Upsert> FactWriter::putHolder(std::int64_t cluster, const model::Holder &holder, std::int64_t asOf)
{
    const auto name = m_names.name(cluster, holder.nameSpace, holder.name);
    if (!name)
        return fail(name.error());
    HolderRow row = rowOf(holder, asOf);
    Upsert out;
    if (!(*name)->held) { // a name that is new in this batch
        (*name)->held = true;
        auto added = addHolder((*name)->id, row);
        if (added)
            m_newHolders.insert(added->id);
        return added;
    }
    Statement find =
        m_db.statement("SELECT id, as_of, (SELECT value FROM text WHERE id = node),"
                       " (SELECT value FROM text WHERE id = owner_kind), owner_name,"
                       " (SELECT value FROM text WHERE id = labels), (SELECT value FROM text WHERE id ="
                       " namespace_labels), (SELECT value FROM text WHERE id = gpu_requests), started_at, completed_at,"
                       " end_reason"
                       " FROM holder WHERE subject = ?1 AND uid = ?2");
    bindUid(find, 2, holder.uid);
    const Result<bool> known = find.bind(1, (*name)->id).step();
    if (!known)
        return fail(known.error());
    if (!*known) {
        find.reset();
        return addHolder((*name)->id, row);
    }
    out.id = find.integer(0);
    const bool same = !mergeHolder(find, row, out.changed);
    find.reset();
    if (!same)
        GPULEDGER_TRY(changeHolder(out.id, row));
    return out;
}

FactWriter::HolderRow FactWriter::rowOf(const model::Holder &holder, std::int64_t asOf)
{
    return {holder.name,
            holder.uid,
            holder.kind,
            asOf,
            holder.node,
            holder.ownerKind,
            holder.ownerName,
            labelText(holder.labels),
            labelText(holder.namespaceLabels),
            labelText(holder.gpuRequests),
            holder.startedAt,
            holder.completedAt,
            holder.endReason};
}

// Merges the stored row and the batch's row into the latter; returns whether the result differs from the stored row.
bool FactWriter::mergeHolder(const Statement &stored, HolderRow &row, bool &attributesChanged)
{
    const std::int64_t storedAsOf = stored.integer(1);
    Merge merge(row.asOf >= storedAsOf);
    row.asOf = std::max(row.asOf, storedAsOf);
    const auto take = [&merge](auto known, auto &said) {
        merge.take(known, said);
        said = std::move(known);
    };
    take(stored.text(2), row.node);
    take(stored.text(3), row.ownerKind);
    take(ownerAt(stored, 4, row.name), row.ownerName);
    take(stored.text(5), row.labels);
    take(stored.text(6), row.namespaceLabels);
    take(stored.text(7), row.gpuRequests);
    // Start, end and its reason: who held what when follows from the spans, so no day changes with these.
    attributesChanged = merge.changed;
    take(timeOf(stored.optionalInteger(8)), row.startedAt);
    take(timeOf(stored.optionalInteger(9)), row.completedAt);
    take(endOf(stored.optionalInteger(10)), row.endReason);
    return merge.changed || row.asOf != storedAsOf;
}

Result<FactWriter::Upsert> FactWriter::addHolder(std::int64_t name, const HolderRow &row)
{
    Statement add =
        m_db.statement("INSERT INTO holder (subject, uid, kind, as_of, node, owner_kind, owner_name, labels,"
                       " namespace_labels, gpu_requests, started_at, completed_at, end_reason)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
    add.bind(1, name).bind(3, static_cast<std::int64_t>(row.kind));
    bindUid(add, 2, row.uid);
    GPULEDGER_TRY(bindHolder(add, row));
    GPULEDGER_TRY(add.run());
    return Upsert{m_db.lastInsertId(), false};
}

Result<void> FactWriter::changeHolder(std::int64_t id, const HolderRow &row)
{
    Statement put = m_db.statement("UPDATE holder SET as_of = ?4, node = ?5, owner_kind = ?6, owner_name = ?7,"
                                   " labels = ?8, namespace_labels = ?9, gpu_requests = ?10, started_at = ?11,"
                                   " completed_at = ?12, end_reason = ?13 WHERE id = ?1");
    put.bind(1, id);
    GPULEDGER_TRY(bindHolder(put, row));
    return put.run();
}

// Parameters 4 to 13.
Result<void> FactWriter::bindHolder(Statement &s, const HolderRow &row)
{
    int index = 5;
    const auto text = [&](const std::string &value) -> Result<void> {
        const auto id = m_names.text(value);
        if (!id)
            return fail(id.error());
        s.bind(index++, *id);
        return {};
    };
    s.bind(4, row.asOf);
    GPULEDGER_TRY(text(row.node));
    GPULEDGER_TRY(text(row.ownerKind));
    bindOwner(s, index++, row.ownerName, row.name);
    GPULEDGER_TRY(text(row.labels));
    GPULEDGER_TRY(text(row.namespaceLabels));
    GPULEDGER_TRY(text(row.gpuRequests));
    s.bind(index, unixOf(row.startedAt)).bind(index + 1, unixOf(row.completedAt));
    s.bind(index + 2,
           row.endReason ? std::optional(static_cast<std::int64_t>(*row.endReason)) : std::optional<std::int64_t>());
    return {};
}

} // namespace gpuledger::store

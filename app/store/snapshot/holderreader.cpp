// SPDX-License-Identifier: GPL-3.0-or-later
// Subjects, and the holders of GPUs with their labels.
#include "app/store/codecs/labeltext.h"
#include "app/store/facts/holdercolumns.h"
#include "app/store/facts/spans.h"
#include "app/store/facts/timecolumns.h"
#include "app/store/snapshot/factreadersql.h"

#include <algorithm>
#include <array>
#include <set>

namespace gpuledger::store {

using base::fail;
using base::Result;
using base::TimeRange;

namespace {

constexpr const char *kHolderColumns =
    "SELECT h.id, s.namespace, s.name, h.kind, h.uid, node, owner_kind, owner_name, labels, namespace_labels,"
    " gpu_requests, started_at, completed_at, end_reason,"
    " (SELECT min(span_start) FROM holder_span x WHERE x.holder = h.id),"
    " (SELECT max(span_end) FROM holder_span x WHERE x.holder = h.id)"
    " FROM holder h JOIN subject s ON s.id = h.subject ";

} // namespace

Result<void> FactReaderSql::eachSubject(const SubjectVisitor &visit)
{
    GPULEDGER_TRY(loadNameSpaces());
    Statement s = m_db.statement("SELECT id, namespace, CASE WHEN base IS NULL THEN name ELSE"
                                 " (SELECT b.name FROM subject b WHERE b.id = s.base) END, uid, kind, exporter_like"
                                 " FROM subject s WHERE told = 1 ORDER BY id");
    return s.each([&]() -> Result<void> {
        model::Subject v;
        const auto &[cluster, nameSpace] = m_nameSpaces[s.integer(1)];
        v.id.value = s.integer(0);
        v.cluster = cluster;
        v.nameSpace = nameSpace;
        v.name = s.text(2);
        v.uid = s.text(3);
        v.kind = static_cast<model::SubjectKind>(s.integer(4));
        v.exporterLike = s.integer(5) != 0;
        return visit(v);
    });
}

Result<void> FactReaderSql::loadNameSpaces()
{
    if (!m_nameSpaces.empty())
        return {};
    Statement s = m_db.statement("SELECT n.id, c.name, n.name FROM namespace n JOIN cluster c ON c.id = n.cluster");
    return s.each([&] { m_nameSpaces.emplace(s.integer(0), std::pair(s.text(1), s.text(2))); });
}

// Rows of text never change, so each is read and parsed once.
Result<const FactReaderSql::Text *> FactReaderSql::textOf(std::optional<std::int64_t> id)
{
    static const Text kNone;
    if (!id)
        return &kNone;
    const auto added = m_texts.try_emplace(*id);
    Text &text = added.first->second;
    if (!added.second)
        return &text;
    Statement s = m_db.statement("SELECT value FROM text WHERE id = ?1");
    GPULEDGER_TRY(s.bind(1, *id).each([&] {
        text.value = s.text(0);
        if (!text.value.starts_with('{'))
            return;
        text.labels = fromJsonText<std::string>(text.value);
        text.counts = fromJsonText<std::int64_t>(text.value);
    }));
    return &text;
}

Result<std::vector<model::Holder>> FactReaderSql::holders(TimeRange range)
{
    std::vector<model::Holder> all;
    GPULEDGER_TRY(eachHolder(range, [&](model::Holder &holder) -> Result<void> {
        all.push_back(std::move(holder));
        return {};
    }));
    return all;
}

Result<void> FactReaderSql::eachHolder(TimeRange range, const HolderVisitor &visit)
{
    GPULEDGER_TRY(loadNameSpaces());
    const auto [from, to] = boundsOf(range);
    // By the primary key, so that nothing is sorted in memory.
    static const std::string kInRange = std::string(kHolderColumns)
        + "WHERE h.id IN (SELECT holder FROM holder_span WHERE span_end > ?1 AND span_start < ?2) ORDER BY h.id";
    Statement s = m_db.statement(kInRange);
    return s.bind(1, from).bind(2, to).each([&]() -> Result<void> {
        auto holder = holderAt(s);
        GPULEDGER_TRY(holder);
        return visit(*holder);
    });
}

Result<model::Holder> FactReaderSql::holderAt(const Statement &row)
{
    model::Holder h;
    const auto &[cluster, nameSpace] = m_nameSpaces[row.integer(1)];
    h.id.value = row.integer(0);
    h.cluster = cluster;
    h.nameSpace = nameSpace;
    h.name = row.text(2);
    h.kind = static_cast<model::SubjectKind>(row.integer(3));
    h.uid = uidAt(row, 4);
    h.ownerName = ownerAt(row, 7, h.name);
    std::array<const Text *, 5> texts{};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        constexpr std::array kColumns{5, 6, 8, 9, 10};
        const auto text = textOf(row.optionalInteger(kColumns[i]));
        GPULEDGER_TRY(text);
        texts[i] = *text;
    }
    h.node = texts[0]->value;
    h.ownerKind = texts[1]->value;
    h.labels = texts[2]->labels;
    h.namespaceLabels = texts[3]->labels;
    h.gpuRequests = texts[4]->counts;
    h.startedAt = timeAt(row, 11);
    h.completedAt = timeAt(row, 12);
    h.endReason = row.optionalInteger(13) ? model::endReasonOf(*row.optionalInteger(13)) : std::nullopt;
    h.seen = rangeAt(row, 14);
    return h;
}

// Names first, in the order of the ids; labels and spans only of what is wanted.
Result<void> FactReaderSql::eachWanted(TimeRange range, const HolderFilter &wanted, const HolderSpansVisitor &visit)
{
    GPULEDGER_TRY(loadNameSpaces());
    const auto bounds = boundsOf(range);
    std::optional<std::int64_t> first, last;
    Statement ends =
        m_db.statement("SELECT min(holder), max(holder) FROM holder_span WHERE span_end > ?1 AND span_start < ?2");
    GPULEDGER_TRY(ends.bind(1, bounds.first).bind(2, bounds.second).each([&] {
        first = ends.optionalInteger(0);
        last = ends.optionalInteger(1);
    }));
    if (!first || !last)
        return {};
    static const std::string kOne = std::string(kHolderColumns) + "WHERE h.id = ?1";
    Statement row = m_db.statement(kOne);
    Statement spansOf =
        m_db.statement("SELECT span_start, span_end FROM holder_span WHERE holder = ?1 ORDER BY span_start");
    Statement s = m_db.statement("SELECT h.id, s.namespace, s.name, h.kind, owner_kind, owner_name"
                                 " FROM holder h JOIN subject s ON s.id = h.subject"
                                 " WHERE h.id BETWEEN ?1 AND ?2 ORDER BY h.id");
    return s.bind(1, *first).bind(2, *last).each([&]() -> Result<void> {
        model::Holder named;
        const auto &[cluster, nameSpace] = m_nameSpaces[s.integer(1)];
        named.id.value = s.integer(0);
        named.cluster = cluster;
        named.nameSpace = nameSpace;
        named.name = s.text(2);
        named.kind = static_cast<model::SubjectKind>(s.integer(3));
        const auto kind = textOf(s.optionalInteger(4));
        GPULEDGER_TRY(kind);
        named.ownerKind = (*kind)->value;
        named.ownerName = ownerAt(s, 5, named.name);
        const auto isWanted = wanted(named);
        GPULEDGER_TRY(isWanted);
        if (!*isWanted)
            return {};
        Spans spans;
        GPULEDGER_TRY(spansOf.bind(1, named.id.value).each([&] { spans.push_back(rangeAt(spansOf, 0)); }));
        spans = coalesced(std::move(spans));
        if (std::none_of(spans.begin(), spans.end(), [&](const TimeRange &one) {
                return base::toUnix(one.end) > bounds.first && base::toUnix(one.start) < bounds.second;
            }))
            return {};
        return row.bind(1, named.id.value).each([&]() -> Result<void> {
            const auto holder = holderAt(row);
            GPULEDGER_TRY(holder);
            return visit(*holder, spans);
        });
    });
}

} // namespace gpuledger::store

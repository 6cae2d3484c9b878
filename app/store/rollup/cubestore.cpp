// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/rollup/cubestore.h"

#include "app/base/remedy.h"
#include "app/store/bills/allocationrows.h"
#include "app/store/bills/ledgerlines.h"
#include "app/store/codecs/cubecodec.h"
#include "app/store/dayfacts/dayfactstore.h"
#include "app/store/idle/gapstore.h"
#include "app/store/idle/idlestore.h"

#include <algorithm>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

Statement &bindKey(Statement &s, const GroupKey &key)
{
    return s.bind(1, key.team)
        .bind(2, key.cluster)
        .bind(3, key.cloud)
        .bind(4, key.region)
        .bind(5, key.gpuModel)
        .bind(6, key.workloadKind)
        .bind(7, key.environment)
        .bind(8, key.nodePool);
}

} // namespace

Result<base::GroupId> CubeWriterSql::groupId(const GroupKey &key)
{
    if (const auto known = m_ids.find(key); known != m_ids.end())
        return known->second;
    Statement find = m_db.statement("SELECT id FROM rollup_group WHERE team = ?1 AND cluster = ?2 AND cloud = ?3 AND"
                                    " region = ?4 AND gpu_model = ?5 AND workload_kind = ?6 AND environment = ?7"
                                    " AND node_pool = ?8");
    const Result<bool> row = bindKey(find, key).step();
    if (!row)
        return fail(row.error());
    base::GroupId id;
    if (*row) {
        id.value = find.integer(0);
    } else {
        Statement add =
            m_db.statement("INSERT INTO rollup_group (team, cluster, cloud, region, gpu_model,"
                           " workload_kind, environment, node_pool) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
        GPULEDGER_TRY(bindKey(add, key).run());
        id.value = m_db.lastInsertId();
    }
    if (id.value > cubecodec::kMaxGroup)
        return fail(ErrorCode::Storage, "the roll-up has too many groups", base::Remedy::GroupByFewerLabels);
    m_ids.emplace(key, id);
    return id;
}

Result<std::vector<std::int64_t>> CubeWriterSql::groupsOf(base::Day day)
{
    std::vector<std::int64_t> groups;
    Statement s = m_db.statement("SELECT group_id FROM rollup_day WHERE day = ?1 ORDER BY group_id");
    GPULEDGER_TRY(s.bind(1, std::int64_t{day.number}).each([&] { groups.push_back(s.integer(0)); }));
    return groups;
}

Result<void> CubeWriterSql::removeDay(base::Day day, const std::vector<std::int64_t> &groups)
{
    if (groups.empty())
        return {};
    Statement rows = m_db.statement("DELETE FROM rollup WHERE id BETWEEN ?1 AND ?2");
    for (int m = 0; m < kMeasureCount; ++m) {
        const auto measure = static_cast<Measure>(m);
        rows.bind(1, cubecodec::rowId(measure, day, {}));
        rows.bind(2, cubecodec::rowId(measure, day, {cubecodec::kMaxGroup}));
        GPULEDGER_TRY(rows.run());
    }
    Statement s = m_db.statement("DELETE FROM rollup_day WHERE day = ?1");
    return s.bind(1, std::int64_t{day.number}).run();
}

// A group that no day has any more must be removed: it would be offered as a filter that matches nothing.
Result<void> CubeWriterSql::dropUnused(const std::vector<std::int64_t> &groups)
{
    Statement s = m_db.statement("DELETE FROM rollup_group WHERE id = ?1"
                                 " AND NOT EXISTS (SELECT 1 FROM rollup_day WHERE group_id = ?1)");
    for (const std::int64_t group : groups) {
        GPULEDGER_TRY(s.bind(1, group).run());
        std::erase_if(m_ids, [&](const auto &entry) { return entry.second.value == group; });
    }
    return {};
}

Result<void> CubeWriterSql::putRow(std::int64_t rowId, const CellRow &cells)
{
    cubecodec::encode(rowId, cells, m_blob);
    Statement s = m_db.statement("INSERT INTO rollup (id, data) VALUES (?1, ?2)");
    return s.bind(1, rowId).bindBlob(2, m_blob).run();
}

Result<void> CubeWriterSql::replaceDay(base::Day day, const std::map<GroupKey, GroupDay> &groups)
{
    if (day.number < 0 || day.number > cubecodec::kMaxDay)
        return fail(ErrorCode::InvalidArgument, "a day of the roll-up is before 1970 or too far ahead");
    GPULEDGER_TRY(dropDayFact(m_db, day));
    auto before = groupsOf(day);
    if (!before)
        return fail(std::move(before).error());
    GPULEDGER_TRY(removeDay(day, *before));
    std::vector<std::int64_t> gone = std::move(*before);
    Statement mark = m_db.statement("INSERT INTO rollup_day (day, group_id) VALUES (?1, ?2)");
    for (const auto &[key, group] : groups) {
        if (std::all_of(group.cells.begin(), group.cells.end(), cubecodec::isZero))
            continue;
        const auto id = groupId(key);
        if (!id)
            return fail(id.error());
        GPULEDGER_TRY(mark.bind(1, std::int64_t{day.number}).bind(2, id->value).run());
        for (int m = 0; m < kMeasureCount; ++m) {
            const CellRow &cells = group.cells[static_cast<std::size_t>(m)];
            if (!cubecodec::isZero(cells))
                GPULEDGER_TRY(putRow(cubecodec::rowId(static_cast<Measure>(m), day, *id), cells));
        }
        std::erase(gone, id->value);
    }
    return dropUnused(gone);
}

Result<void> CubeWriterSql::replaceIdleDay(base::Day day, const std::vector<IdleUnitDay> &units)
{
    return putIdleDay(m_db, day, units);
}

Result<void> CubeWriterSql::replaceGapDay(base::Day day, const GapDay &gaps)
{
    return putGapDay(m_db, day, gaps);
}

Result<void> CubeWriterSql::replaceFindings(base::Day day, const AllocationFindings &findings)
{
    return putAllocationFindings(m_db, day, findings);
}

Result<void> CubeWriterSql::replaceLedgerDay(base::Day day, const LedgerDay &lines)
{
    return putLedgerDay(m_db, day, lines);
}

Result<void> CubeReaderSql::ledger(base::Day first, base::Day last, const LedgerVisitor &visit)
{
    return readLedger(m_db, first, last, visit);
}

Result<std::vector<base::Day>> CubeWriterSql::days()
{
    std::vector<base::Day> all;
    Statement s = m_db.statement("SELECT DISTINCT day FROM rollup_day ORDER BY day");
    GPULEDGER_TRY(s.each([&] { all.push_back({static_cast<std::int32_t>(s.integer(0))}); }));
    return all;
}

Result<std::vector<std::pair<base::GroupId, GroupKey>>> CubeReaderSql::groups()
{
    std::vector<std::pair<base::GroupId, GroupKey>> all;
    Statement s = m_db.statement("SELECT id, team, cluster, cloud, region, gpu_model, workload_kind, environment,"
                                 " node_pool"
                                 " FROM rollup_group ORDER BY id");
    GPULEDGER_TRY(s.each([&] {
        all.emplace_back(
            base::GroupId{s.integer(0)},
            GroupKey{s.text(1), s.text(2), s.text(3), s.text(4), s.text(5), s.text(6), s.text(7), s.text(8)});
    }));
    return all;
}

Result<void> CubeReaderSql::rows(base::Day first, base::Day last, const std::vector<Measure> &measures,
                                 const std::vector<char> &wanted, const RowVisitor &visit)
{
    first.number = std::clamp(first.number, 0, cubecodec::kMaxDay);
    if (last < first)
        return {};
    last.number = std::min(last.number, cubecodec::kMaxDay);
    Statement s = m_db.statement("SELECT id, data FROM rollup WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    CellRow cells{};
    for (const Measure measure : measures) {
        s.bind(1, cubecodec::rowId(measure, first, {}));
        s.bind(2, cubecodec::rowId(measure, last, {cubecodec::kMaxGroup}));
        GPULEDGER_TRY(s.each([&]() -> Result<void> {
            const std::int64_t id = s.integer(0);
            const base::GroupId group = cubecodec::groupOf(id);
            const auto index = static_cast<std::size_t>(group.value);
            if (index >= wanted.size() || !wanted[index])
                return {};
            if (!cubecodec::decode(id, s.blob(1), cells))
                return fail(base::Error::make(ErrorCode::StorageCorrupt,
                                              "row " + std::to_string(id) + " of the roll-up is damaged",
                                              base::Remedy::RepairCache)
                                .withSource(m_db.file().string()));
            visit(group, cubecodec::dayOf(id), measure, cells);
            return {};
        }));
    }
    return {};
}

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/sqlite/readerpool.h"
#include "app/store/values/cube.h"

namespace gpuledger::store {

// Writes the roll-up's rows inside the writer's transaction.
class CubeWriterSql final : public CubeWriter {
public:
    explicit CubeWriterSql(Database &database)
        : m_db(database)
    {
    }
    base::Result<void> replaceDay(base::Day day, const std::map<GroupKey, GroupDay> &groups) override;
    base::Result<void> replaceIdleDay(base::Day day, const std::vector<IdleUnitDay> &units) override;
    base::Result<void> replaceGapDay(base::Day day, const GapDay &gaps) override;
    base::Result<void> replaceLedgerDay(base::Day day, const LedgerDay &lines) override;
    base::Result<void> replaceFindings(base::Day day, const AllocationFindings &findings) override;
    // Days that have rows.
    base::Result<std::vector<base::Day>> days();

private:
    base::Result<base::GroupId> groupId(const GroupKey &key);
    base::Result<std::vector<std::int64_t>> groupsOf(base::Day day);
    base::Result<void> removeDay(base::Day day, const std::vector<std::int64_t> &groups);
    base::Result<void> dropUnused(const std::vector<std::int64_t> &groups);
    base::Result<void> putRow(std::int64_t rowId, const CellRow &cells);

    Database &m_db;
    std::map<GroupKey, base::GroupId> m_ids;
    std::string m_blob;
};

// Reads on a session of its own, or on one connection that is in a transaction and that the owner keeps open.
class CubeReaderSql final : public CubeReader {
public:
    explicit CubeReaderSql(Database &database)
        : m_db(database)
    {
    }
    explicit CubeReaderSql(std::unique_ptr<ReadSession> session)
        : m_session(std::move(session))
        , m_db(m_session->database())
    {
    }
    base::Result<std::vector<std::pair<base::GroupId, GroupKey>>> groups() override;
    base::Result<void> rows(base::Day first, base::Day last, const std::vector<Measure> &measures,
                            const std::vector<char> &wanted, const RowVisitor &visit) override;
    base::Result<void> ledger(base::Day first, base::Day last, const LedgerVisitor &visit) override;

private:
    std::unique_ptr<ReadSession> m_session; // may be null
    Database &m_db;
};

} // namespace gpuledger::store

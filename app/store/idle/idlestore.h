// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/rollup/rollupbuilder.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/idlekept.h"

namespace gpuledger::store {

// Reads what is kept for the idle list on one connection that is in a transaction and that its owner keeps alive.
class IdleReaderSql final : public IdleReader {
public:
    explicit IdleReaderSql(Database &database)
        : m_db(database)
    {
    }
    base::Result<IdleDay> day(base::Day day) override;
    base::Result<std::optional<std::vector<IdleCandidate>>> candidates(base::UtcTime at,
                                                                       const model::IdleSettings &settings) override;

private:
    Database &m_db;
};

// Inside the writer's transaction. Fails with Storage… codes.
[[nodiscard]] base::Result<void> putIdleDay(Database &database, base::Day day, const IdleDay &units);

// Brings the candidates at the end of what was fetched up to date with the facts and the kept days, inside the writer's
// transaction; `changed`: some of these changed since. Else only where they are kept for other grace windows.
[[nodiscard]] base::Result<void> keepCandidates(Database &database, FactReader &facts, const RollupBuilder &rollup,
                                                bool changed);

// Whether what is kept of a day is the same; whether the candidates are what a scan of the facts finds.
[[nodiscard]] base::Result<bool> holdsIdleDay(Database &database, base::Day day, const IdleDay &expected);
[[nodiscard]] base::Result<bool> holdsCandidates(Database &database, const RollupBuilder &rollup);

} // namespace gpuledger::store

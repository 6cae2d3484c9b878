// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/rollup/rollupbuilder.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/idlekept.h"

namespace gpuledger::store {

// Reads the stored idle data on one connection that is in a transaction and that its owner keeps open.
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

// Call inside the writer's transaction. Fails with Storage… codes.
[[nodiscard]] base::Result<void> putIdleDay(Database &database, base::Day day, const IdleDay &units);

// Updates the stored candidates at the end of the fetched data from the facts and the stored days, inside the writer's
// transaction. `changed`: either of them changed since; if false, the candidates are only updated if they were stored
// for other grace windows.
[[nodiscard]] base::Result<void> keepCandidates(Database &database, FactReader &facts, const RollupBuilder &rollup,
                                                bool changed);

// True if the stored day is the same; true if the stored candidates are what a scan of the facts finds.
[[nodiscard]] base::Result<bool> holdsIdleDay(Database &database, base::Day day, const IdleDay &expected);
[[nodiscard]] base::Result<bool> holdsCandidates(Database &database, const RollupBuilder &rollup);

} // namespace gpuledger::store

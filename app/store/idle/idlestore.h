// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/idlekept.h"

#include <optional>
#include <vector>

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
    base::Result<GapPast> gapPast(base::Day day) override;

private:
    Database &m_db;
};

// Call inside the writer's transaction. Fails with Storage… codes.
[[nodiscard]] base::Result<void> putIdleDay(Database &database, base::Day day, const IdleDay &units);

// The candidates of the idle list at an instant, inside the writer's transaction: whether they are stored for it and
// for these grace windows; stores them; removes them.
[[nodiscard]] base::Result<bool> hasCandidates(Database &database, base::UtcTime at,
                                               const model::IdleSettings &settings);
[[nodiscard]] base::Result<void> putCandidates(Database &database, base::UtcTime at,
                                               const model::IdleSettings &settings,
                                               const std::vector<IdleCandidate> &candidates);
[[nodiscard]] base::Result<void> dropCandidates(Database &database);

// True if the stored day is the same.
[[nodiscard]] base::Result<bool> holdsIdleDay(Database &database, base::Day day, const IdleDay &expected);
// True if both would be stored as the same rows.
bool areStoredAlike(const std::vector<IdleCandidate> &a, const std::vector<IdleCandidate> &b);

} // namespace gpuledger::store

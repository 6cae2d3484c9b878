// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/actionrecord.h"
#include "app/store/actions/auditlog.h"
#include "app/store/sqlite/database.h"

#include <functional>
#include <nlohmann/json.hpp>

namespace gpuledger::store {

struct ActionStep;

// Reads and writes the rows of actions and their steps, inside a transaction of the caller. Fails with Storage… codes,
// and with StorageCorrupt if a row is not what was written.
[[nodiscard]] base::Result<std::int64_t> insertAction(Database &database, const model::ActionIntent &intent);
[[nodiscard]] base::Result<void> insertStep(Database &database, std::int64_t action, std::int64_t number,
                                            model::ActionState state, const ActionStep &step);
// Ascending by id; all actions, or the one with that id.
[[nodiscard]] base::Result<std::vector<model::ActionRecord>> readActions(Database &database,
                                                                         std::optional<std::int64_t> id = {});
// Data stored as JSON, for the details of a log entry; anything that is not JSON stays text.
nlohmann::ordered_json embedded(const std::string &data);
// The log entry for a step.
AuditEvent auditEvent(const model::ActionIntent &intent, std::int64_t id, model::ActionState state,
                      const ActionStep &step);
// Over everything that was confirmed.
std::int64_t checksumOf(const model::ActionIntent &intent);

} // namespace gpuledger::store

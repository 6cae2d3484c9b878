// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace gpuledger::store {

// Every table, index, view and trigger: (type, name) to (owning table, SQL).
using Schema = std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>>;

[[nodiscard]] base::Result<Schema> schemaOf(Database &database);
// The schema that the migrations up to that version create, built in memory. Fails with Internal if there is no such
// version.
[[nodiscard]] base::Result<Schema> builtInSchema(std::int64_t version);

// Reports every deviation of the schema, and of the fields in the file header, from what the migrations create.
[[nodiscard]] base::Result<void> checkSchema(Database &database,
                                             const std::function<void(std::string, std::string)> &tell);

} // namespace gpuledger::store

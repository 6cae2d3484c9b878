// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace gpuledger::store {

// Every table, index, view and trigger: type and name, and what it belongs to and was made with.
using Schema = std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>>;

[[nodiscard]] base::Result<Schema> schemaOf(Database &database);
// What the steps up to that version make, worked out in memory. Fails with Internal where there is no such version.
[[nodiscard]] base::Result<Schema> builtInSchema(std::int64_t version);

// Tells everything of the schema, and of the marks in the file's header, that is not as the migrations made it.
[[nodiscard]] base::Result<void> checkSchema(Database &database,
                                             const std::function<void(std::string, std::string)> &tell);

} // namespace gpuledger::store

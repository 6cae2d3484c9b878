// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace gpuledger::format {

inline constexpr int kMaxJsonDepth = 64;

// Parses a small answer into a tree. Nesting above kMaxJsonDepth is rejected before parsing, because deep trees
// overflow the stack of code that walks them. Fails with Parse.
[[nodiscard]] base::Result<nlohmann::json> parseJson(std::string_view text);

// The member as text, or "" if it is absent or of another type.
std::string textOf(const nlohmann::json &object, const char *key);
// The member, or null if it is absent.
const nlohmann::json &memberOf(const nlohmann::json &object, const char *key);

} // namespace gpuledger::format

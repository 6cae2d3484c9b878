// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/plan/check.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

// Serializes a check for the evidence of an action, its result and the audit log. Internal to this folder. Pure; any
// thread.
namespace gpuledger::actions {

nlohmann::ordered_json jsonOf(const Check &check);
// std::nullopt if the JSON is not a check. An unknown reason becomes Why::None.
std::optional<Check> checkFrom(const nlohmann::ordered_json &json);

// A member of an object as text; empty if it is missing.
std::string textIn(const nlohmann::ordered_json &object, const char *key);
// On one line; invalid UTF-8 is replaced.
std::string written(const nlohmann::ordered_json &json);

} // namespace gpuledger::actions

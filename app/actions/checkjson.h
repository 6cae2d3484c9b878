// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/check.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

// A check as JSON, as it is kept in the evidence of an action, in its result and in the audit log. For the .cpp files
// of this folder. Pure; any thread.
namespace gpuledger::actions {

nlohmann::ordered_json jsonOf(const Check &check);
// Nothing: it is no check. A reason that is not known is Why::None.
std::optional<Check> checkFrom(const nlohmann::ordered_json &json);

// A member of an object as text; empty where there is none.
std::string textIn(const nlohmann::ordered_json &object, const char *key);
// In one line; what is not UTF-8 is replaced.
std::string written(const nlohmann::ordered_json &json);

} // namespace gpuledger::actions

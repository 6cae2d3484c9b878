// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace gpuledger::format {

// Parses JSON into a tree in which every number is a text, exactly as it was written: amounts never pass through a
// double. Fails with Parse; also for nesting above kMaxJsonDepth.
[[nodiscard]] base::Result<nlohmann::json> parseWithNumbersAsText(std::string_view text);

} // namespace gpuledger::format

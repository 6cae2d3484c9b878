// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gpuledger::model {

// Converts a label key to the name that kube-state-metrics uses: every character outside [a-zA-Z0-9_] becomes "_",
// camelCase becomes snake_case, lower case (contracts: kube-state-metrics internal/store/utils.go).
std::string mangledLabel(std::string_view key);

} // namespace gpuledger::model

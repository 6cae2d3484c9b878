// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gpuledger::azure {

// What a budget's filter leaves, in words: "ResourceGroupName: rg1, rg2; tag team: vision". Empty: there is no filter.
// A filter that can't be read is said to be one. Printable.
std::string filterWords(const nlohmann::json &filter);

} // namespace gpuledger::azure

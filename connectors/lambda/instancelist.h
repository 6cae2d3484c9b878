// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/lambda/instance.h"

#include <string>
#include <vector>

namespace gpuledger::lambda {

inline constexpr std::size_t kMostInstances = 20'000; // in an answer, and in a month

// The instances of GET /api/v1/instances, in its order. All of them or none: fails with Parse if one has no id, type or
// known status, or is there twice, and with TooMuch above kMostInstances.
[[nodiscard]] base::Result<std::vector<ListedInstance>> readInstances(const std::string &body);

} // namespace gpuledger::lambda

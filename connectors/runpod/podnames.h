// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/runpod/billrows.h"

#include <string>

namespace gpuledger::runpod {

inline constexpr std::size_t kMostPodNames = 20'000; // that are remembered

// The pods of GET /v2/pods. Fails with Parse.
[[nodiscard]] base::Result<PodNames> podsIn(const std::string &body);

} // namespace gpuledger::runpod

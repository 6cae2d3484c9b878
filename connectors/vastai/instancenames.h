// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/vastai/charge.h"

#include <string>

namespace gpuledger::vastai {

inline constexpr std::size_t kMostInstanceNames = 20'000; // that are remembered

// Appends the instances of a page of GET /api/v1/instances/ and returns the token of the next one; empty: there is
// none. Fails with Parse, and with TooMuch above kMostInstanceNames.
[[nodiscard]] base::Result<std::string> readInstances(const std::string &body, InstanceNames &names);

} // namespace gpuledger::vastai

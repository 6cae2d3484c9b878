// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/runpod/billrows.h"

#include <string>

namespace gpuledger::runpod {

inline constexpr std::size_t kMostPodNames = 20'000; // that are remembered

// The pods of GET /v2/pods. Fails with Parse.
[[nodiscard]] base::Result<PodNames> podsIn(const std::string &body);

// Takes over what is listed now, and keeps what was listed before; if both are more than
// kMostPodNames, only what is listed now.
void remember(PodNames &known, PodNames listed);

std::string toText(const PodNames &names);
// Empty if the text is not one of toText().
PodNames podNamesFrom(const std::string &text);

} // namespace gpuledger::runpod

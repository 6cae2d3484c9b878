// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/session.h"

#include <optional>

namespace gpuledger::cli {

// Prints the decisions of showback meetings and their effect in the following month, then the accepted savings with
// what they were projected to save; std::nullopt for `month`: all months.
[[nodiscard]] base::Result<void> printDecisions(Session &session, const std::optional<insight::Month> &month);

} // namespace gpuledger::cli

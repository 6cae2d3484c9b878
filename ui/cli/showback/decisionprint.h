// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/session.h"

#include <optional>

namespace gpuledger::cli {

// Prints what showback meetings decided, and what it brought in the month after; nothing for `month`: of all months.
[[nodiscard]] base::Result<void> printDecisions(Session &session, const std::optional<insight::Month> &month);

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/engine/engine.h"
#include "app/store/facts/factreader.h"

#include <optional>

namespace gpuledger::services {

// The whole UTC days whose bills prices are taken from: those in `asked`, else the last 28 days of the data. May be
// empty. Fails with the reader's error.
[[nodiscard]] base::Result<base::TimeRange> paidDays(Engine &engine, const std::optional<base::TimeRange> &asked,
                                                     store::FactReader &facts);

} // namespace gpuledger::services

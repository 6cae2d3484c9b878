// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/retrypolicy.h"

namespace gpuledger::prometheus {

// For a question that somebody waits for and whose answer is about now: one more try, not minutes of them.
inline constexpr http::RetryLimits kImpatient{2, http::Milliseconds{500}, http::Milliseconds{3'000},
                                              http::Milliseconds{3'000}};

} // namespace gpuledger::prometheus

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/http/retrypolicy.h"

namespace gpuledger::prometheus {

// For a query about the present with a user waiting for the answer: one retry, instead of retrying for minutes.
inline constexpr http::RetryLimits kImpatient{2, http::Milliseconds{500}, http::Milliseconds{3'000},
                                              http::Milliseconds{3'000}};

} // namespace gpuledger::prometheus

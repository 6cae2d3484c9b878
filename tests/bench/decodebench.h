// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

namespace gpuledger::bench {

// P2: a day of 1,000 series read by the connector's reader, beside simdjson walking the same bytes.
Figure decodeFigure();

} // namespace gpuledger::bench

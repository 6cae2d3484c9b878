// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

namespace gpuledger::bench {

// P2: decoding a day of 1,000 series with the connector's reader, compared with simdjson walking the same bytes.
Figure decodeFigure();

} // namespace gpuledger::bench

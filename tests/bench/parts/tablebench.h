// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/figure.h"

namespace gpuledger::bench {

// P12: sorting and filtering 100,000 rows of the table that all pages share, compared with std::sort of the same keys.
// Needs a QCoreApplication.
std::vector<Figure> tableFigures();

} // namespace gpuledger::bench

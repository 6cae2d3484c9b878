// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gpuledger::store {

// Damage that a check of the cache found.
struct IntegrityProblem {
    std::string where; // table or file
    std::string what;
};

} // namespace gpuledger::store

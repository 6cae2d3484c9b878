// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"

#include <string>

namespace gpuledger::store {

// A day of which an allocator has less now than what the cache keeps.
struct HeldDay {
    std::string source;
    base::Day day;

    bool operator==(const HeldDay &) const = default;
};

} // namespace gpuledger::store

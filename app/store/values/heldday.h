// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/allocatedsize.h"

#include <optional>
#include <string>

namespace gpuledger::store {

// A day of which an allocator has less now than what the cache keeps. Somebody has to decide which of both is right.
struct HeldDay {
    std::string source;
    base::Day day;
    model::AllocatedSize before; // what the cache keeps
    std::optional<model::AllocatedSize> now; // what the server said last; nothing: an earlier version didn't note it

    bool operator==(const HeldDay &) const = default;
};

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/allocatedsize.h"

#include <optional>
#include <string>

namespace gpuledger::store {

// A day for which an allocator now has less than what the cache holds. The user has to decide which of the two is
// right.
struct HeldDay {
    std::string source;
    base::Day day;
    model::AllocatedSize before; // what the cache holds
    std::optional<model::AllocatedSize> now; // what the server reported last; std::nullopt: not recorded by an earlier
                                             // version

    bool operator==(const HeldDay &) const = default;
};

} // namespace gpuledger::store

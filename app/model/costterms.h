// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gpuledger::model {

// Whether the cost of a machine ends when nothing runs on it any more (definitions.md, Idle). By lending is never told:
// no source says who queues for what.
enum class Recovery : std::uint8_t {
    Unknown = 0, // no price, or nothing says whether the machine is rented
    Now,
    AtDate, // committed or reserved. Bills of FOCUS 1.0 to 1.2 do not say until when
    Never, // the user's own machine
};

std::string_view toString(Recovery value); // "now", "at-date", "never"; empty: unknown

struct PlacedDevice {
    base::DeviceId device;
    std::string cluster, node; // empty: not known
};

using CostTerms = std::map<base::DeviceId, Recovery>;

} // namespace gpuledger::model

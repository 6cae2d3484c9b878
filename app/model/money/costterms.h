// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gpuledger::model {

// Whether the cost of a machine ends when nothing runs on it any more (definitions.md, Idle). Recovery by lending is
// never claimed: no source reports who queues for what.
enum class Recovery : std::uint8_t {
    Unknown = 0, // no price, or nothing shows whether the machine is rented
    Now,
    AtDate, // committed or reserved; bills of FOCUS 1.0 to 1.2 do not give the end date
    Never, // the user's own machine
    WithMachine, // rented, but others work on the machine: nothing ends before it can go
};

std::string_view toString(Recovery value); // "now", "at-date", "never", "with-machine"; empty: unknown

// A device, and the node that it is in.
struct PlacedDevice {
    base::DeviceId device;
    std::string cluster, node; // empty: unknown
};

using CostTerms = std::map<base::DeviceId, Recovery>;

} // namespace gpuledger::model

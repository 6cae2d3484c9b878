// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/time/time.h"
#include "connectors/format/keptnames.h"

#include <array>
#include <string>
#include <vector>

// What Vast.ai's list of charges said. Plain values; all texts are printable.
namespace gpuledger::vastai {

// A part of a charge, in USD.
struct ChargeItem {
    std::string type; // "gpu", "disk", "bwd", "bwu", or another
    std::string description; // "96.000 hours at $0.389/hour"
    base::Decimal amount;

    bool operator==(const ChargeItem &) const = default;
};

// What one contract cost on the days that were asked.
struct Charge {
    base::TimeRange period; // what it is booked on: UTC days
    base::TimeRange stated; // the days from its start to its end, which may be more than were asked
    std::string source; // "instance-12345678"
    std::string type; // "instance", "volume", or another
    std::string label, endpoint; // of the instance; empty: none
    base::Decimal amount; // in USD; its items may not add up to it
    std::vector<ChargeItem> items;

    bool operator==(const Charge &) const = default;
};

// An instance that was listed. It is forgotten by Vast.ai when it is destroyed, and its charges are not.
struct InstanceName {
    std::string label, gpu, gpus, place, machine; // `gpus` is a whole number; empty: unknown

    static constexpr std::array kTexts{&InstanceName::label, &InstanceName::gpu, &InstanceName::gpus,
                                       &InstanceName::place, &InstanceName::machine};
    bool operator==(const InstanceName &) const = default;
};
using InstanceNames = format::KeptNames<InstanceName>; // by source: "instance-12345678"

} // namespace gpuledger::vastai

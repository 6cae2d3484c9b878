// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/money/placementrating.h"
#include "app/ports/pricesource.h"
#include "app/store/facts/factreader.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Which chances of getting spot machines are asked for. Pure; any thread.
namespace gpuledger::services {

// How long ago a node may have been there last.
inline constexpr base::Seconds kPlacementSeen = 7 * base::kDay;

// What one server answers.
struct PlacementLimits {
    std::size_t questions = 10; // in a reading
    std::size_t types = 1000; // in a question; as EC2 takes them
};

// The fleet, as far as it counts.
struct PlacementFleet {
    const std::vector<model::Node> &nodes;
    const std::vector<store::NodeSpan> &spans; // of the last kPlacementSeen
};

// One question for each model of GPU that machines of the region in the last kPlacementSeen have: all types of the
// catalogue (`machines` are those of the cloud, by type in lower case, as KnownMachine) that have whole GPUs of it, in
// lower case and ascending. Above the limit, those nearest to a type in use by GPUs, then by processors. The count is
// that of the machines of these types that are there now, at least 1, and a power of two: a fleet that grows by a
// machine asks the same again, because clouds limit how many different questions they answer. A machine is there now if
// it was seen less than an hour before the newest one of its cluster. The questions with most machines come first, and
// those beyond the limit are left out.
std::vector<model::PlacementQuestion> placementQuestions(const PlacementFleet &fleet, std::string_view cloud,
                                                         std::string_view region,
                                                         const std::map<std::string, ports::KnownMachine> &machines,
                                                         const PlacementLimits &limits = {});

} // namespace gpuledger::services

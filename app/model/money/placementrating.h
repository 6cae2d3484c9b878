// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// How a cloud rates the chance that it grants a request for spot machines. It says nothing about prices, nor about how
// long the machines stay. Plain data.
namespace gpuledger::model {

// The least and the best rating.
inline constexpr int kWorstPlacement = 1, kBestPlacement = 10;

// What was asked: so many machines, of any of these types.
struct PlacementQuestion {
    std::vector<std::string> machines; // types as the cloud writes them; not empty, each once
    std::int64_t count = 1;

    bool operator==(const PlacementQuestion &) const = default;
};

// The rating of each zone of a region at a time.
struct PlacementRating {
    std::string cloud; // as price lists name it: "aws"
    std::string region;
    PlacementQuestion asked;
    std::map<std::string, int> zones; // by id (aws: use1-az1): kWorstPlacement to kBestPlacement
    base::UtcTime at{};

    bool operator==(const PlacementRating &) const = default;
};

} // namespace gpuledger::model

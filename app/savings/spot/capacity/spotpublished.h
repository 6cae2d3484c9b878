// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <string>
#include <string_view>
#include <vector>

// What a cloud publishes about interruptions of its spot machines. Pure; any thread.
namespace gpuledger::savings {

// One machine type in one region.
struct PublishedSpot {
    std::string cloud, machine, region; // in lower case
    std::string band; // of machines interrupted in a month, as published: "10-15%"
    double monthlyShare = 0; // the middle of the band: 0.125
    int savingPercent = 0; // below the on-demand price, 1 to 99; 0: not stated
    base::Day asOf;
    std::string source;
};

// Interruptions per hour of running if this share of machines is interrupted in a month of 730 hours: -ln(1 - p) / 730,
// because 1 - e^(-730 r) of those with the constant rate r are.
double hourlySpotRate(double monthlyShare);

// Reads resources/prices/spot_interruptions.csv: columns cloud, instance_type, region, interrupted_band,
// saving_percent, as_of, source. Bands are those of AWS's Spot Instance Advisor; their middles, with 25 % for ">20%",
// stand for them. Fails with Parse, naming the row: an unknown band, a saving that is no percentage, no date, no
// source.
[[nodiscard]] base::Result<std::vector<PublishedSpot>> readPublishedSpot(std::string_view csv);

} // namespace gpuledger::savings

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/scenario.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

// Fleets and the order in which their facts arrive, by chance.
namespace gpuledger::tests {

using Random = std::mt19937_64;

// From `from` to `to`, without the latter.
std::int64_t pick(Random &random, std::int64_t from, std::int64_t to);
bool oneIn(Random &random, int n);

constexpr int kHistoryDays = 4;

enum class Telling {
    Tidy, // the scheduler's records and labels name everybody, and no device is shared
    Loose, // shared devices, holders without a label or known by labels alone, nodes without records
    Wild, // and devices that move, are replaced or cut into slices, pauses of a day, records that come and go
};

Scenario randomFleet(Random &random, Telling telling);

// What a source said in one go.
struct Piece {
    std::string source;
    ports::FactBatch batch;
};
// The facts of [from, to) seconds since the fleet's start.
ports::FactBatch cutOf(const Scenario &fleet, std::int64_t from, std::int64_t to);
// In the order in which they come: mostly forwards, some late or twice; a wild one also from two sources.
std::vector<Piece> randomPieces(const Scenario &fleet, Random &random, Telling telling);

} // namespace gpuledger::tests

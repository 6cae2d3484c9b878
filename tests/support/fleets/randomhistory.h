// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fleets/scenario.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

// Random fleets, and random orders in which their facts arrive.
namespace gpuledger::tests {

using Random = std::mt19937_64;

// A random number in the range [from, to).
std::int64_t pick(Random &random, std::int64_t from, std::int64_t to);
bool oneIn(Random &random, int n);

constexpr int kHistoryDays = 4;

// How regular the facts of a random fleet are.
enum class Telling {
    Tidy, // scheduler records and labels identify every holder, and no device is shared
    Loose, // shared devices, holders without a label or known by labels only, nodes without records
    Wild, // also devices that move, are replaced or partitioned, pauses of a day, intermittent records
};

Scenario randomFleet(Random &random, Telling telling);

// The facts that a source reported at once.
struct Piece {
    std::string source;
    ports::FactBatch batch;
};
// The facts of [from, to) in seconds since the fleet's start.
ports::FactBatch cutOf(const Scenario &fleet, std::int64_t from, std::int64_t to);
// The pieces in order of arrival: mostly chronological, some late or repeated; with Wild, also from two sources.
std::vector<Piece> randomPieces(const Scenario &fleet, Random &random, Telling telling);

} // namespace gpuledger::tests

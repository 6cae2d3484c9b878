// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace gpuledger::store {

enum class Effort {
    Bits, // every bit, in milliseconds
    Bytes, // every value of every byte, in seconds
};

// Puts the one bit or byte of a page right that keeps it from its checksum (app/store/sqlite/pagevfs.h). There are 2^21
// ways at most and 2^64 checksums, so what fits is what was written. False, and the page as it was: more than that is
// damaged.
bool repairPage(std::string &page, std::uint64_t number, Effort effort);

} // namespace gpuledger::store

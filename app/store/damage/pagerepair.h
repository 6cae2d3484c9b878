// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace gpuledger::store {

// How much repairPage() tries.
enum class Effort {
    Bits, // every bit, in milliseconds
    Bytes, // every value of every byte, in seconds
};

// Corrects the single bit or byte that keeps a page from matching its checksum (app/store/sqlite/pagevfs.h). There are
// at most 2^21 candidates and 2^64 checksums, so a match is what was written. Returns false and leaves the page
// unchanged if more than that is damaged.
bool repairPage(std::string &page, std::uint64_t number, Effort effort);

} // namespace gpuledger::store

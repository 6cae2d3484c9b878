// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::store {

// Packs lists of numbers whose length the reader knows:
//   varint radix << 3 | flags | varint base | varint divisor (flag 2) | words | escapes (flag 4)
// A number is base + digit x divisor, or base - digit x divisor (flag 1). As many digits of the radix as fit share a
// word of up to 8 bytes, so that a digit takes little more than its logarithm. Where escapes save space, the highest
// digit means that a varint after the words holds the excess. Holds scratch memory; use one object per thread.
class NumberList {
public:
    // The parameters for packing a list and the resulting size in bits, to choose between alternative encodings.
    struct Plan {
        std::uint32_t base = 0, divisor = 1;
        std::uint64_t radix = 1;
        bool fromTop = false, escapes = false;
        double bits = 0;
    };
    static Plan plan(std::span<const std::uint32_t> values);
    void put(std::string &out, std::span<const std::uint32_t> values, const Plan &plan);
    void put(std::string &out, std::span<const std::uint32_t> values) { put(out, values, plan(values)); }
    // False if the bytes are not a list of that length.
    static bool read(ByteReader &in, std::span<std::uint32_t> values);

private:
    std::vector<std::uint32_t> m_escaped;
};

} // namespace gpuledger::store

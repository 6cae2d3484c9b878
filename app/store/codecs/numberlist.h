// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::store {

// Packs lists of numbers of which the reader knows the length:
//   varint radix << 3 | flags | varint base | varint divisor (flag 2) | words | escapes (flag 4)
// A number is base + digit x divisor, or base - digit x divisor (flag 1). As many digits of the radix as fit share a
// word of up to 8 bytes, so that a digit takes little more than its logarithm. Where escapes are worth their bytes, the
// highest digit means that a varint after the words tells how much more it is. Holds scratch memory; one object a
// thread.
class NumberList {
public:
    // What a list is packed by, and how many bits that takes, to choose between several ways to say the same.
    struct Plan {
        std::uint32_t base = 0, divisor = 1;
        std::uint64_t radix = 1;
        bool fromTop = false, escapes = false;
        double bits = 0;
    };
    static Plan plan(std::span<const std::uint32_t> values);
    void put(std::string &out, std::span<const std::uint32_t> values, const Plan &plan);
    void put(std::string &out, std::span<const std::uint32_t> values) { put(out, values, plan(values)); }
    // False when the bytes are no list of that length.
    static bool read(ByteReader &in, std::span<std::uint32_t> values);

private:
    std::vector<std::uint32_t> m_escaped;
};

} // namespace gpuledger::store

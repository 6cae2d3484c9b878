// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gpuledger::store {

// 32-bit checksum of stored blobs. `key` is the row's id, so that a blob in the wrong row is detected too. Every step
// is a bijection of the 64-bit state, so a change confined to one word always changes it; truncation to 32 bits misses
// one in 2^32 damages. Not secure against tampering.
inline std::uint32_t checksum(std::string_view bytes, std::int64_t key)
{
    constexpr std::uint64_t kOdd1 = 0xD1B54A32D192ED03ULL, kOdd2 = 0x8CB92BA72F3D8DD7ULL;
    std::uint64_t h = (static_cast<std::uint64_t>(key) + bytes.size()) * kOdd1;
    const char *p = bytes.data();
    std::size_t n = bytes.size();
    for (; n >= 8; n -= 8, p += 8) {
        std::uint64_t w = 0;
        std::memcpy(&w, p, 8);
        h = std::rotl(h ^ (w * kOdd1), 29) * kOdd2;
    }
    std::uint64_t tail = 0;
    if (n > 0)
        std::memcpy(&tail, p, n);
    h = std::rotl(h ^ (tail * kOdd1), 29) * kOdd2;
    h ^= h >> 32;
    h *= kOdd1;
    return static_cast<std::uint32_t>(h >> 32);
}

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// Random numbers that are the same for a seed on every machine, compiler and library. Plain values.
namespace gpuledger::savings {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class SeededRandom {
public:
    // One stream for each path, so that the paths do not depend on their order.
    SeededRandom(std::uint64_t seed, std::uint64_t path)
        : m_state(mixed(seed) ^ mixed(path * kStep + 1))
    {
    }
    std::uint64_t next() { return mixed(m_state += kStep); }
    // [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    // 0 <= result < n, for n > 0.
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(uniform() * static_cast<double>(n)); }

private:
    static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
    static constexpr std::uint64_t mixed(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
    std::uint64_t m_state;
};

} // namespace gpuledger::savings

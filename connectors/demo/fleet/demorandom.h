// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Randomness as a pure function of a key, so that any part of the demo fleet can be generated without the rest,
// identically on every machine.
namespace gpuledger::demo {

// Finalizer of the splitmix64 generator: every input bit changes half of the output bits.
constexpr std::uint64_t mixed(std::uint64_t v)
{
    v += 0x9E3779B97F4A7C15ULL;
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9ULL;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBULL;
    return v ^ (v >> 31);
}
constexpr std::uint64_t key(std::uint64_t a, std::uint64_t b)
{
    return mixed(mixed(a) ^ (b * 0xD6E8FEB86659FD93ULL));
}
constexpr std::uint64_t key(std::uint64_t a, std::uint64_t b, std::uint64_t c)
{
    return key(key(a, b), c);
}
// 0 <= x < 1
constexpr double unit(std::uint64_t k)
{
    return static_cast<double>(k >> 11) * 0x1.0p-53;
}
constexpr double between(std::uint64_t k, double low, double high)
{
    return low + (high - low) * unit(k);
}
// A slowly varying value: linear interpolation between random values at multiples of `period`.
constexpr double wander(std::uint64_t k, std::int64_t position, std::int64_t period)
{
    const std::int64_t step = position / period;
    const double part = static_cast<double>(position % period) / static_cast<double>(period);
    const double a = unit(key(k, static_cast<std::uint64_t>(step)));
    const double b = unit(key(k, static_cast<std::uint64_t>(step + 1)));
    return a + (b - a) * part;
}

constexpr std::int64_t floorDiv(std::int64_t value, std::int64_t by)
{
    const std::int64_t q = value / by;
    return value % by < 0 ? q - 1 : q;
}

// 8-4-4-4-12 hexadecimal digits.
inline std::string uuidText(std::uint64_t k)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    for (int i = 0; i < 32; ++i) {
        if (i == 8 || i == 12 || i == 16 || i == 20)
            out += '-';
        const std::uint64_t word = i < 16 ? k : mixed(k);
        out += kHex[static_cast<std::size_t>((word >> (4 * (i % 16))) & 15U)];
    }
    return out;
}

// `length` characters of the kind that controllers append to names.
inline std::string suffixText(std::uint64_t k, int length)
{
    constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
    std::string out;
    for (int i = 0; i < length; ++i) {
        out += kLetters[static_cast<std::size_t>(k % kLetters.size())];
        k /= kLetters.size();
    }
    return out;
}

} // namespace gpuledger::demo

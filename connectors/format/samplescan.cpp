// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/samplescan.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

namespace gpuledger::format {

namespace {

constexpr int kExactDigits = 15; // decimal digits that always fit the 53 bits of a double
constexpr std::array<double, kExactDigits + 1> kPowersOfTen{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

constexpr std::uint64_t everyByte(std::uint64_t byte)
{
    return byte * 0x0101010101010101u;
}

// Converts eight decimal digits in one register, first pairs, then fours, then all; false if a byte is not a digit.
inline bool eightDigits(const char *text, std::uint64_t &value)
{
    if constexpr (std::endian::native != std::endian::little)
        return false;
    std::uint64_t bytes;
    std::memcpy(&bytes, text, sizeof bytes);
    bytes ^= everyByte('0'); // digits become 0 to 9
    if (((bytes + everyByte(0x76)) | bytes) & everyByte(0x80))
        return false;
    const std::uint64_t pairs = (bytes * 10 + (bytes >> 8)) & 0x00FF00FF00FF00FFu;
    const std::uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFFu;
    value = (fours * 10000 + (fours >> 32)) & 0xFFFFFFFFu;
    return true;
}

// Reads digits from `text` on and appends them to `number`; `count` is how many. The number is correct only while they
// are at most kExactDigits.
inline const char *digits(const char *text, std::uint64_t &number, int &count)
{
    const char *const begin = text;
    std::uint64_t eight = 0;
    while (eightDigits(text, eight)) {
        number = number * 100'000'000 + eight;
        text += 8;
    }
    for (; *text >= '0' && *text <= '9'; ++text)
        number = number * 10 + static_cast<std::uint64_t>(*text - '0');
    count += static_cast<int>(std::min<std::ptrdiff_t>(text - begin, kExactDigits + 1));
    return text;
}

// Reads a plain decimal number, exact because both its digits and its power of ten are; nullptr if it has another form.
inline const char *plainNumber(const char *text, double &value)
{
    const bool negative = *text == '-';
    text += negative ? 1 : 0;
    std::uint64_t number = 0;
    int count = 0;
    const char *const whole = text;
    text = digits(text, number, count);
    if (text == whole || (*whole == '0' && text != whole + 1))
        return nullptr;
    int fraction = 0;
    if (*text == '.') {
        text = digits(text + 1, number, fraction);
        if (fraction == 0)
            return nullptr;
        count += fraction;
    }
    if (count > kExactDigits)
        return nullptr;
    value = static_cast<double>(number);
    if (fraction > 0)
        value /= kPowersOfTen[static_cast<std::size_t>(fraction)];
    if (negative)
        value = -value;
    return text;
}

} // namespace

double sampleValue(std::string_view text)
{
    double value = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc{} && stop == text.data() + text.size())
        return value;
    return base::parseDouble(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

bool scanSamples(std::string_view text, std::vector<Sample> &out)
{
    constexpr std::size_t kShortestSample = 6; // [0,""]
    const char *at = text.data();
    const char *const end = at + text.size();
    if (text.size() < kShortestSample || *at != '[')
        return false;
    while (end - at > static_cast<std::ptrdiff_t>(kShortestSample) && at[1] == '[') {
        Sample sample;
        at = plainNumber(at + 2, sample.time);
        if (!at || at[0] != ',' || at[1] != '"')
            return false;
        at += 2;
        const char *after = plainNumber(at, sample.value);
        if (!after || *after != '"') {
            after = at;
            while (after < end && *after != '"' && *after != '\\')
                ++after;
            if (after >= end || *after == '\\')
                return false;
            sample.value = sampleValue({at, static_cast<std::size_t>(after - at)});
        }
        if (after[1] != ']' || (after[2] != ',' && after[2] != ']'))
            return false;
        out.push_back(sample);
        at = after + 2;
        if (*at == ']')
            return at < end;
    }
    return false;
}

} // namespace gpuledger::format

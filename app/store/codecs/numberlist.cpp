// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/numberlist.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace gpuledger::store {

namespace {

constexpr std::uint64_t kFromTop = 1, kDivided = 2, kEscapes = 4;
constexpr int kFlagBits = 3;
constexpr std::uint64_t kMaxRadix = std::uint64_t{1} << 32;
constexpr double kHeaderBits = 24;

// Counts numbers by their bit width.
using Widths = std::array<std::uint32_t, 33>;

// The number of digits that makes the best use of a word's bytes.
struct Words {
    std::size_t digits = 1, bytes = 4;
};

std::size_t bytesOf(std::uint64_t power)
{
    return static_cast<std::size_t>(std::bit_width(power - 1) + 7) / 8;
}

Words wordsFor(std::uint64_t radix)
{
    Words best{0, 1};
    std::uint64_t power = 1;
    for (std::size_t digits = 1; power <= std::numeric_limits<std::uint64_t>::max() / radix; ++digits) {
        power *= radix;
        const std::size_t bytes = bytesOf(power);
        if (digits * best.bytes > best.digits * bytes)
            best = {digits, bytes};
    }
    return best;
}

std::size_t bytesFor(std::uint64_t radix, std::size_t digits)
{
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < digits; ++i)
        power *= radix;
    return bytesOf(power);
}

struct Choice {
    std::uint64_t radix = 1;
    bool escapes = false;
    double bits = 0;
};

Choice choose(const Widths &widths, std::uint32_t highest, std::size_t count)
{
    const auto n = static_cast<double>(count);
    Choice best{std::uint64_t{highest} + 1, false, n * std::log2(static_cast<double>(highest) + 1)};
    double escaped = 0; // bits of escapes
    for (int width = std::bit_width(highest); width-- > 0;) {
        escaped += widths[static_cast<std::size_t>(width) + 1] * 8.0 * ((width + 7) / 7);
        if (escaped >= best.bits)
            break;
        const std::uint64_t radix = (std::uint64_t{1} << width) + 1;
        const double bits = n * std::log2(static_cast<double>(radix)) + escaped;
        if (bits < best.bits)
            best = {radix, true, bits};
    }
    return best;
}

void putWord(std::string &out, std::uint64_t word, std::size_t bytes)
{
    for (; bytes > 0; --bytes, word >>= 8)
        out.push_back(static_cast<char>(word));
}

} // namespace

NumberList::Plan NumberList::plan(std::span<const std::uint32_t> values)
{
    Plan plan;
    if (values.empty())
        return plan;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    plan.base = *low;
    plan.bits = kHeaderBits;
    if (*low == *high)
        return plan;
    std::uint32_t divisor = 0, before = *low;
    for (const std::uint32_t v : values) {
        if (v == before)
            continue;
        before = v;
        if (divisor == 0 || (v - *low) % divisor != 0)
            divisor = std::gcd(divisor, v - *low);
        if (divisor == 1)
            break;
    }
    plan.divisor = divisor;
    const std::uint32_t highest = (*high - *low) / divisor;
    Widths up{}, down{};
    for (const std::uint32_t v : values) {
        const std::uint32_t digit = divisor == 1 ? v - *low : (v - *low) / divisor;
        ++up[static_cast<std::size_t>(std::bit_width(digit))];
        ++down[static_cast<std::size_t>(std::bit_width(highest - digit))];
    }
    const Choice fromLow = choose(up, highest, values.size()), fromHigh = choose(down, highest, values.size());
    plan.fromTop = fromHigh.bits < fromLow.bits;
    const Choice &best = plan.fromTop ? fromHigh : fromLow;
    plan.base = plan.fromTop ? *high : *low;
    plan.radix = best.radix;
    plan.escapes = best.escapes;
    plan.bits += best.bits;
    return plan;
}

void NumberList::put(std::string &out, std::span<const std::uint32_t> values, const Plan &plan)
{
    if (values.empty())
        return;
    putVarint(out,
              plan.radix << kFlagBits | (plan.fromTop ? kFromTop : 0) | (plan.divisor != 1 ? kDivided : 0)
                  | (plan.escapes ? kEscapes : 0));
    putVarint(out, plan.base);
    if (plan.divisor != 1)
        putVarint(out, plan.divisor);
    if (plan.radix == 1)
        return;
    m_escaped.clear();
    const Words words = wordsFor(plan.radix);
    const auto highest = static_cast<std::uint32_t>(plan.radix - 1);
    for (std::size_t i = 0; i < values.size(); i += words.digits) {
        const std::size_t end = std::min(i + words.digits, values.size()), told = m_escaped.size();
        std::uint64_t word = 0;
        for (std::size_t k = end; k-- > i;) { // the first digit is the least significant
            const std::uint32_t distance = plan.fromTop ? plan.base - values[k] : values[k] - plan.base;
            const std::uint32_t digit = plan.divisor == 1 ? distance : distance / plan.divisor;
            word = word * plan.radix + std::min(digit, highest);
            if (plan.escapes && digit >= highest)
                m_escaped.push_back(digit - highest);
        }
        putWord(out, word, end - i == words.digits ? words.bytes : bytesFor(plan.radix, end - i));
        std::reverse(m_escaped.begin() + static_cast<std::ptrdiff_t>(told), m_escaped.end());
    }
    for (const std::uint32_t more : m_escaped)
        putVarint(out, more);
}

bool NumberList::read(ByteReader &in, std::span<std::uint32_t> values)
{
    if (values.empty())
        return true;
    const std::uint64_t head = in.varint(), radix = head >> kFlagBits;
    const auto base = static_cast<std::uint32_t>(in.varint());
    const auto divisor = (head & kDivided) != 0 ? static_cast<std::uint32_t>(in.varint()) : 1U;
    if (!in.ok() || radix == 0 || radix > kMaxRadix)
        return false;
    if (radix == 1) {
        std::fill(values.begin(), values.end(), base);
        return true;
    }
    const Words words = wordsFor(radix);
    const bool isShift = std::has_single_bit(radix);
    const int shift = std::bit_width(radix) - 1;
    for (std::size_t i = 0; i < values.size(); i += words.digits) {
        const std::size_t end = std::min(i + words.digits, values.size());
        const std::size_t bytes = end - i == words.digits ? words.bytes : bytesFor(radix, end - i);
        std::uint64_t word = in.word(bytes);
        for (std::size_t k = i; k < end; ++k) {
            const std::uint64_t rest = isShift ? word >> shift : word / radix;
            values[k] = static_cast<std::uint32_t>(word - rest * radix);
            word = rest;
        }
    }
    const auto highest = static_cast<std::uint32_t>(radix - 1);
    const bool escapes = (head & kEscapes) != 0, fromTop = (head & kFromTop) != 0;
    for (std::uint32_t &v : values) {
        if (escapes && v == highest)
            v += static_cast<std::uint32_t>(in.varint());
        v = fromTop ? base - v * divisor : base + v * divisor;
    }
    return in.ok();
}

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/text.h"

#include <algorithm>

namespace gpuledger::base {

namespace {

struct Decoded {
    char32_t c = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

Decoded decode(std::string_view t, std::size_t i)
{
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(t[k]); };
    const unsigned char b = at(i);
    if (b < 0x80)
        return {b, 1, true};
    const std::size_t n = b >= 0xF0 && b < 0xF5 ? 4 : b >= 0xE0 && b < 0xF0 ? 3 : b >= 0xC2 && b < 0xE0 ? 2 : 0;
    if (n == 0 || i + n > t.size())
        return {};
    char32_t c = b & (0xFFu >> (n + 1));
    for (std::size_t k = 1; k < n; ++k) {
        if ((at(i + k) & 0xC0) != 0x80)
            return {};
        c = (c << 6) | (at(i + k) & 0x3F);
    }
    const bool overlong = (n == 3 && c < 0x800) || (n == 4 && c < 0x10000);
    if (overlong || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return {};
    return {c, n, true};
}

bool hidden(char32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E)
        || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0x061C || c == 0xAD || c == 0x180E
        || (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

} // namespace

bool belowOne(std::string_view decimal)
{
    const std::size_t e = std::min(decimal.find_first_of("eE"), decimal.size());
    const std::string_view mantissa = decimal.substr(0, e), exponent = decimal.substr(std::min(e + 1, decimal.size()));
    if (!exponent.empty()) // in practice no text has so many digits that they outweigh an exponent
        return exponent.starts_with('-');
    const std::size_t digit = mantissa.find_first_of("123456789");
    return digit == std::string_view::npos || digit > std::min(mantissa.find('.'), mantissa.size());
}

std::string printableLine(std::string_view text, std::size_t maxBytes)
{
    std::string line;
    bool blank = false;
    for (const char c : text) {
        const bool isBlank = c == ' ' || (c >= '\t' && c <= '\r');
        if (!isBlank && blank && !line.empty())
            line += ' ';
        blank = isBlank;
        if (!isBlank)
            line += c;
    }
    return printable(line, maxBytes);
}

std::string printable(std::string_view text, std::size_t maxBytes)
{
    static constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const Decoded d = decode(text, i);
        const std::string_view piece = d.valid && !hidden(d.c) ? text.substr(i, d.bytes) : kReplacement;
        if (out.size() + piece.size() > maxBytes) {
            out += kEllipsis;
            break;
        }
        out += piece;
        i += d.bytes;
    }
    return out;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const Decoded d = decode(text, i);
        if (!d.valid)
            return false;
        i += d.bytes;
    }
    return true;
}

std::string repairedUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + kReplacement.size());
    for (std::size_t i = 0; i < text.size();) {
        const Decoded d = decode(text, i);
        out += d.valid ? text.substr(i, d.bytes) : kReplacement;
        i += d.bytes;
    }
    return out;
}

} // namespace gpuledger::base

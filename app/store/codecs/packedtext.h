// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Packs two texts of a holder that mostly follow a pattern: a UUID as its 16 bytes, and an owner whose name is a prefix
// of the holder's name as the length of that prefix.
namespace gpuledger::store {

// The 16 bytes of a UUID in its canonical form (lower case, 8-4-4-4-12), else std::nullopt.
inline std::optional<std::string> packedUuid(std::string_view text)
{
    constexpr std::size_t kLength = 36;
    if (text.size() != kLength)
        return std::nullopt;
    std::string bytes;
    int high = -1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            if (c != '-')
                return std::nullopt;
            continue;
        }
        const int digit = '0' <= c && c <= '9' ? c - '0' : 'a' <= c && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            return std::nullopt;
        if (high >= 0)
            bytes.push_back(static_cast<char>(high << 4 | digit));
        high = high >= 0 ? -1 : digit;
    }
    return bytes;
}

inline std::string unpackedUuid(std::string_view bytes)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        const auto byte = static_cast<unsigned char>(bytes[i]);
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

// The length of the owner's name if it is an ASCII prefix of `name` (so that bytes are characters).
inline std::optional<std::size_t> packedOwner(std::string_view owner, std::string_view name)
{
    const bool ascii = std::all_of(owner.begin(), owner.end(), [](char c) { return static_cast<signed char>(c) > 0; });
    return !owner.empty() && ascii && name.starts_with(owner) ? std::optional(owner.size()) : std::nullopt;
}

} // namespace gpuledger::store

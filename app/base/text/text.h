// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Parsing and cleaning of machine-readable text, independent of any locale.
namespace gpuledger::base {

// The whole text as a base-10 integer, or std::nullopt.
inline std::optional<std::int64_t> parseInt(std::string_view text)
{
    std::int64_t v = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
    return ec == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(v) : std::nullopt;
}

// For a decimal text that does not fit a double: true if it is too small, false if it is too large.
bool belowOne(std::string_view decimal);

// The whole text as a number; also accepts a leading '+', "NaN", "+Inf" and "-Inf" as Prometheus writes them. 1e999 is
// infinity and 1e-999 zero.
inline std::optional<double> parseDouble(std::string_view text)
{
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
        if (!text.empty() && (text.front() == '+' || text.front() == '-'))
            return std::nullopt;
    }
    if (text.empty())
        return std::nullopt;
    double v = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (end != text.data() + text.size())
        return std::nullopt;
    if (ec == std::errc::result_out_of_range) {
        const double magnitude = belowOne(text) ? 0.0 : __builtin_inf();
        return text.front() == '-' ? -magnitude : magnitude;
    }
    return ec == std::errc{} ? std::optional(v) : std::nullopt;
}

// Makes external text safe for a terminal or a log line: control characters, bidirectional overrides, zero-width
// characters and invalid UTF-8 become U+FFFD; truncated to `maxBytes` at a character boundary with an ellipsis.
std::string printable(std::string_view text, std::size_t maxBytes = 512);
// The same for text of several lines: each run of line breaks, tabs and blanks becomes one blank, none at either end.
std::string printableLine(std::string_view text, std::size_t maxBytes = 512);
// True if the bytes are valid UTF-8.
bool isUtf8(std::string_view text);
// The text with each byte that is not valid UTF-8 replaced by U+FFFD; nothing else changes, and nothing is truncated.
std::string repairedUtf8(std::string_view text);

} // namespace gpuledger::base

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"

#include <optional>
#include <string>
#include <string_view>

// Single values as real files write them, which is not always as the specification says. Pure functions.
namespace gpuledger::focus {

// NULL, null, Null: the word that exports write where CSV has no way to say nothing.
inline bool isNullWord(std::string_view text)
{
    const auto is = [&](std::size_t i, char small) { return (text[i] | 0x20) == small; };
    return text.size() == 4 && is(0, 'n') && is(1, 'u') && is(2, 'l') && is(3, 'l');
}
inline std::string_view withoutBlanks(std::string_view text) // around it
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}
std::string lowerCase(std::string_view text); // ASCII only

struct BillTime {
    base::UtcTime time{};
    bool hadZone = false;
};
// "2024-09-01T00:00:00Z", any offset, " UTC" behind it, a blank for the T, no seconds, no zone (then UTC), a date
// alone. A fraction is rounded to the next second, half up, because some write 23:59:59.999 for midnight.
std::optional<BillTime> readTime(std::string_view text);

struct BillTags {
    model::Labels tags;
    bool withoutBraces = false; // `"a": "b", "c": "d"`, as older Azure exports
    bool keyBlanks = false; // " a": the blanks are gone
};
// A JSON object, or a list of {Key, Value} pairs. A value null is "", true is "true", anything else its JSON text. The
// first of equal keys stays. Nothing when it is none of that.
std::optional<BillTags> readTags(std::string_view text);

} // namespace gpuledger::focus

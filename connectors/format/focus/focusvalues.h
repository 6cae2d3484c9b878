// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"

#include <optional>
#include <string>
#include <string_view>

// Parses single values as real files write them, which is not always as specified. Pure functions.
namespace gpuledger::focus {

// NULL, null, Null: what exports write because CSV cannot express a missing value.
inline bool isNullWord(std::string_view text)
{
    const auto is = [&](std::size_t i, char small) { return (text[i] | 0x20) == small; };
    return text.size() == 4 && is(0, 'n') && is(1, 'u') && is(2, 'l') && is(3, 'l');
}
inline std::string_view withoutBlanks(std::string_view text) // on either side
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}
std::string lowerCase(std::string_view text); // ASCII only

// A parsed time, and whether the text named a zone.
struct BillTime {
    base::UtcTime time{};
    bool hadZone = false;
};
// Accepts "2024-09-01T00:00:00Z", any offset, a trailing " UTC", a blank instead of the T, no seconds, no zone (taken
// as UTC), or a date alone. A fraction is rounded half up to the next second, because some exports write 23:59:59.999
// for midnight.
std::optional<BillTime> readTime(std::string_view text);

// Parsed tags, and the deviations from the specification found in their text.
struct BillTags {
    model::Labels tags;
    bool withoutBraces = false; // `"a": "b", "c": "d"`, as in older Azure exports
    bool keyBlanks = false; // " a": the blanks were removed
};
// Reads a JSON object or a list of {Key, Value} pairs. null becomes "", true becomes "true", anything else its JSON
// text. Of equal keys the first is kept. std::nullopt if the text is neither.
std::optional<BillTags> readTags(std::string_view text);

} // namespace gpuledger::focus

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

// Label maps as JSON objects with sorted keys, so that equal maps have equal texts. Bytes that are not UTF-8 become
// U+FFFD.
namespace gpuledger::store {

// True if JSON needs no escaping for it.
inline bool isPlainText(const std::string &text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
}
inline bool isPlainText(std::int64_t)
{
    return true;
}
inline std::string plainText(const std::string &text)
{
    return '"' + text + '"';
}
inline std::string plainText(std::int64_t number)
{
    return std::to_string(number);
}

template <typename Value> std::string toJsonText(const std::map<std::string, Value> &map)
{
    if (map.empty())
        return "{}";
    if (std::all_of(map.begin(), map.end(),
                    [](const auto &entry) { return isPlainText(entry.first) && isPlainText(entry.second); })) {
        std::string text;
        for (const auto &[key, value] : map)
            text += (text.empty() ? '{' : ',') + plainText(key) + ':' + plainText(value);
        return text + '}';
    }
    return nlohmann::json(map).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Skips entries of another type; a text that is not an object yields an empty map.
template <typename Value> std::map<std::string, Value> fromJsonText(const std::string &text)
{
    std::map<std::string, Value> map;
    if (text.size() <= 2)
        return map;
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object())
        return map;
    for (const auto &[key, value] : json.items()) {
        if constexpr (std::is_same_v<Value, std::string>) {
            if (const auto *s = value.template get_ptr<const std::string *>())
                map.emplace(key, *s);
        } else if (const auto *n = value.template get_ptr<const nlohmann::json::number_integer_t *>()) {
            map.emplace(key, *n);
        }
    }
    return map;
}

} // namespace gpuledger::store

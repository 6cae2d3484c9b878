// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <string>

// Maps of labels as JSON objects with sorted keys: one map has one text. Bytes that are not UTF-8 become U+FFFD.
namespace gpuledger::store {

template <typename Value> std::string toJsonText(const std::map<std::string, Value> &map)
{
    if (map.empty())
        return "{}";
    return nlohmann::json(map).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Entries of another type are left out; a text that is no object gives an empty map.
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

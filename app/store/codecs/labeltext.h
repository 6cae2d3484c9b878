// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

// Label maps as JSON objects with sorted keys, so that equal maps have equal texts. Bytes that are not UTF-8 become
// U+FFFD.
namespace gpuledger::store {

// True if JSON needs no escaping for it.
inline bool isPlainText(std::string_view text)
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

// Any JSON, by the general parser. Skips entries of another type; a text that is not an object yields an empty map.
template <typename Value> std::map<std::string, Value> fromAnyJsonText(const std::string &text)
{
    std::map<std::string, Value> map;
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

// Takes texts and whole numbers from the start of what toJsonText() writes without escapes.
class PlainJson {
public:
    explicit PlainJson(std::string_view text)
        : m_left(text)
    {
    }
    bool isAtEnd() const { return m_left.empty(); }
    bool take(char c)
    {
        const bool has = m_left.starts_with(c);
        m_left.remove_prefix(has ? 1 : 0);
        return has;
    }
    // Takes nothing if there is no text without escapes.
    std::optional<std::string_view> text()
    {
        const std::size_t end = m_left.starts_with('"') ? m_left.find('"', 1) : std::string_view::npos;
        if (end == std::string_view::npos)
            return std::nullopt;
        const std::string_view found = m_left.substr(1, end - 1);
        if (!isPlainText(found))
            return std::nullopt;
        m_left.remove_prefix(end + 1);
        return found;
    }
    std::optional<std::int64_t> number()
    {
        const std::string_view digits = m_left.substr(m_left.starts_with('-') ? 1 : 0);
        const bool isZero = m_left.starts_with('0');
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(m_left.data(), m_left.data() + m_left.size(), value);
        const auto length = static_cast<std::size_t>(end - m_left.data());
        if (error != std::errc() || (digits.starts_with('0') && !(isZero && length == 1)))
            return std::nullopt;
        m_left.remove_prefix(length);
        return value;
    }

private:
    std::string_view m_left;
};

// The same as fromAnyJsonText() for what toJsonText() writes without escapes; std::nullopt if the text is anything
// else.
template <typename Value> std::optional<std::map<std::string, Value>> fromPlainJsonText(std::string_view text)
{
    std::map<std::string, Value> map;
    PlainJson in(text);
    std::optional<std::string_view> before;
    if (!in.take('{'))
        return std::nullopt;
    do {
        const auto key = in.text();
        if (!key || (before && *key <= *before) || !in.take(':'))
            return std::nullopt;
        before = key;
        const auto value = in.text();
        const auto number = value ? std::nullopt : in.number();
        if (!value && !number)
            return std::nullopt;
        if constexpr (std::is_same_v<Value, std::string>) {
            if (value)
                map.emplace_hint(map.end(), *key, *value);
        } else if (number) {
            map.emplace_hint(map.end(), *key, *number);
        }
    } while (in.take(','));
    if (!in.take('}') || !in.isAtEnd())
        return std::nullopt;
    return map;
}

// Skips entries of another type; a text that is not an object yields an empty map.
template <typename Value> std::map<std::string, Value> fromJsonText(const std::string &text)
{
    if (text.size() <= 2)
        return {};
    auto plain = fromPlainJsonText<Value>(text);
    return plain ? std::move(*plain) : fromAnyJsonText<Value>(text);
}

} // namespace gpuledger::store

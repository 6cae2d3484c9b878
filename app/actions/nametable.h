// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

// The names that the values of an enum have in logs and JSON: a pair a value, in the order of the enum, whose last
// value is called Last as well. Pure; any thread.
namespace gpuledger::actions {

template <typename Enum, std::size_t N> using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

// Whether every value has its name at its place; for a static_assert beside the table.
template <typename Enum, std::size_t N> constexpr bool isWhole(const NameTable<Enum, N> &table)
{
    if (N != static_cast<std::size_t>(Enum::Last) + 1)
        return false;
    for (std::size_t i = 0; i < N; ++i) {
        if (static_cast<std::size_t>(table[i].first) != i || table[i].second.empty())
            return false;
    }
    return true;
}

// Of a whole table.
template <typename Enum, std::size_t N> constexpr std::string_view nameIn(const NameTable<Enum, N> &table, Enum value)
{
    return table.at(static_cast<std::size_t>(value)).second;
}

// Nothing: no value has that name.
template <typename Enum, std::size_t N>
constexpr std::optional<Enum> valueIn(const NameTable<Enum, N> &table, std::string_view name)
{
    for (const auto &[value, text] : table) {
        if (text == name)
            return value;
    }
    return std::nullopt;
}

} // namespace gpuledger::actions

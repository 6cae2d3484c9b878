// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

// Names of enum values in logs and JSON: one pair per value, in the order of the enum. The enum's last value must have
// the alias Last. Pure; any thread.
namespace gpuledger::actions {

template <typename Enum, std::size_t N> using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

// Whether every value has its name at its position; for a static_assert next to the table.
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

// The table must be complete.
template <typename Enum, std::size_t N> constexpr std::string_view nameIn(const NameTable<Enum, N> &table, Enum value)
{
    return table.at(static_cast<std::size_t>(value)).second;
}

// std::nullopt if no value has that name.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/query.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

// A filter as shown in the user interface: one chip per value. Pure; GUI thread because of the translated texts.
namespace gpuledger::ui {

// One value that is included or excluded.
struct FilterChip {
    insight::Dimension dimension = insight::Dimension::Team;
    std::string value; // "": objects without a value
    bool exclude = false;

    QString text() const; // "cluster: prod", "not cluster: dev", "region: none"
    QString key() const; // identifies the chip
    friend bool operator==(const FilterChip &, const FilterChip &) = default;
};

// The single selected team; std::nullopt if it is all teams, several, or all but some.
std::optional<std::string> teamChoice(const insight::Filter &filter);
// Only this team; std::nullopt: all teams. Excluded teams stay excluded.
insight::Filter withTeam(insight::Filter filter, const std::optional<std::string> &team);

// Everything except a team choice, by dimension; included values before excluded ones.
std::vector<FilterChip> chipsOf(const insight::Filter &filter);
// A value cannot be included and excluded at the same time: the last choice counts.
insight::Filter withChip(insight::Filter filter, const FilterChip &chip);
insight::Filter withoutChip(insight::Filter filter, const FilterChip &chip);

} // namespace gpuledger::ui

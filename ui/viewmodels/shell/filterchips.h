// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/query.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

// A filter as people handle it: one piece a value. Pure; GUI thread because of the texts.
namespace gpuledger::ui {

// One value that is included or excluded.
struct FilterChip {
    insight::Dimension dimension = insight::Dimension::Team;
    std::string value; // "": what has none
    bool exclude = false;

    QString text() const; // "cluster: prod", "not cluster: dev", "region: none"
    QString key() const; // tells chips apart
    friend bool operator==(const FilterChip &, const FilterChip &) = default;
};

// The one team that is looked at; nothing when it is all, several, or all but some.
std::optional<std::string> teamChoice(const insight::Filter &filter);
// Only this team; nothing: all teams. What is excluded stays.
insight::Filter withTeam(insight::Filter filter, const std::optional<std::string> &team);

// Everything but a team choice, by dimension; included before excluded.
std::vector<FilterChip> chipsOf(const insight::Filter &filter);
// A value that is excluded can't be included at the same time: the last word counts.
insight::Filter withChip(insight::Filter filter, const FilterChip &chip);
insight::Filter withoutChip(insight::Filter filter, const FilterChip &chip);

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/filterchips.h"

#include "ui/format/local/localtext.h"

#include <algorithm>

namespace gpuledger::ui {

using insight::Dimension;
using insight::Filter;
using Values = std::map<Dimension, std::vector<std::string>>;

namespace {

// A dimension without values would match nothing.
void take(Values &values, const FilterChip &chip)
{
    const auto it = values.find(chip.dimension);
    if (it == values.end())
        return;
    std::erase(it->second, chip.value);
    if (it->second.empty())
        values.erase(it);
}

} // namespace

QString FilterChip::text() const
{
    return LocalText::filterText(dimension, QString::fromStdString(value), exclude);
}

QString FilterChip::key() const
{
    return (exclude ? QStringLiteral("-") : QStringLiteral("+")) + QString::fromStdString(insight::toString(dimension))
        + QLatin1Char('=') + QString::fromStdString(value);
}

std::optional<std::string> teamChoice(const Filter &filter)
{
    const auto it = filter.include.find(Dimension::Team);
    return it != filter.include.end() && it->second.size() == 1 ? std::optional(it->second.front()) : std::nullopt;
}

Filter withTeam(Filter filter, const std::optional<std::string> &team)
{
    filter.include.erase(Dimension::Team);
    if (team) {
        take(filter.exclude, {Dimension::Team, *team, true});
        filter.include[Dimension::Team] = {*team};
    }
    return filter;
}

std::vector<FilterChip> chipsOf(const Filter &filter)
{
    std::vector<FilterChip> chips;
    const bool oneTeam = teamChoice(filter).has_value();
    for (const bool exclude : {false, true}) {
        for (const auto &[dimension, values] : exclude ? filter.exclude : filter.include) {
            if (dimension == Dimension::Team && !exclude && oneTeam)
                continue;
            for (const std::string &value : values)
                chips.push_back({dimension, value, exclude});
        }
    }
    std::stable_sort(chips.begin(), chips.end(),
                     [](const FilterChip &a, const FilterChip &b) { return a.dimension < b.dimension; });
    return chips;
}

Filter withChip(Filter filter, const FilterChip &chip)
{
    take(chip.exclude ? filter.include : filter.exclude, chip);
    auto &values = (chip.exclude ? filter.exclude : filter.include)[chip.dimension];
    if (std::find(values.begin(), values.end(), chip.value) == values.end())
        values.push_back(chip.value);
    return filter;
}

Filter withoutChip(Filter filter, const FilterChip &chip)
{
    take(chip.exclude ? filter.exclude : filter.include, chip);
    return filter;
}

} // namespace gpuledger::ui

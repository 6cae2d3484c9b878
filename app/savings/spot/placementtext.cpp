// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/placementtext.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::savings {

namespace {

constexpr std::size_t kMostTypesTold = 3, kMostZonesTold = 8, kLongestTold = 64;

std::string listedNames(const std::vector<std::string> &names, std::size_t count)
{
    std::string out;
    for (std::size_t i = 0; i < count; ++i)
        out += (i == 0 ? "" : ", ") + base::printableLine(names[i], kLongestTold);
    return out;
}

// The first of them, and how many others there are.
RemarkTerm shortened(const std::vector<std::string> &names, std::size_t most)
{
    const RemarkTerm first = textTerm(listedNames(names, most));
    const std::size_t others = names.size() - most;
    return others == 1 ? remarkTerm({RemarkText::AndOneOther, {first}})
                       : remarkTerm({RemarkText::AndOthers, {first, countTerm(static_cast<std::int64_t>(others))}});
}

RemarkTerm typesTerm(const std::vector<std::string> &types)
{
    if (types.size() > kMostTypesTold)
        return shortened(types, kMostTypesTold);
    if (types.size() < 2)
        return textTerm(listedNames(types, types.size()));
    return remarkTerm({RemarkText::EitherOr,
                       {textTerm(listedNames(types, types.size() - 1)), textTerm(listedNames({types.back()}, 1))}});
}

RemarkTerm zonesTerm(const model::PlacementRating &rating)
{
    std::vector<std::pair<std::string, int>> zones(rating.zones.begin(), rating.zones.end());
    std::stable_sort(zones.begin(), zones.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    std::vector<std::string> told;
    for (const auto &zone : zones)
        told.push_back(base::printableLine(zone.first, kLongestTold) + ": " + std::to_string(zone.second));
    return told.size() > kMostZonesTold ? shortened(told, kMostZonesTold) : textTerm(listedNames(told, told.size()));
}

} // namespace

void addPlacementEvidence(const model::PlacementRating &rating, Proposal &proposal)
{
    if (rating.zones.empty())
        return;
    RemarkTerm zones = zonesTerm(rating), types = typesTerm(rating.asked.machines);
    Remark value = rating.asked.count == 1
        ? Remark{RemarkText::SpotPlacementOfOne, {std::move(zones), std::move(types)}}
        : Remark{RemarkText::SpotPlacementOf, {std::move(zones), countTerm(rating.asked.count), std::move(types)}};
    proposal.evidence.push_back({{RemarkText::SpotPlacement, {}}, remarkTerm(std::move(value))});
    proposal.evidence.push_back({{RemarkText::SpotPlacementDate, {}}, dayTerm(base::dayOf(rating.at).start())});
}

void addPlacementRisk(const model::PlacementRating &rating, Proposal &proposal)
{
    const auto isLow = [](const auto &zone) { return zone.second <= kLowPlacement; };
    if (rating.zones.empty() || !std::all_of(rating.zones.begin(), rating.zones.end(), isLow))
        return;
    const bool isOfFew = rating.asked.machines.size() < kFewestTypesRated;
    proposal.risks.push_back({isOfFew ? RemarkText::SpotRiskPlacementFew : RemarkText::SpotRiskPlacement, {}});
}

} // namespace gpuledger::savings

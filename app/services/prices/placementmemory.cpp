// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/prices/placementmemory.h"

#include "app/services/engine/keptjson.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpuledger::services {

using base::Result;
using model::PlacementQuestion;
using model::PlacementRating;

namespace {

constexpr std::int64_t kPlacementVersion = 1;

std::string keptPlacementName(const std::string &source)
{
    return source + "\nplacement";
}

KeptJson jsonOfRating(const PlacementRating &one)
{
    KeptJson zones = KeptJson::array();
    for (const auto &[zone, rating] : one.zones)
        zones.push_back({{"zone", zone}, {"rating", rating}});
    return {{"cloud", one.cloud},       {"region", one.region},      {"machines", one.asked.machines},
            {"count", one.asked.count}, {"zones", std::move(zones)}, {"at", keptTime(one.at)}};
}

using RatedZone = std::pair<std::string, int>;

std::optional<RatedZone> zoneOfJson(const KeptJson &json)
{
    KeptReader in(json);
    std::string zone = in.text("zone");
    const std::int64_t rating = in.integerWithin("rating", model::kWorstPlacement, model::kBestPlacement);
    return in.fits() ? std::optional(RatedZone(std::move(zone), static_cast<int>(rating))) : std::nullopt;
}

bool hasEachOnce(std::vector<std::string> names)
{
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
}

std::optional<PlacementRating> ratingOfJson(const KeptJson &json)
{
    KeptReader in(json);
    PlacementRating one;
    one.cloud = in.text("cloud");
    one.region = in.text("region");
    one.asked.count = in.integerWithin("count", 1, std::numeric_limits<std::int64_t>::max());
    const auto at = in.timeOrNull("at");
    std::vector<RatedZone> zones;
    const bool fits = readKept(in, "machines", keptSentenceOf, one.asked.machines)
        && readKept(in, "zones", zoneOfJson, zones) && in.fits();
    if (!fits || !at || one.asked.machines.empty() || !hasEachOnce(one.asked.machines))
        return std::nullopt;
    one.at = *at;
    for (RatedZone &zone : zones) {
        if (!one.zones.insert(std::move(zone)).second)
            return std::nullopt;
    }
    return one;
}

} // namespace

std::string placementText(const KeptPlacement &kept)
{
    KeptJson ratings = KeptJson::array();
    for (const PlacementRating &one : kept.ratings)
        ratings.push_back(jsonOfRating(one));
    return keptText({{"version", kPlacementVersion},
                     {"read", keptTime(kept.readAt)},
                     {"full", keptTime(kept.fullAt)},
                     {"failed", keptTime(kept.failedAt)},
                     {"failure", kept.failure},
                     {"ratings", std::move(ratings)}});
}

KeptPlacement placementOfText(const std::string &text)
{
    const KeptJson json = KeptJson::parse(text, nullptr, false);
    KeptReader in(json);
    if (!in.fits() || in.integer("version") != kPlacementVersion)
        return {};
    KeptPlacement kept;
    kept.readAt = in.timeOrNull("read");
    kept.fullAt = in.timeOrNull("full");
    kept.failedAt = in.timeOrNull("failed");
    kept.failure = in.text("failure");
    const bool fits = readKept(in, "ratings", ratingOfJson, kept.ratings) && in.fits();
    return fits ? kept : KeptPlacement();
}

Result<KeptPlacement> keptPlacement(store::LedgerStore &cache, const std::string &source)
{
    const auto text = cache.memoryOf(keptPlacementName(source));
    GPULEDGER_TRY(text);
    return placementOfText(*text);
}

Result<void> keepPlacement(store::LedgerStore &cache, const std::string &source, const KeptPlacement &kept)
{
    return cache.putMemory(keptPlacementName(source), placementText(kept));
}

} // namespace gpuledger::services

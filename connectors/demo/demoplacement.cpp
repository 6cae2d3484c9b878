// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/demoplacement.h"

#include "connectors/demo/fleet/demooptions.h"
#include "connectors/demo/fleet/demorandom.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace gpuledger::demo {

using base::Result;
using model::PlacementRating;

namespace {

// Of us-east-1, by their ids.
constexpr std::array<std::string_view, 4> kRatedZones{"use1-az1", "use1-az2", "use1-az4", "use1-az6"};
constexpr int kLeastOfOne = 4; // rating of a request for one machine
constexpr int kRatingsOfOne = 6; // from there on
constexpr std::size_t kFewTypes = 3; // below, AWS rates every request as low
constexpr int kMostOfFewTypes = 3;

} // namespace

Result<std::unique_ptr<ports::PriceSource>> DemoPlacement::create(const model::SourceSettings &settings)
{
    const auto options = optionsOf(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<DemoPlacement>(settings.name, settings.auth.region, options->seed);
}

DemoPlacement::DemoPlacement(std::string name, std::string region, std::uint64_t seed)
    : m_name(std::move(name))
    , m_region(std::move(region))
    , m_seed(seed)
{
}

Result<ports::PricesTold> DemoPlacement::read(const ports::PricesAsked &, std::stop_token)
{
    return base::fail(base::ErrorCode::Unsupported, "\"" + m_name + "\" has no price lists");
}

Result<PlacementRating> DemoPlacement::placement(const model::PlacementQuestion &question, base::UtcTime now,
                                                 std::stop_token)
{
    PlacementRating rating{provider(), m_region, question, {}, now};
    const auto day = static_cast<std::uint64_t>(base::dayOf(now).number);
    const int doublings = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(question.count, 1))) - 1;
    const int most = question.machines.size() < kFewTypes ? kMostOfFewTypes : model::kBestPlacement;
    for (std::size_t i = 0; i < kRatedZones.size(); ++i) {
        const int ofOne = kLeastOfOne + static_cast<int>(key(m_seed, day, i) % kRatingsOfOne);
        rating.zones.emplace(kRatedZones[i], std::clamp(ofOne - doublings / 2, model::kWorstPlacement, most));
    }
    return rating;
}

Result<std::vector<ports::Finding>> DemoPlacement::probe(std::stop_token)
{
    return std::vector<ports::Finding>();
}

} // namespace gpuledger::demo

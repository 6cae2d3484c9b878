// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/prices/pricesettings.h"

#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"

#include <sstream>

namespace gpuledger::azure {

using base::Result;

namespace {

constexpr std::size_t kMostPricedRegions = 50, kShownWord = 40;
constexpr const Cloud &kPublic = kClouds[0], &kGovernment = kClouds[1], &kChina = kClouds[2];

Result<std::set<std::string>> regionsIn(const model::SourceSettings &settings)
{
    std::set<std::string> regions;
    std::istringstream words(optionOf(settings, kRegionsKey));
    for (std::string word; words >> word;) {
        while (word.ends_with(','))
            word.pop_back();
        if (!consistsOf(word, "")) // it becomes a part of a filter
            return wrongSetting(settings, "has no region named \"" + base::printable(word, kShownWord) + '"',
                                "set regions of " + settings.name + " to regions such as eastus westeurope");
        if (!word.empty())
            regions.insert(lowerCase(word));
    }
    if (regions.size() > kMostPricedRegions)
        return wrongSetting(settings, "has more than " + std::to_string(kMostPricedRegions) + " regions",
                            "remove some regions of " + settings.name);
    return regions;
}

} // namespace

Result<PriceSettings> PriceSettings::of(const model::SourceSettings &settings)
{
    PriceSettings out;
    const std::string word = optionOf(settings, kPricesKey), own = optionOf(settings, kPricesUrlKey);
    if (!word.empty() && word != "all" && word != "none")
        return wrongSetting(settings, "has no prices named \"" + base::printable(word, kShownWord) + '"',
                            "set prices of " + settings.name + " to all or none");
    const auto manager = originOf(settings.url.empty() ? kPublic.resourceManager : settings.url);
    GPULEDGER_TRY(manager);
    const auto address = originOf(own.empty() ? kPublicPrices : own);
    GPULEDGER_TRY(address);
    out.address = *address;
    const bool isChina = *manager == kChina.resourceManager;
    if (word == "all" && own.empty() && isChina)
        return wrongSetting(settings, "has no prices: Azure does not publish those of its cloud in China",
                            "set prices of " + settings.name + " to none");
    const bool isPublished = *manager == kPublic.resourceManager || *manager == kGovernment.resourceManager;
    out.isWanted = word == "all" || (word.empty() && (isPublished || !own.empty()));
    auto regions = regionsIn(settings);
    GPULEDGER_TRY(regions);
    out.regions = std::move(*regions);
    return out;
}

} // namespace gpuledger::azure

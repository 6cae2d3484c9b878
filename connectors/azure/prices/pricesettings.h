// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"

#include <set>
#include <string>
#include <string_view>

namespace gpuledger::azure {

// Settings of the kind `azure` about prices.
inline constexpr char kPricesKey[] = "prices", kRegionsKey[] = "regions", kPricesUrlKey[] = "prices_url";
inline constexpr char kPublicPrices[] = "https://prices.azure.com";

// Which prices a source reads, and where. Value type.
struct PriceSettings {
    bool isWanted = false;
    std::string address; // of the service, without a path
    std::set<std::string> regions; // in lower case; empty: where the subscription has machines with GPUs

    // Fails with InvalidConfig. Without the setting `prices`, they are wanted of the public cloud and that for the US
    // Government, and from an address that is set.
    [[nodiscard]] static base::Result<PriceSettings> of(const model::SourceSettings &settings);
};

} // namespace gpuledger::azure

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/placementrating.h"
#include "app/store/ledgerstore.h"

#include <optional>
#include <string>
#include <vector>

// What syncs keep in the cache of the chances of getting spot machines. Any thread.
namespace gpuledger::services {

// The last reading of a source, and the last try.
struct KeptPlacement {
    std::optional<base::UtcTime> readAt; // of `ratings`; std::nullopt: nothing was read yet
    std::vector<model::PlacementRating> ratings; // with zones or without any; of each question the newest
    std::optional<base::UtcTime> fullAt; // if the server took no more different questions at the last reading
    std::optional<base::UtcTime> failedAt; // if the last try failed, or gave less than was asked for
    std::string failure; // why, one sentence without a full stop

    bool operator==(const KeptPlacement &) const = default;
};

std::string placementText(const KeptPlacement &kept);
// Nothing is kept if the text is empty, or is not such a text: of another version, or damaged.
KeptPlacement placementOfText(const std::string &text);

// Both fail with Storage… codes.
[[nodiscard]] base::Result<KeptPlacement> keptPlacement(store::LedgerStore &cache, const std::string &source);
[[nodiscard]] base::Result<void> keepPlacement(store::LedgerStore &cache, const std::string &source,
                                               const KeptPlacement &kept);

} // namespace gpuledger::services

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/ruleseries.h"
#include "app/store/prices/pricestore.h"

namespace gpuledger::services {

// For the metric PriceChange: a reading at the end of each whole UTC day of `range`, for each GPU model of the
// catalogue: |lowest price now - 7 days before| / the price before, of a GPU-hour on demand or of a GPU cloud. Only
// lists that had a price of the model at both times count, so that a new list is no change; of several currencies, the
// one that changed most. A price holds from the first reading of its list that had it to the first one without it; one
// that the list still has, for a week after the last reading. std::nullopt: no list has both prices. Pure; any thread.
RuleSeries priceSeriesOf(const std::vector<store::StoredPrice> &history, base::TimeRange range);

} // namespace gpuledger::services

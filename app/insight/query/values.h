// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/query/query.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// One value that a filter can be set to; "" stands for no value.
struct DimensionValue {
    std::string value;
    std::optional<double> share; // of the paid time; only for dimensions of the roll-up
};

// Every value of a dimension that occurs in the fetched data: those of the roll-up descending by share, the others
// ascending by name; ties by name. Blocking, but reads no usage; call from a worker thread. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<DimensionValue>> dimensionValues(store::CubeReader &cube,
                                                                        store::AttributionReader &attribution,
                                                                        store::FactReader &facts,
                                                                        const Dimension &dimension);

} // namespace gpuledger::insight

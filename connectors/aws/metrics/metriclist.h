// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/metrics/cloudwatch.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::aws {

struct MetricDimension {
    std::string name, value;

    auto operator<=>(const MetricDimension &) const = default;
};
// As ListMetrics returns them: a question must have exactly these.
using MetricDimensions = std::vector<MetricDimension>;

std::optional<std::string> valueOf(const MetricDimensions &dimensions, std::string_view name);

// Passes the dimensions of each metric on a page of ListMetrics to `add`, and returns the token of the next page.
// Metrics of another name, and those whose dimensions can't be sent back, are counted in `rejected`. Fails with Parse.
[[nodiscard]] base::Result<std::string> readMetricPage(const std::string &page, const MetricName &name,
                                                       const std::function<void(MetricDimensions)> &add,
                                                       RejectedCounts &rejected);

} // namespace gpuledger::aws

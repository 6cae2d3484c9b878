// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ports/telemetrysource.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::insight {

// The device and the time range to evaluate an expression for.
struct ExtraQuery {
    std::string expression; // as the user wrote it
    std::string cluster, node, device; // device: the UUID
    int index = -1; // negative: unknown
    base::TimeRange range;
    int points = 300; // maximum
};

// The result of an expression for a device over a range: each value applies to its timestamp, as the server evaluates
// it.
struct ExtraSeries {
    std::string source; // the source that answered
    std::vector<base::UtcTime> times;
    base::Seconds step{60};
    ports::SeriesAnswer answer;
};

// Substitutes $cluster, $node, $device and $index (also written ${node}): verbatim inside quotes, as a quoted string
// outside of them; the index as a number. $__interval, $__rate_interval and $__range, which pasted expressions may
// contain, become durations. A $ before anything else is left as it is. Fails with InvalidArgument: the expression is
// empty, or has a variable that is unknown or has no value.
[[nodiscard]] base::Result<std::string> expandExpression(const ExtraQuery &query, base::Seconds step);

// The range query with its step. Fails with InvalidArgument (an empty range).
[[nodiscard]] base::Result<ports::SeriesQuestion> seriesQuestion(const ExtraQuery &query);

} // namespace gpuledger::insight

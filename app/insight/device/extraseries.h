// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time.h"
#include "app/ports/telemetrysource.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::insight {

// The device that an expression is asked for, and the time.
struct ExtraQuery {
    std::string expression; // as the user wrote it
    std::string cluster, node, device; // device: the UUID
    int index = -1; // below 0: not known
    base::TimeRange range;
    int points = 300; // at most
};

// What an expression gives for a device over a range: a value is that at its time, as the server evaluates it.
struct ExtraSeries {
    std::string source; // that answered
    std::vector<base::UtcTime> times;
    base::Seconds step{60};
    ports::SeriesAnswer answer;
};

// Puts the values in the place of $cluster, $node, $device and $index (also as ${node}): within quotes as the text that
// they are, outside of them as a quoted text, an index as a number. $__interval, $__rate_interval and $__range, which
// pasted expressions may have, become durations. A $ before anything else stays. Fails with InvalidArgument: the
// expression is empty or has a variable that is not known or has no value.
[[nodiscard]] base::Result<std::string> expandExpression(const ExtraQuery &query, base::Seconds step);

// The grid on which it is asked. Fails with InvalidArgument (an empty range).
[[nodiscard]] base::Result<ports::SeriesQuestion> seriesQuestion(const ExtraQuery &query);

} // namespace gpuledger::insight

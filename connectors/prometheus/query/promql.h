// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <span>
#include <string>
#include <string_view>

// Builds query texts. Every external value goes through quoted() or anyOf().
namespace gpuledger::prometheus::promql {

// "text" with PromQL escapes.
std::string quoted(std::string_view text);
// A quoted regular expression that matches exactly these texts.
std::string anyOf(std::span<const std::string> texts);

// function(metric{matchers}[window] offset 1ms). Because of the offset, an evaluation at t covers exactly the samples
// of [t - window, t): Prometheus 2 includes a sample on the left edge, Prometheus 3 and VictoriaMetrics do not, and all
// of them include the right edge.
std::string overTime(std::string_view function, std::string_view metric, std::string_view matchers,
                     base::Seconds window);
std::string number(std::int64_t value);
std::string decimal(double value);

} // namespace gpuledger::prometheus::promql

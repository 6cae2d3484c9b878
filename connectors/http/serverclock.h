// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "connectors/http/url.h"

#include <optional>
#include <string>

namespace gpuledger::http {

// A difference that the way of an answer does not explain.
inline constexpr base::Seconds kClockDifference{120};

// A time as HTTP writes it: "Fri, 20 Nov 2026 09:00:00 GMT". std::nullopt: it is none. Any thread.
std::optional<base::UtcTime> timeOf(const std::string &text);
// The end of a sentence about a refused credential: "; this computer's clock is 10 minutes behind the server's". Empty
// if both agree to within kClockDifference, or without a Date header. `headers` are those of a Response that was asked
// to keep "date"; `now` is the real time. Any thread.
std::string clockRemark(const Parameters &headers, base::UtcTime now);

} // namespace gpuledger::http

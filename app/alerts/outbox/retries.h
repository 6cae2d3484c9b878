// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <cstdint>
#include <optional>

// When a message that a target did not take is sent again. Pure; any thread; no errors.
namespace gpuledger::alerts {

inline constexpr base::Seconds kFirstBackOff{30}, kLongestBackOff{3600};
inline constexpr base::Seconds kTriedFor{86400}; // then it is a dead letter

// After that many attempts (1 or more): 30 s, doubling up to an hour, less up to a fifth, which depends on the message
// so that several don't come at once.
base::Seconds backOff(int attempts, std::int64_t message);
// The same, or what the target asked for.
base::UtcTime nextAttempt(base::UtcTime now, int attempts, std::int64_t message,
                          std::optional<base::Seconds> retryAfter);
// A time further away than a message is tried comes from a clock that was ahead: it is due.
bool isDue(base::UtcTime next, base::UtcTime now);
// `createdAt` in the future comes from such a clock, too.
bool isGivenUp(base::UtcTime createdAt, base::UtcTime now);

} // namespace gpuledger::alerts

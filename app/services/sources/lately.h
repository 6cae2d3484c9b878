// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <optional>

namespace gpuledger::services {

// Whether `then` was less than `pause` before `now`. False also if the clock went back.
inline bool wasWithin(const std::optional<base::UtcTime> &then, base::Seconds pause, base::UtcTime now)
{
    return then && *then <= now && now - *then < pause;
}

} // namespace gpuledger::services

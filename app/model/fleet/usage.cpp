// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/fleet/usage.h"

#include <cmath>

namespace gpuledger::model {

std::uint16_t toShare(double value)
{
    constexpr double kRepresentationSlack = 1e-7; // 0.05 x 60000 must not become 2999
    if (!std::isfinite(value) || value < 0)
        return kNoShare;
    const double scaled = value * kShareScale + kRepresentationSlack;
    return scaled >= kShareScale ? kShareScale : static_cast<std::uint16_t>(scaled);
}

} // namespace gpuledger::model

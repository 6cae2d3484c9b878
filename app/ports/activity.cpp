// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ports/activity.h"

#include <algorithm>

namespace gpuledger::ports {

std::chrono::milliseconds scrapeInterval(const std::vector<SampleTime> &times)
{
    std::vector<std::chrono::milliseconds> spacings;
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (times[i] > times[i - 1])
            spacings.push_back(times[i] - times[i - 1]);
    }
    if (spacings.empty())
        return {};
    // The upper quartile: two synchronized servers make every second interval short, and a gap is a single long
    // interval.
    const auto place = spacings.begin() + static_cast<std::ptrdiff_t>(3 * (spacings.size() - 1) / 4);
    std::nth_element(spacings.begin(), place, spacings.end());
    return *place;
}

} // namespace gpuledger::ports

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/attribution/unitlayout.h"

#include <algorithm>

namespace gpuledger::ledger {

using base::TimeRange;

namespace {

const Unit &wholeDevice()
{
    static const Unit unit;
    return unit;
}

} // namespace

const std::vector<const Unit *> &UnitLayout::of(const IndexedDevice &device, const Samples &samples, TimeRange range)
{
    m_units.clear();
    const auto &units = device.units;
    if (units.size() == 1 && units.front().slice < 0) {
        m_units.push_back(&units.front());
        return m_units;
    }
    const bool slicesNow =
        std::any_of(samples.begin(), samples.end(), [](const Sample &s) { return !s.track->gpuInstance.empty(); });
    const bool wholeNow = std::any_of(samples.begin(), samples.end(),
                                      [](const Sample &s) { return s.track->gpuInstance.empty() && s.observed > 0; });
    const Unit *whole =
        !units.empty() && units.front().slice < 0 && units.front().gpuInstance.empty() ? &units.front() : nullptr;
    if (!slicesNow && whole && wholeNow) {
        m_units.push_back(whole);
        return m_units;
    }
    addSlices(device, samples, range);
    if (m_units.empty())
        m_units.push_back(whole ? whole : &wholeDevice());
    return m_units;
}

// Slices that report come first; silent ones count if they have samples before and after, as far as they fit.
void UnitLayout::addSlices(const IndexedDevice &device, const Samples &samples, TimeRange range)
{
    double left = 1.0 + 1e-9;
    for (const bool reporting : {true, false}) {
        for (const Unit &unit : device.units) {
            const double part = static_cast<double>(unit.fraction.part) / static_cast<double>(unit.fraction.of);
            if (unit.slice < 0 || part > left || (!reporting && !unit.seen.touches(range)))
                continue;
            const bool speaks =
                std::any_of(samples.begin(), samples.end(), [&](const Sample &s) { return s.isOf(unit); });
            if (speaks != reporting)
                continue;
            m_units.push_back(&unit);
            left -= part;
        }
    }
}

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of IdleScan that looks back before the grace windows: the last activity, and what was wasted since.
#include "app/store/idle/idlescan.h"

#include <algorithm>

namespace gpuledger::store {

using base::Day;
using base::Result;
using base::UtcTime;
using model::GpuState;
using model::UsagePart;

namespace {

// How far before the grace windows the last activity is searched for; the start of the facts also ends the search.
constexpr int kSearchLimitDays = 400;

UtcTime endOfBucket(Day day, int bucket)
{
    return day.start() + (bucket + 1) * base::kBucket;
}

} // namespace

Day IdleScan::firstSearched() const
{
    return {base::dayOf(m_at - longestGrace(m_settings)).number - kSearchLimitDays};
}

// The days of the windows were read in full.
Result<void> IdleScan::searchFacts(AttributionReader &facts)
{
    const Day read = base::dayOf(m_at - longestGrace(m_settings));
    for (auto &[key, h] : m_states) {
        h.exact = true;
        // Nothing before its start counts, whatever the labels say.
        if (h.lastActive <= base::dayOf(bornAt(h)).start())
            h.lastActive = {};
    }
    for (Day day{read.number - 1}; day >= firstSearched(); --day.number) {
        std::set<base::DeviceId> devices;
        for (const auto &[key, h] : m_states) {
            if (h.lastActive != UtcTime{} || base::dayOf(bornAt(h)) > day)
                continue;
            for (const auto &[unit, state] : h.units)
                devices.insert(state.unit.device);
        }
        if (devices.empty())
            break;
        const std::vector<base::DeviceId> list(devices.begin(), devices.end());
        GPULEDGER_TRY(facts.walk(day, day, list, [&](const model::DeviceAttribution &device) -> Result<void> {
            for (const UsagePart &part : device.parts) {
                if (part.state != GpuState::Active || !isHeld(part))
                    continue;
                const auto it = m_states.find(idleKeyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
                if (it == m_states.end() || base::dayOf(bornAt(it->second)) > day
                    || !it->second.units.contains({device.device->id.value, part.slice}))
                    continue;
                it->second.lastActive = std::max(it->second.lastActive, endOfBucket(day, part.bucket));
            }
            return {};
        }));
    }
    return {};
}

Result<void> IdleScan::searchKept(IdleReader &kept, Day last)
{
    // What the windows' days showed is also in the stored days, except for the instant's own day if it is not stored.
    for (auto &[key, h] : m_states) {
        if (last == m_lastDay || h.lastActive <= m_lastDay.start() || bornAt(h) >= m_lastDay.end())
            h.lastActive = {};
        h.looked = h.lastActive != UtcTime{};
    }
    for (Day day = last; day >= firstSearched(); --day.number) {
        if (std::none_of(m_states.begin(), m_states.end(), [&](const auto &s) { return isLooking(s.second, day); }))
            break;
        const auto list = kept.day(day);
        GPULEDGER_TRY(list);
        auto state = m_states.begin();
        for (auto first = list->begin(); first != list->end();) {
            const auto end =
                std::find_if(first, list->end(), [&](const IdleUnitDay &u) { return u.who != first->who; });
            while (state != m_states.end() && state->first < first->who)
                ++state;
            if (state != m_states.end() && state->first == first->who && isLooking(state->second, day))
                take(state->second, Group(first, end), day);
            first = end;
        }
    }
    return {};
}

// Takes one stored day of a holder; the newest day comes first. A stored sum begins with the day, or after the last
// work of all units of the holder; another one is read from the facts.
void IdleScan::take(HolderState &h, Group group, Day day)
{
    std::int16_t ofAll = -1, ofHeld = -1;
    for (const IdleUnitDay &u : group) {
        ofAll = std::max(ofAll, u.lastActive);
        if (h.units.contains(u.unit))
            ofHeld = std::max(ofHeld, u.lastActive);
    }
    const UtcTime born = bornAt(h);
    const bool alike = ofAll == ofHeld;
    bool fits = alike || ofHeld < 0;
    const auto before = static_cast<std::ptrdiff_t>(h.sums.size());
    for (const IdleUnitDay &u : group) {
        if (!h.units.contains(u.unit))
            continue;
        const auto &sum = alike ? u.tail : u.whole;
        if (sum) {
            h.sums.push_back({day, u.unit, *sum});
            fits = fits && (ofHeld >= 0 || endOfBucket(day, sum->first) > born);
        } else {
            fits = fits && alike;
        }
    }
    if (!fits) {
        h.sums.erase(h.sums.begin() + before, h.sums.end());
        h.unfit.insert(day);
    }
    if (ofHeld >= 0) {
        h.lastActive = endOfBucket(day, ofHeld);
        h.looked = true;
    }
}

bool IdleScan::addsFacts(const HolderState &h, Day day, Day lastKept)
{
    return h.exact ? base::dayOf(sinceOf(h)) <= day : day > lastKept || h.unfit.contains(day);
}

// Days are added in the order in which a scan visits them: sums of seconds must be bitwise equal.
void IdleScan::addSums(Day before)
{
    for (auto &[key, h] : m_states) {
        for (; !h.sums.empty() && h.sums.back().day < before; h.sums.pop_back()) {
            const auto &[day, unit, sum] = h.sums.back();
            IdleUnit &u = h.units.at(unit).unit;
            u.idleSeconds += sum.idleSeconds;
            u.wastedNanos += sum.wastedNanos;
            u.unobservedSince = u.unobservedSince || sum.unobserved;
            u.unpricedSince = u.unpricedSince || sum.unpriced;
        }
    }
}

Result<void> IdleScan::sumUp(AttributionReader &facts, Day lastKept)
{
    Day first{lastKept.number + 1};
    for (const auto &[key, h] : m_states) {
        if (h.exact)
            first = std::min(first, base::dayOf(sinceOf(h)));
        if (!h.unfit.empty())
            first = std::min(first, *h.unfit.begin());
    }
    for (Day day = first; day <= m_lastDay; ++day.number) {
        std::set<base::DeviceId> devices;
        for (const auto &[key, h] : m_states) {
            if (!addsFacts(h, day, lastKept))
                continue;
            for (const auto &[unit, state] : h.units)
                devices.insert(state.unit.device);
        }
        if (devices.empty())
            continue;
        addSums(day);
        const std::vector<base::DeviceId> list(devices.begin(), devices.end());
        GPULEDGER_TRY(facts.walk(day, day, list, [&](const model::DeviceAttribution &device) -> Result<void> {
            for (const UsagePart &part : device.parts) {
                if (!isHeld(part))
                    continue;
                const auto it = m_states.find(idleKeyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
                if (it != m_states.end() && addsFacts(it->second, day, lastKept))
                    addSince(it->second, device, part);
            }
            return {};
        }));
        for (auto &[key, h] : m_states) {
            for (auto &[unit, state] : h.units) {
                const auto tail = state.sum.take(state.fraction);
                state.unit.idleSeconds += tail ? tail->idleSeconds : 0;
                state.unit.wastedNanos += tail ? tail->wastedNanos : 0;
                state.unit.unobservedSince = state.unit.unobservedSince || (tail && tail->unobserved);
                state.unit.unpricedSince = state.unit.unpricedSince || (tail && tail->unpriced);
            }
        }
    }
    addSums({m_lastDay.number + 1});
    return {};
}

void IdleScan::addSince(HolderState &h, const model::DeviceAttribution &device, const UsagePart &part)
{
    const auto unit = h.units.find({device.device->id.value, part.slice});
    const UtcTime end = endOfBucket(device.day, part.bucket);
    if (unit == h.units.end() || end > m_at || end <= sinceOf(h))
        return;
    unit->second.sum.add(tailPartOf(part), unit->second.fraction);
}

} // namespace gpuledger::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/idlescan.h"

#include "app/store/facts/measures.h"

#include <algorithm>

namespace gpuledger::store {

using base::Day;
using base::Result;
using base::Seconds;
using base::UtcTime;
using model::GpuState;
using model::UsagePart;

namespace {

UtcTime endOf(const model::DeviceAttribution &device, const UsagePart &part)
{
    return device.day.start() + (part.bucket + 1) * base::kBucket;
}

void describe(IdleUnit &unit, const model::DeviceAttribution &device, std::int16_t slice)
{
    unit.device = device.device->id;
    unit.uuid = device.device->uuid;
    unit.gpuInstance = slice < 0 ? std::string() : device.device->slices[static_cast<std::size_t>(slice)].gpuInstance;
    unit.gpuModel = device.gpuModel;
    unit.node = device.node ? device.node->name : std::string();
    unit.priced = device.priced;
    unit.rate = device.rate;
    unit.restingW = device.restingW;
}

} // namespace

Seconds graceOf(const model::IdleSettings &settings, model::WorkloadKind kind)
{
    const auto it = settings.grace.find(kind);
    if (it != settings.grace.end())
        return it->second;
    const auto fallback = settings.grace.find(model::WorkloadKind::Unknown);
    return fallback != settings.grace.end() ? fallback->second : Seconds{3600};
}

Seconds longestGrace(const model::IdleSettings &settings)
{
    Seconds longest{0};
    for (const auto &[kind, grace] : settings.grace)
        longest = std::max(longest, grace);
    return longest;
}

IdleScan::IdleScan(UtcTime at, const model::IdleSettings &settings)
    : m_at(at)
    , m_lastDay(base::dayOf(at - Seconds{1}))
    , m_settings(settings)
{
}

Result<std::vector<IdleCandidate>> IdleScan::scan(AttributionReader &facts, IdleReader *kept)
{
    for (Day day = base::dayOf(m_at - longestGrace(m_settings)); day <= m_lastDay; ++day.number)
        GPULEDGER_TRY(readWindow(facts, day, nullptr));
    keepQuietOnes();
    const Day before{m_lastDay.number - 1};
    GPULEDGER_TRY(kept ? searchKept(*kept, before) : searchFacts(facts));
    GPULEDGER_TRY(sumUp(facts, before));
    return result();
}

Result<std::vector<IdleCandidate>> IdleScan::fromKept(AttributionReader &facts, IdleReader &kept)
{
    const auto today = kept.day(m_lastDay);
    GPULEDGER_TRY(today);
    std::map<Day, std::set<base::DeviceId>> devices;
    m_onlyWanted = true;
    for (auto first = today->begin(); first != today->end();) {
        const auto last = std::find_if(first, today->end(), [&](const IdleUnitDay &u) { return u.who != first->who; });
        const Group group(first, last);
        first = last;
        if (!mayBeQuiet(group))
            continue;
        m_wanted.insert(group.front().who);
        for (const IdleUnitDay &unit : group) {
            for (Day day = base::dayOf(m_at - graceOf(m_settings, unit.kind)); day <= m_lastDay; ++day.number)
                devices[day].insert(base::DeviceId{unit.unit.device});
        }
    }
    for (const auto &[day, list] : devices)
        GPULEDGER_TRY(readWindow(facts, day, &list));
    keepQuietOnes();
    GPULEDGER_TRY(searchKept(kept, m_lastDay));
    GPULEDGER_TRY(sumUp(facts, m_lastDay));
    return result();
}

// True if something that it holds now was not active in its window that day.
bool IdleScan::mayBeQuiet(Group group) const
{
    const auto bucketAt = [this](UtcTime end) { return (end - m_lastDay.start()) / base::kBucket - 1; };
    return std::any_of(group.begin(), group.end(), [&](const IdleUnitDay &unit) {
        return unit.lastPart == bucketAt(m_at)
            && (unit.lastActive < 0 || unit.lastActive <= bucketAt(m_at - graceOf(m_settings, unit.kind)));
    });
}

Result<void> IdleScan::readWindow(AttributionReader &facts, Day day, const std::set<base::DeviceId> *devices)
{
    std::vector<base::DeviceId> list;
    if (devices)
        list.assign(devices->begin(), devices->end());
    return facts.walk(day, day, list, [this](const model::DeviceAttribution &device) -> Result<void> {
        ++m_piece;
        for (const UsagePart &part : device.parts) {
            if (isHeld(part))
                addWindow(device, part);
        }
        return {};
    });
}

void IdleScan::addWindow(const model::DeviceAttribution &device, const UsagePart &part)
{
    const UtcTime end = endOf(device, part);
    if (end > m_at)
        return;
    const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
    const bool inWindow = end > m_at - graceOf(m_settings, who.kind);
    if ((!inWindow && part.state != GpuState::Active) || (m_onlyWanted && !m_wanted.contains(idleKeyOf(who))))
        return;
    HolderState &h = m_states[idleKeyOf(who)];
    UnitState &unit = h.units[{device.device->id.value, part.slice}];
    if (inWindow) {
        unit.fraction = fractionOf(*device.device, part.slice);
        addReading(unit, part, end);
        notePlace(unit, device, part);
    }
    if (part.state == GpuState::Active)
        unit.lastActive = std::max(unit.lastActive, end);
    if (end == m_at) {
        h.who = who;
        unit.unit.fraction +=
            static_cast<double>(part.ticks) / static_cast<double>(base::GpuTime::wholeDevice(base::kBucket).ticks);
        unit.holdsNow = true;
    }
}

// Adds one part within the grace window of its holder.
void IdleScan::addReading(UnitState &state, const UsagePart &part, UtcTime end)
{
    IdleUnit &u = state.unit;
    if (state.windowEnd != end) {
        u.observedSeconds += state.window.clockSeconds(state.window.observed, state.fraction);
        state.window = {};
        state.windowEnd = end;
    }
    state.window.add(part.state, part.shared, part.ticks);
    if (part.state == GpuState::UnobservedHeld)
        return;
    u.activeInWindow = u.activeInWindow || part.state == GpuState::Active;
    u.signal = part.signal;
    u.sharedEqually = u.sharedEqually || part.sharedEqually;
    if (part.activity != model::kNoShare)
        u.peakActivity = std::max(u.peakActivity, model::shareToDouble(part.activity));
    if (part.powerDeciwatt != model::kNoPower)
        u.powerW = part.powerDeciwatt / 10.0;
    if (part.memoryMeanMib != model::kNoMemory) {
        u.memoryMib = part.memoryMeanMib;
        if (state.firstMemory < 0)
            state.firstMemory = u.memoryMib;
        const std::int64_t change = std::abs(u.memoryMib - state.firstMemory);
        u.memoryChanged = u.memoryChanged || change * 20 > std::max<std::int64_t>(state.firstMemory, 1);
    }
}

void IdleScan::notePlace(UnitState &state, const model::DeviceAttribution &device, const UsagePart &part)
{
    if (state.place == std::pair(m_piece, part.holder))
        return;
    state.place = {m_piece, part.holder};
    describe(state.unit, device, part.slice);
    IdlePlace place{groupKeyOf(device, part.holder), device.node ? device.node->name : std::string(),
                    device.device->uuid};
    auto &places = state.unit.places;
    if (std::find(places.begin(), places.end(), place) == places.end())
        places.push_back(std::move(place));
}

// Drops holders that no longer hold anything, that are too young, or all of whose units worked in their window.
void IdleScan::keepQuietOnes()
{
    for (auto it = m_states.begin(); it != m_states.end();) {
        HolderState &h = it->second;
        std::erase_if(h.units, [](const auto &u) { return !u.second.holdsNow; });
        for (auto unit = h.units.begin(); unit != h.units.end();) {
            const auto next = std::next(unit);
            if (unit->second.unit.activeInWindow)
                h.working.insert(h.units.extract(unit));
            else
                h.lastActive = std::max(h.lastActive, unit->second.lastActive);
            unit = next;
        }
        const bool young = bornAt(h) > m_at - graceOf(m_settings, h.who.kind);
        it = h.units.empty() || young ? m_states.erase(it) : std::next(it);
    }
}

std::vector<IdleCandidate> IdleScan::result() const
{
    std::vector<IdleCandidate> out;
    out.reserve(m_states.size());
    for (const auto &[key, h] : m_states) {
        IdleCandidate c{h.who, sinceOf(h), {}};
        std::map<IdleUnitKey, const UnitState *> all;
        for (const auto *units : {&h.units, &h.working}) {
            for (const auto &[unit, state] : *units)
                all[unit] = &state;
        }
        for (const auto &[unit, state] : all) {
            IdleUnit &u = c.units.emplace_back(state->unit);
            const IdleBucket &last = state->window;
            u.windowSeconds = static_cast<double>(graceOf(m_settings, h.who.kind).count());
            u.observedSeconds =
                std::min(u.windowSeconds, u.observedSeconds + last.clockSeconds(last.observed, state->fraction));
            // For a sharer, the first bucket counts in full.
            u.idleSeconds = std::min(u.idleSeconds, static_cast<double>((m_at - c.since).count()));
        }
        out.push_back(std::move(c));
    }
    return out;
}

} // namespace gpuledger::store

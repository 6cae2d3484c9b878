// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idlecandidates.h"

#include "app/base/gputime.h"
#include "app/insight/measuresums.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpuledger::insight {

using base::Day;
using base::Result;
using base::Seconds;
using base::UtcTime;
using model::GpuState;
using model::UsagePart;

namespace {

// How far back the last activity is searched in each further step, in days; the end of the facts ends it too.
constexpr int kSearchStepDays = 14;
constexpr int kSearchLimitDays = 400;

using HolderKey = std::pair<std::int64_t, std::int64_t>; // (holder id, subject id)
using UnitKey = std::pair<std::int64_t, std::int16_t>; // (device id, slice)

// A holder's time on one unit in one bucket.
struct BucketTime {
    UtcTime end{};
    double fraction = 1; // of the slice
    bool shared = false;
    std::int64_t ticks = 0, observed = 0, idle = 0;

    // Seconds on the clock: a sharer's ticks are its part of each second.
    double clockSeconds(std::int64_t part) const
    {
        if (ticks == 0)
            return 0;
        const auto p = static_cast<double>(part);
        return shared ? static_cast<double>(base::kBucket.count()) * p / static_cast<double>(ticks)
                      : p / base::GpuTime::kTicksPerSecond / fraction;
    }
    void add(const model::DeviceAttribution &device, const UsagePart &part, UtcTime bucketEnd)
    {
        end = bucketEnd;
        if (part.slice >= 0) {
            const model::Fraction f = device.device->slices[static_cast<std::size_t>(part.slice)].fraction;
            fraction = static_cast<double>(f.part) / static_cast<double>(f.of);
        }
        shared = shared || part.shared;
        ticks += part.ticks;
        observed += part.state == GpuState::UnobservedHeld ? 0 : part.ticks;
        idle += part.state == GpuState::Idle ? part.ticks : 0;
    }
};

struct UnitState {
    IdleUnit unit;
    BucketTime window, since; // the newest bucket, not yet added up
    bool holdsNow = false;
    UtcTime lastActive{}; // end of the last active bucket; epoch = none seen
    std::int64_t firstMemory = -1;
};

struct HolderState {
    model::AttributedHolder who;
    bool wanted = false; // the filter takes one of its parts
    UtcTime lastActive{};
    std::map<UnitKey, UnitState> units;
};

using States = std::map<HolderKey, HolderState>;

HolderKey keyOf(const model::AttributedHolder &who)
{
    return {who.holder.value, who.subject.value};
}

bool held(const UsagePart &part)
{
    return part.holder != model::kNobody;
}

void describeUnit(IdleUnit &unit, const model::DeviceAttribution &device, const UsagePart &part)
{
    unit.device = device.device->id;
    unit.uuid = device.device->uuid;
    unit.gpuInstance =
        part.slice < 0 ? std::string() : device.device->slices[static_cast<std::size_t>(part.slice)].gpuInstance;
    unit.gpuModel = device.gpuModel;
    unit.node = device.node ? device.node->name : std::string();
    unit.priced = device.priced;
    unit.rate = device.rate;
    unit.restingW = device.restingW;
}

// One part within the grace window of its holder.
void addWindowPart(UnitState &state, const model::DeviceAttribution &device, const UsagePart &part, UtcTime end)
{
    IdleUnit &u = state.unit;
    if (state.window.end != end) {
        u.observedSeconds += state.window.clockSeconds(state.window.observed);
        state.window = {};
    }
    state.window.add(device, part, end);
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

class Scan {
public:
    Scan(UtcTime at, const Filter &filter, const model::IdleSettings &settings)
        : m_at(at)
        , m_filter(filter)
        , m_settings(settings)
    {
    }

    // The last day or two: who holds what now, and what the grace windows show.
    Result<void> recent(store::AttributionReader &facts)
    {
        Seconds longest{0};
        for (const auto &[kind, grace] : m_settings.grace)
            longest = std::max(longest, grace);
        const Day first = base::dayOf(m_at - longest), last = base::dayOf(m_at - Seconds{1});
        return facts.walk(first, last, {}, [this](const model::DeviceAttribution &device) -> Result<void> {
            for (const UsagePart &part : device.parts) {
                if (held(part))
                    addRecent(device, part);
            }
            return {};
        });
    }

    // Drops who no longer holds anything, who is too young, who worked in its window, and whom the filter leaves out.
    void keepQuietOnes()
    {
        for (auto it = m_states.begin(); it != m_states.end();) {
            HolderState &h = it->second;
            std::erase_if(h.units, [](const auto &u) { return !u.second.holdsNow; });
            const bool young = bornAt(h) > m_at - graceOf(m_settings, h.who.kind);
            const bool worked =
                std::any_of(h.units.begin(), h.units.end(), [](const auto &u) { return u.second.unit.activeInWindow; });
            it = h.units.empty() || young || worked || !h.wanted ? m_states.erase(it) : std::next(it);
        }
    }

    // Further back for those whose last activity was not met yet.
    Result<void> findLastActivity(store::AttributionReader &facts)
    {
        Day before = base::dayOf(m_at - longestGrace());
        for (int back = 0; back < kSearchLimitDays; back += kSearchStepDays) {
            std::set<base::DeviceId> devices;
            UtcTime oldest = m_at;
            for (const auto &[key, h] : m_states) {
                if (h.lastActive != UtcTime{} || bornAt(h) >= before.start())
                    continue;
                oldest = std::min(oldest, bornAt(h));
                for (const auto &[unit, state] : h.units)
                    devices.insert(state.unit.device);
            }
            if (devices.empty())
                break;
            const Day last{before.number - 1};
            const Day first = std::max(Day{before.number - kSearchStepDays}, base::dayOf(oldest));
            const std::vector<base::DeviceId> list(devices.begin(), devices.end());
            GPULEDGER_TRY(facts.walk(first, last, list, [this](const model::DeviceAttribution &device) -> Result<void> {
                for (const UsagePart &part : device.parts) {
                    if (part.state == GpuState::Active && held(part))
                        noteActivity(device, part);
                }
                return {};
            }));
            before = first;
        }
        return {};
    }

    // Idle time and its cost from the last activity to the instant.
    Result<void> addUp(store::AttributionReader &facts)
    {
        std::set<base::DeviceId> devices;
        UtcTime oldest = m_at;
        for (const auto &[key, h] : m_states) {
            oldest = std::min(oldest, sinceOf(h));
            for (const auto &[unit, state] : h.units)
                devices.insert(state.unit.device);
        }
        if (devices.empty())
            return {};
        const std::vector<base::DeviceId> list(devices.begin(), devices.end());
        return facts.walk(base::dayOf(oldest), base::dayOf(m_at - Seconds{1}), list,
                          [this](const model::DeviceAttribution &device) -> Result<void> {
                              for (const UsagePart &part : device.parts) {
                                  if (held(part))
                                      addSince(device, part);
                              }
                              return {};
                          });
    }

    std::vector<IdleCandidate> result() const
    {
        std::vector<IdleCandidate> out;
        for (const auto &[key, h] : m_states) {
            IdleCandidate c{h.who, sinceOf(h), {}};
            for (const auto &[unit, state] : h.units) {
                IdleUnit &u = c.units.emplace_back(state.unit);
                u.windowSeconds = static_cast<double>(graceOf(m_settings, h.who.kind).count());
                u.observedSeconds =
                    std::min(u.windowSeconds, u.observedSeconds + state.window.clockSeconds(state.window.observed));
                // The bucket of the start counts as a whole for a sharer.
                u.idleSeconds = std::min(u.idleSeconds + state.since.clockSeconds(state.since.idle),
                                         static_cast<double>((m_at - c.since).count()));
            }
            out.push_back(std::move(c));
        }
        return out;
    }

private:
    static UtcTime bornAt(const HolderState &h) { return h.who.startedAt.value_or(h.who.seen.start); }
    static UtcTime sinceOf(const HolderState &h) { return h.lastActive != UtcTime{} ? h.lastActive : bornAt(h); }

    Seconds longestGrace() const
    {
        Seconds longest{0};
        for (const auto &[kind, grace] : m_settings.grace)
            longest = std::max(longest, grace);
        return longest;
    }

    UtcTime endOf(const model::DeviceAttribution &device, const UsagePart &part) const
    {
        return device.day.start() + (part.bucket + 1) * base::kBucket;
    }

    void addRecent(const model::DeviceAttribution &device, const UsagePart &part)
    {
        const UtcTime end = endOf(device, part);
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
        const Seconds grace = graceOf(m_settings, who.kind);
        if (end > m_at || (end <= m_at - grace && part.state != GpuState::Active))
            return;
        HolderState &h = m_states[keyOf(who)];
        h.who = who;
        h.wanted = h.wanted || (end > m_at - grace && matches(m_filter, device, part.holder));
        UnitState &unit = h.units[{device.device->id.value, part.slice}];
        if (end > m_at - grace) {
            addWindowPart(unit, device, part, end);
            describeUnit(unit.unit, device, part);
        }
        if (part.state == GpuState::Active)
            h.lastActive = std::max(h.lastActive, end);
        if (end == m_at) {
            unit.unit.fraction +=
                static_cast<double>(part.ticks) / static_cast<double>(base::GpuTime::wholeDevice(base::kBucket).ticks);
            unit.holdsNow = true;
        }
    }

    void noteActivity(const model::DeviceAttribution &device, const UsagePart &part)
    {
        const auto it = m_states.find(keyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
        if (it != m_states.end())
            it->second.lastActive = std::max(it->second.lastActive, endOf(device, part));
    }

    void addSince(const model::DeviceAttribution &device, const UsagePart &part)
    {
        const auto it = m_states.find(keyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
        if (it == m_states.end())
            return;
        const UtcTime end = endOf(device, part);
        const auto unit = it->second.units.find({device.device->id.value, part.slice});
        if (unit == it->second.units.end() || end > m_at || end <= sinceOf(it->second))
            return;
        UnitState &state = unit->second;
        IdleUnit &u = state.unit;
        if (state.since.end != end) {
            u.idleSeconds += state.since.clockSeconds(state.since.idle);
            state.since = {};
        }
        state.since.add(device, part, end);
        if (part.state == GpuState::Idle) {
            u.wastedNanos += part.costNanos;
        } else if (part.state == GpuState::UnobservedHeld) {
            u.unobservedSince = true;
        }
    }

    UtcTime m_at;
    const Filter &m_filter;
    const model::IdleSettings &m_settings;
    States m_states;
};

} // namespace

Seconds graceOf(const model::IdleSettings &settings, model::WorkloadKind kind)
{
    const auto it = settings.grace.find(kind);
    if (it != settings.grace.end())
        return it->second;
    const auto fallback = settings.grace.find(model::WorkloadKind::Unknown);
    return fallback != settings.grace.end() ? fallback->second : Seconds{3600};
}

Result<std::vector<IdleCandidate>> findIdleCandidates(store::AttributionReader &facts, UtcTime at, const Filter &filter,
                                                      const model::IdleSettings &settings)
{
    Scan scan(at, filter, settings);
    GPULEDGER_TRY(scan.recent(facts));
    scan.keepQuietOnes();
    GPULEDGER_TRY(scan.findLastActivity(facts));
    GPULEDGER_TRY(scan.addUp(facts));
    return scan.result();
}

} // namespace gpuledger::insight

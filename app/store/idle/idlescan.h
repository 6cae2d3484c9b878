// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/facts/attributionreader.h"
#include "app/store/idle/idletail.h"

#include <map>
#include <set>
#include <span>

namespace gpuledger::store {

// Finds the idle candidates at an instant (on a bucket boundary) from attributed time, using the stored days where
// possible. Works a day at a time, like the roll-up: inference must not depend on which other days are read. One object
// per query; one thread. Fails with Storage… codes.
class IdleScan {
public:
    // `settings` must outlive this object.
    IdleScan(base::UtcTime at, const model::IdleSettings &settings);

    // Reads whole days; `kept` (may be null) is then used for the days before the last one.
    [[nodiscard]] base::Result<std::vector<IdleCandidate>> scan(AttributionReader &facts, IdleReader *kept);
    // Reads only the devices of holders that are quiet in the stored days; the stored days end at the instant.
    [[nodiscard]] base::Result<std::vector<IdleCandidate>> fromKept(AttributionReader &facts, IdleReader &kept);

private:
    struct UnitState {
        IdleUnit unit;
        IdleBucket window; // the newest bucket, not yet summed
        base::UtcTime windowEnd{};
        double fraction = 1; // of the slice, as a part of a whole device
        TailSum sum; // of the newest day, not yet summed
        bool holdsNow = false;
        base::UtcTime lastActive{}; // end of the last active bucket; epoch = none seen
        std::int64_t firstMemory = -1;
        std::pair<std::int64_t, std::int32_t> place{-1, -1}; // the last one recorded: piece and holder
    };
    struct KeptSum { // of a stored day
        base::Day day;
        IdleUnitKey unit;
        IdleTail sum;
    };
    struct HolderState {
        model::AttributedHolder who;
        base::UtcTime lastActive{};
        std::map<IdleUnitKey, UnitState> units;
        std::map<IdleUnitKey, UnitState> working; // held, and active in the window; only named in the result
        bool looked = false; // the last activity was found, or there is none
        bool exact = false; // there are no stored days: everything is summed from the facts
        std::vector<KeptSum> sums; // newest day first
        std::set<base::Day> unfit; // days whose stored sums begin at another instant: summed from the facts
    };
    using Group = std::span<const IdleUnitDay>; // one holder's units of one day

    static base::UtcTime bornAt(const HolderState &h) { return h.who.startedAt.value_or(h.who.seen.start); }
    static base::UtcTime sinceOf(const HolderState &h)
    {
        return h.lastActive != base::UtcTime{} ? h.lastActive : bornAt(h);
    }
    // Nothing before its start counts, whatever the labels say.
    static bool isLooking(const HolderState &h, base::Day day) { return !h.looked && base::dayOf(bornAt(h)) <= day; }
    base::Day firstSearched() const;

    // Reads the grace windows and what is held now; for everything, or for m_wanted on `devices`.
    base::Result<void> readWindow(AttributionReader &facts, base::Day day, const std::set<base::DeviceId> *devices);
    void addWindow(const model::DeviceAttribution &device, const model::UsagePart &part);
    static void addReading(UnitState &state, const model::UsagePart &part, base::UtcTime end);
    void notePlace(UnitState &state, const model::DeviceAttribution &device, const model::UsagePart &part);
    void keepQuietOnes();
    bool mayBeQuiet(Group group) const;

    // Searches further back for holders whose last activity has not been found yet.
    base::Result<void> searchFacts(AttributionReader &facts);
    base::Result<void> searchKept(IdleReader &kept, base::Day last);
    void take(HolderState &h, Group group, base::Day day);
    // Sums idle time and its cost from the last activity to the instant.
    static bool addsFacts(const HolderState &h, base::Day day, base::Day lastKept);
    void addSums(base::Day before);
    base::Result<void> sumUp(AttributionReader &facts, base::Day lastKept);
    void addSince(HolderState &h, const model::DeviceAttribution &device, const model::UsagePart &part);
    std::vector<IdleCandidate> result() const;

    const base::UtcTime m_at;
    const base::Day m_lastDay; // of the last bucket before the instant
    const model::IdleSettings &m_settings;
    std::set<IdleHolderKey> m_wanted;
    bool m_onlyWanted = false;
    std::int64_t m_piece = 0;
    std::map<IdleHolderKey, HolderState> m_states;
};

} // namespace gpuledger::store

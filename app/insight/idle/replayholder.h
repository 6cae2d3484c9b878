// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/idlereplay.h"
#include "app/store/idle/idletail.h"

#include <memory>
#include <vector>

// The state that a replay keeps for one holder; internal to idlereplay.cpp. One thread.
namespace gpuledger::insight {

// A holder's time on one unit in one bucket.
struct ReplayBucket {
    std::uint16_t bucket = 0; // of the day
    bool active = false, wanted = false;
    std::uint32_t who = 0; // index into the day's table
    store::IdleBucket time;
    std::int64_t activeTicks = 0, unobservedTicks = 0, idleNanos = 0;
    std::int64_t unpricedTicks = 0; // idle, without a price
};

// The observed seconds of one unit in its trailing grace window.
class ReplayWindow {
public:
    void note(std::int64_t bucket, double observed, bool active, std::size_t width);
    double observed() const { return m_sum; }
    std::int64_t lastActive() const { return m_lastActive; } // a bucket number; -1: never

private:
    std::vector<double> m_ring;
    std::int64_t m_next = 0; // number of the bucket to be noted next
    std::int64_t m_lastActive = -1;
    double m_sum = 0;
};

// What one of the replayed rules did to a holder.
struct ReplayFate {
    std::unique_ptr<ReplayStop> stopped; // stopped and not yet resumed
    std::unique_ptr<ReplayStop> broken; // a false stop whose lost work is being summed
    std::int64_t nanos = 0; // of `stopped`
    base::GpuTime unpriced; // of `stopped`
    base::UtcTime servesUntil{}; // end of the hour whose requests resumed it
};

// A holder's units, and its fate under each rule.
struct ReplayHolder {
    struct Unit {
        std::vector<ReplayWindow> windows; // one per rule
        double fraction = 1;
        std::vector<ReplayBucket> day; // of the day being read, ascending
    };
    std::map<store::IdleUnitKey, Unit> units;
    base::Day lastSeen{};
    base::UtcTime heldUntil{}; // end of its last bucket
    std::vector<ReplayFate> fates; // one per rule
};

} // namespace gpuledger::insight

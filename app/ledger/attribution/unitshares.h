// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/gputime.h"
#include "app/ledger/fleet/claimfinder.h"
#include "app/model/fleet/usage.h"

#include <cstdint>
#include <vector>

// What is reported and inferred about one unit in one bucket. Plain values; any thread.
namespace gpuledger::ledger {

inline constexpr std::int64_t kTicks = base::GpuTime::kTicksPerSecond;

struct Sample { // one track's bucket
    const model::UsageTrack *track = nullptr;
    const model::UsageBucket *bucket = nullptr;
    std::int64_t observed = 0; // seconds; 0 without an activity value, whatever the bucket reports

    bool isOf(const Unit &unit) const { return track->gpuInstance == unit.gpuInstance; }
};
using Samples = std::vector<Sample>;

struct Share { // a claim's time on the unit, in ticks of a whole device
    Claim claim;
    std::int64_t observed = 0;
    std::int64_t unobserved = 0;
    model::UsageBucket reading;
    bool shared = false, sharedEqually = false;
};

// The shares of a unit in one bucket, one per claim.
class Shares {
public:
    void clear() { m_list.clear(); }
    Share &of(const Claim &claim)
    {
        for (Share &share : m_list) {
            if (share.claim == claim)
                return share;
        }
        Share &share = m_list.emplace_back();
        share.claim = claim;
        return share;
    }
    const std::vector<Share> &list() const { return m_list; }

private:
    std::vector<Share> m_list;
};

// Mean of two readings weighted by their observed seconds; maxima stay maxima.
model::UsageBucket mergedReading(const model::UsageBucket &a, std::int64_t weightA, const model::UsageBucket &b,
                                 std::int64_t weightB);

} // namespace gpuledger::ledger

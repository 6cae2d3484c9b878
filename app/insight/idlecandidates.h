// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query.h"
#include "app/model/settings.h"
#include "app/store/attributionreader.h"

#include <vector>

namespace gpuledger::insight {

// One device or slice that a candidate holds, as seen up to the instant.
struct IdleUnit {
    std::string uuid, gpuInstance, gpuModel, node;
    base::DeviceId device;
    double fraction = 0; // of a device, sharing included
    bool priced = false;
    base::Rate rate; // of the whole device
    double restingW = 0;
    model::ActivitySignal signal = model::ActivitySignal::None;
    // Over the grace window, which is all of it, whatever is known of it; seconds on the clock:
    double windowSeconds = 0, observedSeconds = 0;
    bool activeInWindow = false;
    double peakActivity = 0; // highest mean of a bucket, 0..1
    std::int64_t memoryMib = -1; // newest; -1 = not reported
    bool memoryChanged = false; // by more than 5 % within the window
    double powerW = -1; // newest; -1 = not reported
    bool sharedEqually = false;
    // Since the candidate's last activity:
    double idleSeconds = 0; // on the clock
    std::int64_t wastedNanos = 0;
    bool unobservedSince = false;
};

// A holder that holds devices at the instant and is older than its grace window.
struct IdleCandidate {
    model::AttributedHolder who;
    base::UtcTime since{}; // end of the last active bucket of any of its devices, else its start
    std::vector<IdleUnit> units;
};

base::Seconds graceOf(const model::IdleSettings &settings, model::WorkloadKind kind);

// Candidates without any activity in their grace window (whether seen enough or not), with their history back to the
// last activity. `at` on a bucket boundary. Reads back day by day as far as needed. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<IdleCandidate>> findIdleCandidates(store::AttributionReader &facts,
                                                                          base::UtcTime at, const Filter &filter,
                                                                          const model::IdleSettings &settings);

} // namespace gpuledger::insight

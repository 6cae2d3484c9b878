// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/fleet/usage.h"
#include "app/ports/activity.h"
#include "app/ports/costsource.h"
#include "app/ports/factbatch.h"
#include "app/ports/inventorysource.h"
#include "app/ports/sourcekind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ports {

// Which GPU of which machine.
struct ListedGpu {
    std::size_t machine = 0; // index of the machine that was asked for
    std::int64_t gpu = 0; // its position in the machine, below ListedMachine::gpus
};

// What one GPU did, as FactBatch::Series; each once.
struct MeasuredGpu {
    ListedGpu which;
    std::vector<std::int64_t> bucketNumbers;
    std::vector<model::UsageBucket> buckets;
};

// The readings of a range of time.
struct MeasuredUsage {
    std::vector<MeasuredGpu> gpus;
    std::vector<FactBatch::Rejected> rejected; // series and values that are no readings
    std::vector<std::string> warnings;
    bool complete = true; // false: the service said that something may be missing
    std::uint64_t bytes = 0; // received
};

// The newest samples.
struct MeasuredActivity {
    SampleTime now{}; // by the service's clock, or this computer's where it does not tell
    struct Reading {
        ListedGpu which;
        ActivityReading activity; // its signal and samples; the adapter adds names
    };
    std::vector<Reading> readings;
};

// A cloud's own monitoring of the machines that it lists. Which machines are meant is said with each call. Threads,
// ends and errors as InventorySource; Forbidden if the account may not read it.
class UsageSource {
public:
    virtual ~UsageSource() = default;
    // How far back readings in whole buckets are kept.
    virtual base::Seconds kept() const = 0;
    // The readings of whole buckets of `range`, at most a day. GPUs that tell nothing are left out.
    [[nodiscard]] virtual base::Result<MeasuredUsage> usage(const std::vector<ListedMachine> &machines,
                                                            base::TimeRange range, std::stop_token stop) = 0;
    // The newest samples, as TelemetrySource::newestActivity().
    [[nodiscard]] virtual base::Result<MeasuredActivity>
    activity(const std::vector<ListedMachine> &machines, const ActivityQuestion &question, std::stop_token stop) = 0;
    // What the calls of this object have cost so far; std::nullopt: none of them costs anything.
    virtual std::optional<PaidCalls> paid() const { return std::nullopt; }
};

// Of the kinds that may read it: whether it is read, as kMachinesField. Each kind
// states its own fallback.
inline constexpr std::string_view kUsageKey = "usage";

// Whether the settings ask for it; `fallback` if they say nothing. Fails with InvalidConfig (another word).
[[nodiscard]] base::Result<bool> wantsUsage(const model::SourceSettings &settings, bool fallback);

} // namespace gpuledger::ports

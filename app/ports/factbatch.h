// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "app/model/fleet/signals.h"
#include "app/model/fleet/usage.h"
#include "app/model/fleet/waiting.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ports {

// Everything a telemetry source learned about one range of time. Indices refer to the vectors of the same batch. The
// range is [covered.start, covered.end), on bucket boundaries. Natural keys: nodes and devices by (cluster, name or
// uuid), holders by (cluster, namespace, name, uid), usage by (device, gpuInstance, subject, node, role, bucket),
// signals by (signal, device, node or subject, hour), waits as holders.
// Sending a batch twice changes nothing.
struct FactBatch {
    struct NodeSpan {
        std::uint32_t node = 0; // the node existed (its record was exported) in this time
        base::TimeRange range;
    };
    struct HolderSpan {
        std::uint32_t holder = 0; // running, and holding what it requested, according to the scheduler
        base::TimeRange range;
    };
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Series {
        std::uint32_t device = 0;
        std::uint32_t subject = kNone;
        std::uint32_t node = kNone;
        std::string gpuInstance;
        model::SeriesRole role = model::SeriesRole::Slice;
        // Bucket starts as bucket numbers since the epoch (Unix time / 300), ascending, parallel to `buckets` (whose
        // .index is set by the store).
        std::vector<std::int64_t> bucketNumbers;
        std::vector<model::UsageBucket> buckets;
    };
    struct Signal {
        model::HourSignal signal{};
        std::uint32_t of = 0; // a device, node or subject, as the signal says
        model::SignalHour hour;
    };
    struct WaitingKnown {
        std::string cluster; // in this time the source recorded which pods of it waited
        base::TimeRange range;
    };
    struct Rejected {
        std::string reason; // human-readable
        std::uint64_t count = 0; // records or samples
    };

    base::TimeRange covered;
    bool complete =
        true; // false: the server warned that the answer may be incomplete; nothing stored is removed because of it
    // The range to mark as fetched, so that only the overlap is fetched again; it may start before `covered`, and may
    // be empty. std::nullopt: all of `covered`.
    std::optional<base::TimeRange> fetched;
    // The source retains nothing from before this: data missing from earlier times are not lost. The epoch if unknown.
    base::UtcTime keptFrom{};
    std::vector<model::Node> nodes;
    std::vector<model::Device> devices;
    std::vector<model::Subject> subjects;
    std::vector<model::Holder> holders;
    std::vector<NodeSpan> nodeSpans;
    std::vector<HolderSpan> holderSpans;
    std::vector<Series> series;
    std::vector<Signal> signals; // of hours in which a device was nearly idle; a missing one is not known
    std::vector<model::PastWait> waits;
    std::vector<WaitingKnown> waitingKnown; // elsewhere a cluster without waits is unknown
    std::vector<Rejected> rejected;
    std::vector<std::string> warnings; // from the server, as plain text
    std::uint64_t acceptedSamples = 0; // usage buckets
    std::uint64_t gapBuckets = 0; // device buckets with less than the full time observed
    std::uint64_t bytes = 0; // received over the network
};

} // namespace gpuledger::ports

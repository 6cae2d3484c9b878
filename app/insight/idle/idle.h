// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/insight/idle/gapcurves.h"
#include "app/insight/idle/idlecause.h"
#include "app/insight/idle/idlerule.h"
#include "app/insight/query/query.h"
#include "app/insight/query/reach.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// Evidence for or against idle; ui/format puts it into words.
struct IdleSignal {
    enum class Kind {
        Activity, // value is the maximum in any bucket of the window, against limit
        MemoryUnchanged, // value in GiB
        MemoryChanged, // value in GiB
        Power, // value in W, against limit (draw at rest)
        Young, // started less than a window ago
        Shared, // activity is not reported per holder
        Inferred, // no label names the holder
        // Means since it went idle, against the limits of idlesignals.h:
        PcieTraffic, // value in bytes per second, against limit
        NvlinkTraffic, // value in bytes per second, against limit
        MemoryCopies, // value is a share, against limit
        HostCpu, // value is a share, against limit
        IoWait, // value is a share, against limit
        StorageWait, // value is a share, against limit
        RequestsServed, // value is their number in the window of kRequestWindow, at least
        NoRequests, // in that window
    };
    bool speaksForIdle = false;
    Kind kind{};
    double value = 0, limit = 0;
    base::Seconds window{};

    bool operator==(const IdleSignal &) const = default;
};

// A holder that costs money and does nothing: all its devices are below the threshold for the whole grace window of its
// kind; an inference server whose requests are known served none in the last 24 h. In `IdleList::partly`, the devices
// of a holder that works on others: everything then concerns the idle ones only, and what is said about a stop (chance,
// cause, recoverable) stays unknown, because it can't be stopped.
struct IdleItem {
    std::string id; // stable: cluster/namespace/name/uid
    model::SubjectKind kind = model::SubjectKind::Pod;
    std::string name;
    std::string owner; // team
    std::string cluster, nameSpace, node;
    std::string nodePool; // empty: none is known
    std::string workload; // "Job/train-7", "SlurmJob/17"; empty for a bare pod
    model::WorkloadKind workloadKind = model::WorkloadKind::Unknown;
    std::vector<std::string> devices; // UUIDs, with ":<instance>" for a slice
    std::string gpuModel;
    double gpus = 0; // devices and fractions
    std::size_t heldDevices = 0; // all that it holds, whether idle or not
    double heldGpus = 0;
    base::UtcTime since{}; // last moment of activity, or the start if there was none
    bool sinceIsLowerBound = false; // activity may have been later: part of the time since then was not observed
    double idleHours = 0; // observed idle time since then (longest of its devices)
    std::optional<base::Money> ratePerHour, perMonth; // null: no price
    std::optional<base::Money> wasted; // null: no price, or none for part of its idle time
    double observed = 0; // share of the grace window that was observed
    // Measured from how past gaps ended; its chance for the next hour is the item's confidence: that a stop now is not
    // a false one, as the replay counts them by default.
    IdleChance chance;
    // Of a stop now, at its rate over the next day: what its expected idle time costs, and what it would work at most.
    // Null: no price.
    std::optional<base::Money> expectedBack, expectedLost;
    std::string protection; // why it cannot be stopped; empty = not protected
    model::ActivitySignal signal = model::ActivitySignal::None;
    std::vector<IdleSignal> signals; // for and against
    IdleCause cause = IdleCause::Unknown;
    // Whether stopping it ends its cost. Both amounts are null if that is unknown; otherwise they add up to perMonth.
    model::Recovery recoverable = model::Recovery::Unknown;
    std::optional<base::Money> avoidablePerMonth, sunkPerMonth;
    // Other idle workloads on its machines: its cost only ends when they are stopped too. Ids, ascending.
    std::vector<std::string> stopWith;
    bool sharesGpu = false; // others that stay hold a part of one of its GPUs
};

// Below the threshold as far as observed, but not observed enough to be called idle.
struct UnknownItem {
    std::string id;
    model::SubjectKind kind = model::SubjectKind::Pod;
    std::string name, owner, cluster, nameSpace, node;
    std::vector<std::string> devices;
    double observed = 0; // share of its grace window
    double needed = 0; // share from which it can be judged
    base::Seconds grace{};
};

// The idle holders at an instant, and those that could not be judged.
struct IdleList {
    base::UtcTime at{};
    double threshold = 0;
    store::GraceChoices grace; // the grace windows in use, and where they come from
    std::vector<IdleItem> items; // descending by cost per month, then by GPUs, ties by id
    // Right-size candidates: holders that work on some of their devices and not on others. Never stopped, and in no sum
    // of the idle ones. In the order of `items`.
    std::vector<IdleItem> partly;
    std::vector<UnknownItem> unknown; // ascending by id
    Reach reach; // of the data, at the requested instant
};

// The id that items and unknown items of this holder have.
std::string idleIdOf(const model::AttributedHolder &who);

// Returns the terms on which devices are paid for at an instant; a device missing from the result is unknown.
using TermsOf = std::function<base::Result<model::CostTerms>(const std::vector<model::PlacedDevice> &, base::UtcTime)>;

// The list at an instant (rounded down to a base bucket), with the grace windows in use then. A holder younger than its
// grace window is in no part.
// Without `terms`, what can be recovered is unknown. Blocking; call from a worker thread. Also fails as `terms` does.
[[nodiscard]] base::Result<IdleList> idleAt(store::AttributionReader &facts, base::UtcTime at, const Filter &filter,
                                            const model::IdleSettings &configured, base::Currency currency,
                                            const TermsOf &terms = {});

} // namespace gpuledger::insight

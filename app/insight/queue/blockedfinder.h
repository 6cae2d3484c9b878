// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/insight/queue/waitedresource.h"
#include "app/insight/queue/waiting.h"
#include "app/model/fleet/attribution.h"
#include "app/model/fleet/waiting.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// A device, or a part of one, that nothing held in a base bucket.
struct FreeUnit {
    std::string node, owner, vendor, gpuModel;
    std::string name; // UUID, with ":<instance>" for a slice
    std::string profile; // of a slice, as resource names have it; empty: a whole device or a rest
    bool isWhole = false; // a device that is not cut into slices
    std::int64_t ticks = 0; // of the bucket; base::GpuTime
    std::optional<std::int64_t> nanosPerHour; // null: no price
    bool isChosen = true; // by the filter

    double gpus() const;
};

// What the pods that waited say of a free unit.
struct UnitVerdict {
    std::optional<Blocker> blocker; // Scattered or MigLeftovers; null: not blocked, or not known
    bool isUndecided = false; // not known: which model a pod asked for is not
    bool isUnexplained = false; // not known: its node had enough for a pod that waited; neither blocked nor undecided
    std::vector<std::size_t> waits; // that it could not be given to, ascending; indexes
};

// The same wait may have been reported by several sources. Oldest first, ties by name.
std::vector<model::PastWait> oncePerPod(const std::vector<model::PastWait> &waits);

// Judges the free GPUs of one cluster in one base bucket: add() each device, then ask(), then judge(). For blockedAt();
// pure, one thread.
class BlockedFinder {
public:
    // A device has no free units if its bucket is not paid as a whole, or if its node shares its GPUs. Fails with
    // Overflow.
    [[nodiscard]] base::Result<void> add(const model::DeviceAttribution &device, base::TimeRange bucket, bool isChosen);
    void ask(const std::vector<model::PastWait> &waits);

    const std::vector<FreeUnit> &units() const { return m_units; }
    UnitVerdict judge(const FreeUnit &unit) const;

private:
    // A device of the cluster in that bucket, whoever held it.
    struct Gpu {
        std::string node, vendor, gpuModel;
        bool isCut = false; // into slices, at some time
        std::int64_t memoryMib = 0; // 0: unknown
        std::multiset<std::string> profiles;
    };
    struct Asked { // what pods asked for that are alike, such as those of an array job
        WaitedResource resource;
        std::int64_t gpus = 0;
        std::optional<std::string> gpuModel; // null: unknown
        std::vector<std::size_t> waits; // of these pods
    };
    enum class Fit { No, Served, TooFew, OtherSlice };

    bool mayHave(const Gpu &gpu, const WaitedResource &resource, bool isExact) const;
    std::optional<std::string> modelOf(const model::PastWait &wait, const WaitedResource &resource) const;
    bool isTooLarge(const Asked &asked) const;
    bool isServed(const Asked &asked) const; // by free GPUs of some node
    Fit fitOf(const FreeUnit &unit, const Asked &asked) const;

    std::vector<Gpu> m_gpus;
    std::vector<FreeUnit> m_units;
    std::vector<Asked> m_asked;
    std::vector<Asked> m_served; // those for which some node had enough
    std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> m_free; // by node, model and profile
};

} // namespace gpuledger::insight

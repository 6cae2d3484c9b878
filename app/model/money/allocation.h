// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

// What a cost allocator (OpenCost, Kubecost) reports for one UTC day. std::nullopt means not reported (absent, null,
// NaN, unreadable); a zero was reported. Amounts are nano-units of the day's currency. The values of the enumerations
// are stored on disk.
namespace gpuledger::model {

enum class AllocationProduct : std::uint8_t { OpenCost = 0, Kubecost = 1 };
std::string_view toString(AllocationProduct product); // "OpenCost", "Kubecost"

// The pods on a machine, as far as the allocator assigned GPUs to them.
struct AllocatedPods {
    std::int64_t pods = 0; // with GPU time or GPU cost
    std::optional<std::int64_t> gpuSeconds; // requested, not used; std::nullopt: unknown for one pod
    std::optional<std::int64_t> gpuCost; // with its adjustment; std::nullopt: unknown for one pod

    bool operator==(const AllocatedPods &) const = default;
};

// What an allocator reports about one machine.
struct AllocatedNode {
    std::string cluster; // the allocator's name for it
    std::string name;
    std::string providerId;
    std::string provider; // AWS, GCP, Azure, …
    std::string instanceType;
    std::optional<std::int64_t> seconds; // run time on this day
    std::optional<std::int64_t> gpuMillis; // thousandths of a GPU
    std::optional<std::int64_t> gpuSeconds; // of all its GPUs
    std::optional<std::int64_t> cpuCost, ramCost, gpuCost, adjustment;
    // Price of the machine for the day. Its parts add up to it, except for a discount on two of them and rounding.
    std::optional<std::int64_t> total;
    bool spot = false;
    AllocatedPods pods;

    bool operator==(const AllocatedNode &) const = default;
};

// "__idle__": the price of machines minus the part assigned to pods. Unallocated time in our terms.
struct AllocatedIdle {
    std::string cluster, node; // empty: all of them
    std::optional<std::int64_t> total, gpuCost;
    std::optional<std::int64_t> gpuSeconds;

    bool operator==(const AllocatedIdle &) const = default;
};

// What an allocator reports for one day.
struct AllocationDay {
    base::Day day;
    AllocationProduct product = AllocationProduct::OpenCost;
    base::Currency currency; // set by the user: the answer does not contain it
    bool toldGpuUse = false; // at least one pod had a measured GPU use
    std::vector<AllocatedNode> nodes; // ascending by cluster, name, provider id
    std::vector<AllocatedIdle> idle; // ascending by cluster, node

    bool empty() const { return nodes.empty() && idle.empty(); }
    bool operator==(const AllocationDay &) const = default;
};

// Where and why an allocator differs from telemetry and the price book.
enum class AllocationReason : std::uint8_t {
    SharedPods = 0, // pods that share GPUs got no GPU cost
    MigPods, // pods on MIG instances got none
    AmdPods, // pods on AMD GPUs got none
    PodsWithoutCost, // held GPU time got no cost, for none of the reasons above
    HeldTime, // pods got the cost of GPU time other than what they held
    IdleWithoutHours, // idle cost without GPU-hours
    NegativeIdle,
    PriceTooLow, // the price of the whole machine is no more than that of one of its vCPUs
    NoGpuPrice, // the machine's price has no GPU part
    NoPrice, // the machine has no price
    TwoPrices, // its two answers (allocations and assets) give different prices for the same GPU time
    TwoSources, // another source reports a different price for the same machine
    Bill, // the bill says otherwise, and the bill is right
    Unseen, // a GPU machine that telemetry never saw
    Rate, // a price that differs from the price book for the same time
    GpusWithoutPrice, // it knows the machine's GPUs, but has no price for them
};
inline constexpr int kAllocationReasons = 16;
std::string_view toString(AllocationReason reason); // "shared-pods", …

// For one day, source, cluster and reason. The difference from the allocator is ours minus theirs.
struct AllocationFinding {
    std::string source;
    std::string cluster; // telemetry's name for it, else the allocator's
    AllocationReason reason{};
    AllocationProduct product = AllocationProduct::OpenCost;
    base::Currency currency;
    std::optional<std::int64_t> theirs, ours; // nano-units; std::nullopt: unknown for some of them
    std::int64_t nodes = 0; // number of nodes that it was found on
    std::string example; // one of them

    auto key() const { return std::tie(source, cluster, reason, product, currency); }
    bool operator==(const AllocationFinding &) const = default;
};

} // namespace gpuledger::model

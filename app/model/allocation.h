// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/time.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

// What a cost allocator (OpenCost, Kubecost) says of one UTC day. Nothing means that it does not say (absent, null,
// NaN, unreadable); a zero was said. Amounts are nano-units of the day's currency. The numbers of the enumerations are
// kept on disk.
namespace gpuledger::model {

enum class AllocationProduct : std::uint8_t { OpenCost = 0, Kubecost = 1 };
std::string_view toString(AllocationProduct product); // "OpenCost", "Kubecost"

// The pods on a machine, as far as the allocator gave them GPUs.
struct AllocatedPods {
    std::int64_t pods = 0; // with GPU time or GPU cost
    std::optional<std::int64_t> gpuSeconds; // asked for, not used; nothing: a pod's is unknown
    std::optional<std::int64_t> gpuCost; // with its adjustment; nothing: a pod's is unknown

    bool operator==(const AllocatedPods &) const = default;
};

struct AllocatedNode {
    std::string cluster; // as the allocator calls it
    std::string name;
    std::string providerId;
    std::string provider; // AWS, GCP, Azure, …
    std::string instanceType;
    std::optional<std::int64_t> seconds; // that it ran on this day
    std::optional<std::int64_t> gpuMillis; // thousandths of a GPU
    std::optional<std::int64_t> gpuSeconds; // of all its GPUs
    std::optional<std::int64_t> cpuCost, ramCost, gpuCost, adjustment;
    // Price of the machine for the day. Its parts come to it but for a discount on two of them and rounding.
    std::optional<std::int64_t> total;
    bool spot = false;
    AllocatedPods pods;

    bool operator==(const AllocatedNode &) const = default;
};

// "__idle__": the price of machines less what pods were given of it. Unallocated time in our words.
struct AllocatedIdle {
    std::string cluster, node; // empty: of all of them
    std::optional<std::int64_t> total, gpuCost;
    std::optional<std::int64_t> gpuSeconds;

    bool operator==(const AllocatedIdle &) const = default;
};

struct AllocationDay {
    base::Day day;
    AllocationProduct product = AllocationProduct::OpenCost;
    base::Currency currency; // the user's word: no answer carries it
    bool toldGpuUse = false; // at least one pod came with a measured use of its GPU
    std::vector<AllocatedNode> nodes; // ascending by cluster, name, provider id
    std::vector<AllocatedIdle> idle; // ascending by cluster, node

    bool empty() const { return nodes.empty() && idle.empty(); }
    bool operator==(const AllocationDay &) const = default;
};

// Where an allocator differs from telemetry and the price book, and why.
enum class AllocationReason : std::uint8_t {
    SharedPods = 0, // pods that share GPUs got no GPU cost
    MigPods, // pods on MIG instances got none
    AmdPods, // pods on AMD GPUs got none
    PodsWithoutCost, // held GPU time got no cost, and none of these says why
    HeldTime, // pods got the cost of other GPU time than they held
    IdleWithoutHours, // idle cost without GPU hours
    NegativeIdle,
    PriceTooLow, // the machine's price is 730 times too low: a month's price was taken for an hour's
    NoGpuPrice, // the machine's price has no part for its GPUs
    NoPrice, // the machine has no price
    TwoPrices, // its two answers (allocations and assets) have different prices of the same GPU time
    TwoSources, // another source tells another price of the same machine
    Bill, // the bill says otherwise, and is right
    Unseen, // a GPU machine that telemetry never saw
    Rate, // another price of the same time than the price book's
};
inline constexpr int kAllocationReasons = 15;
std::string_view toString(AllocationReason reason); // "shared-pods", …

// Of one day, source, cluster and reason. It differs from the allocator by ours less theirs.
struct AllocationFinding {
    std::string source;
    std::string cluster; // as telemetry calls it, else as the allocator does
    AllocationReason reason{};
    AllocationProduct product = AllocationProduct::OpenCost;
    base::Currency currency;
    std::optional<std::int64_t> theirs, ours; // nano-units; nothing: not known of all of them
    std::int64_t nodes = 0; // that it was found on
    std::string example; // one of them

    auto key() const { return std::tie(source, cluster, reason, product, currency); }
    bool operator==(const AllocationFinding &) const = default;
};

} // namespace gpuledger::model

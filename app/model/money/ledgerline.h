// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Ledger lines: the cost of one UTC day, split as far as possible. For every day and currency, the lines that come from
// bills add up to the bills, in both views. The values of the enumerations are stored on disk.
namespace gpuledger::model {

// The kind of cost that a line is for.
enum class LedgerCategory : std::uint8_t {
    Gpu = 0, // time of GPU machines
    Compute, // time of other machines
    Storage,
    Network,
    Database,
    Ai, // models and services without machines
    Other,
    Commitment, // paid for by a commitment or reservation that was not used
    Purchase, // fees of commitments; zero in the effective view
    Support,
    Tax,
    Credit,
    Refund,
    Adjustment,
    NotBilled, // GPU time of a provider whose bill for the day has no line for it: hours without cost
    Unexplained, // cost that cannot be assigned to a day or a machine
};

// The origin of a line's cost, best first.
enum class LedgerOrigin : std::uint8_t {
    Billed = 0, // a bill
    Allocated, // OpenCost or Kubecost
    Priced, // price book x time, where there is no bill; not in any sum of bills
};

// How a bill line was matched with its machine, best first.
enum class LedgerMatch : std::uint8_t {
    ResourceId = 0,
    InstanceId, // at the end of the bill's resource id
    ProviderId, // a name or group that is in the node's provider id, or the node's own name
    Attributes, // account, region, instance type and time
    None,
};

// How the price of a GPU machine is split between GPUs, CPU and memory (definitions.md, Cost).
enum class SplitPolicy : std::uint8_t {
    GpuFirst = 0, // all of it to the GPUs: no one else can use that CPU and memory
    Aws, // weights of the AWS split cost allocation
    OpenCost, // ratio of OpenCost's default prices
    Fixed, // 95 / 3 / 2 %
};

// The part of a machine that a cost is for, if requested.
enum class MachinePart : std::uint8_t {
    None = 0, // not a GPU machine, or not requested
    Gpu,
    Cpu,
    Memory,
    Unsplit, // its vCPUs or memory are unknown, so that the policy cannot be applied
};

std::string_view toString(SplitPolicy value); // "gpu-first", "aws", "opencost", "fixed"
std::optional<SplitPolicy> splitPolicyFromString(std::string_view text);
std::string_view toString(MachinePart value); // "", "gpu", "cpu", "memory", "unsplit"

std::string_view toString(LedgerCategory value); // "gpu", …, "not-billed", "unexplained"
std::string_view toString(LedgerOrigin value); // "billed", "allocated", "priced"
std::string_view toString(LedgerMatch value); // "resource-id", "instance-id", "provider-id", "attributes", "none"

// What a line is for; lines of a day with the same key are one line. Empty texts: unknown, or not applicable.
struct LedgerKey {
    base::Currency currency;
    LedgerCategory category = LedgerCategory::Other;
    LedgerOrigin origin = LedgerOrigin::Billed;
    LedgerMatch match = LedgerMatch::None;
    std::string source; // of the bill; empty for telemetry alone
    std::string team; // owner
    std::string state; // active | idle | unallocated | unobserved; empty: not GPU time
    std::string workloadKind; // empty: unallocated
    std::string environment;
    std::string account, accountName; // the sub account if the bill has one, else the billing account
    std::string service; // as the provider calls it
    std::string cloud; // aws | gcp | azure | …, else the provider's own name
    std::string region;
    std::string cluster;
    std::string gpuModel;
    // Names of the GPU's holder; only set on request, never stored.
    std::string nameSpace, workload;
    std::string instanceType; // of a GPU machine; likewise
    MachinePart part = MachinePart::None; // likewise
    // How certain it is; likewise.
    bool sharedEqually = false; // the device had several holders, and nothing measured how much each used
    std::string priceDate; // YYYY-MM-DD of the list price; empty: a user's price, no date, or no price

    auto operator<=>(const LedgerKey &) const = default;
};

// Which of the fields above that are not stored are requested.
struct LineDetail {
    bool workloads = false, instanceTypes = false, doubts = false;
    LineDetail with(const LineDetail &o) const
    {
        return {workloads || o.workloads, instanceTypes || o.instanceTypes, doubts || o.doubts};
    }
    bool operator==(const LineDetail &) const = default;
    bool any() const { return workloads || instanceTypes || doubts; }
};

// The cost and the GPU time of a line.
struct LedgerAmounts {
    std::int64_t billed = 0, effective = 0; // nano-units of the key's currency; 0 except for origin Billed
    std::int64_t ticks = 0; // known base::GpuTime
    std::int64_t unknownTime = 0; // number of lines of GPU machines whose GPU time is unknown
    // Price-book cost of the same time, in nano-units of the report currency: the amount itself for origin Priced, what
    // was replaced for Billed and Allocated, what is missing for NotBilled. Time without a price is in unpricedTicks.
    std::int64_t priced = 0;
    std::int64_t unpricedTicks = 0;
    // The allocator's cost of the time, in nano-units of the key's currency: origin Allocated only. Not on any bill.
    std::int64_t allocated = 0;

    bool operator==(const LedgerAmounts &) const = default;
};

struct LedgerLine {
    LedgerKey key;
    LedgerAmounts amounts;
};

} // namespace gpuledger::model

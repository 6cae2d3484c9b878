// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money.h"
#include "app/base/time.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Lines of the ledger: what one UTC day cost, split as far as it can be told. For every day and currency the lines that
// come from bills add up to the bills, in both views. The numbers of the enumerations are kept on disk.
namespace gpuledger::model {

enum class LedgerCategory : std::uint8_t {
    Gpu = 0, // time of machines with GPUs
    Compute, // of other machines
    Storage,
    Network,
    Database,
    Ai, // models and services without machines
    Other,
    Commitment, // paid for by a commitment or reservation that nothing used
    Purchase, // fees of commitments; nothing in the effective view
    Support,
    Tax,
    Credit,
    Refund,
    Adjustment,
    NotBilled, // GPU time of a provider whose bill of the day has no line for it: hours without money
    Unexplained, // money that has no day or no machine that it could be told of
};

// Where the money of a line comes from, best first.
enum class LedgerOrigin : std::uint8_t {
    Billed = 0, // a bill
    Allocated, // OpenCost or Kubecost
    Priced, // price book x time, where no bill speaks; in no sum of bills
};

// By what a line of a bill found its machine, best first.
enum class LedgerMatch : std::uint8_t {
    ResourceId = 0,
    InstanceId, // at the end of the bill's resource id
    ProviderId, // a name or group that is in the node's provider id, or the node's own name
    Attributes, // account, region, instance type and time
    None,
};

// How the price of a machine with GPUs is shared out between them, its CPU and its memory (definitions.md, Cost).
enum class SplitPolicy : std::uint8_t {
    GpuFirst = 0, // all of it to the GPUs: nobody else can use that CPU and memory
    Aws, // weights of the AWS split cost allocation
    OpenCost, // ratio of OpenCost's default prices
    Fixed, // 95 / 3 / 2 %
};

// What of a machine money is for, where somebody asks for it.
enum class MachinePart : std::uint8_t {
    None = 0, // no machine with GPUs, or nobody asked
    Gpu,
    Cpu,
    Memory,
    Unsplit, // its vCPUs or memory are not known, so that the policy can't be applied
};

std::string_view toString(SplitPolicy value); // "gpu-first", "aws", "opencost", "fixed"
std::optional<SplitPolicy> splitPolicyFromString(std::string_view text);
std::string_view toString(MachinePart value); // "", "gpu", "cpu", "memory", "unsplit"

std::string_view toString(LedgerCategory value); // "gpu", …, "not-billed", "unexplained"
std::string_view toString(LedgerOrigin value); // "billed", "allocated", "priced"
std::string_view toString(LedgerMatch value); // "resource-id", "instance-id", "provider-id", "attributes", "none"

// What a line is of; lines of a day with one key are one line. Empty texts: unknown, or not of that kind.
struct LedgerKey {
    base::Currency currency;
    LedgerCategory category = LedgerCategory::Other;
    LedgerOrigin origin = LedgerOrigin::Billed;
    LedgerMatch match = LedgerMatch::None;
    std::string source; // of the bill; empty for telemetry alone
    std::string team; // owner
    std::string state; // active | idle | unallocated | unobserved; empty: no GPU time
    std::string workloadKind; // empty: held by nobody
    std::string environment;
    std::string account, accountName; // the sub account where the bill has one, else the billing account
    std::string service; // as the provider calls it
    std::string cloud; // aws | gcp | azure | …, else the provider as it calls itself
    std::string region;
    std::string cluster;
    std::string gpuModel;
    // Names of what held the GPU; filled in only where somebody asks for it, never stored.
    std::string nameSpace, workload;
    std::string instanceType; // of a machine with GPUs; likewise
    MachinePart part = MachinePart::None; // likewise
    // How sure it is; likewise.
    bool sharedEqually = false; // several held the device, and nothing measured who used how much
    std::string priceDate; // YYYY-MM-DD of the list price; empty: the user's own, no date, or no price

    auto operator<=>(const LedgerKey &) const = default;
};

// What of the names above is filled in that is not kept.
struct LineDetail {
    bool workloads = false, instanceTypes = false, doubts = false;
    LineDetail with(const LineDetail &o) const
    {
        return {workloads || o.workloads, instanceTypes || o.instanceTypes, doubts || o.doubts};
    }
    bool any() const { return workloads || instanceTypes || doubts; }
};

struct LedgerAmounts {
    std::int64_t billed = 0, effective = 0; // nano-units of the key's currency; 0 but for origin Billed
    std::int64_t ticks = 0; // base::GpuTime that is known
    std::int64_t unknownTime = 0; // lines of GPU machines whose GPU time is not known
    // What the price book says of the same time, nano-units of the report currency: the amount itself for origin
    // Priced, what was replaced for Billed and Allocated, what is missing for NotBilled. Time without a price is in
    // unpriced.
    std::int64_t priced = 0;
    std::int64_t unpricedTicks = 0;
    // What an allocator says of the time, nano-units of the key's currency: origin Allocated only. In no bill.
    std::int64_t allocated = 0;

    bool operator==(const LedgerAmounts &) const = default;
};

struct LedgerLine {
    LedgerKey key;
    LedgerAmounts amounts;
};

} // namespace gpuledger::model

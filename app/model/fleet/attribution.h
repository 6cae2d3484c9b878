// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/base/money/money.h"
#include "app/base/time/gputime.h"
#include "app/model/fleet/fleet.h"
#include "app/model/fleet/usage.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Who had which part of a device, in which state: the facts after attribution. Produced by app/ledger, read by
// app/insight.
namespace gpuledger::model {

// State of device time (definitions.md). Unobserved is split by whether the scheduler's record names a holder: that
// holder pays for it.
enum class GpuState : std::uint8_t { Active = 0, Idle, Unallocated, UnobservedHeld, UnobservedFree };
inline constexpr int kStateCount = 5;
std::string_view toString(GpuState state); // "active", "idle", "unallocated", "unobserved", "unobserved"

// Filter dimensions of one part.
struct Dimensions {
    std::string
        team; // owner after the rules: a team, "unowned", or "shared" for unallocated time that no node rule matches
    std::string cluster, cloud, region, gpuModel;
    std::string workloadKind; // empty: unallocated
    std::string environment;
};

// Where the rate of a device's time comes from; see app/ledger/rates/noderates.h.
enum class RateBasis : std::uint8_t { PriceBook = 0, Allocator, Expected, Bill };

// A holder with its owner resolved.
struct AttributedHolder {
    base::HolderId holder; // 0: known only from exporter labels (no scheduler record)
    base::SubjectId subject; // 0: inferred only from the scheduler's record
    SubjectKind what = SubjectKind::Pod;
    std::string cluster, nameSpace, name, uid;
    std::string ownerKind, ownerName;
    WorkloadKind kind = WorkloadKind::Unknown;
    std::string team;
    std::string environment;
    std::string node;
    std::optional<base::UtcTime> startedAt; // from the scheduler, else first evidence
    base::TimeRange seen;
    std::string protection; // text of the rule that protects it; empty = not protected
    bool inferred = false; // telemetry did not name the holder of the device: there was one device and one such pod
};

inline constexpr std::int32_t kNobody = -1;

// A holder's time, or unallocated time, on one slice in one base bucket, in one state. Over a bucket of a paid device
// the ticks add up to exactly the paid part of the bucket.
struct UsagePart {
    std::uint16_t bucket = 0; // of the UTC day
    GpuState state = GpuState::UnobservedFree;
    ActivitySignal signal = ActivitySignal::None;
    bool shared = false; // others held the slice at the same time
    bool sharedEqually = false; // the slice was shared and split equally (no measured shares)
    std::int32_t holder = kNobody; // index into DeviceAttribution::holders
    std::int16_t slice = -1; // index into Device::slices; -1 = whole device or the stranded remainder of a MIG device
    std::int64_t ticks = 0; // base::GpuTime
    std::int64_t costNanos = 0; // at the device's rate; 0 with priced == false means unknown
    std::int64_t listNanos = 0; // the same time by the price book; 0 with listed == false means unknown
    bool priced = false;
    bool listed = false;
    std::uint16_t activity = kNoShare;
    std::uint16_t smActive = kNoShare;
    std::uint16_t tensorActive = kNoShare;
    std::uint32_t memoryMeanMib = kNoMemory;
    std::uint32_t memoryMaxMib = kNoMemory;
    std::uint16_t powerDeciwatt = kNoPower;
};

// One device and UTC day, or a piece of the day on one node under one set of rules. `holders` is a per-call table,
// valid while the visitor runs.
struct DeviceAttribution {
    const Device *device = nullptr;
    const Node *node = nullptr; // may be null: no node record
    base::Day day;
    std::string gpuModel; // catalogue name where known, else the exporter's
    std::vector<UsagePart> parts; // ascending by (bucket, slice)
    const std::vector<AttributedHolder> *holders = nullptr;
    std::string nodeOwner; // owner of unallocated time: node pool rule, else "shared"
    std::string nodePool; // empty: none is known
    base::Rate rate; // per hour of a whole device; meaningless unless `priced`
    bool priced = false;
    double restingW = 0; // power draw with nothing running, from the catalogue; 0 = unknown
    RateBasis basis = RateBasis::PriceBook; // of the rate
    std::string priceSource; // of the rate: "bill, …", "expected: …", "allocator: …", or as `listSource`
    std::string listSource; // "override: …", "price book 2026-07-20: aws p4d.24xlarge us-east-1", …
    std::optional<base::UtcTime> priceAsOf; // of the list price; std::nullopt: not stated, or a user's
};

} // namespace gpuledger::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::model {

// How a commitment is sold: as money per hour, as machines, or as processors, memory and GPUs.
enum class CloudCommitmentKind : std::uint8_t { SavingsPlan, Reservation, CommittedUse };

// What a cloud says of a commitment that somebody bought there: a savings plan, a reservation, committed use. All texts
// are printable. Plain values.
struct CloudCommitment {
    std::string cloud; // as in bills: "AWS", "Microsoft", "Google Cloud"
    std::string account; // that bought it: account, subscription or project; empty: not told
    std::string id; // as bills have it (FOCUS CommitmentDiscountId)
    std::string name; // that people gave it; empty: none
    CloudCommitmentKind kind = CloudCommitmentKind::Reservation;
    std::string terms; // the cloud's words for what was bought: "Compute Savings Plan, 3yr, No Upfront"
    // What it is limited to; empty: nothing. Of a reservation the machine type ("p5.48xlarge",
    // "Standard_ND96isr_H100_v5"), of a savings plan the family ("p5"), of committed use the GPU's type
    // ("nvidia-h100-80gb") or the machine series ("A3").
    std::string machine;
    bool isMachineGpu = false; // the cloud's own words say that `machine` has GPUs, or is one
    std::string region; // empty: all, or not told
    std::optional<std::int64_t> count; // of machines or GPUs; std::nullopt: it is sold as money, or not told
    base::Currency currency; // of the amounts; none if there are none
    std::optional<base::Decimal> perHour; // the spend that is committed to
    std::optional<base::UtcTime> start, end; // std::nullopt: not told
    // The share of it that was used, 0 to 1, in the days `first` to `last`, UTC, both included. std::nullopt: not told.
    std::optional<double> utilization;
    std::optional<base::Day> first, last;
    std::optional<base::Decimal> unused; // what the unused part cost in these days

    bool operator==(const CloudCommitment &) const = default;
};

// How much of the use of a machine type or family a cloud says was covered by commitments of one kind, in the days
// `first` to `last`, UTC, both included.
struct CommitmentCoverage {
    std::string cloud, account; // whose use it is
    CloudCommitmentKind by = CloudCommitmentKind::Reservation;
    std::string machine; // machine type ("p5.48xlarge") or family ("p5")
    std::string region; // empty: all
    double covered = 0; // 0 to 1
    base::Currency currency; // of `onDemand`; none without it
    std::optional<base::Decimal> onDemand; // what the part that is not covered cost; std::nullopt: not told
    base::Day first{}, last{};

    bool operator==(const CommitmentCoverage &) const = default;
};

} // namespace gpuledger::model

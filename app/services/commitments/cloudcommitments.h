// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/cloudcommitment.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class Engine;

// What a cloud says of a commitment, beside what the bill says.
struct CommitmentRow {
    std::string source;
    model::CloudCommitment commitment;
    std::optional<base::Money> perHour{}, unused{}; // as the cloud says; std::nullopt: it does not
    // The share of its amortized cost that was used, 0 to 1, by the bills, and their first and last day that have
    // something of it: of the days that the cloud tells of, or without these of the last 30 that are billed.
    // std::nullopt: the bills have nothing of it in these days.
    std::optional<double> billed{};
    std::optional<base::Day> billedFirst{}, billedLast{};
};

struct CoverageRow {
    std::string source;
    model::CommitmentCoverage coverage;
    std::optional<base::Money> onDemand{}; // what the part that is not covered cost; std::nullopt: not told
};

// A source that tells commitments, and its last reading.
struct CommitmentReading {
    std::string source;
    std::optional<base::UtcTime> readAt; // of what is shown; std::nullopt: nothing was read yet
    std::vector<std::string> withheld; // what was left out, and why, one sentence each without a full stop
    std::optional<base::UtcTime> failedAt; // if the last try, which was later, failed
    std::string failure; // why, one sentence without a full stop
};

struct CommitmentsAnswer {
    // By source; in it those that end first come first, those without an end last. What several sources tell is with
    // the first of them alone.
    std::vector<CommitmentRow> rows;
    std::vector<CoverageRow> coverage; // by source, machine, region and kind
    std::vector<CommitmentReading> readings; // by source
    // Left out: commitments and coverage for machines without GPUs only, and those that can't be read.
    std::uint64_t withoutGpus = 0, rejected = 0;
    base::UtcTime now{}; // when it was asked
};

// What the last syncs kept of the commitments at clouds; no cloud is asked. Blocks; call from a worker thread. Fails
// with NotFound (no source tells commitments, or a report is open), Cancelled, Overflow and Storage… codes.
[[nodiscard]] base::Result<CommitmentsAnswer> cloudCommitments(Engine &engine, const std::stop_token &stop);

} // namespace gpuledger::services

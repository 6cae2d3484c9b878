// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/cloudcommitment.h"
#include "app/ports/costsource.h"
#include "app/ports/finding.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ports {

struct CommitmentReport {
    std::vector<model::CloudCommitment> commitments; // that are not over yet, in the cloud's order
    std::vector<model::CommitmentCoverage> coverage; // in the cloud's order; empty: not told
    std::uint64_t rejected = 0; // entries of both that can't be read
    // What was left out, and why, one sentence each without a full stop: a right is missing.
    std::vector<std::string> withheld;

    bool operator==(const CommitmentReport &) const = default;
};

// A source of what a cloud says of commitments: which there are, how well they are used, and how much of the use they
// cover. A sync reads them once in refresh(), and keeps what was told. Blocking; call from a worker thread; one call at
// a time per object; a stop request ends it with Cancelled.
class CommitmentSource {
public:
    virtual ~CommitmentSource() = default;
    virtual const std::string &name() const = 0; // of the source
    // How long an answer is good for, and how long nothing is asked after a failure that was paid for.
    virtual base::Seconds refresh() const { return base::Seconds{86400}; }
    // All that the account may see. A part that it may not see is in `withheld`. Fails with Forbidden (it may see
    // nothing), Unauthorized, Parse, TooMuch, Cancelled, or as the connection does.
    [[nodiscard]] virtual base::Result<CommitmentReport> read(base::UtcTime now, std::stop_token stop) = 0;
    // What a connection test says of them, without a call that costs anything. Fails with Cancelled.
    [[nodiscard]] virtual base::Result<std::vector<Finding>> probe(std::stop_token stop) = 0;
    // What the calls of this object have cost so far; std::nullopt: none of its calls costs anything.
    virtual std::optional<PaidCalls> paid() const { return std::nullopt; }
};

} // namespace gpuledger::ports

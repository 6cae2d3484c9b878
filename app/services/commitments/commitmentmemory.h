// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ports/commitmentsource.h"
#include "app/store/ledgerstore.h"

#include <optional>
#include <string>

// What syncs keep in the cache of the commitments at clouds. Any thread.
namespace gpuledger::services {

// The last reading of a source, and the last try.
struct KeptCommitments {
    std::optional<base::UtcTime> readAt; // of `report`; std::nullopt: nothing was read yet
    ports::CommitmentReport report;
    std::optional<base::UtcTime> failedAt; // if the last try failed, or did not end
    std::string failure; // why, one sentence without a full stop
    bool isFailurePaid = false; // the try that failed may have cost something

    bool operator==(const KeptCommitments &) const = default;
};

std::string commitmentsText(const KeptCommitments &kept);
// Nothing is kept if the text is empty, or is not such a text: of another version, or damaged.
KeptCommitments commitmentsOfText(const std::string &text);

// Both fail with Storage… codes.
[[nodiscard]] base::Result<KeptCommitments> keptCommitments(store::LedgerStore &cache, const std::string &source);
[[nodiscard]] base::Result<void> keepCommitments(store::LedgerStore &cache, const std::string &source,
                                                 const KeptCommitments &kept);

} // namespace gpuledger::services

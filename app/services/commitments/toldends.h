// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/cloudcommitment.h"
#include "app/model/settings.h"
#include "app/savings/commitments/commitments.h"
#include "app/store/ledgerstore.h"

#include <map>
#include <string>
#include <vector>

namespace gpuledger::services {

// True for a machine type or family with GPUs, as a cloud names it: "p5.48xlarge", "p5". `provider` as in bills. Pure;
// any thread.
bool namesGpus(const std::string &provider, const std::string &machine);
// False if the cloud says that it is for machines without GPUs only. Pure; any thread.
bool mayBeForGpus(const model::CloudCommitment &commitment);

// When a commitment ends, as a cloud told.
struct ToldEnd {
    std::string id; // as the cloud has it
    base::UtcTime end{};
    base::UtcTime readAt{};
    bool mayBeForGpus = false;
};

// What the last syncs kept of these sources, by id in lower case: clouds spell theirs in several ways. Bills that are
// paid by the month don't say it. Any thread. Fails with Storage… codes.
[[nodiscard]] base::Result<std::map<std::string, ToldEnd>> toldEnds(store::LedgerStore &cache,
                                                                    const std::vector<model::SourceSettings> &sources);
// Sets these ends where no bill has any. Fails with Storage… codes.
[[nodiscard]] base::Result<void> putToldEnds(store::LedgerStore &cache,
                                             const std::vector<model::SourceSettings> &sources,
                                             std::vector<savings::ExistingCommitment> &existing);

} // namespace gpuledger::services

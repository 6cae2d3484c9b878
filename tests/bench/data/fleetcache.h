// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/query/query.h"
#include "app/ledger/ledger.h"
#include "app/store/ledgerstore.h"

#include <filesystem>
#include <memory>

namespace gpuledger::bench {

// A cache with `gpus` GPUs and `days` days in a folder of its own, with its ledger: what a sync would have left.
// Terminates the program if it can't be made.
struct FleetCache {
    std::filesystem::path folder;
    std::unique_ptr<ledger::Ledger> ledger;
    std::unique_ptr<store::LedgerStore> store;
    double commitMs = 0, commitCpuMs = 0; // facts and ledger
    int gpus = 0, days = 0;

    base::TimeRange range() const;
};

FleetCache makeFleetCache(const std::filesystem::path &root, int gpus, int days);
// The end of the data of a fleet with so many days. The pages ask about the days before now, so that a window over
// it needs a clock that stands here.
base::UtcTime fleetEnd(int days);
// "10,000 GPUs x 7 days"
std::string sizeText(int gpus, int days);

} // namespace gpuledger::bench

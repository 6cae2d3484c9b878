// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/prices/gpucatalog.h"
#include "app/ledger/prices/pricebook.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/ledger/rules/workloadrules.h"
#include "app/model/settings.h"

#include <cstdint>
#include <string>

namespace gpuledger::ledger {

// The rules and prices of one configuration, shared by everything that attributes GPU time.
struct LedgerRules {
    OwnerRules owners;
    WorkloadRules workloads;
    GpuCatalog catalog;
    PriceBook prices;
    std::uint16_t threshold = 0;
    model::IdleSettings idle;
    std::string fingerprint; // of the settings that all of this was built from
};

} // namespace gpuledger::ledger

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ports/inventorysource.h"
#include "app/store/ledgerstore.h"

#include <map>
#include <string>

namespace gpuledger::ingest {

// Since when machines run whose list does not tell it: what earlier lists of the source had, kept in the cache. A
// machine that is new counts from the last whole bucket on, because it takes minutes to begin. One that the list before
// had, too, has run since it was new, unless that list is more than a day old: then nobody knows what was in between.
// Partial lists between the two, which lack it, change nothing. One thread.
class KeptRuns {
public:
    // Fails with Storage… codes. What can't be read is as if there had been no list.
    [[nodiscard]] static base::Result<KeptRuns> read(store::LedgerStore &cache, const std::string &source);
    // Sets ListedMachine::since where the list does not tell it, and forgets all other machines, unless it is partial.
    void settle(ports::Inventory &inventory, base::UtcTime now);
    // After the facts. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> keep(store::LedgerStore &cache, const std::string &source) const;

private:
    struct Run {
        base::UtcTime since{};
        base::UtcTime listed{}; // last
    };
    base::UtcTime m_at{}; // of the last list
    std::map<std::string, Run> m_runs; // by machine
};

} // namespace gpuledger::ingest

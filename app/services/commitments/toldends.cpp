// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/commitments/toldends.h"

#include "app/ledger/bills/billitem.h"
#include "app/ledger/prices/gpufamily.h"
#include "app/model/money/billdays.h"
#include "app/services/commitments/commitmentmemory.h"

namespace gpuledger::services {

using base::Result;

bool namesGpus(const std::string &provider, const std::string &machine)
{
    const std::string cloud = model::cloudOfProvider(provider);
    return !ledger::gpuTypeIn(cloud, machine).empty()
        || !ledger::gpuTypeIn(cloud, machine + ".xlarge").empty(); // AWS has names of families
}

bool mayBeForGpus(const model::CloudCommitment &commitment)
{
    return commitment.isMachineGpu || commitment.machine.empty() || namesGpus(commitment.cloud, commitment.machine);
}

Result<std::map<std::string, ToldEnd>> toldEnds(store::LedgerStore &cache,
                                                const std::vector<model::SourceSettings> &sources)
{
    std::map<std::string, ToldEnd> ends;
    for (const model::SourceSettings &source : sources) {
        const auto kept = keptCommitments(cache, source.name);
        GPULEDGER_TRY(kept);
        for (const model::CloudCommitment &one : kept->report.commitments) {
            if (one.end && !one.id.empty() && kept->readAt)
                ends.try_emplace(ledger::lowerCase(one.id),
                                 ToldEnd{one.id, *one.end, *kept->readAt, mayBeForGpus(one)});
        }
    }
    return ends;
}

Result<void> putToldEnds(store::LedgerStore &cache, const std::vector<model::SourceSettings> &sources,
                         std::vector<savings::ExistingCommitment> &existing)
{
    const auto ends = toldEnds(cache, sources);
    GPULEDGER_TRY(ends);
    for (savings::ExistingCommitment &one : existing) {
        const auto told = ends->find(ledger::lowerCase(one.id));
        if (!one.end && told != ends->end())
            one.end = told->second.end;
    }
    return {};
}

} // namespace gpuledger::services

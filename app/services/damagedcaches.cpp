// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/damagedcaches.h"

#include "app/services/username.h"
#include "app/store/ledgerstore.h"
#include "app/store/monthstore.h"

namespace gpuledger::services {

namespace {

constexpr char kCacheName[] = "ledger.db";

} // namespace

std::vector<store::SetAside> unconfirmedDamage(const std::filesystem::path &dataFolder)
{
    return store::unconfirmedDamage(dataFolder / kCacheName);
}

base::Result<void> repairCache(const std::filesystem::path &dataFolder)
{
    return store::repairCache(dataFolder / kCacheName);
}

base::Result<void> confirmDamage(const std::filesystem::path &dataFolder, const std::vector<store::SetAside> &damage,
                                 const base::Clock &clock)
{
    const auto cache = store::LedgerStore::open(dataFolder);
    GPULEDGER_TRY(cache);
    for (const store::SetAside &one : damage) {
        const store::AuditEvent event{clock.now(), userName(), store::kConfirmDamage, one.name, store::detailsOf(one)};
        GPULEDGER_TRY((*cache)->months().note(event, [](const auto &) { return true; }));
        GPULEDGER_TRY(store::confirmDamage((*cache)->file(), one));
    }
    return {};
}

} // namespace gpuledger::services

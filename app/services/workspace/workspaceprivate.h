// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/ledger.h"
#include "app/services/actions/actionservice.h"
#include "app/services/environment/username.h"
#include "app/services/workspace/workspace.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

// Shared by the source files of Workspace; do not include it anywhere else.
namespace gpuledger::services {

// A configuration and what is built from it.
struct Setup {
    model::Settings settings;
    base::TimeZone zone;
    std::unique_ptr<ledger::Ledger> ledger;
};

// The result of the last owner-rule query, and what it is valid for.
struct Surveyed {
    const Setup *setup = nullptr;
    std::int64_t generation = -1;
    base::TimeRange range;
    std::shared_ptr<const ledger::RuleSurvey> survey;
    std::shared_ptr<const ledger::TagSurvey> bills; // null: there are no bills
};

struct Workspace::Private {
    WorkspaceOptions options;
    const ports::SourceCatalog &catalog;
    ports::SecretStore &secrets;
    const base::Clock &clock;
    std::unique_ptr<store::LedgerStore> cache;
    std::mutex syncMutex; // one sync at a time in this process; a lock per source keeps other processes out
    mutable std::mutex setupMutex;
    // The last one is in use. The configuration changes a few times a day; keeping the old ones spares every reader a
    // lock.
    std::vector<std::unique_ptr<const Setup>> setups;
    std::mutex surveyMutex;
    Surveyed surveyed;
    std::unique_ptr<ActionService> desk{}; // declared last, so that it is destroyed first

    const Setup &setup() const
    {
        const std::lock_guard lock(setupMutex);
        return *setups.back();
    }
    void use(std::unique_ptr<const Setup> setup)
    {
        const std::lock_guard lock(setupMutex);
        setups.push_back(std::move(setup));
    }
    base::Result<ledger::RulePreview> preview(base::TimeRange range, const ledger::OwnerRules &rules,
                                              std::stop_token stop);
    base::Result<std::unique_ptr<ports::TelemetrySource>> source(const model::SourceSettings &s) const
    {
        return catalog.create(s, setup().settings.exporters, secrets, clock);
    }
    // An unknown kind is treated as telemetry: create() then reports the error.
    ports::SourceKind kindOf(const model::SourceSettings &s) const
    {
        const ports::SourceKinds kinds = catalog.kinds();
        const ports::SourceKind *const kind = ports::findKind(kinds, s.kind);
        return kind ? *kind : ports::SourceKind{s.kind, s.kind, {ports::Capability::Telemetry}};
    }
    SyncReport syncOne(const model::SourceSettings &s, const Setup &setup, const std::stop_token &stop,
                       const ProgressFn &progress, WhatIsGone gone);
    SyncReport syncTelemetry(const model::SourceSettings &s, const Setup &setup, std::stop_token stop,
                             const ProgressFn &progress, WhatIsGone gone);
    SyncReport syncAllocations(const model::SourceSettings &s, const Setup &setup, const std::stop_token &stop,
                               const ProgressFn &progress, WhatIsGone gone);
    SyncReport syncBills(const model::SourceSettings &s, const Setup &setup, const std::stop_token &stop,
                         const ProgressFn &progress);
};

// Fails with Refused if the workspace is a report, which is read-only.
base::Result<void> refuseInReport(const WorkspaceOptions &options);

// A view of the cache from which every kind of query is answered; all parts see the same snapshot.
struct View {
    std::unique_ptr<store::FactReader> facts;
    std::unique_ptr<store::CubeReader> cube;
    std::unique_ptr<store::AttributionReader> attribution;
};

base::Result<View> viewOf(store::LedgerStore &cache, const ledger::Ledger &ledger);

// Provides the ledger lines: as stored, or as they follow from the current facts and bills.
using LedgerLines = std::function<base::Result<void>(base::Day first, base::Day last, const store::LedgerVisitor &)>;
// Computes the answer from these lines and these bills.
base::Result<insight::LedgerAnswer> ledgerFrom(const Setup &setup, const insight::LedgerQuery &query,
                                               const LedgerLines &lines, store::LedgerStore &cache,
                                               store::LedgerStore::BillCheck bills);
base::Result<insight::Reconciliation> reconciliationFrom(store::LedgerStore &cache, base::Currency report,
                                                         const insight::Month &month, const LedgerLines &lines);

// Call each of them through ofOneState().
base::Result<insight::LedgerAnswer> ledgerOf(store::LedgerStore &cache, const Setup &setup,
                                             const insight::LedgerQuery &query);
// One pass over the lines; the queries must be for the same days and need the same detail.
base::Result<std::vector<insight::LedgerAnswer>> ledgersOf(store::LedgerStore &cache, const Setup &setup,
                                                           const std::vector<insight::LedgerQuery> &queries);
base::Result<insight::Reconciliation> reconciliationOf(store::LedgerStore &cache, base::Currency report,
                                                       const insight::Month &month);

// The actor named in the audit log.
inline std::string actorOf(const WorkspaceOptions &options)
{
    return options.actor.empty() ? userName() : options.actor;
}

// Lines and bills are read one after the other: repeats the read if the cache was written in between, because they
// might be inconsistent.
template <typename Ask> auto ofOneState(store::LedgerStore &cache, Ask ask) -> decltype(ask())
{
    constexpr int kTries = 5;
    for (int i = 1;; ++i) {
        const auto before = cache.generation();
        GPULEDGER_TRY(before);
        auto answer = ask();
        const auto after = cache.generation();
        GPULEDGER_TRY(after);
        if (*before == *after || i == kTries)
            return answer;
    }
}

} // namespace gpuledger::services

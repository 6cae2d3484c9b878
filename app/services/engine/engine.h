// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clock.h"
#include "app/base/time/timezone.h"
#include "app/insight/spend/month.h"
#include "app/ledger/ledger.h"
#include "app/model/money/costview.h"
#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/engine/workspaceoptions.h"
#include "app/store/ledgerstore.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::services {

// A configuration and what is built from it.
struct Setup {
    model::Settings settings;
    base::TimeZone zone;
    std::unique_ptr<ledger::Ledger> ledger;
};

// What the services of a workspace share: its cache, its configuration and the ports. For the sources of app/services;
// everything else asks a service. Any thread. The catalogue, secret store and clock must outlive it.
class Engine {
public:
    // Fails like Workspace::open().
    [[nodiscard]] static base::Result<std::unique_ptr<Engine>>
    open(model::Settings settings, const WorkspaceOptions &options, const ports::SourceCatalog &catalog,
         ports::SecretStore &secrets, const base::Clock &clock);
    ~Engine();
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    const WorkspaceOptions &options() const { return m_options; }
    const ports::SourceCatalog &catalog() const { return m_catalog; }
    ports::SecretStore &secrets() const { return m_secrets; }
    const base::Clock &clock() const { return m_clock; }
    store::LedgerStore &cache() const { return *m_cache; }
    // One sync at a time in this process; a lock per source keeps other processes out. apply() takes it too.
    std::mutex &syncMutex() { return m_syncMutex; }

    // The one in use. References returned earlier stay valid and unchanged after apply().
    const Setup &setup() const;
    // See Workspace::apply().
    [[nodiscard]] base::Result<void> apply(model::Settings settings);

    [[nodiscard]] base::Result<std::unique_ptr<ports::TelemetrySource>> source(const model::SourceSettings &s) const;
    // An unknown kind counts as telemetry: creating its source reports what is wrong.
    ports::SourceKind kindOf(const model::SourceSettings &s) const;

    // The actor named in the audit log.
    std::string actor() const;
    // The only month there is, if this is a report.
    std::optional<insight::Month> reportMonth() const;
    // Fails with Refused if this is a report, which is read-only.
    [[nodiscard]] base::Result<void> refuseInReport() const;

private:
    Engine(WorkspaceOptions options, const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
           const base::Clock &clock, std::unique_ptr<store::LedgerStore> cache);
    void use(std::unique_ptr<const Setup> setup);

    const WorkspaceOptions m_options;
    const ports::SourceCatalog &m_catalog;
    ports::SecretStore &m_secrets;
    const base::Clock &m_clock;
    const std::unique_ptr<store::LedgerStore> m_cache;
    std::mutex m_syncMutex;
    mutable std::mutex m_setupMutex;
    // The last one is in use. The configuration changes a few times a day; keeping the old ones spares every reader a
    // lock.
    std::vector<std::unique_ptr<const Setup>> m_setups;
};

// A view of the cache from which every kind of query is answered; all parts see the same snapshot.
struct View {
    std::unique_ptr<store::FactReader> facts;
    std::unique_ptr<store::CubeReader> cube;
    std::unique_ptr<store::AttributionReader> attribution;
};

// With another view of cost than the effective one, `attribution` has it and `cube` does not.
base::Result<View> viewOf(store::LedgerStore &cache, const ledger::Ledger &ledger,
                          model::CostView cost = model::CostView::Effective);

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/engine/engine.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/reports/files/reportmonth.h"
#include "app/services/environment/username.h"

namespace gpuledger::services {

using base::Result;

namespace {

Result<std::unique_ptr<const Setup>> setupFor(model::Settings settings, const std::string &zoneOverride)
{
    const std::string zoneName = zoneOverride.empty() ? settings.timeZone : zoneOverride;
    auto zone = zoneName.empty() ? Result<base::TimeZone>(base::TimeZone::system()) : base::TimeZone::find(zoneName);
    GPULEDGER_TRY(zone);
    auto ledger = ledger::Ledger::create(settings);
    GPULEDGER_TRY(ledger);
    return std::make_unique<const Setup>(Setup{std::move(settings), std::move(*zone), std::move(*ledger)});
}

Result<void> renewRollup(store::LedgerStore &cache, const Setup &setup)
{
    const auto refreshed = ledger::LedgerWriter(cache, setup.ledger->rollup()).refreshRollup();
    GPULEDGER_TRY(refreshed);
    if (*refreshed)
        base::log::info("workspace", "rebuilt the roll-up for changed settings");
    return {};
}

} // namespace

Result<View> viewOf(store::LedgerStore &cache, const ledger::Ledger &ledger, model::CostView cost)
{
    View view;
    auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    auto cube = cache.cube();
    GPULEDGER_TRY(cube);
    view.facts = std::move(*facts);
    view.cube = std::move(*cube);
    view.attribution = ledger.attribution(*view.facts, cost);
    return view;
}

Result<std::unique_ptr<Engine>> Engine::open(model::Settings settings, const WorkspaceOptions &options,
                                             const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
                                             const base::Clock &clock)
{
    auto setup = setupFor(std::move(settings), options.timeZone);
    GPULEDGER_TRY(setup);
    auto cache = store::LedgerStore::open(options.dataFolder, {options.readOnly});
    GPULEDGER_TRY(cache);
    if (!options.readOnly)
        GPULEDGER_TRY(renewRollup(**cache, **setup));
    for (const std::string &note : (*cache)->notes())
        base::log::info("cache", note);
    std::unique_ptr<Engine> engine(new Engine(options, catalog, secrets, clock, std::move(*cache)));
    engine->use(std::move(*setup));
    return engine;
}

Engine::Engine(WorkspaceOptions options, const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
               const base::Clock &clock, std::unique_ptr<store::LedgerStore> cache)
    : m_options(std::move(options))
    , m_catalog(catalog)
    , m_secrets(secrets)
    , m_clock(clock)
    , m_cache(std::move(cache))
{
}
Engine::~Engine() = default;

const Setup &Engine::setup() const
{
    const std::lock_guard lock(m_setupMutex);
    return *m_setups.back();
}

void Engine::use(std::unique_ptr<const Setup> setup)
{
    const std::lock_guard lock(m_setupMutex);
    m_setups.push_back(std::move(setup));
}

Result<void> Engine::apply(model::Settings settings)
{
    GPULEDGER_TRY(refuseInReport());
    auto setup = setupFor(std::move(settings), m_options.timeZone);
    GPULEDGER_TRY(setup);
    const std::lock_guard lock(m_syncMutex);
    if (!m_options.readOnly)
        GPULEDGER_TRY(renewRollup(*m_cache, **setup));
    use(std::move(*setup));
    return {};
}

Result<std::unique_ptr<ports::TelemetrySource>> Engine::source(const model::SourceSettings &s) const
{
    return m_catalog.create(s, setup().settings.exporters, m_secrets, m_clock);
}

ports::SourceKind Engine::kindOf(const model::SourceSettings &s) const
{
    const ports::SourceKinds kinds = m_catalog.kinds();
    const ports::SourceKind *const kind = ports::findKind(kinds, s.kind);
    return kind ? *kind : ports::SourceKind{s.kind, s.kind, {ports::Capability::Telemetry}};
}

std::string Engine::actor() const
{
    return m_options.actor.empty() ? userName() : m_options.actor;
}

std::optional<insight::Month> Engine::reportMonth() const
{
    return m_options.report ? std::optional(m_options.report->record.month) : std::nullopt;
}

Result<void> Engine::refuseInReport() const
{
    if (!m_options.report)
        return {};
    return base::fail(base::ErrorCode::Refused,
                      "this is the report of " + insight::toString(m_options.report->record.month)
                          + ": it is read-only, and nothing was changed",
                      base::Remedy::UseReportOrigin);
}

} // namespace gpuledger::services

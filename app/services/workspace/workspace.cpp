// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/workspace.h"

#include "app/ledger/commit/verifyledger.h"
#include "app/services/actions/actionservice.h"
#include "app/services/actions/liveenvironment.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/billing/billingservice.h"
#include "app/services/engine/configservice.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/proof/proofservice.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/spend/spendservice.h"
#include "app/store/damage/setaside.h"
#include "app/store/months/monthstore.h"

namespace gpuledger::services {

using base::Result;

namespace {

// Passes the questions of actions and the queue on to the services. All arguments must outlive it.
class Questions final : public FleetQuestions {
public:
    Questions(Engine &engine, SourceService &sources, FleetService &fleet)
        : m_engine(engine)
        , m_sources(sources)
        , m_fleet(fleet)
    {
    }

    const model::Settings &settings() const override { return m_engine.setup().settings; }
    const base::Clock &clock() const override { return m_engine.clock(); }
    std::vector<model::OwnerRule> ownerRules() const override { return m_fleet.ownerRules(); }
    std::string expressionSource(const std::string &cluster) const override
    {
        return m_sources.expressionSource(cluster);
    }
    bool isReport() const override { return m_engine.reportMonth().has_value(); }
    Result<void> syncNow(const std::string &source, std::stop_token stop) override
    {
        return m_sources.syncNow(source, stop);
    }
    Result<base::TimeRange> coveredRange() override { return m_fleet.coveredRange(); }
    Result<insight::Reach> reach(base::TimeRange asked) override { return m_fleet.reach(asked); }
    Result<insight::IdleList> idle(base::UtcTime at, const insight::Filter &filter, model::CostView cost) override
    {
        return m_fleet.idle(at, filter, cost);
    }
    Result<insight::Summary> summary(const insight::Query &query, const insight::Dimension &by) override
    {
        return m_fleet.summary(query, by);
    }

private:
    Engine &m_engine;
    SourceService &m_sources;
    FleetService &m_fleet;
};

// For programs that send no notices.
class NoTargets final : public ports::NoticeTargets {
public:
    Result<std::unique_ptr<ports::NoticeTarget>> create(const model::AlertTarget &target) override
    {
        return base::fail(base::ErrorCode::Unsupported, "this program sends nothing to " + target.name);
    }
};

std::shared_ptr<ports::NoticeTargets> targetsOf(const WorkspaceOptions &options)
{
    return options.targets ? options.targets : std::make_shared<NoTargets>();
}

std::unique_ptr<ActionService> actionsOf(Engine &engine, FleetQuestions &questions)
{
    auto world = std::make_unique<LiveEnvironment>(questions, engine.catalog(), engine.secrets(), engine.actor());
    return std::make_unique<ActionService>(questions, std::move(world), engine.cache().actions(),
                                           engine.options().dataFolder);
}

} // namespace

Result<std::unique_ptr<Workspace>> Workspace::open(model::Settings settings, const WorkspaceOptions &options,
                                                   const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
                                                   const base::Clock &clock)
{
    auto engine = Engine::open(std::move(settings), options, catalog, secrets, clock);
    GPULEDGER_TRY(engine);
    return std::unique_ptr<Workspace>(new Workspace(std::move(*engine)));
}

Workspace::Workspace(std::unique_ptr<Engine> engine)
    : m_engine(std::move(engine))
    , m_config(std::make_unique<ConfigService>(*m_engine))
    , m_sources(std::make_unique<SourceService>(*m_engine))
    , m_fleet(std::make_unique<FleetService>(*m_engine))
    , m_alerts(std::make_unique<AlertService>(*m_engine, *m_fleet))
    , m_targets(targetsOf(m_engine->options()))
    , m_alertDesk(std::make_unique<AlertDesk>(*m_engine, *m_fleet, *m_alerts, *m_targets))
    , m_spend(std::make_unique<SpendService>(*m_engine))
    , m_billing(std::make_unique<BillingService>(*m_engine))
    , m_savings(std::make_unique<SavingsService>(*m_engine))
    , m_proof(std::make_unique<ProofService>(*m_engine, *m_sources, *m_savings))
    , m_questions(std::make_unique<Questions>(*m_engine, *m_sources, *m_fleet))
    , m_actions(actionsOf(*m_engine, *m_questions))
{
}
Workspace::~Workspace() = default;

const model::Settings &Workspace::settings() const
{
    return m_engine->setup().settings;
}

const base::TimeZone &Workspace::timeZone() const
{
    return m_engine->setup().zone;
}

Result<void> Workspace::apply(model::Settings settings)
{
    return m_engine->apply(std::move(settings));
}

const base::Clock &Workspace::clock() const
{
    return m_engine->clock();
}

const std::vector<std::string> &Workspace::notes() const
{
    return m_engine->cache().notes();
}

std::vector<store::SetAside> Workspace::damage() const
{
    return store::unconfirmedDamage(m_engine->cache().file());
}

Result<void> Workspace::confirmDamage()
{
    for (const store::SetAside &one : damage()) {
        const store::AuditEvent event{m_engine->clock().now(), m_engine->actor(), store::kConfirmDamage, one.name,
                                      store::detailsOf(one)};
        GPULEDGER_TRY(m_engine->cache().months().note(event, [](const auto &) { return true; }));
        GPULEDGER_TRY(store::confirmDamage(m_engine->cache().file(), one));
    }
    return {};
}

Result<std::vector<store::IntegrityProblem>> Workspace::verify()
{
    return ledger::verify(m_engine->cache(), m_engine->setup().ledger->rollup());
}

Result<std::int64_t> Workspace::generation()
{
    return m_engine->cache().generation();
}

Result<std::vector<store::AuditEntry>> Workspace::auditLog()
{
    return m_billing->auditLog();
}

std::optional<insight::Month> Workspace::reportMonth() const
{
    return m_engine->reportMonth();
}

bool Workspace::isReport() const
{
    return reportMonth().has_value();
}

} // namespace gpuledger::services

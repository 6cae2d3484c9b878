// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/workspace.h"

#include "app/base/log.h"
#include "app/base/remedy.h"
#include "app/insight/query/measuresums.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/services/actions/liveenvironment.h"
#include "app/services/workspace/workspaceprivate.h"

#include <algorithm>

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

// Among the sources that take expressions: the only source, the one that names this cluster, else the only one whose
// clusters are given by a label.
const model::SourceSettings *expressionSourceOf(const std::vector<model::SourceSettings> &sources,
                                                const ports::SourceKinds &kinds, const std::string &cluster)
{
    const auto takes = [&](const model::SourceSettings &s) {
        const ports::SourceKind *const kind = ports::findKind(kinds, s.kind);
        return s.mayRead && kind && kind->has(ports::Capability::Expressions);
    };
    const auto tellsNoTelemetry = [&](const model::SourceSettings &s) {
        const ports::SourceKind *const kind = ports::findKind(kinds, s.kind);
        return kind && !kind->tellsTelemetry();
    };
    std::vector<const model::SourceSettings *> telemetry;
    for (const model::SourceSettings &s : sources) {
        if (!tellsNoTelemetry(s))
            telemetry.push_back(&s);
    }
    if (telemetry.size() == 1)
        return takes(*telemetry.front()) ? telemetry.front() : nullptr;
    const model::SourceSettings *labelled = nullptr;
    int count = 0;
    for (const model::SourceSettings *one : telemetry) {
        const model::SourceSettings &s = *one;
        if (s.clusterLabel.empty() && (s.cluster.empty() ? s.name : s.cluster) == cluster)
            return takes(s) ? &s : nullptr;
        if (!s.clusterLabel.empty()) {
            labelled = &s;
            ++count;
        }
    }
    return count == 1 && takes(*labelled) ? labelled : nullptr;
}

} // namespace

Result<View> viewOf(store::LedgerStore &cache, const ledger::Ledger &ledger)
{
    View view;
    auto facts = cache.facts();
    GPULEDGER_TRY(facts);
    auto cube = cache.cube();
    GPULEDGER_TRY(cube);
    view.facts = std::move(*facts);
    view.cube = std::move(*cube);
    view.attribution = ledger.attribution(*view.facts);
    return view;
}

Result<std::unique_ptr<Workspace>> Workspace::open(model::Settings settings, const WorkspaceOptions &options,
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
    auto d =
        std::unique_ptr<Private>(new Private{options, catalog, secrets, clock, std::move(*cache), {}, {}, {}, {}, {}});
    d->use(std::move(*setup));
    auto workspace = std::unique_ptr<Workspace>(new Workspace(std::move(d)));
    Private &parts = *workspace->d;
    auto world = std::make_unique<LiveEnvironment>(*workspace, parts.catalog, parts.secrets, actorOf(parts.options));
    parts.desk =
        std::make_unique<ActionService>(*workspace, std::move(world), parts.cache->actions(), parts.options.dataFolder);
    return workspace;
}

ActionService &Workspace::actions()
{
    return *d->desk;
}

Workspace::Workspace(std::unique_ptr<Private> p)
    : d(std::move(p))
{
}
Workspace::~Workspace() = default;

const model::Settings &Workspace::settings() const
{
    return d->setup().settings;
}

const base::TimeZone &Workspace::timeZone() const
{
    return d->setup().zone;
}

Result<void> Workspace::apply(model::Settings settings)
{
    GPULEDGER_TRY(refuseInReport(d->options));
    auto setup = setupFor(std::move(settings), d->options.timeZone);
    GPULEDGER_TRY(setup);
    const std::lock_guard lock(d->syncMutex);
    if (!d->options.readOnly)
        GPULEDGER_TRY(renewRollup(*d->cache, **setup));
    d->use(std::move(*setup));
    return {};
}

Result<ledger::RulePreview> Workspace::Private::preview(base::TimeRange range, const ledger::OwnerRules &rules,
                                                        std::stop_token stop)
{
    const Setup &inUse = setup();
    const ledger::OwnerRules &owners = inUse.ledger->owners();
    range = insight::wholeCells(range);
    const auto generation = cache->generation();
    GPULEDGER_TRY(generation);
    Surveyed found;
    {
        const std::lock_guard lock(surveyMutex);
        found = surveyed;
    }
    if (found.setup != &inUse || found.generation != *generation || found.range != range
        || !found.survey->fits(rules)) {
        std::vector<base::UtcTime> cuts = owners.boundaries();
        cuts.insert(cuts.end(), rules.boundaries().begin(), rules.boundaries().end());
        auto facts = cache->facts();
        GPULEDGER_TRY(facts);
        auto survey = inUse.ledger->survey(**facts, range, std::move(cuts), stop);
        GPULEDGER_TRY(survey);
        found = {&inUse, *generation, range, std::move(*survey), nullptr};
        const auto bills = cache->billTotals(base::dayOf(range.start), base::dayOf(range.end - base::Seconds{1}),
                                             store::LedgerStore::BillCheck::Kept);
        GPULEDGER_TRY(bills);
        if (!bills->empty()) {
            auto taken = inUse.ledger->surveyBills(**facts, range, stop);
            GPULEDGER_TRY(taken);
            found.bills = std::move(*taken);
        }
        const std::lock_guard lock(surveyMutex);
        surveyed = found;
    }
    ledger::RulePreview preview = found.survey->preview(rules, owners);
    preview.currency = inUse.settings.currency;
    if (found.bills) {
        auto tags = found.bills->preview(rules);
        GPULEDGER_TRY(tags);
        preview.bills = std::move(*tags);
    }
    return preview;
}

const base::Clock &Workspace::clock() const
{
    return d->clock;
}

const std::vector<std::string> &Workspace::notes() const
{
    return d->cache->notes();
}

Result<insight::Summary> Workspace::summary(const insight::Query &query, const insight::Dimension &by)
{
    const Setup &setup = d->setup();
    const auto reached = reach(query.range); // before the view, so that it is never newer than the answer
    GPULEDGER_TRY(reached);
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::summarize(*view->cube, *view->attribution, query, by, setup.settings.currency, *reached);
}

Result<insight::Overview> Workspace::overview(const insight::OverviewQuery &query)
{
    const Setup &setup = d->setup();
    const auto reached = reach(query.query.range);
    GPULEDGER_TRY(reached);
    const auto before = reach(query.previous);
    GPULEDGER_TRY(before);
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::overview(*view->cube, *view->attribution, query, setup.settings.currency, *reached, *before);
}

Result<insight::Heatmap> Workspace::heatmap(const insight::HeatmapQuery &query, const std::stop_token &stop)
{
    const Setup &setup = d->setup();
    const auto reached = reach(query.query.range);
    GPULEDGER_TRY(reached);
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::heatmap(*view->cube, *view->attribution, query, setup.settings.currency, stop, *reached);
}

Result<insight::IdleList> Workspace::idle(base::UtcTime at, const insight::Filter &filter)
{
    const Setup &setup = d->setup();
    const auto reached = reach({at, at});
    GPULEDGER_TRY(reached);
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    const auto covered = view->facts->coveredRange();
    GPULEDGER_TRY(covered);
    // Nothing is known after the last sync; the state at that time is returned, with that time.
    auto list = insight::idleAt(*view->attribution, covered->empty() ? at : std::min(at, covered->end), filter,
                                setup.settings.idle, setup.settings.currency,
                                [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime when) {
                                    return setup.ledger->costTerms(*view->facts, devices, when);
                                });
    if (list)
        list->reach = *reached;
    return list;
}

Result<std::vector<insight::DimensionValue>> Workspace::values(const insight::Dimension &dimension)
{
    auto view = viewOf(*d->cache, *d->setup().ledger);
    GPULEDGER_TRY(view);
    return insight::dimensionValues(*view->cube, *view->attribution, *view->facts, dimension);
}

Result<std::vector<insight::LabelUse>> Workspace::labels()
{
    auto facts = d->cache->facts();
    GPULEDGER_TRY(facts);
    return insight::labelsInUse(**facts);
}

Result<insight::Evidence> Workspace::evidence(const insight::EvidenceQuery &query)
{
    const Setup &setup = d->setup();
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::evidenceOf(*view->facts, *view->attribution, query, setup.settings.idle);
}

Result<insight::DeviceDetails> Workspace::deviceDetails(const insight::DeviceQuery &query)
{
    const auto reached = reach(query.query.range);
    GPULEDGER_TRY(reached);
    auto view = viewOf(*d->cache, *d->setup().ledger);
    GPULEDGER_TRY(view);
    return insight::deviceDetails(*view->facts, *view->attribution, query, *reached);
}

std::string Workspace::expressionSource(const std::string &cluster) const
{
    const auto *source = expressionSourceOf(d->setup().settings.sources, d->catalog.kinds(), cluster);
    return source ? source->name : std::string();
}

Result<insight::ExtraSeries> Workspace::extraSeries(const insight::ExtraQuery &query, std::stop_token stop)
{
    const auto question = insight::seriesQuestion(query);
    GPULEDGER_TRY(question);
    const auto *settings = expressionSourceOf(d->setup().settings.sources, d->catalog.kinds(), query.cluster);
    if (!settings)
        return base::fail(base::ErrorCode::Unsupported, "no source evaluates expressions for this device",
                          base::Remedy::ConnectDevicePrometheus);
    auto source = d->source(*settings);
    if (!source)
        return base::fail(std::move(source).error().withSource(settings->name));
    auto answer = (*source)->series(*question, std::move(stop));
    if (!answer)
        return base::fail(std::move(answer).error().withSource(settings->name));
    insight::ExtraSeries out;
    out.source = settings->name;
    out.step = question->step;
    out.answer = std::move(*answer);
    for (std::size_t i = 0; i < question->count(); ++i)
        out.times.push_back(question->first + static_cast<std::int64_t>(i) * question->step);
    return out;
}

Result<std::vector<store::IntegrityProblem>> Workspace::verify()
{
    return ledger::verify(*d->cache, d->setup().ledger->rollup());
}

Result<ledger::RulePreview> Workspace::testRules(base::TimeRange range, std::stop_token stop)
{
    return d->preview(range, d->setup().ledger->owners(), std::move(stop));
}

Result<ledger::RulePreview> Workspace::testRules(base::TimeRange range, std::vector<model::OwnerRule> owners,
                                                 std::stop_token stop)
{
    const auto rules = ledger::OwnerRules::create(std::move(owners));
    GPULEDGER_TRY(rules);
    return d->preview(range, *rules, std::move(stop));
}

std::vector<model::OwnerRule> Workspace::ownerRules() const
{
    return d->setup().ledger->owners().rules();
}

Result<base::TimeRange> Workspace::coveredRange()
{
    auto facts = d->cache->facts();
    GPULEDGER_TRY(facts);
    return (*facts)->coveredRange();
}

Result<std::int64_t> Workspace::generation()
{
    return d->cache->generation();
}

Result<Workspace::FleetSize> Workspace::fleetSize()
{
    auto facts = d->cache->facts();
    GPULEDGER_TRY(facts);
    auto devices = (*facts)->devices();
    GPULEDGER_TRY(devices);
    auto nodes = (*facts)->nodes();
    GPULEDGER_TRY(nodes);
    return FleetSize{static_cast<std::int64_t>(devices->size()), static_cast<std::int64_t>(nodes->size())};
}

} // namespace gpuledger::services

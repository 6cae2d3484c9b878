// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace.h"

#include "app/base/log.h"
#include "app/ingest/sourcesync.h"
#include "app/insight/measuresums.h"
#include "app/ledger/ledger.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace gpuledger::services {

using base::Result;

namespace {

// A configuration and what is made from it.
struct Setup {
    model::Settings settings;
    base::TimeZone zone;
    std::unique_ptr<ledger::Ledger> ledger;
};

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
    const auto refreshed = cache.refreshRollup(setup.ledger->rollup());
    GPULEDGER_TRY(refreshed);
    if (*refreshed)
        base::log::info("workspace", "rebuilt the roll-up for changed settings");
    return {};
}

// What the last question about owner rules found, and what it holds for.
struct Surveyed {
    const Setup *setup = nullptr;
    std::int64_t generation = -1;
    base::TimeRange range;
    std::shared_ptr<const ledger::RuleSurvey> survey;
};

} // namespace

struct Workspace::Private {
    WorkspaceOptions options;
    const ports::SourceCatalog &catalog;
    ports::SecretStore &secrets;
    const base::Clock &clock;
    std::unique_ptr<store::LedgerStore> cache;
    std::mutex syncMutex; // one sync at a time in this process; the store keeps other processes apart
    mutable std::mutex setupMutex;
    // The last one is in use. People change their configuration a few times a day; keeping the old ones spares every
    // reader a lock.
    std::vector<std::unique_ptr<const Setup>> setups;
    std::mutex surveyMutex;
    Surveyed surveyed;

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
    Result<ledger::RulePreview> preview(base::TimeRange range, const ledger::OwnerRules &rules, std::stop_token stop);
    Result<std::unique_ptr<ports::TelemetrySource>> source(const model::SourceSettings &s) const
    {
        return catalog.create(s, setup().settings.exporters, secrets, clock);
    }
};

namespace {

constexpr unsigned kParallelSources = 4;

// A view of the cache from which every kind of question is answered; all parts see the same kind of snapshot.
struct View {
    std::unique_ptr<store::FactReader> facts;
    std::unique_ptr<store::CubeReader> cube;
    std::unique_ptr<store::AttributionReader> attribution;
};

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

// A clock that is frozen in the past reports on finished data: nothing has to settle.
ingest::SyncPolicy policyFor(const model::SourceSettings &source, const base::Clock &clock)
{
    ingest::SyncPolicy policy;
    policy.firstSync = source.firstSync;
    const base::Seconds behind = base::SystemClock().now() - clock.now();
    if (behind > 2 * policy.settle)
        policy.settle = base::Seconds{0};
    return policy;
}

SyncReport reportOf(const model::SourceSettings &source, ingest::Outcome outcome)
{
    SyncReport report;
    report.name = source.name;
    report.kind = source.kind;
    report.range = outcome.range;
    report.accepted = outcome.accepted;
    report.rejected = outcome.rejected;
    report.gaps = outcome.gaps;
    report.bytes = outcome.bytes;
    report.reasons = std::move(outcome.reasons);
    report.warnings = std::move(outcome.warnings);
    report.seconds = outcome.seconds;
    report.error = std::move(outcome.error);
    return report;
}

template <typename Things> std::int64_t inCluster(const Things &things, const std::string &cluster)
{
    return std::count_if(things.begin(), things.end(), [&](const auto &thing) { return thing.cluster == cluster; });
}

// Of the sources that take expressions: the only source, the one that names this cluster, else the only one whose
// clusters are told by a label.
const model::SourceSettings *expressionSourceOf(const std::vector<model::SourceSettings> &sources,
                                                const std::vector<ports::SourceKind> &kinds, const std::string &cluster)
{
    const auto takes = [&](const model::SourceSettings &s) {
        return s.mayRead && std::any_of(kinds.begin(), kinds.end(), [&](const ports::SourceKind &kind) {
                   return kind.kind == s.kind && kind.takesExpressions;
               });
    };
    if (sources.size() == 1)
        return takes(sources.front()) ? &sources.front() : nullptr;
    const model::SourceSettings *labelled = nullptr;
    int count = 0;
    for (const model::SourceSettings &s : sources) {
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
    return std::unique_ptr<Workspace>(new Workspace(std::move(d)));
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
        auto survey = inUse.ledger->survey(**facts, range, std::move(cuts), std::move(stop));
        GPULEDGER_TRY(survey);
        found = {&inUse, *generation, range, std::move(*survey)};
        const std::lock_guard lock(surveyMutex);
        surveyed = found;
    }
    ledger::RulePreview preview = found.survey->preview(rules, owners);
    preview.currency = inUse.settings.currency;
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

Result<std::vector<SyncReport>> Workspace::sync(const std::optional<std::string> &source, std::stop_token stop,
                                                const ProgressFn &progress)
{
    const std::lock_guard lock(d->syncMutex);
    const Setup &setup = d->setup();
    std::vector<const model::SourceSettings *> wanted;
    for (const model::SourceSettings &s : setup.settings.sources) {
        if ((!source || s.name == *source) && s.mayRead)
            wanted.push_back(&s);
    }
    if (wanted.empty() && source)
        return base::fail(base::ErrorCode::NotFound, "no source named \"" + *source + '"',
                          "see the sources with: sources list");
    std::vector<SyncReport> reports(wanted.size());
    std::mutex progressMutex;
    std::atomic<std::size_t> next{0};
    const auto worker = [&] {
        for (std::size_t i = next++; i < wanted.size(); i = next++) {
            const model::SourceSettings &s = *wanted[i];
            auto connector = d->source(s);
            if (!connector) {
                reports[i].name = s.name;
                reports[i].kind = s.kind;
                reports[i].error = std::move(connector).error().withSource(s.name);
                continue;
            }
            const auto passOn = [&](const ingest::Progress &p) {
                const std::lock_guard inner(progressMutex);
                if (progress)
                    progress({s.name, p.range, p.doneTo, p.bytes, p.buckets, p.bucketsPerSecond, p.secondsLeft});
            };
            reports[i] = reportOf(s,
                                  ingest::syncSource(**connector, *d->cache, setup.ledger->rollup(),
                                                     policyFor(s, d->clock), d->clock, stop, passOn));
        }
    };
    {
        std::vector<std::jthread> pool;
        const std::size_t threads = std::min<std::size_t>(kParallelSources, wanted.size());
        for (std::size_t t = 1; t < threads; ++t)
            pool.emplace_back(worker);
        worker();
    }
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "cancelled");
    return reports;
}

Result<insight::Summary> Workspace::summary(const insight::Query &query, const insight::Dimension &by)
{
    const Setup &setup = d->setup();
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::summarize(*view->cube, *view->attribution, query, by, setup.settings.currency);
}

Result<insight::Overview> Workspace::overview(const insight::OverviewQuery &query)
{
    const Setup &setup = d->setup();
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::overview(*view->cube, *view->attribution, query, setup.settings.currency);
}

Result<insight::Heatmap> Workspace::heatmap(const insight::HeatmapQuery &query, const std::stop_token &stop)
{
    const Setup &setup = d->setup();
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    return insight::heatmap(*view->cube, *view->attribution, query, setup.settings.currency, stop);
}

Result<insight::IdleList> Workspace::idle(base::UtcTime at, const insight::Filter &filter)
{
    const Setup &setup = d->setup();
    auto view = viewOf(*d->cache, *setup.ledger);
    GPULEDGER_TRY(view);
    const auto covered = view->facts->coveredRange();
    GPULEDGER_TRY(covered);
    // Nothing is known behind the last sync; what holds then is told with that time.
    return insight::idleAt(*view->attribution, covered->empty() ? at : std::min(at, covered->end), filter,
                           setup.settings.idle, setup.settings.currency);
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
    auto view = viewOf(*d->cache, *d->setup().ledger);
    GPULEDGER_TRY(view);
    return insight::deviceDetails(*view->facts, *view->attribution, query);
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
        return base::fail(base::ErrorCode::Unsupported, "no source answers expressions about this device",
                          "connect the Prometheus that its exporter reports to");
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
    return d->cache->verify(d->setup().ledger->rollup());
}

Result<std::vector<SourceStatus>> Workspace::sources()
{
    auto states = d->cache->syncStates();
    GPULEDGER_TRY(states);
    std::vector<SourceStatus> out;
    auto facts = d->cache->facts();
    GPULEDGER_TRY(facts);
    const auto devices = (*facts)->devices();
    GPULEDGER_TRY(devices);
    const auto nodes = (*facts)->nodes();
    GPULEDGER_TRY(nodes);
    for (const model::SourceSettings &s : d->setup().settings.sources) {
        SourceStatus status;
        status.settings = s;
        status.state.source = s.name;
        for (const store::SyncState &state : *states) {
            if (state.source == s.name)
                status.state = state;
        }
        if (!status.state.covered.empty())
            status.lag = std::max(base::Seconds{0}, base::Seconds{d->clock.now() - status.state.covered.end});
        const std::string &cluster = s.cluster.empty() ? s.name : s.cluster;
        if (d->setup().settings.sources.size() == 1) {
            status.devices = static_cast<std::int64_t>(devices->size());
            status.nodes = static_cast<std::int64_t>(nodes->size());
        } else if (const auto count = inCluster(*devices, cluster); count > 0) {
            status.devices = count;
            status.nodes = inCluster(*nodes, cluster);
        }
        out.push_back(std::move(status));
    }
    return out;
}

Result<ports::ProbeReport> Workspace::testSource(const std::string &name, std::stop_token stop)
{
    for (const model::SourceSettings &s : d->setup().settings.sources) {
        if (s.name == name)
            return testSource(s, std::move(stop));
    }
    return base::fail(base::ErrorCode::NotFound, "no source named \"" + name + '"',
                      "see the sources with: sources list");
}

Result<ports::ProbeReport> Workspace::testSource(const model::SourceSettings &source, std::stop_token stop)
{
    auto connector = d->source(source);
    if (!connector)
        return base::fail(std::move(connector).error().withSource(source.name));
    auto report = (*connector)->probe(std::move(stop));
    if (!report)
        return base::fail(std::move(report).error().withSource(source.name));
    return report;
}

std::vector<ports::SourceKind> Workspace::sourceKinds() const
{
    return d->catalog.kinds();
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

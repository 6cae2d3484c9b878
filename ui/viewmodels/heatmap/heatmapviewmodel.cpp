// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"

#include "app/services/config/linktemplate.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/heatmap/heatmapmatrix.h"
#include "ui/viewmodels/shell/askablerange.h"

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using insight::Bins;
using insight::Dimension;
using insight::Metric;
using Answer = LatestQuery<HeatmapSnapshot>::Answer;

namespace {

// Drilling down selects one value; a filter on the same dimension that excludes it leaves nothing.
void narrow(insight::Filter &filter, const HeatmapViewModel::Crumb &crumb)
{
    const bool admitted = filter.matches(crumb.dimension, crumb.key);
    filter.include[crumb.dimension] = admitted ? std::vector{crumb.key} : std::vector<std::string>{};
}

// Splits "namespace/Kind/name" into its parts; anything without a namespace has none.
void setWorkload(services::LinkValues &values, const std::string &name)
{
    const std::size_t first = name.find('/'), last = name.rfind('/');
    values.nameSpace = first == last ? std::string() : name.substr(0, first);
    values.workload = last == std::string::npos ? name : name.substr(last + 1);
}

void setValue(services::LinkValues &values, const Dimension &dimension, const std::string &key)
{
    if (dimension == Dimension::Team)
        values.team = key;
    else if (dimension == Dimension::Cluster)
        values.cluster = key;
    else if (dimension == Dimension::Workload)
        setWorkload(values, key);
    else if (dimension == Dimension::Node)
        values.node = key;
    else if (dimension == Dimension::Device)
        values.device = key;
}

// The time of a column; the whole range if a column is not a single stretch of time.
base::TimeRange timeOf(const insight::Heatmap &heatmap, std::size_t column, const base::TimeZone &zone)
{
    const auto start = column < heatmap.bins.size() ? base::parseTime(heatmap.bins[column])
                                                    : base::Result<base::UtcTime>(heatmap.range.start);
    if (!start || column >= heatmap.bins.size())
        return heatmap.range;
    base::TimeRange time = heatmap.range;
    if (heatmap.binning == Bins::Hour)
        time = {*start, *start + base::Seconds{3600}};
    else if (heatmap.binning == Bins::Day)
        time = {zone.startOfLocalDay(base::dayOf(*start).number), zone.startOfLocalDay(base::dayOf(*start).number + 1)};
    return time.intersect(heatmap.range);
}

// Time that was not fetched cannot be proved: neither the part that was observed nor a cell that consists of such time.
bool isProvable(const insight::Heatmap &heatmap, const std::string &key, std::size_t column, Metric metric)
{
    const auto row = std::find_if(heatmap.rows.begin(), heatmap.rows.end(),
                                  [&](const insight::HeatmapRow &one) { return one.key == key; });
    if (row == heatmap.rows.end() || column >= row->cells.size())
        return true;
    const insight::HeatmapCell &cell = row->cells[column];
    return cell.notSyncedHours <= 0 || (metric != Metric::Coverage && cell.paidHours > 0);
}

QString sourceLine(const services::ConfigService &config, base::TimeRange covered)
{
    std::vector<std::string> names;
    for (const model::SourceSettings &source : config.settings().sources)
        names.push_back(source.name);
    return LocalText::sourceLine(names, config.clock().now() - covered.end);
}

struct Wanted { // besides the query
    TimeChoice time;
    ShareRange range;
    bool withAllocation;
};

Answer ask(const services::ConfigService &config, services::FleetService &fleet, insight::HeatmapQuery query,
           const Wanted &wanted, const std::stop_token &stop)
{
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<HeatmapSnapshot>();
    snapshot->covered = *covered;
    if (covered->empty())
        return snapshot;
    const QString source = sourceLine(config, *covered);
    query.query.range = wanted.time.resolve(askableRange(config, *covered), query.zone);
    if (query.query.range.empty())
        return snapshot;
    auto heatmap = fleet.heatmap(query, stop);
    GPULEDGER_TRY(heatmap);
    snapshot->heatmap = std::make_shared<const insight::Heatmap>(std::move(*heatmap));
    snapshot->matrix = heatmapMatrix(snapshot->heatmap, query.by, wanted.range);
    snapshot->matrix.source = source;
    if (wanted.withAllocation) {
        query.metric = insight::Metric::Allocation;
        auto allocation = fleet.heatmap(query, stop);
        GPULEDGER_TRY(allocation);
        snapshot->allocation = std::make_shared<const insight::Heatmap>(std::move(*allocation));
        snapshot->allocationMatrix = heatmapMatrix(snapshot->allocation, query.by, wanted.range);
        snapshot->allocationMatrix.source = source;
    }
    return snapshot;
}

} // namespace

HeatmapViewModel::HeatmapViewModel(const services::ConfigService &config, services::FleetService &fleet,
                                   TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_fleet(fleet)
    , m_asker(tasks, this, [this] { take(); })
    , m_detail(tasks, this, [this] { Q_EMIT detailChanged(); })
{
}

void HeatmapViewModel::setMetric(insight::Metric metric)
{
    if (m_metric == metric)
        return;
    m_metric = metric;
    if (!hasViews())
        m_view = View::Compute;
    choose();
}

void HeatmapViewModel::setRange(ShareRange range)
{
    if (m_range == range)
        return;
    m_range = range;
    choose();
}

void HeatmapViewModel::setBins(insight::Bins bins)
{
    if (m_bins == bins)
        return;
    m_bins = bins;
    choose();
}

void HeatmapViewModel::setView(View view)
{
    if (m_view == view || !hasViews())
        return;
    m_view = view;
    if (view != View::Compute && m_path.empty() && m_skipped == 0 && m_root == Dimension::Team)
        m_root = Dimension::GpuModel;
    choose();
}

void HeatmapViewModel::setScope(const Scope &scope)
{
    if (m_scope == scope)
        return;
    m_scope = scope;
    refresh();
}

void HeatmapViewModel::choose()
{
    Q_EMIT choiceChanged();
    refresh();
}

insight::HeatmapQuery HeatmapViewModel::query() const
{
    insight::HeatmapQuery query;
    query.by = dimension();
    query.bins = m_bins;
    query.metric = m_view == View::Allocation ? Metric::Allocation : m_metric;
    query.zone = m_config.timeZone();
    query.query.filter = m_scope.filter;
    query.query.cost = m_scope.cost;
    for (const Crumb &crumb : m_path)
        narrow(query.query.filter, crumb);
    return query;
}

base::Currency HeatmapViewModel::currency() const
{
    return m_config.settings().currency;
}

void HeatmapViewModel::refresh()
{
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    const Wanted wanted{m_scope.time, m_range, m_view == View::Both};
    m_asker.ask([config = &m_config, fleet = &m_fleet, query = query(), wanted](const std::stop_token &stop) {
        return ask(*config, *fleet, query, wanted, stop);
    });
    Q_EMIT askingChanged();
}

void HeatmapViewModel::take()
{
    m_state = error()                                               ? PageState::Error
        : snapshot()->covered.empty()                               ? PageState::FirstRun
        : !snapshot()->heatmap || snapshot()->heatmap->rows.empty() ? PageState::Empty
                                                                    : PageState::Data;
    if (!error())
        m_explained.clear(); // it belongs to other data
    Q_EMIT askingChanged();
    Q_EMIT changed();
}

insight::HeatmapQuery HeatmapViewModel::behind(const std::string &key) const
{
    insight::HeatmapQuery behind = query();
    narrow(behind.query.filter, {dimension(), key});
    behind.by = levels()[level() + 1];
    return behind;
}

bool HeatmapViewModel::isUnallocated(const std::string &key) const
{
    const auto shown = snapshot() ? snapshot()->heatmap : nullptr;
    if (!shown)
        return false;
    const HeatmapValues values(shown, dimension());
    return std::any_of(shown->rows.begin(), shown->rows.end(),
                       [&](const insight::HeatmapRow &row) { return row.key == key && values.isUnallocated(row); });
}

Scope HeatmapViewModel::scopeOf(const std::string &key) const
{
    Scope scope = m_scope;
    for (const Crumb &crumb : m_path)
        narrow(scope.filter, crumb);
    narrow(scope.filter, {dimension(), key});
    return scope;
}

std::optional<insight::Figure> HeatmapViewModel::figure(const std::string &key, std::size_t column, Metric metric) const
{
    const auto shown = snapshot() ? snapshot()->heatmap : nullptr;
    if (!shown || m_state != PageState::Data || isAsking() || shown->binning == Bins::FiveMinutes
        || column >= shown->bins.size())
        return std::nullopt;
    if (!isProvable(*shown, key, column, metric))
        return std::nullopt;
    insight::HeatmapQuery cell = query();
    cell.metric = metric;
    return insight::heatmapFigure(cell, shown->range, key, shown->bins[column]);
}

std::optional<insight::Figure> HeatmapViewModel::detailFigure(const std::string &key, std::size_t column,
                                                              Metric metric) const
{
    const auto shown = detail();
    if (!shown || isAsking() || column >= shown->heatmap.bins.size()
        || !isProvable(shown->heatmap, key, column, metric))
        return std::nullopt;
    insight::HeatmapQuery cell = behind(shown->key);
    cell.metric = metric;
    return insight::heatmapFigure(cell, shown->heatmap.range, key, shown->heatmap.bins[column]);
}

void HeatmapViewModel::explain(const std::string &key)
{
    if (m_explained == key || !hasDetail() || !snapshot() || !snapshot()->heatmap || snapshot()->heatmap->rows.empty())
        return;
    m_explained = key;
    insight::HeatmapQuery behind = this->behind(key);
    if (isMoneyMetric(behind.metric) || behind.metric == Metric::Allocation)
        behind.metric = Metric::Utilization; // cost and held time are shown beside it
    m_detail.ask([fleet = &m_fleet, behind, key,
                  shown = snapshot()](const std::stop_token &stop) mutable -> LatestQuery<HeatmapDetail>::Answer {
        behind.query.range = shown->heatmap->range;
        auto heatmap = fleet->heatmap(behind, stop);
        GPULEDGER_TRY(heatmap);
        auto detail = std::make_shared<HeatmapDetail>();
        detail->key = key;
        detail->by = behind.by;
        detail->heatmap = std::move(*heatmap);
        detail->source = shown->matrix.source;
        return detail;
    });
}

std::optional<QUrl> HeatmapViewModel::grafanaLink(const std::string &key, std::size_t column) const
{
    const std::string &link = m_config.settings().links.grafana;
    if (link.empty() || m_state != PageState::Data)
        return std::nullopt;
    services::LinkValues values;
    for (const Crumb &crumb : m_path)
        setValue(values, crumb.dimension, crumb.key);
    setValue(values, dimension(), key);
    if (const auto cluster = m_scope.filter.include.find(Dimension::Cluster);
        cluster != m_scope.filter.include.end() && cluster->second.size() == 1)
        values.cluster = cluster->second.front();
    values.range = timeOf(*snapshot()->heatmap, column, m_config.timeZone());
    return QUrl(QString::fromStdString(services::linkFor(link, values)), QUrl::StrictMode);
}

std::shared_ptr<const HeatmapDetail> HeatmapViewModel::detail() const
{
    const auto &detail = m_detail.snapshot();
    return detail && detail->key == m_explained && !m_detail.isAsking() ? detail : nullptr;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"

#include "app/services/config/linktemplate.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/format/localtext.h"
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

constexpr std::array<Dimension::Kind, 4> kDrill{Dimension::Team, Dimension::Workload, Dimension::Node,
                                                Dimension::Device};

constexpr std::array<const char *, 3> kViews{"compute", "allocation", "both"}; // in the order of View

QString keyOf(std::string_view name)
{
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

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

QString sourceLine(const services::Workspace &workspace, base::TimeRange covered)
{
    std::vector<std::string> names;
    for (const model::SourceSettings &source : workspace.settings().sources)
        names.push_back(source.name);
    return LocalText::sourceLine(names, workspace.clock().now() - covered.end);
}

Answer ask(services::Workspace &workspace, insight::HeatmapQuery query, const TimeChoice &time, bool withAllocation,
           const std::stop_token &stop)
{
    const auto covered = workspace.fleet().coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<HeatmapSnapshot>();
    snapshot->covered = *covered;
    if (covered->empty())
        return snapshot;
    const QString source = sourceLine(workspace, *covered);
    query.query.range = time.resolve(askableRange(workspace, *covered), query.zone);
    if (query.query.range.empty())
        return snapshot;
    auto heatmap = workspace.fleet().heatmap(query, stop);
    GPULEDGER_TRY(heatmap);
    snapshot->heatmap = std::make_shared<const insight::Heatmap>(std::move(*heatmap));
    snapshot->matrix = heatmapMatrix(snapshot->heatmap, query.by);
    snapshot->matrix.source = source;
    if (withAllocation) {
        query.metric = insight::Metric::Allocation;
        auto allocation = workspace.fleet().heatmap(query, stop);
        GPULEDGER_TRY(allocation);
        snapshot->allocation = std::make_shared<const insight::Heatmap>(std::move(*allocation));
        snapshot->allocationMatrix = heatmapMatrix(snapshot->allocation, query.by);
        snapshot->allocationMatrix.source = source;
    }
    return snapshot;
}

} // namespace

HeatmapViewModel::HeatmapViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_asker(tasks, this, [this] { take(); })
    , m_detail(tasks, this, [this] { Q_EMIT detailChanged(); })
{
}

Dimension HeatmapViewModel::dimension() const
{
    return kDrill[level()];
}

bool HeatmapViewModel::canDrill() const
{
    return level() + 1 < kDrill.size();
}

std::size_t HeatmapViewModel::firstLevel() const
{
    if (m_path.empty())
        return 0;
    const auto last = std::find(kDrill.begin(), kDrill.end(), m_path.back().dimension);
    return static_cast<std::size_t>(last - kDrill.begin()) + 1;
}

std::size_t HeatmapViewModel::level() const
{
    return std::min(firstLevel() + m_skipped, kDrill.size() - 1);
}

std::vector<Dimension> HeatmapViewModel::dimensions() const
{
    return {kDrill.begin() + static_cast<std::ptrdiff_t>(firstLevel()), kDrill.end()};
}

void HeatmapViewModel::setDimension(const Dimension &dimension)
{
    const auto wanted = static_cast<std::size_t>(std::find(kDrill.begin(), kDrill.end(), dimension) - kDrill.begin());
    if (wanted == kDrill.size() || wanted < firstLevel() || wanted == level())
        return;
    m_skipped = wanted - firstLevel();
    choose();
}

void HeatmapViewModel::setMetric(insight::Metric metric)
{
    if (m_metric == metric)
        return;
    m_metric = metric;
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
    if (m_view == view)
        return;
    m_view = view;
    choose();
}

void HeatmapViewModel::setScope(const Scope &scope)
{
    if (m_scope == scope)
        return;
    m_scope = scope;
    refresh();
}

QUrlQuery HeatmapViewModel::place() const
{
    QUrlQuery place;
    const auto add = [&](std::string_view key, const QString &value) {
        place.addQueryItem(keyOf(key), QString::fromLatin1(QUrl::toPercentEncoding(value)));
    };
    for (const Crumb &crumb : m_path)
        add(insight::toString(crumb.dimension), QString::fromStdString(crumb.key));
    if (m_skipped > 0)
        add("rows", keyOf(insight::toString(dimension())));
    add("metric", keyOf(insight::toString(m_metric)));
    add("bins", keyOf(insight::toString(m_bins)));
    add("view", QString::fromLatin1(kViews[static_cast<std::size_t>(m_view)]));
    return place;
}

void HeatmapViewModel::restore(const QUrlQuery &place)
{
    if (place == this->place())
        return;
    const auto value = [&](const char *key) {
        return place.queryItemValue(QString::fromLatin1(key), QUrl::FullyDecoded).toStdString();
    };
    m_path.clear();
    m_skipped = 0;
    for (const auto &item : place.queryItems(QUrl::FullyDecoded)) {
        const auto level = std::find_if(kDrill.begin() + static_cast<std::ptrdiff_t>(firstLevel()), kDrill.end() - 1,
                                        [&](const Dimension &d) { return keyOf(insight::toString(d)) == item.first; });
        if (canDrill() && level != kDrill.end() - 1)
            m_path.push_back({*level, item.second.toStdString()});
    }
    const auto rows = insight::dimensionFromString(value("rows"));
    const auto row = std::find(kDrill.begin() + static_cast<std::ptrdiff_t>(firstLevel()), kDrill.end(),
                               rows.value_or(Dimension::Cluster)); // not a valid dimension of rows
    if (row != kDrill.end())
        m_skipped = static_cast<std::size_t>(row - kDrill.begin()) - firstLevel();
    m_metric = insight::metricFromString(value("metric")).value_or(Metric::Utilization);
    m_bins = insight::binsFromString(value("bins")).value_or(Bins::HourOfWeek);
    const auto view = std::find(kViews.begin(), kViews.end(), value("view"));
    m_view = view == kViews.end() ? View::Compute : static_cast<View>(view - kViews.begin());
    choose();
}

void HeatmapViewModel::drill(const std::string &key)
{
    if (!canDrill())
        return;
    m_path.push_back({dimension(), key});
    m_skipped = 0;
    choose();
}

void HeatmapViewModel::drill(const std::string &key, const std::string &behind)
{
    if (!canDrill())
        return;
    m_path.push_back({dimension(), key});
    m_skipped = 0;
    if (canDrill())
        m_path.push_back({dimension(), behind});
    choose();
}

void HeatmapViewModel::climb(int depth)
{
    if (depth < 0 || static_cast<std::size_t>(depth) >= m_path.size())
        return;
    m_path.resize(static_cast<std::size_t>(depth));
    m_skipped = 0;
    choose();
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
    query.zone = m_workspace.timeZone();
    query.query.filter = m_scope.filter;
    for (const Crumb &crumb : m_path)
        narrow(query.query.filter, crumb);
    return query;
}

void HeatmapViewModel::refresh()
{
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    m_asker.ask([workspace = &m_workspace, query = query(), time = m_scope.time, both = m_view == View::Both](
                    const std::stop_token &stop) { return ask(*workspace, query, time, both, stop); });
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
    behind.by = kDrill[level() + 1];
    return behind;
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
    if (behind.metric == Metric::IdleCost || behind.metric == Metric::Cost || behind.metric == Metric::Allocation)
        behind.metric = Metric::Utilization; // cost and held time are shown beside it
    m_detail.ask([workspace = &m_workspace, behind, key,
                  shown = snapshot()](const std::stop_token &stop) mutable -> LatestQuery<HeatmapDetail>::Answer {
        behind.query.range = shown->heatmap->range;
        auto heatmap = workspace->fleet().heatmap(behind, stop);
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
    const std::string &link = m_workspace.settings().links.grafana;
    if (link.empty() || m_state != PageState::Data)
        return std::nullopt;
    services::LinkValues values;
    for (const Crumb &crumb : m_path)
        setValue(values, crumb.dimension, crumb.key);
    setValue(values, dimension(), key);
    if (const auto cluster = m_scope.filter.include.find(Dimension::Cluster);
        cluster != m_scope.filter.include.end() && cluster->second.size() == 1)
        values.cluster = cluster->second.front();
    values.range = timeOf(*snapshot()->heatmap, column, m_workspace.timeZone());
    return QUrl(QString::fromStdString(services::linkFor(link, values)), QUrl::StrictMode);
}

std::shared_ptr<const HeatmapDetail> HeatmapViewModel::detail() const
{
    const auto &detail = m_detail.snapshot();
    return detail && detail->key == m_explained && !m_detail.isAsking() ? detail : nullptr;
}

} // namespace gpuledger::ui

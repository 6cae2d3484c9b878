// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/proof/figure.h"
#include "ui/viewmodels/heatmap/heatmapmatrix.h"
#include "ui/viewmodels/heatmap/heatmapvalues.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"
#include "widgets/heatmap/heatmapdata.h"

#include <QObject>
#include <QString>
#include <QUrl>
#include <QVector>

#include <array>
#include <memory>
#include <optional>

namespace gpuledger::services {
class ConfigService;
class FleetService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// One state of the page; immutable, shared with whatever paints it.
struct HeatmapSnapshot {
    std::shared_ptr<const insight::Heatmap> heatmap; // the chosen metric; null before the first sync
    std::shared_ptr<const insight::Heatmap> allocation; // in addition, if both are shown
    widgets::HeatmapData matrix, allocationMatrix; // the same in the widget's form
    base::TimeRange covered;
};

// The detail of one row: the same bins, one level deeper. Immutable.
struct HeatmapDetail {
    std::string key; // of the row
    insight::Dimension by; // of the detail's rows
    insight::Heatmap heatmap; // for the page's metric, or utilization if that is a cost
    QString source; // the source of the figures and their age
};

// State and commands of the Heatmap page. GUI thread; queries on worker threads and drops stale answers.
class HeatmapViewModel : public QObject {
    Q_OBJECT
public:
    enum class View { Compute, Allocation, Both };
    struct Crumb {
        insight::Dimension dimension;
        std::string key;
        friend bool operator==(const Crumb &, const Crumb &) = default;
    };

    // All must outlive it.
    HeatmapViewModel(const services::ConfigService &config, services::FleetService &fleet, TaskRunner &tasks,
                     QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const HeatmapSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking(); } // while true, the data shown may answer an older query
    insight::Metric metric() const { return m_metric; }
    insight::Bins bins() const { return m_bins; }
    View view() const { return m_view; }
    const Scope &scope() const { return m_scope; }
    insight::Dimension dimension() const; // of the rows
    // The possible dimensions of the rows: the next level of the path and all below it. At the top, all those that a
    // drill-down can start with.
    std::vector<insight::Dimension> dimensions() const;
    const insight::Dimension &root() const { return m_root; } // of the drill-down
    ShareRange range() const { return m_range; }
    // Money has no allocation and no compute: there is nothing to choose from.
    bool hasViews() const { return !isMoneyMetric(m_metric); }
    const std::vector<Crumb> &path() const { return m_path; }
    bool canDrill() const;
    // Cells of five minutes provide only their value, so nothing is queried about them.
    bool hasDetail() const { return canDrill() && m_bins != insight::Bins::FiveMinutes; }
    base::Currency currency() const;

    void setMetric(insight::Metric metric);
    void setBins(insight::Bins bins);
    // Jumps to rows of a lower level, e.g. all devices, or starts the drill-down with another dimension; ignored if it
    // is not one of dimensions().
    void setDimension(const insight::Dimension &dimension);
    // Ignored for money. What a team holds is allocated by definition, so allocation starts with GPU models.
    void setView(View view);
    void setRange(ShareRange range); // of the colours of percentages
    // The scope of all pages; a drilled-down row narrows it further.
    void setScope(const Scope &scope);
    // Opens a row: team (or another dimension to start with), then workload, then node, then device.
    void drill(const std::string &key);
    // Two levels at once: a row of the detail strip.
    void drill(const std::string &key, const std::string &behind);
    // Queries what is behind a row, for the strip below the matrix; devices have nothing behind them.
    void explain(const std::string &key);
    // For the last explained row and the data shown; null until it is available.
    std::shared_ptr<const HeatmapDetail> detail() const;
    const std::optional<base::Error> &detailError() const { return m_detail.error(); }
    // The Grafana address for a cell of the data shown: for its day or hour if the columns are days or hours, otherwise
    // for the whole range. std::nullopt without a template.
    std::optional<QUrl> grafanaLink(const std::string &key, std::size_t column) const;
    // The figure in a cell of the data shown, for its proof: the value of the metric, or of `metric` if given.
    // std::nullopt for cells of five minutes, and while other data are being queried.
    std::optional<insight::Figure> figure(const std::string &key, std::size_t column, insight::Metric metric) const;
    // The same for a row of the detail.
    std::optional<insight::Figure> detailFigure(const std::string &key, std::size_t column,
                                                insight::Metric metric) const;
    // Goes back to the first `depth` levels of the path.
    void climb(int depth);
    // Whether a row of the data shown is time that nothing held.
    bool isUnallocated(const std::string &key) const;
    // The same filter narrowed to the path and a row, for other pages.
    Scope scopeOf(const std::string &key) const;
    // Path, metric, bins, view and range in a readable form, and back; anything unreadable keeps its default.
    QUrlQuery place() const;
    void restore(const QUrlQuery &place);
    // Queries again; the current data stay visible until the answer arrives.
    void refresh();
    // Hidden pages send no queries; the first query requested while hidden is sent when the page is shown.
    void setActive(bool active)
    {
        m_asker.setActive(active);
        m_detail.setActive(active);
        Q_EMIT askingChanged();
    }

Q_SIGNALS:
    void changed(); // state or snapshot
    void askingChanged();
    void detailChanged();
    void choiceChanged(); // metric, bins, rows, view or path

private:
    void choose();
    void take();
    // In drill-down order: the dimension to start with and those below it.
    std::array<insight::Dimension, 4> levels() const;
    std::size_t level() const; // of the rows, in drill-down order
    std::size_t firstLevel() const; // the first one below the path
    void restorePath(const QUrlQuery &place);
    void restoreRows(const std::string &rows);
    insight::HeatmapQuery query() const;
    insight::HeatmapQuery behind(const std::string &key) const; // the query for the detail of a row

    const services::ConfigService &m_config;
    services::FleetService &m_fleet;
    LatestQuery<HeatmapSnapshot> m_asker;
    LatestQuery<HeatmapDetail> m_detail;
    std::string m_explained; // the row whose detail is requested
    PageState m_state = PageState::Loading;
    insight::Metric m_metric = insight::Metric::IdleCost;
    insight::Bins m_bins = insight::Bins::HourOfWeek;
    View m_view = View::Compute;
    ShareRange m_range = ShareRange::Fitted;
    Scope m_scope;
    insight::Dimension m_root = insight::Dimension::Team;
    std::vector<Crumb> m_path;
    std::size_t m_skipped = 0; // levels between the path and the rows
};

} // namespace gpuledger::ui

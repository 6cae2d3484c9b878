// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/heatmap/heatmap.h"
#include "app/insight/proof/figure.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/shell/scope.h"
#include "widgets/heatmap/heatmapdata.h"

#include <QObject>
#include <QString>
#include <QUrl>
#include <QVector>

#include <memory>
#include <optional>

namespace gpuledger::ui {

// One state of the page; immutable, shared with whoever paints it.
struct HeatmapSnapshot {
    std::shared_ptr<const insight::Heatmap> heatmap; // the chosen metric; null before the first sync
    std::shared_ptr<const insight::Heatmap> allocation; // beside it, when both are shown
    widgets::HeatmapData matrix, allocationMatrix; // the same as they are painted
    base::TimeRange covered;
};

// What stands behind one row: the same bins, one level deeper. Immutable.
struct HeatmapDetail {
    std::string key; // of the row
    insight::Dimension by; // of the detail's rows
    insight::Heatmap heatmap; // of the metric that the page shows, else utilization where that is money
    QString source; // where the figures are from and how old they are
};

// State and commands of the Heatmap page. GUI thread; asks the workspace on workers and drops late answers.
class HeatmapViewModel : public QObject {
    Q_OBJECT
public:
    enum class View { Compute, Allocation, Both };
    struct Crumb {
        insight::Dimension dimension;
        std::string key;
        friend bool operator==(const Crumb &, const Crumb &) = default;
    };

    // Both must outlive it.
    HeatmapViewModel(services::Workspace &workspace, TaskRunner &tasks, QObject *parent = nullptr);

    PageState state() const { return m_state; }
    const std::optional<base::Error> &error() const { return m_asker.error(); }
    std::shared_ptr<const HeatmapSnapshot> snapshot() const { return m_asker.snapshot(); }
    bool isAsking() const { return m_asker.isAsking(); } // what is shown may answer an older question
    insight::Metric metric() const { return m_metric; }
    insight::Bins bins() const { return m_bins; }
    View view() const { return m_view; }
    const Scope &scope() const { return m_scope; }
    insight::Dimension dimension() const; // of the rows
    // What the rows can be here: the next level of the path and all below it.
    std::vector<insight::Dimension> dimensions() const;
    const std::vector<Crumb> &path() const { return m_path; }
    bool canDrill() const;
    // Cells of five minutes tell their value alone, so nothing is asked about them.
    bool hasDetail() const { return canDrill() && m_bins != insight::Bins::FiveMinutes; }
    base::Currency currency() const { return m_workspace.settings().currency; }

    void setMetric(insight::Metric metric);
    void setBins(insight::Bins bins);
    // Rows of a lower level at once, e.g. all devices; does nothing where dimensions() has no such one.
    void setDimension(const insight::Dimension &dimension);
    void setView(View view);
    // Of all pages; a drilled-down row narrows it further.
    void setScope(const Scope &scope);
    // Opens what stands behind a row: team, then workload, then node, then device.
    void drill(const std::string &key);
    // Two steps at once: a row of the strip.
    void drill(const std::string &key, const std::string &behind);
    // Asks for what stands behind a row, for the strip below the matrix; nothing behind devices.
    void explain(const std::string &key);
    // Of the row that was asked for last and of the data shown; null until it is there.
    std::shared_ptr<const HeatmapDetail> detail() const;
    const std::optional<base::Error> &detailError() const { return m_detail.error(); }
    // The address of what a cell of the data shown is about, in Grafana: a day or an hour where columns are such, else
    // the whole range. Nothing without a template.
    std::optional<QUrl> grafanaLink(const std::string &key, std::size_t column) const;
    // What a cell of the data shown is, for its proof: the value of the metric, which `metric` replaces. Nothing for
    // cells of five minutes, and while other data are asked for.
    std::optional<insight::Figure> figure(const std::string &key, std::size_t column, insight::Metric metric) const;
    // The same of a row of the detail.
    std::optional<insight::Figure> detailFigure(const std::string &key, std::size_t column,
                                                insight::Metric metric) const;
    // Back to the first `depth` steps of the path.
    void climb(int depth);
    // Path, metric, bins and view in a readable form, and back; what can't be read keeps its default.
    QUrlQuery place() const;
    void restore(const QUrlQuery &place);
    // Asks again, keeping what is shown until the answer is there.
    void refresh();
    // Pages that are hidden ask nothing; the first request while hidden is made when shown.
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
    std::size_t level() const; // of the rows, in the order of drilling down
    std::size_t firstLevel() const; // that the path leaves
    insight::HeatmapQuery query() const;
    insight::HeatmapQuery behind(const std::string &key) const; // a row

    services::Workspace &m_workspace;
    LatestQuery<HeatmapSnapshot> m_asker;
    LatestQuery<HeatmapDetail> m_detail;
    std::string m_explained; // row that the detail is asked for
    PageState m_state = PageState::Loading;
    insight::Metric m_metric = insight::Metric::Utilization;
    insight::Bins m_bins = insight::Bins::HourOfWeek;
    View m_view = View::Compute;
    Scope m_scope;
    std::vector<Crumb> m_path;
    std::size_t m_skipped = 0; // levels between the path and the rows
};

} // namespace gpuledger::ui

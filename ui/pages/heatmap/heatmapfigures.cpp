// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heatmap/heatmapfigures.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/heatmap/heatmapvalues.h"

#include <QCoreApplication>

#include <cmath>

namespace gpuledger::ui {

using insight::Metric;
using widgets::HeatmapData;

namespace {

constexpr char kHeldHours[] = "held-hours"; // no-tr: a measure of cells beside the metrics

struct HeatmapFigures {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::HeatmapPage)
public:
    // A cell that shows the mean of several hours is proved by their sum.
    static QString figureName(Metric metric, insight::Bins bins)
    {
        const bool isSum =
            isMoneyMetric(metric) && (bins == insight::Bins::HourOfWeek || bins == insight::Bins::HourOfDay);
        const QString name = LocalText::metricName(metric);
        return isSum ? tr("%1, sum", "metric").arg(name) : name;
    }
};

} // namespace

QString heatmapCellName(const HeatmapData &matrix, CellPosition at)
{
    const auto &columns = matrix.columnTitles.isEmpty() ? matrix.columns : matrix.columnTitles;
    return HeatmapFigures::tr("%1, %2", "row, column")
        .arg(matrix.rows[static_cast<std::size_t>(at.row)].label, columns.at(at.column));
}

std::vector<Explained> heatmapExplained(const HeatmapViewModel &model, const HeatmapData &matrix, CellPosition at,
                                        Metric shown)
{
    const auto [row, column] = at;
    if (row < 0 || row >= matrix.rowCount() || column < 0 || column >= matrix.columnCount())
        return {};
    const std::string key = matrix.rows[static_cast<std::size_t>(row)].key.toStdString();
    const QString cell = heatmapCellName(matrix, at);
    // In a row of unallocated time, idle cost is nothing; what is shown in its place is a part of the cost.
    const bool isUnallocated = model.isUnallocated(key);
    std::vector<Metric> metrics;
    if (std::isfinite(matrix.value(row, column)))
        metrics.push_back(isUnallocated && shown == Metric::IdleCost ? Metric::Cost : shown);
    for (const Metric metric : {Metric::IdleCost, Metric::Coverage}) {
        if (metric != shown && !(isUnallocated && metric == Metric::IdleCost))
            metrics.push_back(metric);
    }
    std::vector<Explained> out;
    for (const Metric metric : metrics) {
        if (auto figure = model.figure(key, static_cast<std::size_t>(column), metric))
            out.push_back({HeatmapFigures::tr("%1: %2", "metric, cell")
                               .arg(HeatmapFigures::figureName(metric, model.bins()), cell),
                           std::move(*figure)});
    }
    if (auto held = model.figure(key, static_cast<std::size_t>(column), shown)) {
        held->measure = kHeldHours;
        out.push_back({HeatmapFigures::tr("%1: %2", "metric, cell").arg(HeatmapFigures::tr("GPU-hours held"), cell),
                       std::move(*held)});
    }
    return out;
}

std::vector<Explained> heatmapHolderExplained(const HeatmapViewModel &model, const HeatmapData &matrix, int column,
                                              const QString &key)
{
    const auto detail = model.detail();
    if (!detail || column < 0 || column >= matrix.columnCount())
        return {};
    const QString holder = key.isEmpty() ? HeatmapFigures::tr("unallocated") : key;
    const QString when = matrix.columnTitles.value(column, matrix.columns.at(column));
    std::vector<Explained> out;
    const auto add = [&](const QString &name, Metric metric, const char *measure) {
        auto figure = model.detailFigure(key.toStdString(), static_cast<std::size_t>(column), metric);
        if (!figure)
            return;
        if (measure)
            figure->measure = measure;
        out.push_back(
            {HeatmapFigures::tr("%1: %2, %3", "metric, holder, time").arg(name, holder, when), std::move(*figure)});
    };
    add(LocalText::metricName(detail->heatmap.metric), detail->heatmap.metric, nullptr);
    add(HeatmapFigures::tr("GPU-hours held"), detail->heatmap.metric, kHeldHours);
    add(LocalText::metricName(Metric::IdleCost), Metric::IdleCost, nullptr);
    add(LocalText::metricName(Metric::Coverage), Metric::Coverage, nullptr);
    return out;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The half of HeatmapViewModel that knows the path of a drill-down, and links to it.
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"

#include <QUrl>

#include <algorithm>

namespace gpuledger::ui {

using insight::Bins;
using insight::Dimension;
using insight::Metric;

namespace {

// A drill-down starts with one of these and goes on with the others.
constexpr std::array<Dimension::Kind, 4> kRoots{Dimension::Team, Dimension::Cluster, Dimension::GpuModel,
                                                Dimension::WorkloadKind};
constexpr std::array<Dimension::Kind, 3> kBelow{Dimension::Workload, Dimension::Node, Dimension::Device};

constexpr std::array<const char *, 3> kViews{"compute", "allocation", "both"}; // in the order of View
constexpr char kRows[] = "rows"; // no-tr: keys of links
constexpr char kRange[] = "range"; // no-tr
constexpr char kFull[] = "full"; // no-tr

bool isRoot(const Dimension &dimension)
{
    return std::find(kRoots.begin(), kRoots.end(), dimension) != kRoots.end();
}

QString drillKey(std::string_view name)
{
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace

std::array<Dimension, 4> HeatmapViewModel::levels() const
{
    return {m_root, kBelow[0], kBelow[1], kBelow[2]};
}

Dimension HeatmapViewModel::dimension() const
{
    return levels()[level()];
}

bool HeatmapViewModel::canDrill() const
{
    return level() + 1 < levels().size();
}

std::size_t HeatmapViewModel::firstLevel() const
{
    if (m_path.empty())
        return 0;
    const auto below = std::find(kBelow.begin(), kBelow.end(), m_path.back().dimension);
    return below == kBelow.end() ? 1 : static_cast<std::size_t>(below - kBelow.begin()) + 2;
}

std::size_t HeatmapViewModel::level() const
{
    return std::min(firstLevel() + m_skipped, levels().size() - 1);
}

std::vector<Dimension> HeatmapViewModel::dimensions() const
{
    std::vector<Dimension> out;
    if (m_path.empty())
        out.assign(kRoots.begin(), kRoots.end());
    const auto all = levels();
    out.insert(out.end(), all.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(firstLevel(), 1)), all.end());
    return out;
}

void HeatmapViewModel::setDimension(const Dimension &dimension)
{
    const auto possible = dimensions();
    if (dimension == this->dimension() || std::find(possible.begin(), possible.end(), dimension) == possible.end())
        return;
    if (isRoot(dimension))
        m_root = dimension;
    const auto all = levels();
    m_skipped = static_cast<std::size_t>(std::find(all.begin(), all.end(), dimension) - all.begin()) - firstLevel();
    choose();
}

QUrlQuery HeatmapViewModel::place() const
{
    QUrlQuery place;
    const auto add = [&](std::string_view key, const QString &value) {
        place.addQueryItem(drillKey(key), QString::fromLatin1(QUrl::toPercentEncoding(value)));
    };
    for (const Crumb &crumb : m_path)
        add(insight::toString(crumb.dimension), QString::fromStdString(crumb.key));
    if (m_skipped > 0 || (m_path.empty() && m_root != Dimension::Team))
        add(kRows, drillKey(insight::toString(dimension())));
    add("metric", drillKey(insight::toString(m_metric)));
    add("bins", drillKey(insight::toString(m_bins)));
    add("view", QString::fromLatin1(kViews[static_cast<std::size_t>(m_view)]));
    if (m_range == ShareRange::Full)
        add(kRange, QString::fromLatin1(kFull));
    return place;
}

void HeatmapViewModel::restore(const QUrlQuery &place)
{
    if (place == this->place())
        return;
    const auto value = [&](const char *key) {
        return place.queryItemValue(QString::fromLatin1(key), QUrl::FullyDecoded).toStdString();
    };
    restorePath(place);
    restoreRows(value(kRows));
    m_metric = insight::metricFromString(value("metric")).value_or(Metric::IdleCost);
    m_bins = insight::binsFromString(value("bins")).value_or(Bins::HourOfWeek);
    const auto view = std::find(kViews.begin(), kViews.end(), value("view"));
    m_view = view == kViews.end() || !hasViews() ? View::Compute : static_cast<View>(view - kViews.begin());
    m_range = value(kRange) == kFull ? ShareRange::Full : ShareRange::Fitted;
    choose();
}

void HeatmapViewModel::restorePath(const QUrlQuery &place)
{
    m_path.clear();
    m_skipped = 0;
    m_root = Dimension::Team;
    for (const auto &[name, key] : place.queryItems(QUrl::FullyDecoded)) {
        const auto dimension = insight::dimensionFromString(name.toStdString());
        const auto possible = dimensions();
        if (!dimension || *dimension == Dimension::Device || !canDrill()
            || std::find(possible.begin(), possible.end(), *dimension) == possible.end())
            continue;
        if (isRoot(*dimension))
            m_root = *dimension;
        m_path.push_back({*dimension, key.toStdString()});
    }
}

void HeatmapViewModel::restoreRows(const std::string &rows)
{
    const auto dimension = insight::dimensionFromString(rows);
    const auto possible = dimensions();
    if (!dimension || std::find(possible.begin(), possible.end(), *dimension) == possible.end())
        return;
    if (isRoot(*dimension))
        m_root = *dimension;
    const auto all = levels();
    m_skipped = static_cast<std::size_t>(std::find(all.begin(), all.end(), *dimension) - all.begin()) - firstLevel();
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

} // namespace gpuledger::ui

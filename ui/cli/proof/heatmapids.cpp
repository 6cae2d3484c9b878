// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/proof/heatmapids.h"

#include "app/insight/proof/figure.h"

#include <optional>
#include <string_view>

namespace gpuledger::cli {

namespace {

constexpr std::string_view kBinKey = "&bin="; // only found as a key: values have neither sign

// The parameters of an id, which follow its measure.
std::string whereOf(const insight::HeatmapQuery &query, const insight::Heatmap &map, const std::string &key,
                    const std::optional<std::string> &bin)
{
    const std::string text = toString(insight::heatmapFigure(query, map.range, key, bin));
    return text.substr(text.find('?'));
}

std::string idOf(std::string_view measure, const std::string &where)
{
    std::string text(toString(insight::FigureKind::Heatmap));
    return text.append(1, '/').append(measure).append(where);
}

} // namespace

HeatmapIds::HeatmapIds(const insight::Heatmap &map, const insight::HeatmapQuery &query)
    : m_map(map)
    , m_query(query)
{
    const IdText empty = textOf({});
    for (const std::string &bin : map.bins) {
        const std::string where = whereOf(query, map, {}, bin);
        m_bins.push_back(where.substr(empty.before.size(), where.size() - empty.before.size() - empty.after.size()));
    }
}

HeatmapIds::IdText HeatmapIds::textOf(const std::string &key) const
{
    const std::string where = whereOf(m_query, m_map, key, std::string());
    const std::size_t split = where.find(kBinKey) + kBinKey.size();
    return {where.substr(0, split), where.substr(split)};
}

void HeatmapIds::put(Json &cell, const insight::HeatmapCell &of, const std::string &where) const
{
    Json &ids = cell["figures"] = Json::object();
    const bool fetched = of.notSyncedHours <= 0; // time that was not fetched cannot be proved
    if (!fetched && of.paidHours <= 0)
        return;
    if (of.value && (fetched || m_map.metric != insight::Metric::Coverage))
        ids["value"] = idOf(toString(m_query.metric), where);
    ids["held_hours"] = idOf("held-hours", where);
    if (of.observed && fetched)
        ids["observed"] = idOf(toString(insight::Metric::Coverage), where);
}

void HeatmapIds::addTo(Json &json, const insight::HeatmapRow &row) const
{
    if (m_query.query.cost != model::CostView::Effective) // only that can be explained
        return;
    put(json["overall"], row.overall, whereOf(m_query, m_map, row.key, std::nullopt));
    const IdText text = textOf(row.key);
    for (std::size_t b = 0; b < row.cells.size(); ++b)
        put(json["cells"][b], row.cells[b], text.before + m_bins[b] + text.after);
}

} // namespace gpuledger::cli

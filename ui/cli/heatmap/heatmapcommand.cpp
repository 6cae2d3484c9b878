// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/heatmap/heatmapcommand.h"

#include "app/base/text/text.h"
#include "app/insight/overview/summary.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/program/reachprint.h"
#include "ui/cli/proof/heatmapids.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>

namespace gpuledger::cli {

namespace {

using insight::Heatmap;
using insight::HeatmapCell;
using insight::Metric;

constexpr std::size_t kMaxTextColumns = 12;
constexpr char kPartMark = '*'; // after a figure that is only partly known

bool isMoney(Metric metric)
{
    return metric == Metric::IdleCost || metric == Metric::Cost;
}

std::optional<base::Money> moneyOf(const Heatmap &map, const HeatmapCell &cell)
{
    if (!cell.value || !std::isfinite(*cell.value) || std::abs(*cell.value) > 9e9)
        return std::nullopt;
    const std::int64_t nanos = map.metric == Metric::IdleCost
        ? cell.idleCostNanos
        : std::llround(*cell.value * static_cast<double>(base::Money::kNanosPerUnit));
    return base::Money(nanos, map.currency);
}

Json heatmapJson(const Heatmap &map, const HeatmapCell &cell)
{
    Json json;
    json["value"] = isMoney(map.metric) ? cli::toJson(moneyOf(map, cell)) : cli::toJson(cell.value);
    json["held_hours"] = cli::toJson(std::optional(cell.heldHours));
    json["observed"] = cli::toJson(cell.observed);
    json["not_synced_hours"] = cli::toJson(std::optional(cell.notSyncedHours));
    json["known"] = cli::toJson(cell.known);
    json["partial"] = cell.isPartial();
    return json;
}

// Everything but the rows.
Json heatmapJson(const Heatmap &map, const std::string &by, model::CostView view)
{
    Json json;
    json["metric"] = std::string(insight::toString(map.metric));
    json["unit"] = map.unit;
    json["tz"] = map.timeZone;
    json["from"] = cli::toJson(map.range.start);
    json["to"] = cli::toJson(map.range.end);
    json["by"] = by;
    json["cost"] = std::string(model::toString(view));
    json["data"] = cli::toJson(map.reach);
    json["bins"] = map.bins;
    return json;
}

Json heatmapJson(const Heatmap &map, const insight::HeatmapRow &row, const HeatmapIds &ids)
{
    Json json{{"key", row.key}, {"cells", Json::array()}, {"overall", heatmapJson(map, row.overall)}};
    for (const HeatmapCell &cell : row.cells)
        json["cells"].push_back(heatmapJson(map, cell));
    ids.addTo(json, row);
    return json;
}

// `unbilled`: GPU time on no bill, in the billed view of money.
base::Result<void> printJson(Output &out, const Heatmap &map, const insight::HeatmapQuery &query, const std::string &by,
                             std::optional<base::GpuTime> unbilled)
{
    const HeatmapIds ids(map, query);
    const auto row = [&](std::size_t i) { return heatmapJson(map, map.rows[i], ids); };
    Json head = heatmapJson(map, by, query.query.cost);
    if (unbilled)
        head["unpriced_gpu_hours"] = toJson(std::optional(unbilled->hours()));
    return out.print(head, {"rows", map.rows.size(), row});
}

ui::TextTable csvTable(const std::string &by)
{
    return ui::TextTable({{by}, {"bin"}, {"value"}, {"held_hours"}, {"observed"}, {"not_synced_hours"}, {"known"}});
}

// Row by row, so that one of them is in memory at a time.
base::Result<void> printCsv(Output &out, const Heatmap &map, const std::string &by)
{
    const std::string header = csvTable(by).toCsv();
    GPULEDGER_TRY(out.print(header));
    const auto number = [](std::optional<double> v) { return v ? ui::fixed(*v, 9) : std::string(); };
    for (const insight::HeatmapRow &row : map.rows) {
        ui::TextTable table = csvTable(by);
        for (std::size_t i = 0; i < row.cells.size() && i < map.bins.size(); ++i) {
            const HeatmapCell &cell = row.cells[i];
            const auto money = isMoney(map.metric) ? moneyOf(map, cell) : std::nullopt;
            table.add({row.key, map.bins[i], money ? money->toDecimal() : number(cell.value), number(cell.heldHours),
                       number(cell.observed), number(cell.notSyncedHours), number(cell.known)});
        }
        GPULEDGER_TRY(out.print(table.toCsv().substr(header.size())));
    }
    return {};
}

std::string cellText(const Heatmap &map, const HeatmapCell &cell)
{
    const std::string text = !cell.value ? "-"
        : map.unit == "share"            ? ui::fixed(*cell.value * 100, 1)
                                         : ui::fixed(*cell.value, isMoney(map.metric) ? 2 : 1);
    return cell.value && cell.isPartial() ? text + kPartMark : text;
}

bool hasParts(const Heatmap &map, std::size_t shown)
{
    const auto isMarked = [](const HeatmapCell &cell) { return cell.value && cell.isPartial(); };
    return std::any_of(map.rows.begin(), map.rows.begin() + static_cast<std::ptrdiff_t>(shown),
                       [&](const insight::HeatmapRow &row) {
                           return isMarked(row.overall) || std::any_of(row.cells.begin(), row.cells.end(), isMarked);
                       });
}

// Bins go down and rows go across: a week has 168 hours, a terminal 80 columns.
std::string peopleText(const Heatmap &map, model::CostView view, bool bold)
{
    if (!isMoney(map.metric))
        view = model::CostView::Effective; // the view changes money only
    const std::size_t shown = std::min(map.rows.size(), kMaxTextColumns);
    std::vector<ui::TextTable::Column> columns{{"bin"}};
    for (std::size_t k = 0; k < shown; ++k)
        columns.push_back(
            {base::printable(map.rows[k].key.empty() ? "(none)" : map.rows[k].key, 24), ui::TextTable::Align::Right});
    ui::TextTable table(columns);
    for (std::size_t i = 0; i < map.bins.size(); ++i) {
        std::vector<std::string> line{map.bins[i]};
        for (std::size_t k = 0; k < shown; ++k)
            line.push_back(i < map.rows[k].cells.size() ? cellText(map, map.rows[k].cells[i]) : "-");
        table.add(line);
    }
    std::vector<std::string> overall{"overall"};
    for (std::size_t k = 0; k < shown; ++k)
        overall.push_back(cellText(map, map.rows[k].overall));
    table.add(overall);
    std::string text = std::string(insight::toString(map.metric)) + " in "
        + (map.unit == "share" ? "percent" : map.unit) + ", hours of " + map.timeZone + "; - is where nothing was seen"
        + (view == model::CostView::Billed ? " or what is on no bill" : "") + viewText(view) + '\n'
        + table.toText(bold);
    if (hasParts(map, shown))
        text +=
            "* less than 95 % of this time was seen: the rest was not observed, not fetched yet, outside of the range"
            " or is still to come\n";
    if (map.rows.size() > shown)
        text += "and " + std::to_string(map.rows.size() - shown) + " more; --json and --csv have all\n";
    return text;
}

// Tells how much of the time is on no bill, which the cost of a cell leaves out; returns it.
base::Result<base::GpuTime> noteUnbilled(Session &session, services::Workspace &workspace, const insight::Query &query)
{
    const auto summary = workspace.fleet().summary(query, insight::Dimension::Team);
    GPULEDGER_TRY(summary);
    std::string text = unpricedText(summary->total.cost.unpriced, query.cost);
    if (!text.empty()) {
        text.pop_back(); // a note ends its own line
        session.out().note(text);
    }
    return summary->total.cost.unpriced;
}

base::Result<insight::HeatmapQuery> queryOf(const std::string &by, const std::string &bins, const std::string &metric)
{
    const auto wrong = [](const std::string &option, const std::string &given, const std::vector<std::string> &names) {
        return base::fail(base::ErrorCode::InvalidArgument, option + " can't be \"" + base::printable(given, 64) + '"',
                          "it is one of " + joinedNames(names));
    };
    const auto dimension = insight::dimensionFromString(by);
    if (!dimension)
        return wrong("--by", by, rowNames());
    const auto binning = insight::binsFromString(bins);
    if (!binning || *binning == insight::Bins::FiveMinutes) // for a picture only: its cells provide just their value
        return wrong("--bins", bins, binsNames());
    const auto figure = insight::metricFromString(metric);
    if (!figure)
        return wrong("--metric", metric, metricNames());
    insight::HeatmapQuery query;
    query.by = *dimension;
    query.bins = *binning;
    query.metric = *figure;
    return query;
}

} // namespace

void HeatmapCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "heatmap", "A metric over hours or days",
                     "gpuledger-cli heatmap --by team --bins hour-of-week --metric utilization");
    m_verb->add_option("--by", m_by, "One row for each: " + joinedNames(rowNames()));
    m_verb->add_option("--bins", m_bins, "One column for each: " + joinedNames(binsNames()));
    m_verb->add_option("--metric", m_metric, "Metric: " + joinedNames(metricNames()));
    addCostOption(*m_verb, m_cost);
}

base::Result<int> HeatmapCommand::run(Session &session)
{
    auto query = queryOf(m_by, m_bins, m_metric);
    GPULEDGER_TRY(query);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto range = session.range((*workspace)->timeZone());
    GPULEDGER_TRY(range);
    GPULEDGER_TRY(session.checkFilter(**workspace));
    query->query = {*range, session.filter(), costViewOf(m_cost)};
    query->zone = (*workspace)->timeZone();
    const auto map = (*workspace)->fleet().heatmap(*query);
    GPULEDGER_TRY(map);
    Output &out = session.out();
    const std::string stale = staleLines(out, map->reach, query->zone);
    if (map->rows.empty())
        out.note("nothing was stored for this time; fetch it with: gpuledger-cli sync");
    std::optional<base::GpuTime> unbilled;
    if (query->query.cost == model::CostView::Billed && isMoney(query->metric)) {
        const auto time = noteUnbilled(session, **workspace, query->query);
        GPULEDGER_TRY(time);
        unbilled = *time;
    }
    if (out.json())
        GPULEDGER_TRY(printJson(out, *map, *query, m_by, unbilled));
    else if (out.csv())
        GPULEDGER_TRY(printCsv(out, *map, m_by));
    else
        GPULEDGER_TRY(out.print(peopleText(*map, query->query.cost, out.bold()) + stale));
    return kDone;
}

} // namespace gpuledger::cli

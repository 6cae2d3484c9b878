// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/overview/summarycommand.h"

#include "app/base/text/text.h"
#include "app/insight/query/labels.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/program/reachprint.h"
#include "ui/cli/proof/figureids.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

using insight::SummaryRow;

Json hours(base::GpuTime time)
{
    return toJson(std::optional(time.hours()));
}

// Where nothing was stored, there may have been GPUs.
bool isKnown(const insight::Summary &summary)
{
    return !summary.rows.empty();
}

// What the time of a row in a state costs. Unknown if none of it may have a price: a row knows only how much of all its
// time has none.
std::optional<base::Money> costOf(const SummaryRow &row, std::int64_t nanos, base::GpuTime time,
                                  base::Currency currency)
{
    const bool mayBeUnpriced = nanos == 0 && time.ticks > 0 && row.cost.unpriced.ticks > 0;
    return row.hasKnownCost() && !mayBeUnpriced ? std::optional(base::Money(nanos, currency)) : std::nullopt;
}

Json summaryJson(const SummaryRow &row, base::Currency currency, bool known = true)
{
    const auto money = [&](std::int64_t nanos, base::GpuTime time) {
        return cli::toJson(known ? costOf(row, nanos, time, currency) : std::nullopt);
    };
    Json json;
    json["gpu_hours"] = {{"paid", hours(row.time.paid())},
                         {"active", hours(row.time.active)},
                         {"idle", hours(row.time.idle)},
                         {"unallocated", hours(row.time.unallocated)},
                         {"unobserved", hours(row.time.unobserved())},
                         {"held", hours(row.time.held())},
                         {"unpriced", hours(row.cost.unpriced)},
                         {"not_synced", hours(row.notSynced)}};
    json["utilization"] = cli::toJson(row.utilization);
    json["allocation"] = cli::toJson(row.allocation);
    json["coverage"] = cli::toJson(row.coverage);
    json["cost"] = {{"total", money(row.cost.total(), row.time.paid())},
                    {"active", money(row.cost.active, row.time.active)},
                    {"idle", money(row.cost.idle, row.time.idle)},
                    {"unallocated", money(row.cost.unallocated, row.time.unallocated)},
                    {"unobserved", money(row.cost.unobservedHeld + row.cost.unobservedFree, row.time.unobserved())}};
    return json;
}

Json summaryJson(const insight::Summary &summary, const std::string &by, model::CostView view)
{
    Json json;
    json["from"] = cli::toJson(summary.range.start);
    json["to"] = cli::toJson(summary.range.end);
    json["by"] = by;
    json["cost"] = std::string(model::toString(view));
    json["data"] = cli::toJson(summary.reach);
    json["total"] = summaryJson(summary.total, summary.currency, isKnown(summary));
    json["rows"] = Json::array();
    for (const SummaryRow &row : summary.rows) {
        Json one{{"key", row.key}};
        one.update(summaryJson(row, summary.currency));
        json["rows"].push_back(std::move(one));
    }
    return json;
}

std::string csvText(const insight::Summary &summary, const std::string &by)
{
    ui::TextTable table({{by},
                         {"paid_gpu_hours"},
                         {"active_gpu_hours"},
                         {"idle_gpu_hours"},
                         {"unallocated_gpu_hours"},
                         {"unobserved_gpu_hours"},
                         {"utilization"},
                         {"allocation"},
                         {"coverage"},
                         {"cost_total"},
                         {"cost_active"},
                         {"cost_idle"},
                         {"cost_unallocated"},
                         {"cost_unobserved"},
                         {"currency"}});
    const auto number = [](std::optional<double> v) { return v ? ui::fixed(*v, 9) : std::string(); };
    for (const SummaryRow &row : summary.rows) {
        const auto money = [&](std::int64_t nanos, base::GpuTime time) {
            const auto cost = costOf(row, nanos, time, summary.currency);
            return cost ? cost->toDecimal() : std::string();
        };
        table.add({row.key, number(row.time.paid().hours()), number(row.time.active.hours()),
                   number(row.time.idle.hours()), number(row.time.unallocated.hours()),
                   number(row.time.unobserved().hours()), number(row.utilization), number(row.allocation),
                   number(row.coverage), money(row.cost.total(), row.time.paid()),
                   money(row.cost.active, row.time.active), money(row.cost.idle, row.time.idle),
                   money(row.cost.unallocated, row.time.unallocated),
                   money(row.cost.unobservedHeld + row.cost.unobservedFree, row.time.unobserved()),
                   std::string(summary.currency.code())});
    }
    return table.toCsv();
}

std::string peopleText(const insight::Summary &summary, const std::string &by, model::CostView view,
                       const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    const std::string code(summary.currency.code());
    ui::TextTable table({{by},
                         {"paid h", Align::Right},
                         {"active h", Align::Right},
                         {"idle h", Align::Right},
                         {"free h", Align::Right},
                         {"unseen h", Align::Right},
                         {"used", Align::Right},
                         {"allocated", Align::Right},
                         {"seen", Align::Right},
                         {"cost " + code, Align::Right},
                         {"idle " + code, Align::Right}});
    const auto add = [&](const std::string &key, const SummaryRow &row) {
        const auto money = [&](std::int64_t nanos) {
            return isKnown(summary) && row.hasKnownCost() ? ui::amountText(nanos) : std::string("-");
        };
        table.add({key, ui::hoursText(row.time.paid()), ui::hoursText(row.time.active), ui::hoursText(row.time.idle),
                   ui::hoursText(row.time.unallocated), ui::hoursText(row.time.unobserved()),
                   ui::percentText(row.utilization), ui::percentText(row.allocation), ui::percentText(row.coverage),
                   money(row.cost.total()), money(row.cost.idle)});
    };
    for (const SummaryRow &row : summary.rows)
        add(row.key.empty() ? "(none)" : row.key, row);
    add("total", summary.total);
    std::string text = "GPU time from " + ui::timeText(summary.range.start, zone) + " to "
        + ui::timeText(summary.range.end, zone) + " (" + zone.name() + ')' + viewText(view) + '\n' + table.toText(bold)
        + unpricedText(summary.total.cost.unpriced, view);
    if (summary.total.notSynced.ticks > 0)
        text += ui::hoursText(summary.total.notSynced)
            + " GPU-hours more are to be expected and not fetched yet; they count as not seen, and are in no sum\n";
    return text;
}

// What to ask for instead of a label that nothing has: those of the same kind, most frequent first, else all. Empty if
// something has it.
base::Result<std::string> missingLabel(services::FleetService &fleet, const insight::Dimension &by)
{
    constexpr std::size_t kMostNames = 20;
    if (by.label.empty())
        return std::string();
    const auto labels = fleet.labels();
    GPULEDGER_TRY(labels);
    std::vector<std::string> own, all;
    for (const insight::LabelUse &one : *labels) {
        if (one.dimension == by)
            return std::string();
        all.push_back(insight::toString(one.dimension));
        if (one.dimension.kind == by.kind)
            own.push_back(all.back());
    }
    std::vector<std::string> &shown = own.empty() ? all : own;
    const std::size_t more = shown.size() > kMostNames ? shown.size() - kMostNames : 0;
    shown.resize(shown.size() - more);
    return "note: nothing has " + insight::toString(by)
        + (shown.empty() ? std::string("; no labels were fetched") : "; there are " + joinedNames(shown))
        + (more > 0 ? " and " + std::to_string(more) + " more" : std::string());
}

} // namespace

void SummaryCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "summary", "GPU time, utilization and cost by team",
                     "gpuledger-cli summary --by team --from -30d --json");
    m_verb->add_option("--by", m_by, "One row for each: " + joinedNames(rowNames()));
    addCostOption(*m_verb, m_cost);
}

base::Result<int> SummaryCommand::run(Session &session)
{
    const auto by = insight::dimensionFromString(m_by);
    if (!by)
        return base::fail(base::ErrorCode::InvalidArgument, "--by can't be \"" + base::printable(m_by, 64) + '"',
                          "it is one of " + joinedNames(rowNames()));
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto range = session.range((*workspace)->timeZone());
    GPULEDGER_TRY(range);
    GPULEDGER_TRY(session.checkFilter(**workspace));
    const model::CostView view = costViewOf(m_cost);
    const auto summary = (*workspace)->fleet().summary({*range, session.filter(), view}, *by);
    GPULEDGER_TRY(summary);
    Output &out = session.out();
    const std::string stale = staleLines(out, summary->reach, (*workspace)->timeZone());
    if (summary->rows.empty())
        out.note("nothing was stored for this time; fetch it with: gpuledger-cli sync");
    const auto missing = missingLabel((*workspace)->fleet(), *by);
    GPULEDGER_TRY(missing);
    if (!summary->rows.empty() && !missing->empty())
        out.note(*missing);
    if (out.json()) {
        Json json = summaryJson(*summary, m_by, view);
        if (view == model::CostView::Effective) // only that can be explained
            addFigures(json, *summary, session.filter(), *by);
        GPULEDGER_TRY(out.print(json));
    } else {
        GPULEDGER_TRY(out.print(out.csv()
                                    ? csvText(*summary, m_by)
                                    : peopleText(*summary, m_by, view, (*workspace)->timeZone(), out.bold()) + stale));
    }
    return kDone;
}

} // namespace gpuledger::cli

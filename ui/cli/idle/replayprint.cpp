// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/replayprint.h"

#include "ui/cli/idle/ruleprint.h"
#include "ui/cli/program/costoption.h"
#include "ui/format/phrases/figures.h"

#include <algorithm>

namespace gpuledger::cli {

namespace {

using insight::IdleReplay;
using insight::ReplayStop;
using insight::ReplaySum;

constexpr std::size_t kShownFalseStops = 20; // in the text form

Json hours(base::GpuTime time)
{
    return toJson(std::optional(time.hours()));
}

// Unknown if none of it has a price.
std::optional<base::Money> moneyOf(const ReplaySum &sum, base::Currency currency)
{
    return sum.back.ticks > 0 && sum.unpriced == sum.back ? std::nullopt
                                                          : std::optional(base::Money(sum.money, currency));
}

Json replayJson(const ReplaySum &sum, base::Currency currency)
{
    return {{"stops", sum.stops},
            {"false_stops", sum.falseStops},
            {"resumed", sum.resumed},
            {"undecided", sum.undecided},
            {"back_gpu_hours", hours(sum.back)},
            {"back_gpu_hours_of_false_stops", hours(sum.falseBack)},
            {"unobserved_gpu_hours", hours(sum.unobserved)},
            {"lost_gpu_hours", hours(sum.lost)},
            {"unpriced_gpu_hours", hours(sum.unpriced)},
            {"money_back", cli::toJson(moneyOf(sum, currency))}};
}

Json replayJson(const ReplayStop &stop)
{
    return {{"id", stop.id},
            {"name", stop.name},
            {"owner", stop.owner},
            {"cluster", stop.cluster},
            {"namespace", textOrNull(stop.nameSpace)},
            {"workload_type", std::string(model::toString(stop.kind))},
            {"at", cli::toJson(stop.at)},
            {"until", cli::toJson(stop.until)},
            {"resumed", stop.resumed ? cli::toJson(*stop.resumed) : Json(nullptr)},
            {"false_stop", stop.undecided ? Json(nullptr) : Json(stop.falseStop)},
            {"back_gpu_hours", hours(stop.back)},
            {"unobserved_gpu_hours", hours(stop.unobserved)},
            {"lost_gpu_hours", hours(stop.lost)},
            {"money_back", cli::toJson(stop.money)}};
}

std::string kindText(model::WorkloadKind kind)
{
    const std::string_view name = model::toString(kind);
    return name.empty() ? "(unknown)" : std::string(name);
}

void addRow(ui::TextTable &table, const std::string &kind, const std::string &team, const ReplaySum &sum,
            base::Currency currency)
{
    table.add({kind, team, std::to_string(sum.stops), ui::hoursText(sum.back), ui::moneyText(moneyOf(sum, currency)),
               std::to_string(sum.falseStops), ui::hoursText(sum.lost), std::to_string(sum.undecided)});
}

std::string falseStopsText(const IdleReplay &rewind, const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table(
        {{"false stop of"}, {"owner"}, {"stopped"}, {"resumed after"}, {"interrupted h", Align::Right}});
    std::vector<const ReplayStop *> stops;
    for (const ReplayStop &stop : rewind.stops) {
        if (stop.falseStop)
            stops.push_back(&stop);
    }
    if (stops.empty())
        return {};
    std::stable_sort(stops.begin(), stops.end(),
                     [](const ReplayStop *a, const ReplayStop *b) { return a->lost > b->lost; });
    const std::size_t shown = std::min(stops.size(), kShownFalseStops);
    for (std::size_t i = 0; i < shown; ++i)
        table.add({stops[i]->name, stops[i]->owner, ui::timeText(stops[i]->at, zone),
                   ui::durationText(*stops[i]->resumed - stops[i]->at), ui::hoursText(stops[i]->lost)});
    const auto all = static_cast<std::size_t>(rewind.total.falseStops);
    return '\n' + table.toText(bold)
        + (all > shown ? "and " + std::to_string(all - shown) + " more (see them with --json)\n" : "");
}

} // namespace

Json rewindJson(const IdleReplay &rewind, model::CostView view, const store::GraceChoices &grace)
{
    Json json;
    json["from"] = cli::toJson(rewind.range.start);
    json["to"] = cli::toJson(rewind.range.end);
    json["threshold"] = cli::toJson(std::optional(rewind.threshold));
    json["grace"] = graceJson(grace);
    json["resume_within_seconds"] = rewind.resumeWithin.count();
    json["cost"] = std::string(model::toString(view));
    json["idle_gpu_hours"] = hours(rewind.idle);
    json["total"] = replayJson(rewind.total, rewind.currency);
    json["rows"] = Json::array();
    for (const auto &[key, sum] : rewind.parts) {
        Json row{{"workload_type", std::string(model::toString(key.first))}, {"owner", key.second}};
        row.update(replayJson(sum, rewind.currency));
        json["rows"].push_back(std::move(row));
    }
    json["stops"] = Json::array();
    for (const ReplayStop &stop : rewind.stops)
        json["stops"].push_back(replayJson(stop));
    json["stops_left_out"] = rewind.leftOut;
    return json;
}

std::string rewindCsv(const IdleReplay &rewind)
{
    ui::TextTable table({{"id"},
                         {"name"},
                         {"owner"},
                         {"cluster"},
                         {"namespace"},
                         {"workload_type"},
                         {"at"},
                         {"until"},
                         {"resumed"},
                         {"false_stop"},
                         {"back_gpu_hours"},
                         {"unobserved_gpu_hours"},
                         {"lost_gpu_hours"},
                         {"money_back"},
                         {"currency"}});
    for (const ReplayStop &s : rewind.stops)
        table.add({s.id, s.name, s.owner, s.cluster, s.nameSpace, std::string(model::toString(s.kind)),
                   base::toRfc3339(s.at), base::toRfc3339(s.until),
                   s.resumed ? base::toRfc3339(*s.resumed) : std::string(),
                   s.undecided       ? ""
                       : s.falseStop ? "true"
                                     : "false",
                   ui::fixed(s.back.hours(), 9), ui::fixed(s.unobserved.hours(), 9), ui::fixed(s.lost.hours(), 9),
                   s.money ? s.money->toDecimal() : std::string(), std::string(rewind.currency.code())});
    return table.toCsv();
}

std::string rewindText(const IdleReplay &rewind, model::CostView view, const store::GraceChoices &grace,
                       const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    std::string text = "The idle rule from " + ui::timeText(rewind.range.start, zone) + " to "
        + ui::timeText(rewind.range.end, zone) + " (" + zone.name() + "), activity below "
        + ui::percentText(rewind.threshold) + viewText(view) + "\nidle for at least: " + graceText(grace) + "\n";
    if (rewind.total.stops == 0)
        return text + "it would have stopped nothing\n";
    ui::TextTable table({{"type"},
                         {"owner"},
                         {"stops", Align::Right},
                         {"recovered h", Align::Right},
                         {"recovered", Align::Right},
                         {"false", Align::Right},
                         {"interrupted h", Align::Right},
                         {"undecided", Align::Right}});
    for (const auto &[key, sum] : rewind.parts)
        addRow(table, kindText(key.first), key.second, sum, rewind.currency);
    addRow(table, "total", "", rewind.total, rewind.currency);
    text += table.toText(bold);
    text += ui::hoursText(rewind.total.back) + " of " + ui::hoursText(rewind.idle)
        + " idle GPU-hours would have been recovered; false: work resumed within "
        + ui::durationText(rewind.resumeWithin) + "\n";
    if (rewind.total.unobserved.ticks > 0)
        text += ui::hoursText(rewind.total.unobserved)
            + " GPU-hours after stops were not observed and are not in any sum\n";
    if (rewind.total.unpriced.ticks > 0)
        text += ui::hoursText(rewind.total.unpriced)
            + (view == model::CostView::Billed ? " recovered GPU-hours are not on any bill yet\n"
                                               : " recovered GPU-hours have no price\n");
    return text + falseStopsText(rewind, zone, bold);
}

} // namespace gpuledger::cli

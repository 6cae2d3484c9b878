// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/ruleprint.h"

#include "ui/cli/program/costoption.h"
#include "ui/format/phrases/figures.h"

#include <cmath>

namespace gpuledger::cli {

namespace {

using insight::RuleCurve;
using insight::RulePoint;
using store::GraceChoice;

std::string graceKind(model::WorkloadKind kind)
{
    const std::string_view name = model::toString(kind);
    return name.empty() ? "unknown" : std::string(name);
}

std::string fromText(GraceChoice::From from)
{
    return from == GraceChoice::From::Measured ? "measured"
        : from == GraceChoice::From::Default   ? "default"
                                               : "configured";
}

std::int64_t wholeOf(double count)
{
    return std::llround(count);
}

Json pointJson(const RulePoint &point)
{
    return {{"grace_seconds", point.grace.count() > 0 ? Json(point.grace.count()) : Json(nullptr)},
            {"stops", wholeOf(point.stops)},
            {"false_stops", wholeOf(point.falseStops)},
            {"false_share", point.stops > 0 ? toJson(std::optional(point.falseShare())) : Json(nullptr)},
            {"back_gpu_hours", toJson(std::optional(point.hoursBack))},
            {"money_back", toJson(point.money)}};
}

std::string ruleName(const RulePoint &point)
{
    return point.grace.count() > 0 ? ui::durationText(point.grace) : "by type";
}

} // namespace

std::string graceText(const store::GraceChoices &grace)
{
    std::string text;
    for (const auto &[kind, choice] : grace) {
        text += (text.empty() ? "" : "; ") + graceKind(kind) + ' ' + ui::durationText(choice.grace) + ", ";
        if (choice.from == GraceChoice::From::Measured)
            text += "measured: " + ui::percentText(choice.falseShare) + " of stops would have been false";
        else
            text += choice.from == GraceChoice::From::Default ? "default: too little past" : "configured";
    }
    return text;
}

Json graceJson(const store::GraceChoices &grace)
{
    Json json = Json::object();
    for (const auto &[kind, choice] : grace) {
        const bool isMeasured = choice.from == GraceChoice::From::Measured;
        json[graceKind(kind)] = {{"seconds", choice.grace.count()},
                                 {"from", fromText(choice.from)},
                                 {"false_share", isMeasured ? toJson(std::optional(choice.falseShare)) : Json(nullptr)},
                                 {"gaps", choice.gaps}};
    }
    return json;
}

Json curveJson(const RuleCurve &curve, model::CostView view)
{
    Json json;
    json["from"] = cli::toJson(curve.range.start);
    json["to"] = cli::toJson(curve.range.end);
    json["cost"] = std::string(model::toString(view));
    json["resume_within_seconds"] = curve.resumeWithin.count();
    json["points"] = Json::array();
    for (const RulePoint &point : curve.points)
        json["points"].push_back(pointJson(point));
    json["this_rule"] = pointJson(curve.inUse);
    const RulePoint *better = insight::betterPoint(curve);
    json["better"] = better ? pointJson(*better) : Json(nullptr);
    return json;
}

std::string curveCsv(const RuleCurve &curve)
{
    ui::TextTable table(
        {{"rule"}, {"grace_seconds"}, {"stops"}, {"false_stops"}, {"back_gpu_hours"}, {"money_back"}, {"currency"}});
    const auto add = [&](const std::string &name, const RulePoint &point) {
        table.add({name, point.grace.count() > 0 ? std::to_string(point.grace.count()) : "",
                   std::to_string(wholeOf(point.stops)), std::to_string(wholeOf(point.falseStops)),
                   ui::fixed(point.hoursBack, 9), point.money ? point.money->toDecimal() : std::string(),
                   std::string(curve.currency.code())});
    };
    for (const RulePoint &point : curve.points)
        add("point", point);
    add("this_rule", curve.inUse);
    return table.toCsv();
}

std::string curveText(const RuleCurve &curve, model::CostView view, const base::TimeZone &zone, bool bold)
{
    using Align = ui::TextTable::Align;
    std::string text = "Rules with one grace window for all types, from " + ui::timeText(curve.range.start, zone)
        + " to " + ui::timeText(curve.range.end, zone) + " (" + zone.name() + ')' + viewText(view) + '\n';
    ui::TextTable table({{"idle for"},
                         {"stops", Align::Right},
                         {"false", Align::Right},
                         {"of stops", Align::Right},
                         {"recovered h", Align::Right},
                         {"recovered", Align::Right},
                         {""}});
    const auto add = [&](const RulePoint &point, const std::string &note) {
        table.add({ruleName(point), std::to_string(wholeOf(point.stops)), std::to_string(wholeOf(point.falseStops)),
                   ui::percentText(point.stops > 0 ? std::optional(point.falseShare()) : std::nullopt),
                   ui::fixed(point.hoursBack, 1), ui::moneyText(point.money), note});
    };
    for (const RulePoint &point : curve.points)
        add(point, "");
    add(curve.inUse, "this rule");
    text += table.toText(bold) + "false: work resumed within " + ui::durationText(curve.resumeWithin) + "\n";
    if (const RulePoint *better = insight::betterPoint(curve))
        text += "Another rule, " + ui::durationText(better->grace)
            + ", would have brought back more hours with fewer false stops\n";
    return text;
}

} // namespace gpuledger::cli

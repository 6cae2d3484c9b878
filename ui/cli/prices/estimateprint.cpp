// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/estimateprint.h"

#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <cmath>
#include <set>

namespace gpuledger::cli {

namespace {

using savings::SpotBand;
using savings::SpotBands;
using savings::SpotEstimate;
using savings::SpotReason;

constexpr std::array kBandKeys{"p10", "p50", "p90"};

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Json historyJson(const EstimateAnswer &answer)
{
    std::set<std::string> zones, types;
    const auto add = [&](const savings::SpotTrace &trace) {
        zones.insert(trace.zone);
        types.insert(trace.instanceType);
    };
    for (const savings::SpotTrace &trace : answer.question.history)
        add(trace);
    for (const savings::SpotPool &pool : answer.question.pools)
        add(pool.history);
    const savings::SpotShape &shape = answer.estimate.shape;
    return {{"zones", zones},
            {"instance_types", types},
            {"hours", cli::toJson(std::optional(static_cast<double>(shape.observed) / 3600))},
            {"share_available", cli::toJson(std::optional(shape.share()))},
            {"interruptions", shape.interruptions}};
}

// Adds what the work does in each of several pools.
void addPoolsJson(const EstimateAnswer &answer, Json &json)
{
    const auto &use = answer.estimate.pools;
    if (!use)
        return;
    json["pools"] = Json::array();
    for (std::size_t i = 0; i < use->pools.size(); ++i) {
        const savings::SpotPool &pool = answer.question.pools[i];
        json["pools"].push_back({{"zone", pool.history.zone},
                                 {"instance_type", pool.history.instanceType},
                                 {"share_of_time", cli::toJson(std::optional(use->pools[i].share))},
                                 {"interruptions", cli::toJson(std::optional(use->pools[i].interruptions))},
                                 {"price", pool.history.prices.empty() ? "constant" : "history"}});
    }
    json["correlation"] = cli::toJson(use->correlation);
    json["resampled_together"] = use->sets == 1;
}

std::string poolsText(const EstimateAnswer &answer, bool bold)
{
    using Align = ui::TextTable::Align;
    const auto &use = answer.estimate.pools;
    if (!use)
        return {};
    ui::TextTable table({{"zone"}, {"type"}, {"time", Align::Right}, {"interruptions", Align::Right}, {"price"}});
    for (std::size_t i = 0; i < use->pools.size(); ++i) {
        const savings::SpotTrace &trace = answer.question.pools[i].history;
        table.add({trace.zone, trace.instanceType, ui::percentText(use->pools[i].share),
                   ui::fixed(use->pools[i].interruptions, 1), trace.prices.empty() ? "constant" : "as in the history"});
    }
    std::string text = table.toText(bold) + "correlation of capacity between zones: "
        + (use->correlation ? ui::fixed(*use->correlation, 2) : std::string("unknown")) + "\n";
    if (use->sets > 1)
        text += "histories of different times: " + std::to_string(use->sets)
            + " sets are resampled independently, so what they have in common is not in these figures\n";
    return text;
}

void addBands(ui::TextTable &table, const std::string &name, const SpotBands &bands)
{
    const auto &[cost, hours] = std::pair(bands.cost, bands.hours);
    table.add({name + "cost", ui::moneyText(cost[0]), ui::moneyText(cost[1]), ui::moneyText(cost[2])});
    table.add({name + "finished after", hoursText(hours[0]), hoursText(hours[1]), hoursText(hours[2])});
}

} // namespace

Json bandJson(const SpotBand<base::Money> &band)
{
    Json json;
    for (std::size_t i = 0; i < band.size(); ++i)
        json[kBandKeys[i]] = cli::toJson(band[i]);
    return json;
}

Json bandJson(const SpotBand<double> &band)
{
    Json json;
    for (std::size_t i = 0; i < band.size(); ++i)
        json[kBandKeys[i]] = cli::toJson(band[i]);
    return json;
}

Json bandJson(const SpotBand<int> &band)
{
    Json json;
    for (std::size_t i = 0; i < band.size(); ++i)
        json[kBandKeys[i]] = band[i] ? Json(*band[i]) : Json(nullptr);
    return json;
}

std::string hoursText(std::optional<double> hours)
{
    return hours ? ui::fixed(*hours, 1) + " h" : "-";
}

std::string reasonText(const SpotEstimate &e, const savings::SpotWork &work)
{
    switch (e.reason) {
    case SpotReason::Suitable:
        return "spot suits this work";
    case SpotReason::DeadlineTooShort:
        return "the deadline is missed even without an interruption: the work needs "
            + hoursText(static_cast<double>(work.needed(work.work)) / 3600);
    case SpotReason::NeverEnds:
        return "without checkpoints it would hardly ever finish: " + hoursText(e.onDemandHours) + " of work at "
            + ui::fixed(e.perHour, 3) + " interruptions an hour take "
            + (finite(e.expectedHours) ? hoursText(e.expectedHours) : std::string("practically forever"))
            + " of running on average";
    case SpotReason::NoCapacity:
        return ui::percentText(e.waiting.unfinished) + " of the futures do not end within "
            + hoursText(static_cast<double>(work.horizon) / 3600);
    case SpotReason::DeadlineAtRisk:
        return "the deadline is missed in " + ui::percentText(e.waiting.missed)
            + " of the futures if it waits for spot capacity";
    case SpotReason::NotCheaper:
        return "it costs no less than on-demand";
    }
    return {};
}

Json fallbackJson(const SpotEstimate &estimate)
{
    if (!estimate.fallback)
        return nullptr;
    return {{"cost", bandJson(estimate.fallback->cost)},
            {"hours", bandJson(estimate.fallback->hours)},
            {"p_on_demand", cli::toJson(std::optional(estimate.fellBack))},
            {"p_deadline_missed", cli::toJson(estimate.fallback->missed)}};
}

bool EstimateAnswer::tooExpensive() const
{
    const auto &p90 = estimate.waiting.cost[2];
    return maxCost && (!p90 || p90->nanos() > maxCost->nanos());
}

Json estimateJson(const EstimateAnswer &answer)
{
    const SpotEstimate &e = answer.estimate;
    const bool rateOnly = answer.question.history.empty() && answer.question.pools.empty();
    Json json;
    json["cost"] = bandJson(e.waiting.cost);
    json["hours"] = bandJson(e.waiting.hours);
    json["interruptions"] = bandJson(e.waiting.interruptions);
    json["p_deadline_missed"] = cli::toJson(e.waiting.missed);
    json["on_demand"] = {{"cost", cli::toJson(std::optional(e.onDemandCost))},
                         {"hours", cli::toJson(std::optional(e.onDemandHours))}};
    json["checkpoint"] = {{"best_every", e.bestEvery}, {"cost", cli::toJson(e.bestCost)}};
    json["suitable"] = e.suitable();
    json["reason"] = reasonText(e, answer.question.work);
    json["discount"] = cli::toJson(e.discount);
    json["p_unfinished"] = cli::toJson(std::optional(e.waiting.unfinished));
    json["fallback"] = fallbackJson(e);
    json["basis"] = rateOnly ? "rate" : "intervals";
    json["interruptions_per_hour"] = cli::toJson(std::optional(e.perHour));
    json["expected_running_hours"] = cli::toJson(finite(e.expectedHours));
    json["history"] = rateOnly ? Json(nullptr) : historyJson(answer);
    addPoolsJson(answer, json);
    json["paths"] = answer.question.paths;
    json["seed"] = answer.question.seed;
    return json;
}

std::string estimateText(const EstimateAnswer &answer, bool bold)
{
    using Align = ui::TextTable::Align;
    const SpotEstimate &e = answer.estimate;
    ui::TextTable table({{"spot"}, {"p10", Align::Right}, {"p50", Align::Right}, {"p90", Align::Right}});
    addBands(table, "", e.waiting);
    const auto &count = e.waiting.interruptions;
    const auto number = [](std::optional<int> n) { return n ? std::to_string(*n) : std::string("-"); };
    table.add({"interruptions", number(count[0]), number(count[1]), number(count[2])});
    if (e.fallback)
        addBands(table, "with fallback: ", *e.fallback);
    std::string text = table.toText(bold);
    text += "on-demand: " + ui::moneyText(e.onDemandCost) + ", " + hoursText(e.onDemandHours)
        + "; effective discount of spot " + ui::percentText(e.discount) + "\n";
    if (e.waiting.missed)
        text += "deadline missed while waiting for spot: " + ui::percentText(e.waiting.missed)
            + "; with fallback, on-demand is needed in " + ui::percentText(e.fellBack) + "\n";
    text += "best checkpoint interval: " + ui::durationText(base::Seconds{e.bestEvery}) + ", expected cost with it "
        + ui::moneyText(e.bestCost) + "\n";
    text += poolsText(answer, bold);
    if (answer.question.history.empty() && answer.question.pools.empty())
        text += "from a published rate alone: times without capacity are not known and not in these figures\n";
    else
        text += "from " + ui::fixed(static_cast<double>(e.shape.observed) / 3600, 0) + " h of history, available "
            + ui::percentText(e.shape.share()) + " of the time, " + std::to_string(e.shape.interruptions)
            + " interruptions\n";
    text += (e.suitable() ? "suitable: " : "not suitable: ") + reasonText(e, answer.question.work) + "\n";
    if (answer.tooExpensive())
        text += "the p90 of the cost is above --max-cost " + ui::moneyText(answer.maxCost) + "\n";
    return text;
}

} // namespace gpuledger::cli

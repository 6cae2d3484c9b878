// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/workoffersprint.h"

#include "ui/cli/prices/estimateprint.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::cli {

using savings::PriceQuote;
using savings::WorkFit;
using savings::WorkOffer;
using ui::TextTable;

namespace {

constexpr std::size_t kShownWorkOffers = 30;

std::string offerReason(const WorkOffer &offer)
{
    switch (offer.fit) {
    case WorkFit::Suits:
        return offer.isSpot() ? "spot suits this work" : "on demand";
    case WorkFit::Spot:
        return reasonText(*offer.spot, offer.work);
    case WorkFit::DeadlineTooShort:
        return "the deadline is missed even without an interruption: the work needs "
            + hoursText(static_cast<double>(offer.work.work) / 3600);
    case WorkFit::NoInterruptions:
        return "unknown: nothing is published about its interruptions";
    case WorkFit::NoOnDemandPrice:
        return "unknown: no on-demand price of this machine and region is listed";
    case WorkFit::TooLarge:
        return "unknown: the cost is too large to be computed";
    }
    return {};
}

// Share of the futures that miss the deadline; std::nullopt: without one, or unknown.
std::optional<double> missedShare(const WorkOffer &offer)
{
    if (offer.spot)
        return offer.spot->waiting.missed;
    if (offer.isSpot() || !offer.work.deadline)
        return std::nullopt;
    return offer.work.work > *offer.work.deadline ? 1.0 : 0.0;
}

std::string suitsText(const WorkOffer &offer)
{
    const auto suits = offer.suitable();
    return !suits ? "unknown" : *suits ? "yes" : "no";
}

std::string seenText(const std::optional<base::Day> &day)
{
    return day ? base::toRfc3339(day->start()).substr(0, 10) : std::string();
}

std::string offeredGpu(const PriceQuote &quote)
{
    return quote.gpu.model.empty() ? quote.gpuName : quote.gpu.model;
}

std::string gpusText(const PriceQuote &quote)
{
    return std::to_string(quote.microGpus / savings::kMicroOfGpu);
}

std::string placeOf(const PriceQuote &quote)
{
    const std::string zone = quote.zone.empty() ? std::string() : "/" + quote.zone;
    return quote.region.empty() && zone.empty() ? "-" : quote.region + zone;
}

Json interruptionsJson(const WorkOffer &offer)
{
    if (!offer.published)
        return nullptr;
    const savings::PublishedSpot &one = *offer.published;
    return {{"band", one.band},
            {"per_hour", cli::toJson(std::optional(savings::hourlySpotRate(one.monthlyShare)))},
            {"saving_percent", one.savingPercent > 0 ? Json(one.savingPercent) : Json(nullptr)},
            {"seen", seenText(one.asOf)},
            {"source", one.source}};
}

void addSpotJson(Json &json, const WorkOffer &offer)
{
    json["interruptions"] = offer.spot ? bandJson(offer.spot->waiting.interruptions) : Json(nullptr);
    json["p_deadline_missed"] = cli::toJson(missedShare(offer));
    json["p_unfinished"] = offer.spot ? cli::toJson(std::optional(offer.spot->waiting.unfinished)) : Json(nullptr);
    json["expected_running_hours"] = offer.spot && std::isfinite(offer.spot->expectedHours)
        ? cli::toJson(std::optional(offer.spot->expectedHours))
        : Json(nullptr);
    json["checkpoint"] = offer.spot
        ? Json{{"best_every", offer.spot->bestEvery}, {"cost", cli::toJson(offer.spot->bestCost)}}
        : Json(nullptr);
    json["fallback"] = offer.spot ? fallbackJson(*offer.spot) : Json(nullptr);
    json["discount"] = offer.spot ? cli::toJson(offer.spot->discount) : Json(nullptr);
    json["published"] = interruptionsJson(offer);
}

// What the spot figures rest on.
std::string spotNotes(const savings::WorkOffers &found)
{
    std::string text;
    const auto has = [&](const auto &test) { return std::any_of(found.offers.begin(), found.offers.end(), test); };
    if (has([](const WorkOffer &one) { return one.spot.has_value(); }))
        text += "spot: from published rates alone: times without capacity are not known and not in these figures\n";
    std::optional<base::Day> newest;
    for (const WorkOffer &one : found.offers) {
        if (one.discounted && (!newest || newest->number < one.published->asOf.number))
            newest = one.published->asOf;
    }
    if (newest)
        text += "spot at a discount: the on-demand price less the discount published on " + seenText(newest)
            + ", not a price that was offered\n";
    return text;
}

std::string gateText(const WorkOffersAnswer &answer)
{
    if (!answer.tooExpensive())
        return {};
    return cheapestSuitable(answer.found, answer.maxCost->currency())
        ? "the p90 of the cost of the cheapest suitable offer is above --max-cost " + ui::moneyText(answer.maxCost)
            + '\n'
        : "no offer in " + std::string(answer.maxCost->currency().code())
            + " is suitable, so none is known to stay within --max-cost " + ui::moneyText(answer.maxCost) + '\n';
}

} // namespace

bool WorkOffersAnswer::tooExpensive() const
{
    if (!maxCost)
        return false;
    const WorkOffer *offer = cheapestSuitable(found, maxCost->currency());
    return !offer || !offer->cost[2] || offer->cost[2]->nanos() > maxCost->nanos();
}

Json workOffersHead(const WorkOffersAnswer &answer)
{
    Json json;
    json["paths"] = answer.question.paths;
    json["seed"] = answer.question.seed;
    json["left_out"] = Json::array();
    for (const auto &[why, count] : answer.leftOut)
        json["left_out"].push_back(
            {{"reason", std::string(keyOf(why))}, {"count", count}, {"text", leftOutText(why, count)}});
    json["other_terms"] = answer.found.otherTerms;
    json["notes"] = answer.notes;
    return json;
}

Json workOfferJson(const WorkOffer &offer)
{
    const PriceQuote &quote = offer.quote;
    Json json;
    json["provider"] = textOrNull(quote.provider);
    json["region"] = textOrNull(quote.region);
    json["zone"] = textOrNull(quote.zone);
    json["machine"] = textOrNull(quote.machine);
    json["gpu"] = quote.gpuName;
    json["gpu_model"] = textOrNull(quote.gpu.model);
    json["gpus"] = quote.microGpus / savings::kMicroOfGpu;
    json["purchase"] = std::string(toString(quote.purchase));
    json["per_machine_hour"] = cli::toJson(std::optional(quote.perHour));
    json["per_gpu_hour"] = cli::toJson(perGpuHour(quote));
    json["price_basis"] = offer.discounted ? "published-discount" : "listed";
    json["seen"] = textOrNull(seenText(quote.seen));
    json["source"] = quote.source;
    json["cost"] = bandJson(offer.cost);
    json["hours"] = bandJson(offer.hours);
    addSpotJson(json, offer);
    const auto suits = offer.suitable();
    json["suitable"] = suits ? Json(*suits) : Json(nullptr);
    json["reason"] = offerReason(offer);
    return json;
}

std::string workOffersCsv(const WorkOffersAnswer &answer)
{
    TextTable table({{"provider"},
                     {"region"},
                     {"zone"},
                     {"machine"},
                     {"gpu"},
                     {"gpu_model"},
                     {"gpus"},
                     {"purchase"},
                     {"price_basis"},
                     {"currency"},
                     {"per_machine_hour"},
                     {"cost_p10"},
                     {"cost_p50"},
                     {"cost_p90"},
                     {"hours_p10"},
                     {"hours_p50"},
                     {"hours_p90"},
                     {"p_deadline_missed"},
                     {"interrupted_band"},
                     {"suitable"},
                     {"reason"},
                     {"seen"},
                     {"source"}});
    const auto money = [](const std::optional<base::Money> &amount) {
        return amount ? amount->toDecimal() : std::string();
    };
    const auto number = [](const std::optional<double> &value) { return value ? ui::fixed(*value, 9) : std::string(); };
    for (const WorkOffer &one : answer.found.offers) {
        const PriceQuote &q = one.quote;
        const auto suits = one.suitable();
        table.add({q.provider,
                   q.region,
                   q.zone,
                   q.machine,
                   q.gpuName,
                   q.gpu.model,
                   gpusText(q),
                   std::string(toString(q.purchase)),
                   one.discounted ? "published-discount" : "listed",
                   std::string(q.perHour.currency().code()),
                   q.perHour.toDecimal(),
                   money(one.cost[0]),
                   money(one.cost[1]),
                   money(one.cost[2]),
                   number(one.hours[0]),
                   number(one.hours[1]),
                   number(one.hours[2]),
                   number(missedShare(one)),
                   one.published ? one.published->band : "",
                   !suits       ? ""
                       : *suits ? "true"
                                : "false",
                   offerReason(one),
                   seenText(q.seen),
                   q.source});
    }
    return table.toCsv();
}

std::string workOffersText(const WorkOffersAnswer &answer, bool bold)
{
    using Align = TextTable::Align;
    TextTable table({{"provider"},
                     {"region"},
                     {"machine"},
                     {"GPU"},
                     {"GPUs", Align::Right},
                     {"purchase"},
                     {"machine-hour", Align::Right},
                     {"cost p10", Align::Right},
                     {"p50", Align::Right},
                     {"p90", Align::Right},
                     {"done p50", Align::Right},
                     {"p90", Align::Right},
                     {"missed", Align::Right},
                     {"interrupted"},
                     {"price of"},
                     {"suitable"},
                     {"why"}});
    const auto &offers = answer.found.offers;
    const std::size_t shown = std::min(offers.size(), kShownWorkOffers);
    for (std::size_t i = 0; i < shown; ++i) {
        const WorkOffer &one = offers[i];
        const PriceQuote &q = one.quote;
        const auto missed = missedShare(one);
        table.add({q.provider.empty() ? "-" : q.provider, placeOf(q), q.machine.empty() ? "-" : q.machine,
                   offeredGpu(q), gpusText(q),
                   std::string(toString(q.purchase)) + (one.discounted ? " at a discount" : ""),
                   ui::fixed(q.perHour.toDouble(), 4) + ' ' + std::string(q.perHour.currency().code()),
                   ui::moneyText(one.cost[0]), ui::moneyText(one.cost[1]), ui::moneyText(one.cost[2]),
                   hoursText(one.hours[1]), hoursText(one.hours[2]), missed ? ui::percentText(missed) : "-",
                   one.published && one.isSpot() ? one.published->band : "-", q.seen ? seenText(q.seen) : "unknown",
                   suitsText(one), offerReason(one)});
    }
    std::string text = table.toText(bold);
    if (shown < offers.size())
        text += "and " + std::to_string(offers.size() - shown) + " more (see them with --csv or --json)\n";
    text += spotNotes(answer.found);
    if (answer.found.otherTerms > 0)
        text += "left out: " + std::to_string(answer.found.otherTerms)
            + " with a term of their own, such as a year, which one piece of work can't buy\n";
    for (const auto &[why, count] : answer.leftOut)
        text += "left out: " + leftOutText(why, count) + '\n';
    for (const std::string &note : answer.notes)
        text += note + '\n';
    return text + gateText(answer);
}

} // namespace gpuledger::cli

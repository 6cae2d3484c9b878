// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/realizedproof.h"

#include "app/base/text/text.h"
#include "app/services/savings/realizedstops.h"
#include "app/services/savings/savingsservice.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using insight::FigureValue;
using insight::Proof;
using savings::RealizedBasis;

namespace {

constexpr double kRealizedProofHours = 168;
constexpr char kMeasuredFacts[] = "usage_day, holder_span, placement, node, bill_line, action (read at each question)";

// One pass over the facts.
struct RealizedSide {
    savings::Choice about;
    savings::Realized measured;
    RealizedBasis basis;
};

std::string realizedItemOf(const savings::Choice &one)
{
    return one.stop ? "action:" + std::to_string(one.stop->action) : "choice:" + std::to_string(one.id);
}

tl::unexpected<base::Error> notMeasured(const insight::Figure &figure)
{
    const std::string about = figure.item.empty() ? "in " + std::string(figure.currency.code())
                                                  : "for \"" + base::printable(figure.item, 64) + '"';
    return base::fail(base::ErrorCode::NotFound, "nothing is measured " + about + " in these weeks",
                      "see what is with: gpuledger-cli savings realized --json --cost "
                          + std::string(model::toString(figure.basis.cost)));
}

Result<RealizedSide> realizedSideOf(SavingsService &service, const insight::Figure &figure, const std::stop_token &stop)
{
    const auto known = service.realizedPast(figure.basis.cost, figure.range.end, stop);
    GPULEDGER_TRY(known);
    const auto found = std::find_if(known->of.begin(), known->of.end(),
                                    [&](const savings::Choice &one) { return realizedItemOf(one) == figure.item; });
    if (found == known->of.end())
        return notMeasured(figure);
    const auto at = static_cast<std::size_t>(found - known->of.begin());
    RealizedSide side{*found, measuredOf(*known)[at], {}};
    auto basis = savings::realizedBasis(known->pasts[at]);
    const bool isSame = side.measured.before.start == figure.range.start && side.measured.after.end == figure.range.end;
    if (!basis || !side.measured.perMonth || !isSame || side.measured.perMonth->p50.currency() != figure.currency)
        return notMeasured(figure);
    side.basis = std::move(*basis);
    return side;
}

const base::Money &realizedQuantile(const savings::MoneyBand &band, const std::string &measure)
{
    return measure.ends_with("p10") ? band.p10 : measure.ends_with("p90") ? band.p90 : band.p50;
}

FigureValue quantileIn(const RealizedSide &side, const std::string &measure)
{
    return FigureValue::of(realizedQuantile(*side.measured.perMonth, measure));
}

FigureValue perWeek(double nanos, base::Currency currency)
{
    return FigureValue::of(base::Money(static_cast<std::int64_t>(std::llround(nanos)), currency));
}

using RealizedInputs = std::vector<std::pair<std::string, FigureValue>>;

RealizedInputs inputsOf(const RealizedSide &side, base::Currency currency)
{
    const RealizedBasis &basis = side.basis;
    const auto count = [&](bool isAfter) {
        return static_cast<double>(std::count_if(basis.weeks.begin(), basis.weeks.end(),
                                                 [&](const auto &week) { return week.isAfter == isAfter; }));
    };
    const savings::MoneyBand &band = *side.measured.perMonth;
    return {{"weeks before", FigureValue::of(count(false), {})},
            {"weeks after", FigureValue::of(count(true), {})},
            {"cost of a week before", perWeek(basis.before, currency)},
            {"cost of a week after", perWeek(basis.after, currency)},
            {"g: growth of the work", FigureValue::of(basis.growth, {})},
            {"f: how far the cost followed the work", FigureValue::of(basis.follows, {})},
            {"p: prices elsewhere", FigureValue::of(basis.price, {})},
            {"h: paid hours per active hour elsewhere", FigureValue::of(basis.hours, {})},
            {"saved per week", perWeek(basis.saved, currency)},
            {"p10 per month", FigureValue::of(band.p10)},
            {"p90 per month", FigureValue::of(band.p90)}};
}

// p50 again, from the inputs alone. Rounded once, so that it may differ by a nano-unit for each 2^50.
bool followsFromInputs(const RealizedSide &side)
{
    const RealizedBasis &basis = side.basis;
    const double stayed = basis.before * basis.price * basis.hours;
    double saved = stayed * (1 + basis.follows * (basis.growth - 1)) - basis.after;
    if (basis.growth < 1) {
        const double followed = stayed * basis.growth - basis.after;
        saved = followed > 0 ? followed : std::min(0.0, stayed - basis.after);
    }
    const double month = saved * static_cast<double>(savings::kHoursPerMonth) / kRealizedProofHours;
    const auto shown = static_cast<double>(side.measured.perMonth->p50.nanos());
    return std::abs(month - shown) <= 1 + std::ldexp(std::max(stayed, basis.after) * 5, -50);
}

void setWeeks(Proof &out, const RealizedSide &side)
{
    for (const savings::RealizedWeek &week : side.basis.weeks) {
        insight::MoneyRow row;
        row.day = week.first;
        row.place = side.about.target;
        row.team = side.about.team;
        row.category = savings::toString(side.about.kind);
        row.state = week.isAfter ? "after" : "before";
        row.charge = base::Money(week.nanos, out.figure.currency);
        row.amount = row.charge;
        row.time = base::GpuTime{week.paid};
        out.money.push_back(std::move(row));
    }
}

// One pass over the facts, for a sum.
struct RealizedSumSide {
    RealizedPasts known;
    std::vector<savings::Realized> measured; // parallel to known.of
    savings::RealizedTotal total;
};

Result<RealizedSumSide> realizedSumOf(SavingsService &service, const insight::Figure &figure,
                                      const std::stop_token &stop)
{
    auto known = service.realizedPast(figure.basis.cost, figure.range.end, stop);
    GPULEDGER_TRY(known);
    RealizedSumSide side{std::move(*known), {}, {}};
    side.measured = measuredOf(side.known);
    const auto totals = savings::realizedSum(side.known.of, side.measured);
    const auto found = std::find_if(totals.begin(), totals.end(), [&](const savings::RealizedTotal &one) {
        return one.perMonth.p50.currency() == figure.currency;
    });
    if (found == totals.end() || savings::realizedRange(side.measured) != figure.range)
        return notMeasured(figure);
    side.total = *found;
    return side;
}

std::vector<insight::MoneyRow> rowsOfSum(const RealizedSumSide &side, const insight::Figure &figure)
{
    std::vector<insight::MoneyRow> rows;
    for (std::size_t i = 0; i < side.measured.size(); ++i) {
        const savings::Choice &about = side.known.of[i];
        const std::vector<std::int64_t> &counted = side.total.choices;
        if (std::find(counted.begin(), counted.end(), about.id) == counted.end())
            continue;
        insight::MoneyRow row;
        row.day = base::dayOf(side.measured[i].before.start);
        row.place = about.target;
        row.resource = realizedItemOf(about);
        row.team = about.team;
        row.category = savings::toString(about.kind);
        row.amount = realizedQuantile(*side.measured[i].perMonth, figure.measure);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

Result<void> proveRealizedSum(Proof &out, SavingsService &service, const std::stop_token &stop)
{
    const insight::Figure &figure = out.figure;
    const auto shown = realizedSumOf(service, figure, stop), again = realizedSumOf(service, figure, stop);
    GPULEDGER_TRY(shown);
    GPULEDGER_TRY(again);
    out.shownFrom = out.recomputedFrom = kMeasuredFacts;
    out.shown = FigureValue::of(realizedQuantile(shown->total.perMonth, figure.measure));
    out.money = rowsOfSum(*again, figure);
    base::Money sum(0, figure.currency);
    for (const insight::MoneyRow &row : out.money) {
        const auto next = sum.plus(*row.amount);
        GPULEDGER_TRY(next);
        sum = *next;
    }
    out.recomputed = FigureValue::of(sum);
    const auto add = [&](const char *name, int then, int now) {
        out.inputs.push_back(
            {name, FigureValue::of(static_cast<double>(then), {}), FigureValue::of(static_cast<double>(now), {})});
    };
    const savings::RealizedTotal &then = shown->total, &now = again->total;
    add("proposals", then.counted - then.stops, now.counted - now.stops);
    add("stops", then.stops, now.stops);
    add("left out as overlapping", then.overlapping, now.overlapping);
    out.agrees = out.shown == out.recomputed
        && std::all_of(out.inputs.begin(), out.inputs.end(),
                       [](const insight::ProofInput &input) { return input.shown == input.recomputed; });
    return {};
}

Result<void> proveRealized(Proof &out, SavingsService &service, const std::stop_token &stop)
{
    const insight::Figure &figure = out.figure;
    const auto shown = realizedSideOf(service, figure, stop), again = realizedSideOf(service, figure, stop);
    GPULEDGER_TRY(shown);
    GPULEDGER_TRY(again);
    out.shownFrom = out.recomputedFrom = kMeasuredFacts;
    out.shown = quantileIn(*shown, figure.measure);
    out.recomputed = quantileIn(*again, figure.measure);
    const RealizedInputs then = inputsOf(*shown, figure.currency), now = inputsOf(*again, figure.currency);
    for (std::size_t i = 0; i < then.size(); ++i)
        out.inputs.push_back({then[i].first, then[i].second, now[i].second});
    out.agrees = out.shown == out.recomputed && followsFromInputs(*again)
        && std::all_of(out.inputs.begin(), out.inputs.end(),
                       [](const insight::ProofInput &input) { return input.shown == input.recomputed; });
    setWeeks(out, *again);
    return {};
}

} // namespace gpuledger::services

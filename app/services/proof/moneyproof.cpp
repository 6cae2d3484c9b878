// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/moneyproof.h"

#include "app/insight/spend/reconciler.h"
#include "app/ledger/rules/ownerrules.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace gpuledger::services {

using insight::Figure;
using insight::FigureKind;
using insight::FigureValue;
using insight::MoneyView;
using model::LedgerAmounts;
using model::LedgerCategory;
using model::LedgerKey;
using model::LedgerOrigin;

namespace {

FigureValue money(const std::optional<base::Money> &amount)
{
    return amount ? FigureValue::of(*amount) : FigureValue{};
}

FigureValue time(const std::optional<base::GpuTime> &amount)
{
    return amount ? FigureValue::of(*amount) : FigureValue{};
}

template <typename List> auto inCurrency(const List &list, base::Currency currency)
{
    return std::find_if(list.begin(), list.end(), [&](const auto &one) { return one.currency == currency; });
}

// The bills' amounts plus estimates of what no bill covers. Unknown if it does not fit.
FigureValue totalOf(const insight::LedgerRow &row, MoneyView view)
{
    auto sum = base::Result<base::Money>(view == MoneyView::Billed ? row.billed : row.effective);
    if (row.allocated)
        sum = sum->plus(*row.allocated);
    if (sum && row.priced.currency() == row.currency)
        sum = sum->plus(row.priced);
    return sum ? FigureValue::of(*sum) : FigureValue{};
}

FigureValue rowValue(const insight::LedgerRow &row, const Figure &figure)
{
    const std::string_view measure = figure.measure;
    if (measure == "total")
        return totalOf(row, figure.view);
    if (measure == "cost")
        return money(figure.view == MoneyView::Billed ? row.billed : row.effective);
    if (measure == "gpu-hours")
        return time(row.hasGpuTime ? std::optional(row.gpuTime) : std::nullopt);
    if (measure == "unpriced-gpu-hours")
        return time(row.unpriced);
    return money(measure == "allocated"    ? row.allocated
                     : measure == "priced" ? std::optional(row.priced)
                                           : row.replaced);
}

// Unknown if too little is known about the preceding month.
FigureValue changeValue(const std::optional<reports::StatementChange> &change, std::string_view part)
{
    if (!change)
        return {};
    return money(part == "price"            ? change->price
                     : part == "hours"      ? change->hours
                     : part == "efficiency" ? change->efficiency
                     : part == "mix"        ? change->mix
                     : part == "other"      ? change->other
                     : part == "policy"     ? change->policy
                                            : change->late);
}

FigureValue teamValue(const reports::TeamStatement &team, std::string_view measure)
{
    constexpr std::string_view kChange = "team.change.";
    if (measure.starts_with(kChange))
        return changeValue(team.change, measure.substr(kChange.size()));
    return measure == "team.moved"    ? money(team.moved)
        : measure == "team.charged"   ? money(team.charged())
        : measure == "team.total"     ? money(team.total())
        : measure == "team.cost"      ? money(team.cost)
        : measure == "team.estimated" ? money(team.estimated)
        : measure == "team.idle"      ? money(team.idle)
        : measure == "team.gpu-hours" ? time(team.gpuTime)
                                      : time(team.idleTime);
}

// For a team, or for all of them together.
FigureValue lineValue(const reports::TeamStatement &team, const Figure &figure)
{
    const auto it = std::find_if(team.lines.begin(), team.lines.end(), [&](const reports::StatementLine &line) {
        return line.category == figure.category && line.state == figure.state;
    });
    if (it == team.lines.end())
        return {};
    return figure.measure == "line.cost"     ? money(it->cost)
        : figure.measure == "line.estimated" ? money(it->estimated)
        : figure.measure == "line.gpu-hours" ? time(it->gpuTime)
                                             : time(it->unpriced);
}

bool isOnBill(const LedgerKey &key)
{
    return key.origin == LedgerOrigin::Billed && key.category != LedgerCategory::NotBilled;
}

std::int64_t ticksOf(const LedgerKey &, const LedgerAmounts &amounts)
{
    return amounts.ticks;
}

std::int64_t unpricedOf(const LedgerKey &, const LedgerAmounts &amounts)
{
    return amounts.unpricedTicks;
}

std::int64_t pricedOf(const LedgerKey &, const LedgerAmounts &amounts)
{
    return amounts.priced;
}

std::int64_t estimateOf(const LedgerKey &key, const LedgerAmounts &amounts)
{
    return key.origin == LedgerOrigin::Priced ? amounts.priced : amounts.allocated;
}

auto costIn(MoneyView view)
{
    return [view](const LedgerKey &, const LedgerAmounts &amounts) {
        return view == MoneyView::Billed ? amounts.billed : amounts.effective;
    };
}

auto totalIn(MoneyView view)
{
    return [cost = costIn(view)](const LedgerKey &key, const LedgerAmounts &amounts) {
        return key.origin == LedgerOrigin::Billed ? cost(key, amounts) : estimateOf(key, amounts);
    };
}

// Which part of a line's amount belongs to the parts of a machine that the figure has: as LedgerSums splits it. GPU
// time stays with the GPUs.
std::int64_t shareOf(const Figure &figure, const insight::LedgerSums::Split &split, bool isTime, const LedgerKey &key,
                     std::int64_t amount)
{
    using model::MachinePart;
    const auto wanted = figure.include.find(insight::LedgerDimension::Part);
    const auto isWanted = [&](MachinePart part) {
        return wanted == figure.include.end() || wanted->second.empty()
            || std::find(wanted->second.begin(), wanted->second.end(), model::toString(part)) != wanted->second.end();
    };
    const auto whole = [&](MachinePart part) { return isWanted(part) ? amount : std::int64_t{0}; };
    if (key.category != LedgerCategory::Gpu && key.category != LedgerCategory::NotBilled)
        return whole(MachinePart::None);
    const auto weights = split(*figure.split, key.instanceType);
    if (!weights)
        return whole(MachinePart::Unsplit);
    if (isTime)
        return whole(MachinePart::Gpu);
    const auto parts = base::allocateInteger(amount, *weights);
    constexpr std::array kParts{MachinePart::Gpu, MachinePart::Cpu, MachinePart::Memory};
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kParts.size(); ++i)
        sum += isWanted(kParts[i]) ? parts[i] : 0;
    return sum;
}

// What is left of a filter for whole machines.
std::map<insight::LedgerDimension, std::vector<std::string>> withoutParts(const Figure &figure)
{
    auto include = figure.include;
    if (figure.split)
        include.erase(insight::LedgerDimension::Part);
    return include;
}

MoneyMeaning ledgerMeaning(const Figure &figure, base::Currency report, const insight::LedgerSums::Split &split)
{
    const std::string measure = figure.measure;
    const bool isTotal = measure == "bill" || measure == "ledger" || measure == "unexplained";
    MoneyMeaning meaning;
    meaning.isPart = [figure, include = withoutParts(figure), measure, isTotal](base::Day day, const LedgerKey &key) {
        if (key.currency != figure.currency)
            return false;
        if (isTotal)
            return isOnBill(key) && (measure != "unexplained" || key.category == LedgerCategory::Unexplained);
        const bool isPriced = key.origin == LedgerOrigin::Priced;
        return isWanted(include, day, key) && (measure != "priced" || isPriced)
            && (measure != "price-book" || !isPriced);
    };
    meaning.currency = figure.currency;
    meaning.amount = costIn(figure.view);
    if (measure == "gpu-hours" || measure == "unpriced-gpu-hours") {
        meaning.amount = measure == "gpu-hours" ? ticksOf : unpricedOf;
        meaning.currency.reset();
    } else if (measure == "priced" || measure == "price-book") {
        meaning.amount = pricedOf;
        meaning.currency = report;
    } else if (measure == "allocated") {
        meaning.amount = [](const LedgerKey &, const LedgerAmounts &amounts) { return amounts.allocated; };
    } else if (measure == "total") {
        meaning.amount = totalIn(figure.view);
    }
    if (figure.split && split && !isTotal)
        meaning.share = [figure, split, isTime = !meaning.currency](const LedgerKey &key, std::int64_t amount) {
            return shareOf(figure, split, isTime, key, amount);
        };
    return meaning;
}

MoneyMeaning reconcileMeaning(const Figure &figure, base::Currency report)
{
    MoneyMeaning meaning;
    meaning.currency = figure.currency;
    if (figure.line) {
        meaning.isPart = [figure](base::Day, const LedgerKey &key) {
            const auto line = insight::reconcileLineOf(key);
            const bool isTelemetry = line
                && (line->first == insight::ReconcileKind::Priced || line->first == insight::ReconcileKind::NotBilled);
            return line && toString(line->first) == *figure.line && line->second == *figure.detail
                && (isTelemetry || key.currency == figure.currency);
        };
        meaning.amount = costIn(figure.view);
        if (figure.measure == "line.gpu-hours") {
            meaning.amount = ticksOf;
            meaning.currency.reset();
        } else if (figure.measure == "line.price-book") {
            meaning.amount = pricedOf;
            meaning.currency = report;
        }
        return meaning;
    }
    const bool isUnexplained = figure.measure == "unexplained";
    meaning.isPart = [figure, isUnexplained](base::Day, const LedgerKey &key) {
        return isOnBill(key) && key.currency == figure.currency
            && (!isUnexplained || key.category == LedgerCategory::Unexplained);
    };
    if (figure.measure != "difference") // it has no rows
        meaning.amount = costIn(figure.view);
    return meaning;
}

MoneyMeaning showbackMeaning(const Figure &figure)
{
    const std::string_view measure = figure.measure;
    const auto ends = [&](std::string_view what) { return measure.ends_with(what); };
    const bool isIdle = ends("idle") || ends("idle-gpu-hours"), isUnexplained = ends("unexplained");
    const bool ofBill = ends("cost") || ends("bill") || isUnexplained;
    const bool ofEstimate = ends("estimated") || ends("unpriced-gpu-hours"), isUnowned = measure == "unowned";
    MoneyMeaning meaning;
    meaning.isPart = [figure, isIdle, isUnexplained, isUnowned, ofBill, ofEstimate](base::Day, const LedgerKey &key) {
        const bool isEstimate = key.origin != LedgerOrigin::Billed;
        return key.currency == figure.currency && (!figure.team || key.team == *figure.team)
            && (!figure.category || model::toString(key.category) == *figure.category)
            && (!figure.state || key.state == *figure.state) && (!isIdle || key.state == "idle")
            && (!isUnexplained || key.category == LedgerCategory::Unexplained)
            && (!isUnowned || key.team.empty() || key.team == ledger::kUnowned) && !(ofBill && isEstimate)
            && !(ofEstimate && !isEstimate);
    };
    meaning.currency = figure.currency;
    if (ends("gpu-hours")) {
        meaning.currency.reset();
        meaning.amount = ticksOf;
        if (ends("unpriced-gpu-hours"))
            meaning.amount = [](const LedgerKey &key, const LedgerAmounts &amounts) {
                return key.origin == LedgerOrigin::Priced ? amounts.unpricedTicks : std::int64_t{0};
            };
    } else if (measure != "difference" && measure != "team.moved" && measure != "team.charged"
               && !measure.starts_with("team.change.")) { // these are not sums of lines
        meaning.amount = totalIn(figure.view);
    }
    return meaning;
}

} // namespace

FigureValue valueIn(const insight::LedgerAnswer &answer, const Figure &figure)
{
    const bool isBilled = figure.view == MoneyView::Billed;
    const auto total = inCurrency(answer.totals, figure.currency);
    const bool has = total != answer.totals.end();
    if (figure.measure == "bill")
        return has ? money(isBilled ? total->billBilled : total->billEffective) : FigureValue{};
    if (figure.measure == "ledger")
        return has ? money(isBilled ? total->billed : total->effective) : FigureValue{};
    if (figure.measure == "unexplained")
        return has ? money(isBilled ? total->unexplainedBilled : total->unexplainedEffective) : FigureValue{};
    const auto row = inCurrency(answer.rows, figure.currency);
    return row == answer.rows.end() ? FigureValue{} : rowValue(*row, figure);
}

FigureValue valueIn(const insight::Reconciliation &answer, const Figure &figure)
{
    const bool isBilled = figure.view == MoneyView::Billed;
    const auto total = inCurrency(answer.totals, figure.currency);
    const bool has = total != answer.totals.end();
    if (figure.line) {
        const auto lineIn = [&](const std::vector<insight::ReconcileLine> &lines) -> std::optional<FigureValue> {
            for (const insight::ReconcileLine &line : lines) {
                if (toString(line.kind) != *figure.line || line.detail != *figure.detail)
                    continue;
                return figure.measure == "line.gpu-hours" ? time(line.gpuTime)
                    : figure.measure == "line.price-book" ? money(line.priced)
                                                          : money(isBilled ? line.billed : line.effective);
            }
            return std::nullopt;
        };
        const auto of = has ? lineIn(total->lines) : std::nullopt;
        return of ? *of : lineIn(answer.telemetry).value_or(FigureValue{});
    }
    if (!has)
        return {};
    return money(figure.measure == "bill"         ? (isBilled ? total->billBilled : total->billEffective)
                     : figure.measure == "ledger" ? (isBilled ? total->ledgerBilled : total->ledgerEffective)
                     : figure.measure == "unexplained"
                     ? (isBilled ? total->unexplainedBilled : total->unexplainedEffective)
                     : (isBilled ? total->differenceBilled : total->differenceEffective));
}

FigureValue valueIn(const reports::Statement &statement, const Figure &figure)
{
    const auto one = inCurrency(statement.currencies, figure.currency);
    if (one == statement.currencies.end())
        return {};
    if (figure.team) {
        const auto team = std::find_if(one->teams.begin(), one->teams.end(),
                                       [&](const reports::TeamStatement &t) { return t.team == *figure.team; });
        return team == one->teams.end() ? FigureValue{}
            : figure.category           ? lineValue(*team, figure)
                                        : teamValue(*team, figure.measure);
    }
    if (figure.category)
        return lineValue(reports::allTeams(*one), figure);
    if (figure.measure == "cost" || figure.measure == "estimated" || figure.measure == "unowned")
        return money(figure.measure == "cost"            ? one->cost
                         : figure.measure == "estimated" ? one->estimated
                                                         : one->unowned);
    if (!one->hasBill)
        return {};
    return money(figure.measure == "bill"             ? one->bill
                     : figure.measure == "difference" ? one->difference()
                                                      : one->unexplained);
}

MoneyMeaning meaningOf(const Figure &figure, base::Currency report, const insight::LedgerSums::Split &split)
{
    return figure.kind == FigureKind::Ledger   ? ledgerMeaning(figure, report, split)
        : figure.kind == FigureKind::Reconcile ? reconcileMeaning(figure, report)
        : figure.kind == FigureKind::Showback  ? showbackMeaning(figure)
                                               : MoneyMeaning();
}

} // namespace gpuledger::services

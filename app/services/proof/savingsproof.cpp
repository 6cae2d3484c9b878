// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/proof/savingsproof.h"

#include "app/base/text/text.h"
#include "app/services/engine/engine.h"
#include "app/services/proof/realizedproof.h"
#include "app/services/savings/savingsservice.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Money;
using base::Result;
using insight::Figure;
using insight::FigureValue;
using insight::MoneyRow;
using insight::Proof;
using savings::Proposal;
using savings::ProposalBasis;
using savings::SavingsList;

namespace {

__extension__ using ProofNanos = __int128;

constexpr char kShownSavings[] = "day_fact, usage_day, holder_span, placement, node, bill_line (kept in memory)";
constexpr char kReadSavings[] = "usage_day, holder_span, placement, node, bill_line (read again)";

Result<std::int64_t> proofNanos(ProofNanos amount)
{
    if (amount > std::numeric_limits<std::int64_t>::max() || amount < std::numeric_limits<std::int64_t>::min())
        return base::fail(ErrorCode::Overflow, "an amount of the proof is too large");
    return static_cast<std::int64_t>(amount);
}

// How to see what there is, for a hint.
std::string savingsOf(const Figure &figure)
{
    return "see what there is with: gpuledger-cli savings --json --from " + base::toRfc3339(figure.range.start)
        + " --to " + base::toRfc3339(figure.range.end);
}

std::string kindNames()
{
    std::string names;
    for (const savings::Kind kind : savings::kKinds)
        names += (names.empty() ? "" : ", ") + std::string(savings::toString(kind));
    return names;
}

// `usual`: the configuration's defaults.
Result<SavingsQuery> queryOf(const Figure &figure, const savings::Assumptions &usual)
{
    SavingsQuery query;
    query.assumptions = usual;
    query.range = figure.range;
    query.cost = figure.basis.cost;
    for (const auto &[name, value] : figure.basis.assumed)
        GPULEDGER_TRY(query.assumptions.set(name, value));
    if (!figure.basis.kind)
        return query;
    query.kind = savings::kindFrom(*figure.basis.kind);
    if (!query.kind)
        return base::fail(ErrorCode::InvalidArgument,
                          "there is no kind of savings \"" + base::printable(*figure.basis.kind, 64) + '"',
                          "kinds of savings: " + kindNames());
    return query;
}

Result<SavingsList> listOf(SavingsService &service, const SavingsQuery &query, const std::stop_token &stop)
{
    auto list = service.savings(query, stop);
    GPULEDGER_TRY(list);
    if (list->range != *query.range)
        return base::fail(ErrorCode::NotFound, "the data don't have all hours of the figure's range",
                          "usage is known from " + base::toRfc3339(list->range.start) + " to "
                              + base::toRfc3339(list->range.end));
    return list;
}

// "p10", "sum.p50", …
const Money &quantileOf(const savings::MoneyBand &band, std::string_view measure)
{
    return measure.ends_with("p10") ? band.p10 : measure.ends_with("p90") ? band.p90 : band.p50;
}

const Proposal *proposalIn(const SavingsList &list, const Figure &figure)
{
    const auto it =
        std::find_if(list.items.begin(), list.items.end(), [&](const Proposal &one) { return one.id == figure.item; });
    return it == list.items.end() || it->currency != figure.currency.code() ? nullptr : &*it;
}

FigureValue valueOf(const Proposal &proposal, std::string_view measure)
{
    if (measure == "avoidable")
        return proposal.avoidable ? FigureValue::of(*proposal.avoidable) : FigureValue{};
    return proposal.perMonth ? FigureValue::of(quantileOf(*proposal.perMonth, measure)) : FigureValue{};
}

// The largest in full and in their order, the rest as a sum.
Result<void> setRows(Proof &proof, std::vector<MoneyRow> rows, base::Currency currency)
{
    if (rows.size() > Proof::kMostRows) {
        const auto size = [](const MoneyRow &row) {
            const std::int64_t nanos = row.amount ? row.amount->nanos() : 0;
            return nanos < 0 ? ~nanos : nanos;
        };
        std::vector<std::int64_t> sizes;
        for (const MoneyRow &row : rows)
            sizes.push_back(size(row));
        std::nth_element(sizes.begin(), sizes.begin() + (Proof::kMostRows - 1), sizes.end(), std::greater<>());
        const std::int64_t least = sizes[Proof::kMostRows - 1];
        std::size_t larger = static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(), [&](const MoneyRow &row) { return size(row) > least; }));
        ProofNanos left = 0;
        std::erase_if(rows, [&](const MoneyRow &row) {
            if (size(row) > least || (size(row) == least && larger < Proof::kMostRows && ++larger > 0))
                return false;
            left += row.amount ? row.amount->nanos() : 0;
            proof.leftOutTime += row.time.value_or(base::GpuTime{});
            ++proof.leftOut;
            return true;
        });
        const auto sum = proofNanos(left);
        GPULEDGER_TRY(sum);
        proof.leftOutAmount = Money(*sum, currency);
    }
    proof.money = std::move(rows);
    return {};
}

Result<Money> monthOf(std::int64_t nanos, std::int64_t hours, base::Currency currency)
{
    if (hours <= 0)
        return Money(0, currency);
    const ProofNanos scaled = ProofNanos{nanos} * savings::kHoursPerMonth;
    const auto month = proofNanos(scaled / hours - (scaled % hours < 0 ? 1 : 0));
    GPULEDGER_TRY(month);
    return Money(*month, currency);
}

using Inputs = std::vector<std::pair<std::string, FigureValue>>;

Result<std::int64_t> sumOf(const ProposalBasis &basis, bool isSpend)
{
    ProofNanos sum = 0;
    for (const savings::BasisRow &row : basis.rows)
        sum += isSpend ? row.spend : row.saved;
    return proofNanos(sum);
}

// What the step from the rows to the figure uses.
Result<Inputs> inputsOf(const ProposalBasis &basis, const Proposal &proposal, bool isSpend)
{
    const auto sum = sumOf(basis, isSpend);
    GPULEDGER_TRY(sum);
    const auto mean = monthOf(*sum, basis.hours, basis.currency);
    GPULEDGER_TRY(mean);
    Inputs out;
    out.emplace_back(isSpend ? "spent in the past" : "saved in the past", FigureValue::of(Money(*sum, basis.currency)));
    out.emplace_back("hours of the past", FigureValue::of(static_cast<double>(basis.hours), "h"));
    out.emplace_back("mean per month", FigureValue::of(*mean));
    if (isSpend)
        return out;
    if (basis.middleSaved)
        out.emplace_back("saved at the median cost", FigureValue::of(Money(*basis.middleSaved, basis.currency)));
    for (std::size_t i = 0; i < basis.weeks.size(); ++i)
        out.emplace_back("saved in week " + std::to_string(basis.weeks.size() - i),
                         FigureValue::of(Money(basis.weeks[i], basis.currency)));
    for (const savings::BasisInput &one : basis.inputs)
        out.emplace_back(one.name, FigureValue::of(one.number, one.unit));
    if (proposal.avoidable)
        out.emplace_back("most per month", FigureValue::of(*proposal.avoidable));
    return out;
}

std::vector<MoneyRow> rowsOf(const ProposalBasis &basis, const Proposal &proposal, bool isSpend)
{
    std::vector<MoneyRow> rows;
    for (const savings::BasisRow &one : basis.rows) {
        MoneyRow row;
        row.day = base::dayOf(one.at);
        row.place = proposal.target;
        row.resource = one.resource;
        row.team = proposal.owner;
        row.category = toString(proposal.kind);
        row.state = one.state;
        row.charge = Money(one.paid, basis.currency);
        row.amount = Money(isSpend ? one.spend : one.saved, basis.currency);
        row.time = one.time;
        rows.push_back(std::move(row));
    }
    return rows;
}

// Where nothing is resampled, the rows alone give the figure: it must be the one that they give, but for rounding.
Result<bool> followsFromRows(const ProposalBasis &basis, const Proposal &proposal, const Figure &figure,
                             const FigureValue &value)
{
    const bool isSpend = figure.measure == "avoidable";
    if (!value.money || (!isSpend && (!basis.weeks.empty() || (basis.middleSaved && figure.measure != "p50"))))
        return true;
    const auto sum = isSpend || !basis.middleSaved ? sumOf(basis, isSpend) : Result<std::int64_t>(*basis.middleSaved);
    GPULEDGER_TRY(sum);
    const auto month = monthOf(*sum, basis.hours, basis.currency);
    GPULEDGER_TRY(month);
    std::int64_t nanos = month->nanos();
    if (isSpend)
        nanos = std::max<std::int64_t>(nanos, 0);
    else if (proposal.avoidable)
        nanos = std::min(nanos, proposal.avoidable->nanos());
    const ProofNanos off = ProofNanos{nanos} - value.money->nanos();
    // The engines round the product once, and the rows are rounded before it.
    const ProofNanos most = 1 + (basis.hours > 0 ? (savings::kHoursPerMonth + basis.hours - 1) / basis.hours : 0);
    return off >= -most && off <= most;
}

bool hasEqualInputs(const Proof &proof)
{
    return std::all_of(proof.inputs.begin(), proof.inputs.end(),
                       [](const insight::ProofInput &input) { return input.shown == input.recomputed; });
}

// Of one proposal. `sides` are the kept facts and those that were read again.
Result<void> proveProposal(Proof &out, const SavingsQuery &query, std::pair<SavingsService *, SavingsService *> sides,
                           const std::stop_token &stop)
{
    const Figure &figure = out.figure;
    const bool isSpend = figure.measure == "avoidable";
    const auto shown = listOf(*sides.first, query, stop), again = listOf(*sides.second, query, stop);
    GPULEDGER_TRY(shown);
    GPULEDGER_TRY(again);
    const Proposal *one = proposalIn(*shown, figure), *other = proposalIn(*again, figure);
    if (!one || !other)
        return base::fail(ErrorCode::NotFound, "there is no proposal \"" + base::printable(figure.item, 200) + '"',
                          savingsOf(figure));
    out.shown = valueOf(*one, figure.measure);
    out.recomputed = valueOf(*other, figure.measure);
    const auto kept = sides.first->basis(query, figure.item, stop),
               basis = sides.second->basis(query, figure.item, stop);
    GPULEDGER_TRY(kept);
    GPULEDGER_TRY(basis);
    out.agrees = out.shown == out.recomputed && kept->has_value() == basis->has_value();
    if (!*kept || !*basis)
        return {};
    const auto before = inputsOf(**kept, *one, isSpend), after = inputsOf(**basis, *other, isSpend);
    GPULEDGER_TRY(before);
    GPULEDGER_TRY(after);
    out.agrees = out.agrees && before->size() == after->size();
    for (std::size_t i = 0; i < std::min(before->size(), after->size()); ++i)
        out.inputs.push_back({(*after)[i].first, (*before)[i].second, (*after)[i].second});
    const auto follows = followsFromRows(**basis, *other, figure, out.recomputed);
    GPULEDGER_TRY(follows);
    out.agrees = out.agrees && *follows && hasEqualInputs(out);
    return setRows(out, rowsOf(**basis, *other, isSpend), figure.currency);
}

// Of a sum: the rows are the proposals that count, and their sum is the figure.
Result<void> proveSum(Proof &out, const SavingsQuery &query, std::pair<SavingsService *, SavingsService *> sides,
                      const std::stop_token &stop)
{
    const Figure &figure = out.figure;
    const auto shown = listOf(*sides.first, query, stop), again = listOf(*sides.second, query, stop);
    GPULEDGER_TRY(shown);
    GPULEDGER_TRY(again);
    const auto sum = std::find_if(shown->sums.begin(), shown->sums.end(), [&](const savings::SavingsSum &one) {
        return one.currency == figure.currency.code();
    });
    if (sum == shown->sums.end())
        return base::fail(ErrorCode::NotFound, "no proposal in " + std::string(figure.currency.code()) + " counts",
                          savingsOf(figure));
    out.shown = FigureValue::of(quantileOf(sum->perMonth, figure.measure));
    ProofNanos total = 0;
    std::vector<MoneyRow> rows;
    for (const Proposal &one : again->items) {
        const auto counted = savings::countsWith(one);
        if (!counted || one.currency != figure.currency.code())
            continue;
        MoneyRow row;
        row.day = base::dayOf(figure.range.start);
        row.place = one.target;
        row.resource = one.id;
        row.team = one.owner;
        row.category = toString(one.kind);
        row.charge = one.avoidable;
        row.amount = quantileOf(*counted, figure.measure);
        total += row.amount->nanos();
        rows.push_back(std::move(row));
    }
    const auto nanos = proofNanos(total);
    GPULEDGER_TRY(nanos);
    out.recomputed = FigureValue::of(Money(*nanos, figure.currency));
    out.inputs.push_back({"proposals",
                          FigureValue::of(static_cast<double>(std::count_if(shown->items.begin(), shown->items.end(),
                                                                            [&](const Proposal &one) {
                                                                                return !one.excludedBy
                                                                                    && one.currency
                                                                                    == figure.currency.code();
                                                                            })),
                                          {}),
                          FigureValue::of(static_cast<double>(rows.size()), {})});
    out.agrees = out.shown == out.recomputed && hasEqualInputs(out);
    return setRows(out, std::move(rows), figure.currency);
}

} // namespace

Result<Proof> savingsProof(Engine &engine, SavingsService &shown, const Figure &figure, const std::stop_token &stop)
{
    Proof out;
    out.figure = figure;
    out.shownFrom = kShownSavings;
    out.recomputedFrom = kReadSavings;
    const std::string_view measure = figure.measure;
    const bool isRealizedSum = measure.starts_with(insight::kRealizedSum);
    if (isRealizedSum || measure.starts_with(insight::kRealizedSavings)) {
        GPULEDGER_TRY((isRealizedSum ? proveRealizedSum : proveRealized)(out, shown, stop));
        return out;
    }
    const auto query = queryOf(figure, shown.usual());
    GPULEDGER_TRY(query);
    SavingsService fresh(engine, true); // keeps nothing yet, and reads no stored days
    const bool isSum = measure.starts_with(insight::kSavingsSum);
    GPULEDGER_TRY((isSum ? proveSum : proveProposal)(out, *query, {&shown, &fresh}, stop));
    return out;
}

} // namespace gpuledger::services

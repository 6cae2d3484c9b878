// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/savings/savingsfigures.h"

#include "app/savings/assumptions/assumedrules.h"

namespace gpuledger::ui {

namespace {

insight::Figure savingsFigure(const savings::SavingsList &list, base::Currency currency, model::CostView cost,
                              const savings::Assumptions &assumptions, std::string_view measure)
{
    insight::Figure figure;
    figure.kind = insight::FigureKind::Savings;
    figure.measure = measure;
    figure.range = list.range;
    figure.currency = currency;
    figure.basis.cost = cost;
    figure.basis.assumed.insert(assumptions.changed().begin(), assumptions.changed().end());
    return figure;
}

} // namespace

bool hasFigures(const savings::Proposal &proposal)
{
    return proposal.perMonth && base::Currency::parse(proposal.currency);
}

insight::Figure proposalFigure(const savings::SavingsList &list, const savings::Proposal &proposal,
                               const AskedSavings &asked, std::string_view measure)
{
    insight::Figure figure = savingsFigure(list, proposal.perMonth->p50.currency(), asked.cost,
                                           savings::assumptionsOf(proposal.kind, asked.assumptions), measure);
    figure.item = proposal.id;
    return figure;
}

std::optional<insight::Figure> savingsSumFigure(const savings::SavingsList &list, const savings::SavingsSum &sum,
                                                std::optional<savings::Kind> kind, const AskedSavings &asked,
                                                std::string_view measure)
{
    const auto currency = base::Currency::parse(sum.currency);
    if (!currency)
        return std::nullopt;
    insight::Figure figure = savingsFigure(list, *currency, asked.cost, asked.assumptions, measure);
    if (kind)
        figure.basis.kind = std::string(savings::toString(*kind));
    return figure;
}

std::optional<insight::Figure> realizedFigure(const savings::Realized &one, model::CostView cost,
                                              std::string_view quantile)
{
    if (!one.perMonth)
        return std::nullopt;
    insight::Figure figure;
    figure.kind = insight::FigureKind::Savings;
    figure.measure = std::string(insight::kRealizedSavings) + std::string(quantile);
    figure.range = {one.before.start, one.after.end};
    figure.currency = one.perMonth->p50.currency();
    figure.basis.cost = cost;
    figure.item = one.stop && one.stop->stop ? "action:" + std::to_string(one.stop->stop->action)
                                             : "choice:" + std::to_string(one.choice);
    return figure;
}

insight::Figure realizedSumFigure(const savings::RealizedTotal &sum, const std::vector<savings::Realized> &all,
                                  model::CostView cost, std::string_view quantile)
{
    insight::Figure figure;
    figure.kind = insight::FigureKind::Savings;
    figure.measure = std::string(insight::kRealizedSum) + std::string(quantile);
    figure.range = savings::realizedRange(all);
    figure.currency = sum.perMonth.p50.currency();
    figure.basis.cost = cost;
    return figure;
}

} // namespace gpuledger::ui

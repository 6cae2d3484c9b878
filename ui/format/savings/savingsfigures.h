// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/figure.h"
#include "app/model/money/costview.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/proposals/proposal.h"
#include "app/savings/realized/realized.h"

#include <optional>
#include <string_view>
#include <vector>

// Ids of the figures of savings (FigureKind::Savings), for the command line and the window. Pure; any thread.
namespace gpuledger::ui {

// What a list was asked besides its range.
struct AskedSavings {
    model::CostView cost = model::CostView::Effective;
    savings::Assumptions assumptions;
};

// Whether the figures of a proposal can be proved: what it saves is known, in a known currency.
bool hasFigures(const savings::Proposal &proposal);
// Precondition: hasFigures(). `measure`: "p10", "p50", "p90" or "avoidable" (of a proposal that has one).
insight::Figure proposalFigure(const savings::SavingsList &list, const savings::Proposal &proposal,
                               const AskedSavings &asked, std::string_view measure);
// `measure`: "sum.p10", "sum.p50" or "sum.p90"; `kind`: std::nullopt for all kinds. std::nullopt: the sum's currency is
// none.
std::optional<insight::Figure> savingsSumFigure(const savings::SavingsList &list, const savings::SavingsSum &sum,
                                                std::optional<savings::Kind> kind, const AskedSavings &asked,
                                                std::string_view measure);
// Of an accepted proposal or a stop that was measured; `quantile`: "p10", "p50" or "p90". std::nullopt: it was not
// measured.
std::optional<insight::Figure> realizedFigure(const savings::Realized &one, model::CostView cost,
                                              std::string_view quantile);

// Of a sum (savings::realizedSum()) of what `all` has.
insight::Figure realizedSumFigure(const savings::RealizedTotal &sum, const std::vector<savings::Realized> &all,
                                  model::CostView cost, std::string_view quantile);

} // namespace gpuledger::ui

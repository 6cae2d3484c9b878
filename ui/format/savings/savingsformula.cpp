// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of proofs of savings.
#include "ui/format/savings/savingsformula.h"

#include "app/savings/proposals/proposal.h"

#include <string_view>

namespace gpuledger::ui {

namespace {

using SavedKind = savings::Kind;

// Of what the rows add up to.
std::string_view savedFormula(SavedKind kind)
{
    switch (kind) {
    case SavedKind::Capacity:
        return "saved in the past = sum over hours of nodes off x mean cost of the nodes that were empty";
    case SavedKind::Schedule:
        return "saved in the past = sum over quiet off hours of the cost of the machines that would have ended, less "
               "the"
               " scale-down delay at the start of each stretch; hours of work that is cut save nothing";
    case SavedKind::RightSize:
        return "saved in the past = sum over hours of the cost up to the list price - machine hours x price of the "
               "other"
               " machine";
    case SavedKind::Spot:
        return "saved in the past = sum over runs of the cost up to the list price - mean cost of the replayed run";
    case SavedKind::Commitments:
        return "saved in the past = sum over hours of on-demand price x min(demand, level) - committed price x level";
    }
    return {};
}

std::string_view stepFormula(SavedKind kind)
{
    switch (kind) {
    case SavedKind::Capacity:
    case SavedKind::RightSize:
        return " over 1,000 draws of the newest whole weeks with replacement (seed 22)";
    case SavedKind::Schedule:
        return " over 2,000 draws of the newest whole weeks with replacement (seed 1)";
    case SavedKind::Commitments:
        return " over 1,000 draws of the newest whole weeks with replacement (seed 1)";
    case SavedKind::Spot:
        break;
    }
    return {};
}

std::string_view quantileName(std::string_view measure)
{
    return measure.ends_with("p10") ? "10 % quantile" : measure.ends_with("p90") ? "90 % quantile" : "median";
}

std::string proposalFormula(SavedKind kind, const std::string &measure)
{
    if (measure == "avoidable")
        return "spend = cost of the past that would end if nothing of the target was used / hours of the past x 730 h"
               " (Savings)";
    const std::string name(quantileName(measure)), saved(savedFormula(kind));
    if (kind == SavedKind::Spot) {
        const std::string of(measure == "p10" ? "90 % quantile" : measure == "p90" ? "10 % quantile" : "median");
        return measure + " = (cost up to the list price - " + of
            + " of the replayed costs) / hours of the past x 730 h, never above the spend. The rows are means of all"
              " replays: "
            + saved + " (Savings)";
    }
    return measure + " = " + name + std::string(stepFormula(kind))
        + " of saved / hours x 730 h, never above the spend; the mean per month if no weeks are given. Not a sum of"
          " the rows, which add up to what the weeks are part of: "
        + saved + " (Savings)";
}

} // namespace

std::string savingsFormula(const insight::Figure &figure)
{
    const std::string_view measure = figure.measure;
    if (measure.starts_with(insight::kRealizedSavings)) {
        const std::string name(measure.substr(insight::kRealizedSavings.size()));
        const std::string formula = "(Tb (1 + f (g - 1)) p h - Ta) x 730 h / 168 h; Tb, Ta: mean cost of the weeks "
                                    "before and after. If work fell"
                                    " (g < 1), what is saved both at Tb g p h and at Tb p h (Savings: Realized)";
        return name == "p50" ? "p50 = " + formula
                             : name + " = end of the band of p50, from 1000 draws of the weeks: p50 = " + formula;
    }
    if (measure.starts_with(insight::kRealizedSum)) {
        const std::string name(measure.substr(insight::kRealizedSum.size()));
        return name + " = sum of " + name
            + " of the accepted proposals and stops that were measured; of those about the same target only the one"
              " with the largest p50; the quantiles are added as if all rose and fell together (Savings: Realized)";
    }
    if (measure.starts_with(insight::kSavingsSum)) {
        const std::string name(measure.substr(insight::kSavingsSum.size()));
        return name + " = sum of " + name
            + " of the proposals that count; the quantiles are added as if all rose and fell together (Savings)";
    }
    const auto kind = savings::kindFrom(std::string_view(figure.item).substr(0, figure.item.find(':')));
    return kind ? proposalFormula(*kind, figure.measure) : std::string();
}

} // namespace gpuledger::ui

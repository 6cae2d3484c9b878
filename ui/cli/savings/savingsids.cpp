// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/savingsids.h"

#include "ui/format/savings/savingsfigures.h"

#include <string>

namespace gpuledger::cli {

namespace {

constexpr const char *kQuantiles[]{"p10", "p50", "p90"};

} // namespace

void addSumFigures(Json &json, const savings::SavingsList &list, const services::SavingsQuery &query)
{
    const ui::AskedSavings asked{query.cost, query.assumptions};
    for (std::size_t i = 0; i < list.sums.size(); ++i) {
        const savings::SavingsSum &sum = list.sums[i];
        Json ids = Json::object();
        if (query.own) { // an id names no file, so that no proof could come to the same sum
            json["total"][i]["figures"] = std::move(ids);
            continue;
        }
        for (const char *quantile : kQuantiles) {
            const std::string measure = std::string(insight::kSavingsSum) + quantile;
            const auto add = [&](const std::string &name, std::optional<savings::Kind> kind) {
                if (const auto figure = ui::savingsSumFigure(list, sum, kind, asked, measure))
                    ids[name + '.' + quantile] = insight::toString(*figure);
            };
            add("per_month", query.kind);
            for (const auto &[kind, band] : sum.byKind)
                add("by_kind." + std::string(savings::toString(kind)), kind);
        }
        json["total"][i]["figures"] = std::move(ids);
    }
}

void addProposalFigures(Json &json, const savings::SavingsList &list, const savings::Proposal &proposal,
                        const services::SavingsQuery &query)
{
    const ui::AskedSavings asked{query.cost, query.assumptions};
    Json ids = Json::object();
    const auto add = [&](const std::string &name, const char *measure) {
        ids[name] = insight::toString(ui::proposalFigure(list, proposal, asked, measure));
    };
    const bool isOfFile = query.own && proposal.kind == savings::Kind::Commitments; // an id names no file
    if (ui::hasFigures(proposal) && !isOfFile) {
        for (const char *quantile : kQuantiles)
            add(std::string("per_month.") + quantile, quantile);
        if (proposal.avoidable)
            add("avoidable", "avoidable");
    }
    json["figures"] = std::move(ids);
}

void addRealizedFigures(Json &json, const savings::Realized &one, model::CostView cost)
{
    Json ids = Json::object();
    for (const char *quantile : kQuantiles) {
        if (const auto figure = ui::realizedFigure(one, cost, quantile))
            ids[std::string("per_month.") + quantile] = insight::toString(*figure);
    }
    json["figures"] = std::move(ids);
}

void addRealizedSumFigures(Json &json, const savings::RealizedTotal &sum, const std::vector<savings::Realized> &all,
                           model::CostView cost)
{
    Json ids = Json::object();
    for (const char *quantile : kQuantiles)
        ids[std::string("per_month.") + quantile] = insight::toString(ui::realizedSumFigure(sum, all, cost, quantile));
    json["figures"] = std::move(ids);
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingsexplained.h"

#include "ui/format/savings/savingsfigures.h"
#include "ui/viewmodels/savings/savingsviewmodel.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace gpuledger::ui {

namespace {

struct SavingsFigureNames {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SavingsPage)
public:
    static QString saved(const char *quantile)
    {
        return tr("Saves per month, %1", "a quantile such as p50").arg(QLatin1String(quantile));
    }
    static QString spend() { return tr("Spend per month that it comes from"); }
    static QString realized(const QString &what, const char *quantile)
    {
        return tr("Realized per month, %1: %2", "a quantile such as p50, what was changed")
            .arg(QLatin1String(quantile), what);
    }
    static QString allRealized(const char *quantile, const std::string &currency)
    {
        return tr("Realized per month in %1, %2", "currency, a quantile such as p50")
            .arg(QString::fromStdString(currency), QLatin1String(quantile));
    }
    static QString found(const char *quantile, const std::string &currency)
    {
        return tr("Savings found in %1, %2", "currency, a quantile such as p50")
            .arg(QString::fromStdString(currency), QLatin1String(quantile));
    }
};

constexpr const char *kExplainedQuantiles[]{"p50", "p10", "p90"};

} // namespace

std::vector<Explained> savingsExplained(const SavingsSnapshot &snapshot, const std::string &proposal)
{
    const auto &items = snapshot.list.items;
    const auto one =
        std::find_if(items.begin(), items.end(), [&](const savings::Proposal &item) { return item.id == proposal; });
    if (one == items.end() || !hasFigures(*one))
        return {};
    const AskedSavings asked{snapshot.cost, snapshot.assumptions};
    std::vector<Explained> out;
    for (const char *quantile : kExplainedQuantiles)
        out.push_back({SavingsFigureNames::saved(quantile), proposalFigure(snapshot.list, *one, asked, quantile)});
    if (one->avoidable)
        out.push_back({SavingsFigureNames::spend(), proposalFigure(snapshot.list, *one, asked, "avoidable")});
    return out;
}

std::vector<Explained> savingsSumExplained(const SavingsSnapshot &snapshot)
{
    const AskedSavings asked{snapshot.cost, snapshot.assumptions};
    std::vector<Explained> out;
    for (const savings::SavingsSum &sum : snapshot.list.sums) {
        for (const char *quantile : kExplainedQuantiles) {
            const std::string measure = std::string(insight::kSavingsSum) + quantile;
            if (auto figure = savingsSumFigure(snapshot.list, sum, std::nullopt, asked, measure))
                out.push_back({SavingsFigureNames::found(quantile, sum.currency), std::move(*figure)});
        }
    }
    return out;
}

std::vector<Explained> realizedExplained(const SavingsDone &done, model::CostView cost)
{
    std::vector<Explained> out;
    for (const savings::RealizedTotal &sum : savings::realizedSum(done.choices, done.realized)) {
        const std::string currency(sum.perMonth.p50.currency().code());
        for (const char *quantile : kExplainedQuantiles)
            out.push_back({SavingsFigureNames::allRealized(quantile, currency),
                           realizedSumFigure(sum, done.realized, cost, quantile)});
    }
    for (const savings::Realized &one : done.realized) {
        const auto choice = std::find_if(done.choices.begin(), done.choices.end(),
                                         [&](const savings::Choice &known) { return known.id == one.choice; });
        if (!one.stop && choice == done.choices.end())
            continue;
        const QString what = QString::fromStdString(one.stop ? one.stop->target : choice->target);
        for (const char *quantile : kExplainedQuantiles) {
            if (auto figure = realizedFigure(one, cost, quantile))
                out.push_back({SavingsFigureNames::realized(what, quantile), std::move(*figure)});
        }
    }
    return out;
}

void offerSavingsProofs(widgets::DataTable *table, QWidget *summary, const PageContext &context, QWidget *page,
                        const SavingsViewModel &model)
{
    offerExplain(table, context, page, [&model](const QString &row) {
        const auto snapshot = model.snapshot();
        return snapshot ? savingsExplained(*snapshot, row.toStdString()) : std::vector<Explained>();
    });
    offerExplain(summary, context, page, [&model] {
        const auto snapshot = model.snapshot();
        auto out = snapshot ? savingsSumExplained(*snapshot) : std::vector<Explained>();
        if (const auto done = model.done()) {
            auto realized = realizedExplained(*done, model.scope().cost);
            std::move(realized.begin(), realized.end(), std::back_inserter(out));
        }
        return out;
    });
}

} // namespace gpuledger::ui

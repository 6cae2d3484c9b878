// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/plannedviewmodel.h"

#include "app/services/spend/spendservice.h"

#include <algorithm>

namespace gpuledger::ui {

PlannedViewModel::PlannedViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent)
    : ComparedViewModel(PlannedTable::columns(), tr("Plan"), parent)
    , m_spend(spend)
    , m_answer(tasks, this,
               [this] { show(m_answer.error() ? nullptr : std::make_shared<const PlannedTable>(m_answer.snapshot())); })
{
    m_answer.setActive(false);
}

void PlannedViewModel::refresh()
{
    m_answer.ask(
        [spend = &m_spend, cost = cost()](const std::stop_token &stop) -> LatestQuery<services::PlannedAnswer>::Answer {
            auto answer = spend->planned(cost, stop);
            GPULEDGER_TRY(answer);
            return std::make_shared<const services::PlannedAnswer>(std::move(*answer));
        });
}

QString PlannedViewModel::noteText() const
{
    if (!answer())
        return {};
    QStringList parts;
    if (cost() == model::CostView::List)
        parts.append(tr("At list prices, own bills are not compared."));
    else if (answer()->billed.empty())
        parts.append(tr("There are no final bill days to compare with."));
    std::uint64_t others = 0;
    for (const services::PlannedPlan &plan : answer()->plans)
        others += plan.withoutGpus;
    if (others > 0)
        parts.append(tr("Left out without GPUs: %n group(s) of machines.", nullptr,
                        static_cast<int>(std::min<std::uint64_t>(others, 1'000'000'000))));
    parts.append(tr("A month has 730 hours; disks and all else of a resource are not in the amounts."));
    return parts.join(QLatin1Char(' '));
}

} // namespace gpuledger::ui

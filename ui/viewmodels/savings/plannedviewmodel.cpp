// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/plannedviewmodel.h"

#include "app/services/spend/spendservice.h"

#include <algorithm>

namespace gpuledger::ui {

PlannedViewModel::PlannedViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_spend(spend)
    , m_table(PlannedTable::columns())
    , m_answer(tasks, this, [this] { take(); })
{
    m_table.setGroupTitle(tr("Plan"));
    m_answer.setActive(false);
}

void PlannedViewModel::setCost(model::CostView cost)
{
    if (cost == m_cost)
        return;
    m_cost = cost;
}

void PlannedViewModel::refresh()
{
    m_answer.ask(
        [spend = &m_spend, cost = m_cost](const std::stop_token &stop) -> LatestQuery<services::PlannedAnswer>::Answer {
            auto answer = spend->planned(cost, stop);
            GPULEDGER_TRY(answer);
            return std::make_shared<const services::PlannedAnswer>(std::move(*answer));
        });
}

void PlannedViewModel::take()
{
    if (const auto &error = m_answer.error()) {
        m_state =
            error->code == base::ErrorCode::NotFound && error->source.empty() ? PageState::FirstRun : PageState::Error;
    } else {
        const auto rows = std::make_shared<PlannedTable>(answer());
        m_table.setGrouped(true);
        m_table.setSnapshot(rows);
        m_state = rows->rowCount() == 0 ? PageState::Empty : PageState::Data;
    }
    Q_EMIT changed();
}

QString PlannedViewModel::noteText() const
{
    if (!answer())
        return {};
    QStringList parts;
    if (m_cost == model::CostView::List)
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

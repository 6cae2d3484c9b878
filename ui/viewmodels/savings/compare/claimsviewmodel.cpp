// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/claimsviewmodel.h"

#include "app/services/spend/spendservice.h"

#include <algorithm>

namespace gpuledger::ui {

using services::ClaimGap;

ClaimsViewModel::ClaimsViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent)
    : ComparedViewModel(ClaimsTable::columns(), tr("Tool"), parent)
    , m_spend(spend)
    , m_answer(tasks, this,
               [this] { show(m_answer.error() ? nullptr : std::make_shared<const ClaimsTable>(m_answer.snapshot())); })
{
    m_answer.setActive(false);
}

void ClaimsViewModel::refresh()
{
    m_answer.ask(
        [spend = &m_spend, cost = cost()](const std::stop_token &stop) -> LatestQuery<services::ClaimsAnswer>::Answer {
            auto answer = spend->claims(cost, stop);
            GPULEDGER_TRY(answer);
            return std::make_shared<const services::ClaimsAnswer>(std::move(*answer));
        });
}

QString ClaimsViewModel::noteText() const
{
    if (!answer())
        return {};
    QStringList parts;
    const auto &rows = answer()->rows;
    for (const ClaimGap gap : {ClaimGap::NotBilled, ClaimGap::MissingDays, ClaimGap::NoRate, ClaimGap::NotPaid}) {
        const auto count = std::count_if(rows.begin(), rows.end(), [&](const auto &row) { return row.gap == gap; });
        if (count > 0)
            parts.append(tr("Not compared: %n claim(s).", nullptr, static_cast<int>(count)) + QLatin1Char(' ')
                         + ClaimsTable::gapText(gap));
    }
    parts.append(tr("A bill does not say why it changed, so compare the GPU-hours as well."));
    return parts.join(QLatin1Char(' '));
}

} // namespace gpuledger::ui

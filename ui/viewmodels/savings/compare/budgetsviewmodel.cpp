// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/budgetsviewmodel.h"

#include "app/services/spend/spendservice.h"
#include "ui/format/local/localtext.h"

#include <QStringList>

#include <algorithm>

namespace gpuledger::ui {

using services::BudgetGap;
using services::BudgetsAnswer;

namespace {

constexpr std::size_t kMostUnread = 4; // sources that are named, so that the table keeps its room

int shownCount(std::uint64_t count)
{
    return static_cast<int>(std::min<std::uint64_t>(count, 1'000'000'000));
}

// One sentence or more for each source, with its name.
QStringList unreadSentences(const BudgetsAnswer &answer)
{
    QStringList all;
    for (std::size_t i = 0; i < std::min(answer.unread.size(), kMostUnread); ++i) {
        base::Error error = answer.unread[i].error;
        all.append(LocalText::sentence(std::move(error).withSource(answer.unread[i].source)));
    }
    if (answer.unread.size() > kMostUnread)
        all.append(BudgetsViewModel::tr("The budgets of %n more source(s) could not be read.", nullptr,
                                        shownCount(answer.unread.size() - kMostUnread)));
    return all;
}

} // namespace

BudgetsViewModel::BudgetsViewModel(services::SpendService &spend, TaskRunner &tasks, QObject *parent)
    : ComparedViewModel(BudgetsTable::columns(), tr("Cloud and source"), parent)
    , m_spend(spend)
    , m_answer(tasks, this, [this] { take(); })
{
    m_answer.setActive(false);
}

void BudgetsViewModel::refresh()
{
    m_answer.ask([spend = &m_spend, cost = cost()](const std::stop_token &stop) -> LatestQuery<BudgetsAnswer>::Answer {
        auto answer = spend->budgets(cost, stop);
        GPULEDGER_TRY(answer);
        return std::make_shared<const BudgetsAnswer>(std::move(*answer));
    });
}

void BudgetsViewModel::take()
{
    m_error = m_answer.error() ? m_answer.error() : failureOf(*m_answer.snapshot());
    if (m_error)
        return show(nullptr);
    const auto rows = std::make_shared<const BudgetsTable>(m_answer.snapshot());
    table().setColumns(BudgetsTable::columns(rows->currency()));
    show(rows);
}

std::optional<base::Error> BudgetsViewModel::failureOf(const BudgetsAnswer &answer)
{
    if (!answer.rows.empty() || answer.unread.empty())
        return std::nullopt;
    base::Error error = answer.unread.front().error;
    return std::move(error).withSource(answer.unread.front().source);
}

QString BudgetsViewModel::errorText() const
{
    return m_answer.error() || !answer() ? ComparedViewModel::errorText()
                                         : unreadSentences(*answer()).join(QLatin1Char(' '));
}

QString BudgetsViewModel::notesOf(const BudgetsAnswer &answer)
{
    QStringList parts = unreadSentences(answer);
    for (const BudgetGap gap :
         {BudgetGap::OnlyPart, BudgetGap::NoPeriod, BudgetGap::NotBilled, BudgetGap::NoRate, BudgetGap::NotPaid}) {
        const auto count = std::count_if(answer.rows.begin(), answer.rows.end(),
                                         [&](const services::BudgetRow &row) { return row.gap == gap; });
        if (count > 0)
            parts.append(tr("Not compared: %n budget(s).", nullptr, static_cast<int>(count)) + QLatin1Char(' ')
                         + BudgetsTable::gapText(gap));
    }
    if (answer.withoutMoney > 0)
        parts.append(tr("Left out: %n budget(s) of hours or shares instead of money.", nullptr,
                        shownCount(answer.withoutMoney)));
    if (answer.rejected > 0)
        parts.append(tr("Left out: %n budget(s) that can't be read.", nullptr, shownCount(answer.rejected)));
    if (!answer.rows.empty())
        parts.append(tr("What was spent and the forecast are the cloud's own figures; the bill may end some days "
                        "earlier."));
    return parts.join(QLatin1Char(' '));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/budgetscommand.h"

#include "app/services/spend/spendservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/showback/cloudbudgetsprint.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gpuledger::cli {

using base::Result;
using services::BudgetGap;

namespace {

std::string budgetCount(std::uint64_t count)
{
    return std::to_string(count) + (count == 1 ? " budget is " : " budgets are ");
}

void noteBudgets(const Output &out, const services::BudgetsAnswer &answer)
{
    if (answer.rows.empty() && answer.unread.empty())
        out.note("no budget was found");
    for (const BudgetGap gap :
         {BudgetGap::OnlyPart, BudgetGap::NoPeriod, BudgetGap::NotBilled, BudgetGap::NoRate, BudgetGap::NotPaid}) {
        const auto count = std::count_if(answer.rows.begin(), answer.rows.end(),
                                         [&](const services::BudgetRow &row) { return row.gap == gap; });
        if (count > 0)
            out.note(budgetCount(static_cast<std::uint64_t>(count)) + "not compared: " + budgetGapText(gap));
    }
    if (answer.withoutMoney > 0)
        out.note(budgetCount(answer.withoutMoney) + "left out: not about money");
    if (answer.rejected > 0)
        out.note(budgetCount(answer.rejected) + "left out: not readable");
}

} // namespace

void BudgetsCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "budgets",
                     "Budgets that are set up at clouds, beside what the bill has; exit status 1 if a cloud's budgets "
                     "can't be read",
                     "gpuledger-cli budgets --json");
    addCostOption(*m_verb, m_cost);
}

Result<int> BudgetsCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto answer = (*workspace)->spend().budgets(costViewOf(m_cost), session.stop());
    GPULEDGER_TRY(answer);
    Output &out = session.out();
    if (out.json()) {
        GPULEDGER_TRY(out.print(cloudBudgetsJson(*answer)));
    } else {
        GPULEDGER_TRY(out.print(out.csv() ? cloudBudgetsCsv(*answer) : cloudBudgetsText(*answer, out.bold())));
        noteBudgets(out, *answer);
    }
    for (const services::UnreadBudgets &unread : answer->unread)
        out.failure(unread.error);
    return answer->unread.empty() ? kDone : kLook;
}

} // namespace gpuledger::cli

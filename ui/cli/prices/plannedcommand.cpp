// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/plannedcommand.h"

#include "app/services/spend/spendservice.h"
#include "ui/cli/prices/plannedprint.h"
#include "ui/cli/program/costoption.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

using base::Result;

void PlannedCommand::addTo(CLI::App &parent)
{
    m_verb =
        addVerb(parent, "planned", "What planned machines with GPUs would cost, beside what such machines cost now",
                "gpuledger-cli planned --json");
    addCostOption(*m_verb, m_cost);
}

Result<int> PlannedCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto answer = (*workspace)->spend().planned(costViewOf(m_cost), session.stop());
    GPULEDGER_TRY(answer);
    Output &out = session.out();
    if (out.json()) {
        GPULEDGER_TRY(out.print(plannedJson(*answer)));
        return kDone;
    }
    GPULEDGER_TRY(out.print(out.csv() ? plannedCsv(*answer) : plannedText(*answer, out.bold())));
    if (answer->plans.empty())
        out.note("no plan was found");
    if (costViewOf(m_cost) == model::CostView::List)
        out.note("prices of own bills are not compared: --cost list asks for list prices");
    else if (answer->billed.empty())
        out.note("there are no final bill days to compare with");
    for (const services::PlannedPlan &plan : answer->plans) {
        if (plan.withoutGpus > 0)
            out.note(plan.file + ": machines without GPUs are left out: " + std::to_string(plan.withoutGpus));
    }
    return kDone;
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/claimscommand.h"

#include "app/services/spend/spendservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/claimsprint.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gpuledger::cli {

using base::Result;
using services::ClaimGap;

void ClaimsCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "claims", // allowed: a command
                     "What other tools claim to have saved, beside what the bill has before and since",
                     "gpuledger-cli claims --json");
    addCostOption(*m_verb, m_cost);
}

Result<int> ClaimsCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto answer = (*workspace)->spend().claims(costViewOf(m_cost), session.stop());
    GPULEDGER_TRY(answer);
    Output &out = session.out();
    if (out.json()) {
        GPULEDGER_TRY(out.print(claimsJson(*answer)));
        return kDone;
    }
    GPULEDGER_TRY(out.print(out.csv() ? claimsCsv(*answer) : claimsText(*answer, out.bold())));
    if (answer->rows.empty())
        out.note("no claim was found");
    for (const ClaimGap gap : {ClaimGap::NotBilled, ClaimGap::MissingDays, ClaimGap::NoRate, ClaimGap::NotPaid}) {
        const auto count = std::count_if(answer->rows.begin(), answer->rows.end(),
                                         [&](const services::ClaimRow &row) { return row.gap == gap; });
        if (count > 0)
            out.note(std::to_string(count) + (count == 1 ? " claim is" : " claims are")
                     + " not compared: " + gapText(gap));
    }
    return kDone;
}

} // namespace gpuledger::cli

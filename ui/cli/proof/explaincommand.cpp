// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/proof/explaincommand.h"

#include "app/insight/proof/figure.h"
#include "app/insight/proof/proof.h"
#include "app/services/proof/proofservice.h"
#include "ui/cli/proof/prooftext.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

void ExplainCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "explain",
                     "The data behind a figure, recomputed from the facts; exit status 1 if the value differs",
                     "gpuledger-cli explain 'summary/gpu-hours.idle?from=2026-10-01&to=2026-11-01&team=vision'");
    m_verb->add_option("figure", m_figure, "Id from the \"figures\" of a JSON answer")->required();
}

base::Result<int> ExplainCommand::run(Session &session)
{
    const auto figure = insight::figureFromString(m_figure);
    GPULEDGER_TRY(figure);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto proof = (*workspace)->proof().explain(*figure, session.stop());
    GPULEDGER_TRY(proof);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(proofJson(*proof)));
    else if (out.csv())
        GPULEDGER_TRY(out.print(proofCsv(*proof)));
    else
        GPULEDGER_TRY(out.print(proofText(*proof, (*workspace)->timeZone(), out.bold())));
    return proof->agrees ? kDone : kLook;
}

} // namespace gpuledger::cli

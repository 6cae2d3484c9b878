// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/commitmentscommand.h"

#include "app/services/spend/spendservice.h"
#include "ui/cli/showback/cloudcommitmentsprint.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

using base::Result;

void CommitmentsCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "commitments",
                     "What clouds say of commitments, beside what the bill has; exit status 1 if a source was never "
                     "read or its last reading failed",
                     "gpuledger-cli commitments --json");
}

Result<int> CommitmentsCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto answer = (*workspace)->spend().commitments(session.stop());
    GPULEDGER_TRY(answer);
    const base::TimeZone &zone = (*workspace)->timeZone();
    Output &out = session.out();
    if (out.json()) {
        GPULEDGER_TRY(out.print(cloudCommitmentsJson(*answer)));
    } else {
        GPULEDGER_TRY(out.print(out.csv() ? cloudCommitmentsCsv(*answer) : cloudCommitmentsText(*answer, out.bold())));
        for (const std::string &line : commitmentNotes(*answer, zone))
            out.note(line);
    }
    int status = kDone;
    for (const services::CommitmentReading &reading : answer->readings) {
        if (!isUnread(reading))
            continue;
        out.notice("gpuledger-cli: " + unreadCommitmentsText(reading, zone) + '\n');
        status = kLook;
    }
    return status;
}

} // namespace gpuledger::cli

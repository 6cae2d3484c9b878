// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/reportcommand.h"

#include "ui/cli/program/reportline.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

using base::Result;
using reports::ReportHeader;
using services::Signer;

const char *nameOf(Signer signer)
{
    switch (signer) {
    case Signer::Own:
        return "own";
    case Signer::Known:
        return "known";
    case Signer::Unknown:
        return "unknown";
    }
    return "unknown";
}

Json reportJson(const ReportHeader &header, Signer signer)
{
    return {{"month", insight::toString(header.month)},
            {"state", header.state},
            {"made", cli::toJson(header.made)},
            {"program", textOrNull(header.program)},
            {"actor", textOrNull(header.actor)},
            {"signer", nameOf(signer)},
            {"fingerprint", header.fingerprint()},
            {"bytes", header.bytes},
            {"unpacked", header.settingsBytes + header.statementBytes + header.cacheBytes}};
}

} // namespace

void ReportCommand::addTo(CLI::App &parent)
{
    CLI::App *verb = addVerb(parent, "report", "Report files: a month with its facts, signed",
                             "gpuledger-cli --report october.gpureport ledger --by team,state");
    verb->require_subcommand(1);
    m_info = addVerb(*verb, "info", "Checks a report file and shows its contents, author and signer",
                     "gpuledger-cli report info october.gpureport --trust");
    m_info->add_option("file", m_file, "The report file")->required();
    m_info->add_flag("--trust", m_trust, "Trust its signer from now on; compare the fingerprint first");
}

Result<int> ReportCommand::run(Session &session)
{
    const auto header = reports::checkReportFile(m_file);
    GPULEDGER_TRY(header);
    const std::string fingerprint = header->fingerprint();
    if (m_trust)
        GPULEDGER_TRY(services::trustSigner(fingerprint, session.dataFolder()));
    const Signer signer = services::signerOf(fingerprint, session.dataFolder());
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(reportJson(*header, signer)));
    else
        GPULEDGER_TRY(out.print(describeReport(*header, signer) + '\n'));
    return kDone;
}

} // namespace gpuledger::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/synccommand.h"

#include "ui/cli/syncrun.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

void SyncCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "sync", "Fetch what is new from every source", "gpuledger-cli sync --source prod");
    m_verb->add_option("--source", m_source, "Only this source");
}

base::Result<int> SyncCommand::run(Session &session)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    return runSync(session, **workspace, m_source.empty() ? std::nullopt : std::optional(m_source));
}

} // namespace gpuledger::cli

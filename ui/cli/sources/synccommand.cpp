// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/synccommand.h"

#include "app/services/sources/sourceservice.h"
#include "ui/cli/sources/syncrun.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

void SyncCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "sync", "Fetches new data from every source", "gpuledger-cli sync --source prod");
    CLI::Option *source = m_verb->add_option("--source", m_source, "Only this source");
    m_verb
        ->add_flag(
            "--accept-gone", m_acceptGone,
            "Accepts that data this source no longer reports were deleted there, and continues without them. Stored "
            "data stay, except for days of an allocator that now have less data")
        ->needs(source);
}

base::Result<int> SyncCommand::run(Session &session)
{
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    using Gone = services::SourceService::WhatIsGone;
    return runSync(session, **workspace, m_source.empty() ? std::nullopt : std::optional(m_source),
                   m_acceptGone ? Gone::Accept : Gone::Keep);
}

} // namespace gpuledger::cli

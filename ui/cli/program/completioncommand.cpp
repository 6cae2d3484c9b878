// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/completioncommand.h"

#include "app/base/text/text.h"
#include "app/ports/sourcecatalog.h"
#include "app/ports/sourcekind.h"
#include "ui/cli/program/completionscript.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace gpuledger::cli {

void CompletionCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "completion", "Prints the completion script for a shell",
                     "gpuledger-cli completion bash > ~/.local/share/bash-completion/completions/gpuledger-cli");
    m_verb->add_option("shell", m_shell, "bash, zsh or fish")->required();
}

base::Result<int> CompletionCommand::run(Session &session)
{
    for (const auto &[given, name] : {std::pair(session.options().json, "--json"), {session.options().csv, "--csv"}}) {
        if (given)
            return base::fail(base::ErrorCode::InvalidArgument, std::string("completion can't go with ") + name,
                              "it prints a script for a shell");
    }
    std::vector<std::string> kinds;
    for (const ports::SourceKind &kind : session.ports().catalog.kinds())
        kinds.push_back(kind.kind);
    const std::string script = completionScript(m_root, m_shell, kinds);
    if (script.empty())
        return base::fail(base::ErrorCode::InvalidArgument,
                          "there is no completion for \"" + base::printable(m_shell, 64) + '"',
                          "it is one of bash, zsh, fish");
    GPULEDGER_TRY(session.out().print(script));
    return kDone;
}

} // namespace gpuledger::cli

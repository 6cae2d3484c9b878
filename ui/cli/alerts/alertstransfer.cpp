// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/alerts/alertstransfer.h"

#include "app/base/files/filereplace.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/config/alertlists.h"
#include "app/services/config/configedit.h"
#include "app/services/config/configfile.h"
#include "ui/cli/program/output.h"
#include "ui/cli/program/session.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <utility>

namespace gpuledger::cli {

using base::Result;
using services::ImportedAlerts;
using services::ImportedEntry;

namespace {

constexpr mode_t kExportMode = 0600; // names of people and addresses

CLI::App *addTransferVerb(CLI::App &parent, const std::string &name, const std::string &help,
                          const std::string &example)
{
    CLI::App *verb = parent.add_subcommand(name, help);
    verb->footer("Example:\n  " + example);
    verb->fallthrough();
    return verb;
}

Result<std::string> textOfFile(const std::filesystem::path &file)
{
    auto text = services::configBytes(file);
    GPULEDGER_TRY(text);
    if (!*text)
        return base::fail(
            base::Error::make(base::ErrorCode::NotFound, base::printable(file.string()) + ": no such file",
                              "give the path of a file; there is none at " + base::printable(file.string()))
                .withSource(file.string()));
    return std::move(**text);
}

std::string_view changeWord(ImportedEntry::What what)
{
    switch (what) {
    case ImportedEntry::What::Added:
        return "added";
    case ImportedEntry::What::Changed:
        return "changed";
    case ImportedEntry::What::Removed:
        break;
    }
    return "removed";
}

Json alertImportJson(const ImportedAlerts &answer, const std::string &file, bool isWritten)
{
    Json json{{"file", file}, {"written", isWritten}, {"changes", Json::array()}, {"unchanged", answer.unchanged}};
    for (const ImportedEntry &one : answer.entries)
        json["changes"].push_back(
            {{"list", one.list}, {"name", one.name}, {"change", std::string(changeWord(one.what))}});
    return json;
}

std::string alertImportText(const ImportedAlerts &answer, const std::string &file, bool isWritten)
{
    std::string text;
    for (const ImportedEntry &one : answer.entries)
        text += std::string(changeWord(one.what)) + ": " + one.list + ' ' + base::printable(one.name, 80) + '\n';
    text += std::to_string(answer.unchanged) + " unchanged\n";
    if (answer.entries.empty())
        return text + "Nothing to write.\n";
    return text + (isWritten ? "Written to " : "Nothing was written to ") + base::printable(file) + ".\n";
}

} // namespace

void AlertsTransfer::addTo(CLI::App &alerts)
{
    m_export = addTransferVerb(alerts, "export",
                               "Prints the targets, routes, alerts, budgets and events of the configuration as YAML",
                               "gpuledger-cli alerts export --out alerts.yaml");
    m_export->add_option("--out", m_out, "Write them into this file (default: stdout)");
    m_import =
        addTransferVerb(alerts, "import",
                        "Adds targets, routes, alerts, budgets and events of a file to the configuration, or changes "
                        "those of the same name",
                        "gpuledger-cli alerts import alerts.yaml --dry-run");
    m_import->add_option("FILE", m_file, "YAML, as written by: alerts export")->required();
    m_import->add_flag("--replace", m_replaces, "Also remove what the file does not name from the lists that it has");
    m_import->add_flag("--dry-run", m_isDryRun, "Only show what would change");
}

bool AlertsTransfer::chosen() const
{
    return m_export && (m_export->parsed() || m_import->parsed());
}

Result<int> AlertsTransfer::run(Session &session)
{
    if (session.options().demo || !session.options().report.empty())
        return base::fail(base::ErrorCode::InvalidArgument, "the demo and a report have no configuration file",
                          "omit --demo or --report for alerts "
                              + std::string(m_export->parsed() ? "export" : "import"));
    return m_export->parsed() ? exportLists(session) : importLists(session);
}

Result<int> AlertsTransfer::exportLists(Session &session) const
{
    const std::filesystem::path file = session.configFile();
    const auto text = textOfFile(file);
    GPULEDGER_TRY(text);
    const auto lists = services::exportedAlerts(*text, file, session.ports().catalog.kinds());
    GPULEDGER_TRY(lists);
    if (!m_out.empty())
        GPULEDGER_TRY(base::replaceFile(m_out, *lists, kExportMode));
    if (session.out().json())
        GPULEDGER_TRY(session.out().print(
            Json{{"file", file.string()}, {"out", m_out.empty() ? Json() : Json(m_out)}, {"yaml", *lists}}));
    else if (m_out.empty())
        GPULEDGER_TRY(session.out().print(*lists));
    else
        session.out().note("wrote " + base::printable(m_out));
    return kDone;
}

Result<int> AlertsTransfer::importLists(Session &session) const
{
    const std::filesystem::path file = session.configFile();
    const ports::SourceKinds kinds = session.ports().catalog.kinds();
    const auto imported = textOfFile(m_file);
    GPULEDGER_TRY(imported);
    const auto mode = m_replaces ? services::ImportMode::Replace : services::ImportMode::Merge;
    ImportedAlerts answer;
    const auto change = [&](std::string_view text) -> Result<std::string> {
        auto done = services::withImportedAlerts(text, file, *imported, m_file, mode, kinds);
        GPULEDGER_TRY(done);
        answer = std::move(*done);
        return answer.text;
    };
    if (m_isDryRun) {
        const auto text = textOfFile(file);
        GPULEDGER_TRY(text);
        GPULEDGER_TRY(change(*text));
    } else {
        GPULEDGER_TRY(services::changeFile(file, change));
    }
    const bool isWritten = !m_isDryRun && !answer.entries.empty();
    if (session.out().json())
        GPULEDGER_TRY(session.out().print(alertImportJson(answer, file.string(), isWritten)));
    else
        GPULEDGER_TRY(session.out().print(alertImportText(answer, file.string(), isWritten)));
    return kDone;
}

} // namespace gpuledger::cli

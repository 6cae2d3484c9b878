// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "app/ports/commandconsent.h"
#include "app/ports/logincommands.h"
#include "app/services/workspace/openedreport.h"
#include "app/services/workspace/workspace.h"
#include "ui/cli/program/output.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace gpuledger::cli {

// What the program was built with. All of it outlives the session.
struct Ports {
    const ports::SourceCatalog &catalog;
    ports::SecretStore &secrets;
    ports::CommandConsent &commands;
    const ports::LoginCommands &logins;
};

// One run of the program: what the global options mean, and the engine once somebody asks for it. One thread. The
// options must outlive it.
class Session {
public:
    Session(const GlobalOptions &options, const Ports &ports, std::stop_token stop);

    // Reads --now, starts the log and opens the file of --report. Fails with InvalidArgument and as
    // OpenedReport::open() does.
    [[nodiscard]] base::Result<void> begin();

    const GlobalOptions &options() const { return m_options; }
    Output &out() { return m_out; }
    const base::Clock &clock() const { return *m_clock; }
    std::stop_token stop() const { return m_stop; }
    const Ports &ports() const { return m_ports; }

    std::filesystem::path configFile() const;
    std::filesystem::path dataFolder() const;
    // The demo's with --demo, else the file's. Fails with InvalidConfig, also when there is no file.
    [[nodiscard]] base::Result<model::Settings> settings() const;
    // Opened on first use; a cache that can't be written is opened for reading when `mayRead` says that this will do.
    [[nodiscard]] base::Result<services::Workspace *> workspace(bool mayRead = true);
    [[nodiscard]] base::Result<services::Workspace *> workspace(model::Settings settings, bool mayRead);

    // The month of --month; when it is not given, that of the report, else the last one that is over. Fails with
    // InvalidArgument.
    [[nodiscard]] base::Result<insight::Month> month(const std::string &text) const;
    // --from and --to; when not given, the report's month as far as it was over, else the last 30 days. Fails with
    // InvalidArgument.
    [[nodiscard]] base::Result<base::TimeRange> range(const base::TimeZone &zone) const;
    // RFC 3339, YYYY-MM-DD (midnight in the zone), "-30d" or "now". `option` names it in the error.
    [[nodiscard]] base::Result<base::UtcTime> instant(const std::string &text, const base::TimeZone &zone,
                                                      const std::string &option) const;
    insight::Filter filter() const;

private:
    const GlobalOptions &m_options;
    const Ports m_ports;
    std::stop_token m_stop;
    Output m_out;
    base::Result<void> openReport();
    void tellOfDamage();

    std::unique_ptr<base::Clock> m_clock;
    std::unique_ptr<services::OpenedReport> m_report;
    std::unique_ptr<services::Workspace> m_workspace;
};

} // namespace gpuledger::cli

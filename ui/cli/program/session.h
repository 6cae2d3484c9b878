// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/insight/query/query.h"
#include "app/ports/commandconsent.h"
#include "app/ports/logincommands.h"
#include "app/ports/noticetarget.h"
#include "app/services/workspace/openedreport.h"
#include "app/services/workspace/workspace.h"
#include "ui/cli/program/output.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace gpuledger::cli {

// The services the program was built with. All of them outlive the session.
struct Ports {
    const ports::SourceCatalog &catalog;
    ports::SecretStore &secrets;
    ports::CommandConsent &commands;
    const ports::LoginCommands &logins;
    std::shared_ptr<ports::NoticeTargets> targets{}; // null: alerts are sent nowhere
};

// One run of the program: the meaning of the global options, and the engine, created on demand. One thread. The options
// must outlive it.
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
    // The demo's settings with --demo, otherwise those of the file. Fails with InvalidConfig, also if there is no file.
    [[nodiscard]] base::Result<model::Settings> settings() const;
    // Opened on first use; a cache that cannot be written is opened read-only if `mayRead` allows that.
    [[nodiscard]] base::Result<services::Workspace *> workspace(bool mayRead = true);
    [[nodiscard]] base::Result<services::Workspace *> workspace(model::Settings settings, bool mayRead);

    // The month of --month; by default that of the report, otherwise the last complete one. Fails with InvalidArgument.
    [[nodiscard]] base::Result<insight::Month> month(const std::string &text) const;
    // --from and --to; by default the report's month as far as it was complete, otherwise the last 30 days. Fails with
    // InvalidArgument.
    [[nodiscard]] base::Result<base::TimeRange> range(const base::TimeZone &zone) const;
    // Parses RFC 3339, YYYY-MM-DD (midnight in the zone), "-30d" (before `end`) or "now". `option` names the option in
    // the error.
    [[nodiscard]] base::Result<base::UtcTime> instant(const std::string &text, const base::TimeZone &zone,
                                                      const std::string &option, base::UtcTime end) const;
    // The same for a time of which something is known: "-30d" is before now, and the future is an InvalidArgument.
    [[nodiscard]] base::Result<base::UtcTime> past(const std::string &text, const base::TimeZone &zone,
                                                   const std::string &option) const;
    // Fails with NotFound if a filter names only values that nothing fetched has; notes those of several.
    [[nodiscard]] base::Result<void> checkFilter(services::Workspace &workspace) const;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/cli/program/command.h"

#include <string>

namespace gpuledger::cli {

// alerts export and import: the lists targets, routes, alerts, budgets and events of the configuration file, as a file
// of their own and back. They read and change the file and not the data.
class AlertsTransfer {
public:
    void addTo(CLI::App &alerts);
    bool chosen() const;
    [[nodiscard]] base::Result<int> run(Session &session);

private:
    base::Result<int> exportLists(Session &session) const;
    base::Result<int> importLists(Session &session) const;

    CLI::App *m_export = nullptr, *m_import = nullptr;
    std::string m_out; // of export; empty: stdout
    std::string m_file; // of import
    bool m_replaces = false, m_isDryRun = false;
};

} // namespace gpuledger::cli

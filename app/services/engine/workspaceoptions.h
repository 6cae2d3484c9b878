// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace gpuledger::ports {
class NoticeTargets;
}
namespace gpuledger::reports {
struct KeptMonth;
}

namespace gpuledger::services {

// How to open a workspace.
struct WorkspaceOptions {
    std::filesystem::path dataFolder;
    std::string timeZone; // overrides the configured one; empty: the configured one, else the system's
    bool readOnly = false;
    std::string actor{}; // who signs off months; empty: the user known to the operating system
    // Set for an opened report file (OpenedReport): its month, shown as it was when the report was written. Requires
    // readOnly. Null: not a report.
    std::shared_ptr<const reports::KeptMonth> report{};
    std::shared_ptr<ports::NoticeTargets> targets{}; // makes the targets of alerts; null: none can be made
};

} // namespace gpuledger::services

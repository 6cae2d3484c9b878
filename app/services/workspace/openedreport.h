// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/privatefolder.h"
#include "app/model/settings.h"
#include "app/reports/reportfile.h"
#include "app/reports/reportmonth.h"
#include "app/services/workspace/workspace.h"

#include <filesystem>
#include <memory>

namespace gpuledger::services {

// A report file, checked and unpacked into a folder of this process alone, which goes with this object: it must outlive
// the workspace on it. Needs no configuration, no network and no cache of one's own. One thread.
class OpenedReport {
public:
    // Fails as reports::unpackReportFile() does, and with StorageCorrupt or StorageNewer where what was signed is no
    // report that this program could have made.
    [[nodiscard]] static base::Result<std::unique_ptr<OpenedReport>> open(const std::filesystem::path &file);

    const reports::ReportHeader &header() const { return m_header; }
    // What Workspace::open() wants: read-only. The clock of the workspace should say header().made.
    const model::Settings &settings() const { return m_settings; }
    WorkspaceOptions options() const;

private:
    OpenedReport() = default;

    std::unique_ptr<base::PrivateFolder> m_folder;
    reports::ReportHeader m_header;
    model::Settings m_settings;
    std::shared_ptr<const reports::KeptMonth> m_month;
};

} // namespace gpuledger::services

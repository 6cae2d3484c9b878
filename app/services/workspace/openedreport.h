// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/files/privatefolder.h"
#include "app/model/settings.h"
#include "app/reports/files/reportfile.h"
#include "app/reports/files/reportmonth.h"
#include "app/services/engine/workspaceoptions.h"

#include <filesystem>
#include <memory>

namespace gpuledger::services {

// A report file, verified and unpacked into a folder private to this process, which is removed with this object: it
// must outlive the workspace that uses it. Needs no configuration, no network and no cache of its own. One thread.
class OpenedReport {
public:
    // Fails like reports::unpackReportFile(), and with StorageCorrupt or StorageNewer if the signed content is not a
    // report that this program could have written.
    [[nodiscard]] static base::Result<std::unique_ptr<OpenedReport>> open(const std::filesystem::path &file);

    const reports::ReportHeader &header() const { return m_header; }
    // The arguments for Workspace::open(): read-only. The workspace's clock should return header().made.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/workspace/openedreport.h"

#include "app/base/remedy.h"
#include "app/services/config/config.h"
#include "app/store/months/monthextract.h"
#include "app/store/sqlite/cachefile.h"

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;

namespace {

constexpr char kDataFolder[] = "data", kCacheName[] = "ledger.db";

tl::unexpected<base::Error> unreadable(const std::filesystem::path &file, const std::string &what)
{
    return base::fail(base::Error::make(ErrorCode::StorageCorrupt, file.filename().string() + ": " + what,
                                        base::Remedy::RequestTrustedReport)
                          .withSource(file.string()));
}

} // namespace

Result<std::unique_ptr<OpenedReport>> OpenedReport::open(const std::filesystem::path &file)
{
    auto folder = base::PrivateFolder::make();
    GPULEDGER_TRY(folder);
    const std::filesystem::path data = (*folder)->path() / kDataFolder;
    GPULEDGER_TRY(store::createPrivateFolder(data));
    auto unpacked = reports::unpackReportFile(file, data / kCacheName);
    GPULEDGER_TRY(unpacked);
    ParsedConfig parsed = parseConfig(unpacked->settings, "/", {}); // without sources
    if (!parsed.problems.empty() || !parsed.settings.sources.empty())
        return unreadable(file, "its settings can't be read");
    auto month = reports::keptMonthOf(unpacked->statement);
    GPULEDGER_TRY(month);
    if (month->record.month != unpacked->header.month)
        return unreadable(file, "its statement is of a different month than its header says");
    GPULEDGER_TRY(store::admitExtract(data / kCacheName, (*folder)->path()));
    std::unique_ptr<OpenedReport> report(new OpenedReport);
    report->m_folder = std::move(*folder);
    report->m_header = std::move(unpacked->header);
    report->m_settings = std::move(parsed.settings);
    report->m_month = std::make_shared<const reports::KeptMonth>(std::move(*month));
    return report;
}

WorkspaceOptions OpenedReport::options() const
{
    WorkspaceOptions options;
    options.dataFolder = m_folder->path() / kDataFolder;
    options.readOnly = true;
    options.report = m_month;
    return options;
}

} // namespace gpuledger::services

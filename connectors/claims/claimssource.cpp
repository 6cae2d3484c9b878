// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/claims/claimssource.h"

#include "app/base/text/text.h"
#include "connectors/format/userfiles.h"

#include <iterator>
#include <set>

namespace gpuledger::claims {

using base::Result;

ClaimsSource::ClaimsSource(std::string name, std::filesystem::path path, ColumnNames columns)
    : m_name(std::move(name))
    , m_path(std::move(path))
    , m_columns(std::move(columns))
{
}

Result<std::vector<model::SavingsClaim>> ClaimsSource::read(std::stop_token stop)
{
    const auto files = format::userFilesAt(m_path, ".csv");
    GPULEDGER_TRY(files);
    std::vector<model::SavingsClaim> all;
    for (const std::filesystem::path &file : *files) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        const auto text = format::userFileText(file);
        GPULEDGER_TRY(text);
        auto claims = readClaims(*text, m_columns);
        if (!claims) {
            base::Error error = std::move(claims).error();
            error.text = base::printable(file.filename().string(), 200) + ": " + error.text;
            return tl::unexpected(std::move(error));
        }
        std::move(claims->begin(), claims->end(), std::back_inserter(all));
    }
    return all;
}

Result<ports::ProbeReport> ClaimsSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto claims = read(std::move(stop));
    GPULEDGER_TRY(claims);
    std::set<std::string> tools;
    for (const model::SavingsClaim &claim : *claims)
        tools.insert(claim.tool);
    ports::ProbeReport report;
    report.product = "CSV";
    report.usable = !claims->empty();
    report.findings.push_back({claims->empty() ? Level::Problem : Level::Good,
                               ports::FindingText::ClaimsFound,
                               {static_cast<std::uint64_t>(claims->size()), static_cast<std::uint64_t>(tools.size())},
                               {},
                               {}});
    return report;
}

Result<std::unique_ptr<ports::ClaimSource>> makeClaims(const model::SourceSettings &settings)
{
    const auto format = settings.options.find("format");
    auto names = columnNames(format == settings.options.end() ? std::string_view() : std::string_view(format->second));
    if (!names)
        return base::fail(std::move(names).error().withSource(settings.name));
    return std::make_unique<ClaimsSource>(settings.name, settings.path, std::move(*names));
}

} // namespace gpuledger::claims

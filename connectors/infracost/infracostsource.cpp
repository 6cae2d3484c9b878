// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/infracost/infracostsource.h"

#include "app/base/text/text.h"
#include "connectors/format/userfiles.h"
#include "connectors/infracost/breakdown.h"

namespace gpuledger::infracost {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

InfracostSource::InfracostSource(std::string name, fs::path path)
    : m_name(std::move(name))
    , m_path(std::move(path))
{
}

Result<std::vector<model::Plan>> InfracostSource::read(std::stop_token stop)
{
    const auto files = format::userFilesAt(m_path, ".json");
    GPULEDGER_TRY(files);
    std::vector<model::Plan> plans;
    for (const fs::path &file : *files) {
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "stopped");
        const auto text = format::userFileText(file);
        GPULEDGER_TRY(text);
        auto plan = readBreakdown(*text, base::printable(file.filename().string(), 200));
        GPULEDGER_TRY(plan);
        plans.push_back(std::move(*plan));
    }
    return plans;
}

Result<ports::ProbeReport> InfracostSource::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto plans = read(std::move(stop));
    GPULEDGER_TRY(plans);
    ports::ProbeReport report;
    report.product = "Infracost";
    report.usable = !plans->empty();
    std::uint64_t machines = 0;
    for (const model::Plan &plan : *plans)
        machines += plan.machines.size();
    report.findings.push_back({plans->empty() ? Level::Problem : Level::Good,
                               ports::FindingText::PlansFound,
                               {static_cast<std::uint64_t>(plans->size()), machines},
                               {},
                               {}});
    return report;
}

} // namespace gpuledger::infracost

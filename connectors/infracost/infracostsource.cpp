// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/infracost/infracostsource.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/infracost/breakdown.h"

#include <algorithm>
#include <fstream>

namespace gpuledger::infracost {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostBytes = 64u << 20; // of one file
constexpr std::size_t kMostFiles = 1'000;

std::string shown(const fs::path &path)
{
    return base::printable(path.string(), 256);
}

// Ascending.
Result<std::vector<fs::path>> filesAt(const fs::path &path)
{
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    if (!fs::exists(status))
        return base::fail(ErrorCode::NotFound, "there is no file or folder at " + shown(path),
                          base::Remedy::CheckPathAndPermissions);
    if (!fs::is_directory(status))
        return std::vector<fs::path>{path};
    std::vector<fs::path> files;
    for (fs::directory_iterator at(path, ec), end; !ec && at != end; at.increment(ec)) {
        if (at->path().extension() == ".json")
            files.push_back(at->path());
        if (files.size() > kMostFiles)
            return base::fail(ErrorCode::TooMuch, shown(path) + " has more than 1,000 files");
    }
    if (ec)
        return base::fail(ErrorCode::Forbidden, shown(path) + " can't be listed",
                          base::Remedy::CheckPathAndPermissions);
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::string> textAt(const fs::path &path)
{
    std::error_code ec;
    if (!fs::is_regular_file(path, ec))
        return base::fail(ErrorCode::Forbidden, shown(path) + " is not a regular file",
                          base::Remedy::CheckPathAndPermissions);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return base::fail(ErrorCode::Forbidden, shown(path) + " can't be read", base::Remedy::CheckPermissions);
    const std::uintmax_t size = fs::file_size(path, ec);
    if (ec || size > kMostBytes)
        return base::fail(ErrorCode::TooMuch, shown(path) + " is larger than 64 MiB");
    std::string text(static_cast<std::size_t>(size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

} // namespace

InfracostSource::InfracostSource(std::string name, fs::path path)
    : m_name(std::move(name))
    , m_path(std::move(path))
{
}

Result<std::vector<model::Plan>> InfracostSource::read(std::stop_token stop)
{
    const auto files = filesAt(m_path);
    GPULEDGER_TRY(files);
    std::vector<model::Plan> plans;
    for (const fs::path &file : *files) {
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "stopped");
        const auto text = textAt(file);
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

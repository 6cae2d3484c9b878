// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/focus/focussource.h"

#include "app/base/text.h"
#include "connectors/focus/billimport.h"

#include <algorithm>

namespace gpuledger::focus {

namespace {

namespace fs = std::filesystem;
using base::Result;

std::vector<fs::path> pathsOf(const FoundDelivery &delivery)
{
    std::vector<fs::path> paths;
    for (const FoundFile &file : delivery.files)
        paths.push_back(file.path);
    return paths;
}

} // namespace

FocusSource::FocusSource(std::string name, fs::path path, const base::Clock &clock)
    : m_name(std::move(name))
    , m_path(std::move(path))
    , m_clock(clock)
{
}

Result<std::vector<FoundDelivery>> FocusSource::found(const std::stop_token &stop) const
{
    std::error_code ec;
    const fs::path real = fs::canonical(m_path, ec); // the user named it, so a link is what was meant
    if (ec || fs::is_directory(real, ec))
        return scanFolder(m_path, stop);
    const auto stamp = stampOf(real);
    GPULEDGER_TRY(stamp);
    return std::vector<FoundDelivery>{{{{real, *stamp}}}};
}

bool FocusSource::settled(const FoundFile &file) const
{
    const auto seen = m_seen.find(file.path);
    return (seen != m_seen.end() && seen->second == file.stamp)
        || base::toUnix(m_clock.now()) - file.stamp.modifiedSeconds() >= kQuietTime.count();
}

bool FocusSource::imported(const FoundDelivery &delivery) const
{
    const auto before = m_imported.find(pathsOf(delivery));
    return before != m_imported.end()
        && std::equal(before->second.begin(), before->second.end(), delivery.files.begin(), delivery.files.end(),
                      [](const FileStamp &stamp, const FoundFile &file) { return stamp == file.stamp; });
}

Result<std::vector<ports::BillDelivery>> FocusSource::deliveries(std::stop_token stop)
{
    const auto all = found(stop);
    GPULEDGER_TRY(all);
    std::vector<ports::BillDelivery> ready;
    for (const FoundDelivery &delivery : *all) {
        const bool quiet = std::all_of(delivery.files.begin(), delivery.files.end(),
                                       [this](const FoundFile &file) { return settled(file); });
        if (quiet && !imported(delivery))
            ready.push_back({pathsOf(delivery)});
    }
    m_seen.clear();
    for (const FoundDelivery &delivery : *all) {
        for (const FoundFile &file : delivery.files)
            m_seen.emplace(file.path, file.stamp);
    }
    return ready;
}

Result<ports::ImportReport> FocusSource::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                std::stop_token stop)
{
    BillImport one(m_name, delivery, sink, m_clock, std::move(stop));
    auto report = one.run();
    if (report && report->outcome != ports::ImportReport::Outcome::Unfinished)
        m_imported[delivery.files] = one.stamps();
    return report;
}

} // namespace gpuledger::focus

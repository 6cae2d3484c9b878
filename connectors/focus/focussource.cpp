// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/focus/focussource.h"

#include "app/base/text/text.h"
#include "connectors/format/focus/billimport.h"
#include "connectors/format/focus/billprobe.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

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

FocusSource::FocusSource(std::string name, fs::path path, const base::Clock &clock,
                         std::chrono::milliseconds secondLook)
    : m_name(std::move(name))
    , m_path(std::move(path))
    , m_clock(clock)
    , m_secondLook(secondLook)
{
}

Result<std::vector<FoundDelivery>> FocusSource::found(const std::stop_token &stop) const
{
    std::error_code ec;
    const fs::path real = fs::canonical(m_path, ec); // the user named it, so a link is intended
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

bool FocusSource::settled(const FoundDelivery &delivery) const
{
    return std::all_of(delivery.files.begin(), delivery.files.end(),
                       [this](const FoundFile &file) { return settled(file); });
}

void FocusSource::remember(const std::vector<FoundDelivery> &all)
{
    m_seen.clear();
    for (const FoundDelivery &delivery : all) {
        for (const FoundFile &file : delivery.files)
            m_seen.emplace(file.path, file.stamp);
    }
}

Result<std::vector<FoundDelivery>> FocusSource::lookTwice(const std::stop_token &stop)
{
    auto all = found(stop);
    GPULEDGER_TRY(all);
    const bool isSettled =
        std::all_of(all->begin(), all->end(), [this](const FoundDelivery &delivery) { return settled(delivery); });
    if (isSettled)
        return all;
    remember(*all);
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, m_secondLook, [] { return false; });
    if (stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "stopped");
    return found(stop);
}

Result<std::vector<ports::BillDelivery>> FocusSource::deliveries(std::stop_token stop)
{
    m_waiting.clear();
    const auto all = lookTwice(stop);
    GPULEDGER_TRY(all);
    std::vector<ports::BillDelivery> ready;
    const base::UtcTime now = m_clock.now();
    for (const FoundDelivery &delivery : *all) {
        if (settled(delivery)) {
            if (!imported(delivery))
                ready.push_back({pathsOf(delivery)});
            continue;
        }
        for (const FoundFile &file : delivery.files) {
            // A file time may lie in the future; there is no point in waiting for it.
            const base::UtcTime until = base::fromUnix(file.stamp.modifiedSeconds()) + kQuietTime;
            if (!settled(file))
                m_waiting.push_back({file.path, std::min(until, now + kQuietTime)});
        }
    }
    remember(*all);
    return ready;
}

using Level = ports::Finding::Level;
using ports::FindingRemedy;
using ports::FindingText;

Result<ports::ProbeReport> FocusSource::probe(std::stop_token stop)
{
    ports::ProbeReport probe;
    probe.product = "FOCUS";
    const auto all = found(stop);
    GPULEDGER_TRY(all);
    std::uint64_t files = 0, unsettled = 0;
    const FoundDelivery *newest = nullptr;
    for (const FoundDelivery &delivery : *all) {
        const bool quiet = settled(delivery);
        (quiet ? files : unsettled) += delivery.files.size();
        newest = quiet ? &delivery : newest; // oldest first
    }
    if (files + unsettled == 0)
        probe.findings.push_back({Level::Problem,
                                  FindingText::NoBillFiles,
                                  {base::printable(m_path.string(), 200)},
                                  FindingRemedy::PutBillFiles,
                                  {}});
    if (files > 0)
        probe.findings.push_back({Level::Good, FindingText::BillFiles, {files}, {}, {}});
    if (unsettled > 0)
        probe.findings.push_back(
            {Level::Missing, FindingText::BillFilesNotReady, {unsettled}, FindingRemedy::WaitForFiles, {}});
    if (!newest)
        return probe;
    const ports::BillDelivery delivery{pathsOf(*newest)};
    GPULEDGER_TRY(probeBill(probe, base::printable(delivery.files.front().filename().string(), 200), m_name, delivery,
                            m_clock, std::move(stop)));
    return probe;
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

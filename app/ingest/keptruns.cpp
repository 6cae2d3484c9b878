// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/keptruns.h"

#include "app/base/text/text.h"

#include <sstream>
#include <utility>

namespace gpuledger::ingest {

using base::Result;

namespace {

constexpr base::Seconds kLongestWithoutList{86400}; // between two lists

std::string runsMemory(const std::string &source)
{
    return source + "\nruns";
}

} // namespace

// The time of the list, then a time and a machine in each line.
Result<KeptRuns> KeptRuns::read(store::LedgerStore &cache, const std::string &source)
{
    const auto text = cache.memoryOf(runsMemory(source));
    GPULEDGER_TRY(text);
    KeptRuns runs;
    std::istringstream in(*text);
    std::int64_t seconds = 0;
    if (!(in >> seconds))
        return runs;
    runs.m_at = base::fromUnix(seconds);
    std::string machine;
    while (in >> seconds && in.get() == ' ' && std::getline(in, machine))
        runs.m_since[machine] = base::fromUnix(seconds);
    return runs;
}

void KeptRuns::settle(ports::Inventory &inventory, base::UtcTime now)
{
    const auto before = std::exchange(m_since, {});
    const bool isRecent = m_at <= now && now - m_at <= kLongestWithoutList;
    for (ports::ListedMachine &machine : inventory.machines) {
        if (machine.since || machine.until)
            continue;
        const auto known = before.find(machine.id);
        machine.since =
            isRecent && known != before.end() ? known->second : base::floorTo(now, base::kBucket) - base::kBucket;
        if (machine.id.find('\n') == std::string::npos)
            m_since[machine.id] = *machine.since;
    }
    m_at = now;
}

Result<void> KeptRuns::keep(store::LedgerStore &cache, const std::string &source) const
{
    std::string text = std::to_string(base::toUnix(m_at)) + '\n';
    for (const auto &[machine, since] : m_since)
        text += std::to_string(base::toUnix(since)) + ' ' + machine + '\n';
    return cache.putMemory(runsMemory(source), text);
}

} // namespace gpuledger::ingest

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

// The time of the list, then a time and a machine in each line: "1796000000 i-1"; with the age of the list that had it
// last, where that is an earlier one: "1796000000+300 i-1".
Result<KeptRuns> KeptRuns::read(store::LedgerStore &cache, const std::string &source)
{
    const auto text = cache.memoryOf(runsMemory(source));
    GPULEDGER_TRY(text);
    KeptRuns runs;
    std::istringstream in(*text);
    std::int64_t at = 0, since = 0;
    if (!(in >> at))
        return runs;
    runs.m_at = base::fromUnix(at);
    std::string machine;
    while (in >> since) {
        std::int64_t age = 0;
        const bool isAged = in.peek() == '+';
        if ((isAged && !(in >> age)) || in.get() != ' ' || !std::getline(in, machine) || age < 0
            || age > kLongestWithoutList.count())
            break;
        runs.m_runs[machine] = {base::fromUnix(since), runs.m_at - base::Seconds{age}};
    }
    return runs;
}

void KeptRuns::settle(ports::Inventory &inventory, base::UtcTime now)
{
    const auto before = std::exchange(m_runs, {});
    const auto isRecent = [&](const Run &run) { return run.listed <= now && now - run.listed <= kLongestWithoutList; };
    for (ports::ListedMachine &machine : inventory.machines) {
        if (machine.since || machine.until)
            continue;
        const auto known = before.find(machine.id);
        machine.since = known != before.end() && isRecent(known->second)
            ? known->second.since
            : base::floorTo(now, base::kBucket) - base::kBucket;
        if (machine.id.find('\n') == std::string::npos)
            m_runs[machine.id] = {*machine.since, now};
    }
    for (const auto &[machine, run] : before) {
        if (inventory.isPartial && isRecent(run))
            m_runs.try_emplace(machine, run);
    }
    m_at = now;
}

Result<void> KeptRuns::keep(store::LedgerStore &cache, const std::string &source) const
{
    std::string text = std::to_string(base::toUnix(m_at)) + '\n';
    for (const auto &[machine, run] : m_runs) {
        const std::string age = run.listed < m_at ? '+' + std::to_string((m_at - run.listed).count()) : std::string();
        text += std::to_string(base::toUnix(run.since)) + age + ' ' + machine + '\n';
    }
    return cache.putMemory(runsMemory(source), text);
}

} // namespace gpuledger::ingest

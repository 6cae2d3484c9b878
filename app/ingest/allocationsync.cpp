// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/allocationsync.h"

#include "app/base/log.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace gpuledger::ingest {

using base::Day;
using base::Result;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr base::Seconds kSettles{48 * 3600}; // after a day's end
constexpr base::Seconds kEmptySettles{7 * 86400};

AllocatedOutcome outcomeOf(const ports::AllocationAnswer &answer)
{
    AllocatedOutcome out;
    out.day = answer.day.day;
    out.product = answer.day.product;
    out.nodes = answer.day.nodes.size();
    out.withGpus = static_cast<std::uint64_t>(
        std::count_if(answer.day.nodes.begin(), answer.day.nodes.end(), [](const model::AllocatedNode &node) {
            return node.gpuMillis.value_or(0) > 0 || node.gpuSeconds.value_or(0) > 0 || node.gpuCost.value_or(0) != 0;
        }));
    out.toldGpuUse = answer.day.toldGpuUse;
    out.warning = answer.warning;
    return out;
}

void recordAttempt(store::LedgerStore &cache, const std::string &source, base::UtcTime now, AllocationsOutcome &outcome)
{
    store::SyncState state;
    if (const auto states = cache.syncStates()) {
        const auto known = std::find_if(states->begin(), states->end(),
                                        [&](const store::SyncState &one) { return one.source == source; });
        state = known == states->end() ? state : *known;
    }
    state.source = source;
    state.lastAttempt = now;
    state.accepted = outcome.accepted;
    state.rejected = outcome.rejected;
    state.gaps = outcome.missing.size();
    state.bytes = outcome.bytes;
    state.lastError = outcome.error ? base::log::redacted(outcome.error->text) : std::string();
    state.lastErrorCode = outcome.error ? std::string(base::toString(outcome.error->code)) : std::string();
    if (!outcome.error)
        state.lastSuccess = now;
    const auto saved = cache.saveSyncState(state);
    if (!saved && !outcome.error)
        outcome.error = saved.error();
}

class Run {
public:
    Run(ports::AllocationSource &source, store::LedgerStore &cache, store::RollupBuilder &rollup, base::UtcTime now,
        AllocationsOutcome &outcome)
        : m_source(source)
        , m_cache(cache)
        , m_rollup(rollup)
        , m_now(now)
        , m_outcome(outcome)
    {
    }

    Result<void> take(Day day, bool hadNodes, const std::stop_token &stop)
    {
        const auto answer = m_source.day(day, stop);
        GPULEDGER_TRY(answer);
        AllocatedOutcome one = outcomeOf(*answer);
        // A server that forgot a day is no reason to forget it too.
        one.kept = answer->day.empty() && hadNodes;
        one.final = !one.kept && isFinal(day, answer->day.empty(), m_now);
        if (!one.kept) {
            const auto changed = m_cache.putAllocations(m_source.name(), answer->day, m_now, one.final, m_rollup);
            GPULEDGER_TRY(changed);
            one.changed = *changed;
        }
        m_outcome.accepted += answer->accepted;
        m_outcome.rejected += answer->rejected;
        m_outcome.bytes += answer->bytes;
        base::TimeRange &range = m_outcome.range;
        range = range.empty() ? base::TimeRange{day.start(), day.end()}
                              : base::TimeRange{std::min(range.start, day.start()), std::max(range.end, day.end())};
        m_outcome.days.push_back(std::move(one));
        return {};
    }

private:
    ports::AllocationSource &m_source;
    store::LedgerStore &m_cache;
    store::RollupBuilder &m_rollup;
    base::UtcTime m_now;
    AllocationsOutcome &m_outcome;
};

} // namespace

bool isFinal(Day day, bool empty, base::UtcTime now)
{
    return now - day.end() >= (empty ? kEmptySettles : kSettles);
}

std::vector<Day> daysToAsk(base::UtcTime now, base::Seconds back, const std::vector<store::AllocatedState> &known)
{
    std::set<Day> settled;
    for (const store::AllocatedState &state : known) {
        // An answer from the future is of a clock that was wrong. What a server forgot stays as it is in the end.
        const bool old = !state.empty && now - state.day.end() >= kEmptySettles;
        if (state.fetchedAt <= now && (state.final || old))
            settled.insert(state.day);
    }
    std::vector<Day> days;
    const Day today = base::dayOf(now), first = base::dayOf(now - back);
    for (Day day{today.number - 1}; day >= first; --day.number) {
        if (!settled.contains(day))
            days.push_back(day);
    }
    return days;
}

AllocationsOutcome syncAllocations(ports::AllocationSource &source, store::LedgerStore &cache,
                                   store::RollupBuilder &rollup, base::Seconds back, const base::Clock &clock,
                                   const std::stop_token &stop, const AllocationProgressFn &progress)
{
    const auto begin = SteadyClock::now();
    const base::UtcTime now = clock.now();
    AllocationsOutcome outcome;
    Run run(source, cache, rollup, now, outcome);
    const auto known = cache.allocatedStates(source.name());
    if (!known)
        outcome.error = known.error();
    std::map<Day, bool> hadNodes;
    for (const store::AllocatedState &state : known ? *known : std::vector<store::AllocatedState>())
        hadNodes[state.day] = !state.empty;
    const std::vector<Day> days = known ? daysToAsk(now, back, *known) : std::vector<Day>();
    for (const Day day : days) {
        if (stop.stop_requested() || outcome.error)
            break;
        if (auto taken = run.take(day, hadNodes[day], stop); !taken) {
            outcome.error = std::move(taken).error();
            outcome.missing.push_back(day);
        }
        if (progress)
            progress({outcome.days.size(), days.size(), outcome.bytes});
    }
    if (outcome.error && outcome.error->source.empty())
        outcome.error->source = source.name();
    if (outcome.error)
        base::log::warning("sync", source.name() + ": " + outcome.error->text);
    outcome.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    recordAttempt(cache, source.name(), now, outcome);
    return outcome;
}

} // namespace gpuledger::ingest

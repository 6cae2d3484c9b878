// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/allocationsync.h"

#include "app/base/text/log.h"
#include "app/ingest/attempt.h"

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
constexpr base::Seconds kOld{7 * 86400}; // likewise
constexpr base::Seconds kOldAgain{86400}; // an old day that is not final is requested once per this period
constexpr std::int64_t kRounded = 100, kCheaper = 10; // a difference up to this fraction counts as the same time, or
                                                      // the same price

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
    out.accepted = answer.accepted;
    out.rejected = answer.rejected;
    out.toldGpuUse = answer.day.toldGpuUse;
    out.warning = answer.warning;
    return out;
}

class Run {
public:
    Run(ports::AllocationSource &source, ledger::LedgerWriter &writer, base::UtcTime now, bool acceptLess,
        AllocationsOutcome &outcome)
        : m_source(source)
        , m_cache(writer.cache())
        , m_writer(writer)
        , m_now(now)
        , m_acceptLess(acceptLess)
        , m_outcome(outcome)
    {
    }

    Result<void> take(Day day, bool hadNodes, const std::stop_token &stop)
    {
        const auto answer = m_source.day(day, stop);
        GPULEDGER_TRY(answer);
        AllocatedOutcome one = outcomeOf(*answer);
        // A server that lost a day, or part of it, is no reason to discard the stored data.
        if (hadNodes) {
            const auto before = stored(day);
            GPULEDGER_TRY(before);
            one.less = lessThan(*before, answer->day);
        }
        // The user cannot accept an answer without any price.
        const bool isTaken = m_acceptLess && one.less && one.less->now.pricedNodes > 0;
        one.kept = one.less && !isTaken;
        one.final = (m_acceptLess || !one.kept) && isFinal(day, !one.kept && answer->day.nodes.empty(), m_now);
        if (one.kept) {
            GPULEDGER_TRY(m_cache.holdAllocations(m_source.name(), day, one.less->now, m_now, one.final));
        } else {
            const auto changed = m_writer.putAllocations(m_source.name(), answer->day, m_now, one.final);
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
    Result<model::AllocationDay> stored(Day day)
    {
        model::AllocationDay found;
        const auto facts = m_cache.facts();
        GPULEDGER_TRY(facts);
        const auto keep = [&](const std::string &source, const model::AllocationDay &one) -> Result<void> {
            if (source == m_source.name())
                found = one;
            return {};
        };
        GPULEDGER_TRY((*facts)->allocatedOn(day, keep));
        return found;
    }

    ports::AllocationSource &m_source;
    store::LedgerStore &m_cache;
    ledger::LedgerWriter &m_writer;
    base::UtcTime m_now;
    bool m_acceptLess;
    AllocationsOutcome &m_outcome;
};

bool isLess(std::int64_t now, std::int64_t before, std::int64_t part)
{
    return before > 0 && now < before - before / part;
}

// Requests days one by one, newest first.
void askFor(Run &run, const std::vector<Day> &days, std::map<Day, bool> &hadNodes, AllocationsOutcome &outcome,
            const std::stop_token &stop, const AllocationProgressFn &progress)
{
    const std::size_t before = outcome.days.size();
    for (const Day day : days) {
        if (stop.stop_requested() || outcome.error)
            return;
        if (auto taken = run.take(day, hadNodes[day], stop); !taken) {
            outcome.error = std::move(taken).error();
            outcome.missing.push_back(day);
        }
        if (progress)
            progress({outcome.days.size(), before + days.size(), outcome.bytes});
    }
}

// The days in the range without data that were not requested in this run.
std::vector<Day> emptyDays(const std::vector<store::AllocatedState> &known, const std::vector<Day> &asked, Day first,
                           Day today)
{
    std::vector<Day> days;
    for (auto state = known.rbegin(); state != known.rend(); ++state) {
        if (state->empty && state->day >= first && state->day < today
            && std::find(asked.begin(), asked.end(), state->day) == asked.end())
            days.push_back(state->day);
    }
    return days;
}

} // namespace

bool isFinal(Day day, bool empty, base::UtcTime now)
{
    return !empty && now - day.end() >= kSettles;
}

std::optional<AllocatedLess> lessThan(const model::AllocationDay &before, const model::AllocationDay &now)
{
    const model::AllocatedSize was = sizeOf(before), is = sizeOf(now);
    const bool isCheaper = before.currency == now.currency && isLess(is.cost.nanos(), was.cost.nanos(), kCheaper);
    const bool isGone = now.nodes.empty() && !before.nodes.empty();
    if (!isGone && is.pricedNodes >= was.pricedNodes && !isLess(is.seconds, was.seconds, kRounded)
        && !isLess(is.gpuSeconds, was.gpuSeconds, kRounded) && !isCheaper)
        return std::nullopt;
    return AllocatedLess{was, is};
}

std::vector<Day> daysToAsk(base::UtcTime now, const AllocationPolicy &policy,
                           const std::vector<store::AllocatedState> &known)
{
    std::set<Day> settled;
    for (const store::AllocatedState &state : known) {
        if (state.fetchedAt > now || policy.acceptLess || policy.askAll) // an answer from the future: a clock was wrong
            continue;
        const bool isDone = !state.empty && state.final;
        if (isDone || (now - state.day.end() >= kOld && now - state.fetchedAt < kOldAgain))
            settled.insert(state.day);
    }
    std::vector<Day> days;
    const Day today = base::dayOf(now), first = base::dayOf(now - policy.back);
    for (Day day{today.number - 1}; day >= first; --day.number) {
        if (!settled.contains(day))
            days.push_back(day);
    }
    // Regardless of its age: otherwise the user could not decide any more.
    for (auto state = known.rbegin(); state != known.rend(); ++state) {
        if (state->held && state->day < first && !settled.contains(state->day))
            days.push_back(state->day);
    }
    return days;
}

AllocationsOutcome syncAllocations(ports::AllocationSource &source, ledger::LedgerWriter &writer,
                                   const AllocationPolicy &wanted, const base::Clock &clock,
                                   const std::stop_token &stop, const AllocationProgressFn &progress)
{
    AllocationPolicy policy = wanted;
    const auto begin = SteadyClock::now();
    const base::UtcTime now = clock.now();
    AllocationsOutcome outcome;
    store::LedgerStore &cache = writer.cache();
    Run run(source, writer, now, policy.acceptLess, outcome);
    const auto known = cache.allocatedStates(source.name());
    if (!known)
        outcome.error = known.error();
    const auto moved = cache.allocatorMoved(source.name(), source.address());
    if (!moved && !outcome.error)
        outcome.error = moved.error();
    policy.askAll = moved.value_or(false);
    std::map<Day, bool> hadNodes;
    for (const store::AllocatedState &state : known ? *known : std::vector<store::AllocatedState>())
        hadNodes[state.day] = !state.empty;
    if (known) {
        const std::vector<Day> days = daysToAsk(now, policy, *known);
        askFor(run, days, hadNodes, outcome, stop, progress);
        const bool wasSilent = std::none_of(known->begin(), known->end(), [](const auto &day) { return !day.empty; });
        const bool speaks = std::any_of(outcome.days.begin(), outcome.days.end(),
                                        [](const AllocatedOutcome &day) { return day.nodes > 0; });
        // The address was corrected, or the server has its data back: older days are worth requesting again.
        if (wasSilent && speaks)
            askFor(run, emptyDays(*known, days, base::dayOf(now - policy.back), base::dayOf(now)), hadNodes, outcome,
                   stop, progress);
    }
    // Not before every day was requested there.
    if (!outcome.error && !stop.stop_requested()) {
        if (const auto saved = cache.saveAllocatorAddress(source.name(), source.address()); !saved)
            outcome.error = saved.error();
    }
    if (outcome.error && outcome.error->source.empty())
        outcome.error->source = source.name();
    if (outcome.error)
        base::log::warning("sync", source.name() + ": " + outcome.error->text);
    outcome.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    outcome.error = recorded(
        cache, source.name(),
        {now, outcome.accepted, outcome.rejected, outcome.missing.size(), outcome.bytes, std::move(outcome.error)});
    return outcome;
}

} // namespace gpuledger::ingest

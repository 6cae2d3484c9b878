// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/sourcesync.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/ingest/storingsink.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::ingest {

using base::Result;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr base::Seconds kClockTolerance{300};
constexpr base::Seconds kLongestPause = 5 * 366 * base::kDay; // between two syncs

std::optional<store::SyncState> stateOf(store::LedgerStore &cache, const std::string &source)
{
    const auto states = cache.syncStates();
    if (states) {
        for (const store::SyncState &s : *states) {
            if (s.source == source)
                return s;
        }
    }
    return std::nullopt;
}

void recordAttempt(store::LedgerStore &cache, const std::string &source, base::UtcTime now, Outcome &outcome)
{
    store::SyncState state = stateOf(cache, source).value_or(store::SyncState{});
    state.source = source;
    state.lastAttempt = now;
    state.accepted = outcome.accepted;
    state.rejected = outcome.rejected;
    state.gaps = outcome.gaps;
    state.bytes = outcome.bytes;
    if (outcome.error) {
        state.lastError = base::log::redacted(outcome.error->text);
        state.lastErrorCode = std::string(base::toString(outcome.error->code));
    } else if (!outcome.whole() && !outcome.gone.empty()) {
        const base::Error gone = errorOf(outcome.gone);
        state.lastError = gone.text;
        state.lastErrorCode = std::string(base::toString(gone.code));
    } else {
        state.lastSuccess = now;
        state.lastError.clear();
        state.lastErrorCode.clear();
    }
    const auto saved = cache.saveSyncState(state);
    if (!saved && !outcome.error)
        outcome.error = saved.error();
}

// A gap longer than five years and than a first sync is not a pause: some clock is wrong, and the fetch would take too
// long.
std::optional<base::Error> tooLong(const base::TimeRange &range, const SyncPolicy &policy)
{
    if (range.length() <= std::max(kLongestPause, policy.firstSync) + base::kDay)
        return std::nullopt;
    return base::Error::make(base::ErrorCode::Refused,
                             "the clock says " + base::toRfc3339(range.end) + ", "
                                 + std::to_string(range.length() / (365 * base::kDay)) + " years after the last sync ("
                                 + base::toRfc3339(range.start) + "); nothing was fetched",
                             base::Remedy::CheckClockOrNow);
}

} // namespace

base::TimeRange rangeToFetch(const std::optional<store::SyncState> &state, base::UtcTime now, const SyncPolicy &policy)
{
    const base::UtcTime end = base::floorTo(now - policy.settle, base::kBucket);
    const base::UtcTime earliest = base::floorTo(now - policy.firstSync, base::kBucket);
    // Even after a pause longer than the range of a first sync, the gap is filled: stored data must not have a hole.
    const bool known = state && !state->covered.empty();
    const base::UtcTime start = known
        ? std::max(state->covered.start, base::floorTo(state->covered.end - policy.overlap, base::kBucket))
        : earliest;
    // A clock that was set back must not cause a range that ends before it starts.
    return start < end ? base::TimeRange{start, end} : base::TimeRange{end, end};
}

namespace {

Result<void> fetchAll(ports::TelemetrySource &source, StoringSink &sink, base::TimeRange range, std::stop_token stop)
{
    GPULEDGER_TRY(source.fetch(range, sink, stop));
    for (const base::TimeRange &doubtful : sink.revalidate())
        GPULEDGER_TRY(source.fetch(doubtful, sink, stop));
    return {};
}

// Before anything is fetched: marks beyond the existing data are removed, so that the time is fetched again.
Result<void> plan(const ports::TelemetrySource &source, ledger::LedgerWriter &writer, const SyncPolicy &policy,
                  base::UtcTime now, Outcome &outcome)
{
    store::LedgerStore &cache = writer.cache();
    auto state = stateOf(cache, source.name());
    if (state) {
        GPULEDGER_TRY(writer.mendFetched(source.name(), now));
        state = stateOf(cache, source.name());
    }
    outcome.range = rangeToFetch(state, now, policy);
    if (state && state->covered.end > now + kClockTolerance)
        outcome.warnings.push_back("the clock says " + base::toRfc3339(now) + ", but data is stored up to "
                                   + base::toRfc3339(state->covered.end) + ": nothing newer is fetched until then");
    base::log::info("sync",
                    source.name() + ": " + base::toRfc3339(outcome.range.start) + " to "
                        + base::toRfc3339(outcome.range.end));
    if (auto refused = tooLong(outcome.range, policy)) {
        outcome.range = {};
        return base::fail(std::move(*refused));
    }
    return {};
}

} // namespace

Outcome syncSource(ports::TelemetrySource &source, ledger::LedgerWriter &writer, const SyncPolicy &policy,
                   const base::Clock &clock, std::stop_token stop, const ProgressFn &progress)
{
    const auto begin = SteadyClock::now();
    const base::UtcTime now = clock.now();
    Outcome outcome;
    Result<void> done = plan(source, writer, policy, now, outcome);
    if (done && !outcome.range.empty()) {
        StoringSink sink(source, writer, policy, now, outcome, progress, stop);
        done = fetchAll(source, sink, outcome.range, stop);
        if (auto kept = sink.finish(); done)
            done = std::move(kept);
    }
    if (!done)
        outcome.error = std::move(done).error().withSource(source.name());
    outcome.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    recordAttempt(writer.cache(), source.name(), now, outcome);
    if (outcome.error)
        base::log::warning("sync", source.name() + ": " + outcome.error->text);
    return outcome;
}

} // namespace gpuledger::ingest

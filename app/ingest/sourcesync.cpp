// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/sourcesync.h"

#include "app/base/log.h"
#include "app/base/text.h"
#include "app/ingest/batchcheck.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::ingest {

using base::Result;
using ports::FactBatch;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr std::size_t kMaxWarnings = 20;
constexpr base::Seconds kLongestPause = 5 * 366 * base::kDay; // between two syncs

class StoringSink final : public ports::FactSink {
public:
    StoringSink(std::string source, store::LedgerStore &cache, store::RollupBuilder &rollup, base::UtcTime now,
                Outcome &outcome, const ProgressFn &progress, std::stop_token stop)
        : m_source(std::move(source))
        , m_cache(cache)
        , m_rollup(rollup)
        , m_now(now)
        , m_outcome(outcome)
        , m_progress(progress)
        , m_stop(std::move(stop))
    {
    }

    Result<void> accept(FactBatch batch) override
    {
        if (m_stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        const std::uint64_t before = bucketsOf(batch);
        GPULEDGER_TRY(rejectUnsound(batch, m_now));
        const std::uint64_t kept = bucketsOf(batch);
        GPULEDGER_TRY(m_cache.commit(m_source, batch, m_rollup));
        m_outcome.accepted += kept;
        m_outcome.gaps += batch.gapBuckets;
        m_outcome.bytes += batch.bytes;
        for (const FactBatch::Rejected &r : batch.rejected)
            addReason(r);
        for (const std::string &warning : batch.warnings)
            addWarning(base::printable(warning));
        m_doneTo = std::max(m_doneTo, batch.covered.end);
        if (before != kept)
            base::log::warning("sync", m_source + ": rejected " + std::to_string(before - kept) + " buckets");
        report(true);
        return {};
    }

    void progress(const ports::FetchProgress &p) override
    {
        m_doneTo = std::max(m_doneTo, p.doneTo);
        m_bytes = std::max(m_bytes, p.bytes);
        m_buckets = std::max(m_buckets, p.buckets);
        report(false);
    }

private:
    static std::uint64_t bucketsOf(const FactBatch &batch)
    {
        std::uint64_t n = 0;
        for (const FactBatch::Series &s : batch.series)
            n += s.buckets.size();
        return n;
    }

    void addReason(const FactBatch::Rejected &r)
    {
        m_outcome.rejected += r.count;
        for (FactBatch::Rejected &known : m_outcome.reasons) {
            if (known.reason == r.reason) {
                known.count += r.count;
                return;
            }
        }
        m_outcome.reasons.push_back(r);
    }

    void addWarning(const std::string &warning)
    {
        auto &all = m_outcome.warnings;
        if (all.size() < kMaxWarnings && std::find(all.begin(), all.end(), warning) == all.end())
            all.push_back(warning);
    }

    void report(bool force)
    {
        const auto now = SteadyClock::now();
        if (!m_progress || (!force && now - m_lastReport < kProgressInterval)
            || (force && now - m_lastReport < kProgressInterval && m_doneTo < m_outcome.range.end))
            return;
        m_lastReport = now;
        const double elapsed = std::chrono::duration<double>(now - m_begin).count();
        Progress p;
        p.range = m_outcome.range;
        p.doneTo = m_doneTo;
        p.bytes = std::max(m_bytes, m_outcome.bytes);
        p.buckets = std::max(m_buckets, m_outcome.accepted);
        p.bucketsPerSecond = elapsed > 0 ? static_cast<double>(p.buckets) / elapsed : 0;
        const double total = static_cast<double>(p.range.length().count());
        const double done = std::clamp(static_cast<double>((m_doneTo - p.range.start).count()), 0.0, total);
        if (done > 0 && elapsed > 0)
            p.secondsLeft = elapsed * (total - done) / done;
        m_progress(p);
    }

    std::string m_source;
    store::LedgerStore &m_cache;
    store::RollupBuilder &m_rollup;
    base::UtcTime m_now;
    Outcome &m_outcome;
    const ProgressFn &m_progress;
    std::stop_token m_stop;
    base::UtcTime m_doneTo = m_outcome.range.start;
    std::uint64_t m_bytes = 0, m_buckets = 0;
    SteadyClock::time_point m_begin = SteadyClock::now();
    SteadyClock::time_point m_lastReport{};
};

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
    } else {
        state.lastSuccess = now;
        state.lastError.clear();
        state.lastErrorCode.clear();
    }
    const auto saved = cache.saveSyncState(state);
    if (!saved && !outcome.error)
        outcome.error = saved.error();
}

// A hole that is longer than five years and than a first sync is not a pause: some clock is wrong, and nobody waits for
// what would come of it.
std::optional<base::Error> tooLong(const base::TimeRange &range, const SyncPolicy &policy)
{
    if (range.length() <= std::max(kLongestPause, policy.firstSync) + base::kDay)
        return std::nullopt;
    return base::Error::make(base::ErrorCode::Refused,
                             "the clock says " + base::toRfc3339(range.end) + ", "
                                 + std::to_string(range.length() / (365 * base::kDay)) + " years after the last sync ("
                                 + base::toRfc3339(range.start) + "); nothing was fetched",
                             "check the clock of this computer, or --now");
}

} // namespace

base::TimeRange rangeToFetch(const std::optional<store::SyncState> &state, base::UtcTime now, const SyncPolicy &policy)
{
    const base::UtcTime end = base::floorTo(now - policy.settle, base::kBucket);
    const base::UtcTime earliest = base::floorTo(now - policy.firstSync, base::kBucket);
    // After a pause longer than the first sync's reach, the hole is filled all the same: what is there ends where it
    // ended.
    const bool known = state && !state->covered.empty();
    const base::UtcTime start = known
        ? std::max(state->covered.start, base::floorTo(state->covered.end - policy.overlap, base::kBucket))
        : earliest;
    // A clock that went back must not ask for a range that ends before it begins.
    return start < end ? base::TimeRange{start, end} : base::TimeRange{end, end};
}

Outcome syncSource(ports::TelemetrySource &source, store::LedgerStore &cache, store::RollupBuilder &rollup,
                   const SyncPolicy &policy, const base::Clock &clock, std::stop_token stop, const ProgressFn &progress)
{
    const auto begin = SteadyClock::now();
    const base::UtcTime now = clock.now();
    Outcome outcome;
    outcome.range = rangeToFetch(stateOf(cache, source.name()), now, policy);
    base::log::info("sync",
                    source.name() + ": " + base::toRfc3339(outcome.range.start) + " to "
                        + base::toRfc3339(outcome.range.end));
    if (auto refused = tooLong(outcome.range, policy)) {
        outcome.error = std::move(*refused).withSource(source.name());
        outcome.range = {};
    } else if (!outcome.range.empty()) {
        StoringSink sink(source.name(), cache, rollup, now, outcome, progress, stop);
        if (auto done = source.fetch(outcome.range, sink, stop); !done)
            outcome.error = std::move(done).error().withSource(source.name());
    }
    outcome.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    recordAttempt(cache, source.name(), now, outcome);
    if (outcome.error)
        base::log::warning("sync", source.name() + ": " + outcome.error->text);
    return outcome;
}

} // namespace gpuledger::ingest

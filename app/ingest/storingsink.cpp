// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/storingsink.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/ingest/batchcheck.h"

#include <algorithm>

namespace gpuledger::ingest {

using base::Result;
using ports::FactBatch;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kSyncProgressInterval{100};
constexpr std::size_t kMaxWarnings = 20;

std::uint64_t bucketsOf(const FactBatch &batch)
{
    std::uint64_t n = 0;
    for (const FactBatch::Series &s : batch.series)
        n += s.buckets.size();
    return n;
}

} // namespace

StoringSink::StoringSink(const ports::TelemetrySource &source, ledger::LedgerWriter &writer, const SyncPolicy &policy,
                         base::UtcTime now, Outcome &outcome, const ProgressFn &progress, std::stop_token stop)
    : m_source(source.name())
    , m_cache(writer.cache())
    , m_writer(writer)
    , m_policy(policy)
    , m_now(now)
    , m_outcome(outcome)
    , m_progress(progress)
    , m_stop(std::move(stop))
    , m_marks(outcome.range)
    , m_doneTo(outcome.range.start)
{
    if (const auto memory = m_cache.memoryOf(m_source))
        m_recall = Recall::fromText(*memory);
}

bool StoringSink::isWhole(const FactBatch &batch)
{
    if (!batch.complete) {
        m_outcome.partial = true;
        return false;
    }
    if (m_look == Look::First) {
        Recall::Lack lack;
        const bool lacks = m_recall.lacks(batch, lack);
        m_lackedAtFirst = m_lackedAtFirst || lacks;
        if (!lacks && !m_recall.fallsSilent(batch))
            return true;
        m_doubtful.push_back(batch.covered);
        return false;
    }
    const Recall &told = m_before ? *m_before : m_recall;
    return !told.lacks(batch, m_lack) || m_policy.acceptGone;
}

void StoringSink::mark(FactBatch &batch)
{
    batch.fetched.emplace();
    if (!isWhole(batch)) {
        batch.complete = false;
        if (!m_before)
            m_before = m_recall;
        return;
    }
    batch.fetched = m_marks.add(batch.covered, newestIn(batch));
    m_recall.take(batch);
}

Result<void> StoringSink::accept(FactBatch batch)
{
    if (m_stop.stop_requested())
        return base::fail(base::ErrorCode::Cancelled, "cancelled");
    const std::uint64_t before = bucketsOf(batch);
    GPULEDGER_TRY(rejectUnsound(batch, m_now));
    const std::uint64_t kept = bucketsOf(batch);
    const std::size_t doubts = m_doubtful.size();
    mark(batch);
    GPULEDGER_TRY(m_writer.commit(m_source, batch));
    m_outcome.bytes += batch.bytes;
    if (m_doubtful.size() == doubts) // otherwise it is counted when it is fetched again
        count(batch, kept);
    for (const std::string &warning : batch.warnings)
        addWarning(base::printable(warning));
    m_doneTo = std::max(m_doneTo, batch.covered.end);
    if (before != kept)
        base::log::warning("sync", m_source + ": rejected " + std::to_string(before - kept) + " buckets");
    report(true);
    return {};
}

void StoringSink::count(const FactBatch &batch, std::uint64_t buckets)
{
    m_outcome.accepted += buckets;
    m_outcome.gaps += batch.gapBuckets;
    for (const FactBatch::Rejected &r : batch.rejected)
        addReason(r);
}

std::vector<base::TimeRange> StoringSink::revalidate()
{
    m_look = Look::Second;
    return std::exchange(m_doubtful, {});
}

Result<void> StoringSink::finish()
{
    m_outcome.gone = m_lack.gone();
    m_outcome.goneAccepted = m_policy.acceptGone;
    if (m_lackedAtFirst && m_look == Look::Second && m_outcome.gone.empty())
        addWarning(
            "a response was missing series that had been there before; they were in the response to a second query");
    const Recall &told = m_marks.whole() || !m_before ? m_recall : *m_before;
    return m_cache.putMemory(m_source, told.toText());
}

void StoringSink::progress(const ports::FetchProgress &p)
{
    m_doneTo = std::max(m_doneTo, p.doneTo);
    m_bytes = std::max(m_bytes, p.bytes);
    m_buckets = std::max(m_buckets, p.buckets);
    report(false);
}

void StoringSink::addReason(const FactBatch::Rejected &r)
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

void StoringSink::addWarning(const std::string &warning)
{
    auto &all = m_outcome.warnings;
    if (all.size() < kMaxWarnings && std::find(all.begin(), all.end(), warning) == all.end())
        all.push_back(warning);
}

void StoringSink::report(bool force)
{
    const auto now = SteadyClock::now();
    if (!m_progress || (!force && now - m_lastReport < kSyncProgressInterval)
        || (force && now - m_lastReport < kSyncProgressInterval && m_doneTo < m_outcome.range.end))
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

} // namespace gpuledger::ingest

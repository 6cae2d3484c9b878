// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ingest/fetchmarks.h"
#include "app/ingest/recall.h"
#include "app/ingest/sourcesync.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

// Stores what a fetch delivers, and first judges whether it is complete: compared with what the source reported before
// for the same time, and with which series reported until just now. Doubtful data are stored, but remove nothing and
// are not marked as fetched; they are fetched once more (revalidate()), and accepted then unless they still contradict.
class StoringSink final : public ports::FactSink {
public:
    StoringSink(const ports::TelemetrySource &source, ledger::LedgerWriter &writer, const SyncPolicy &policy,
                base::UtcTime now, Outcome &outcome, const ProgressFn &progress, std::stop_token stop);

    base::Result<void> accept(ports::FactBatch batch) override;
    void progress(const ports::FetchProgress &p) override;

    // The ranges to fetch once more; from then on each answer counts as the second one.
    std::vector<base::TimeRange> revalidate();
    // Stores what the next sync compares with, and reports the findings in the outcome.
    base::Result<void> finish();

private:
    enum class Look { First, Second };

    // True if the batch can be accepted as complete.
    bool isWhole(const ports::FactBatch &batch);
    void mark(ports::FactBatch &batch);
    void count(const ports::FactBatch &batch, std::uint64_t buckets);
    void addReason(const ports::FactBatch::Rejected &r);
    void addWarning(const std::string &warning);
    void report(bool force);

    const std::string m_source;
    store::LedgerStore &m_cache;
    ledger::LedgerWriter &m_writer;
    const SyncPolicy &m_policy;
    base::UtcTime m_now;
    Outcome &m_outcome;
    const ProgressFn &m_progress;
    std::stop_token m_stop;
    Look m_look = Look::First;
    FetchMarks m_marks;
    Recall m_recall;
    std::optional<Recall> m_before; // as of the time when the marks stopped
    Recall::Lack m_lack; // of the second fetch
    std::vector<base::TimeRange> m_doubtful;
    bool m_lackedAtFirst = false;
    base::UtcTime m_doneTo;
    std::uint64_t m_bytes = 0, m_buckets = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_lastReport{};
};

} // namespace gpuledger::ingest

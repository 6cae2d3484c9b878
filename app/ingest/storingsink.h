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

// Stores what a fetch hands over, and judges first whether it is whole: compared with what the source told before of
// the same time, and with who spoke until just now. What is in doubt is stored, takes nothing away and is not marked as
// fetched; it is asked for once more (revalidate()), and believed then unless it still contradicts.
class StoringSink final : public ports::FactSink {
public:
    StoringSink(const ports::TelemetrySource &source, store::LedgerStore &cache, store::RollupBuilder &rollup,
                const SyncPolicy &policy, base::UtcTime now, Outcome &outcome, const ProgressFn &progress,
                std::stop_token stop);

    base::Result<void> accept(ports::FactBatch batch) override;
    void progress(const ports::FetchProgress &p) override;

    // What has to be asked for once more; from then on each answer is the second one.
    std::vector<base::TimeRange> revalidate();
    // Keeps what the next sync compares with, and says in the outcome what was found.
    base::Result<void> finish();

private:
    enum class Look { First, Second };

    // Whether the batch may be taken for all that there is.
    bool isWhole(const ports::FactBatch &batch);
    void mark(ports::FactBatch &batch);
    void count(const ports::FactBatch &batch, std::uint64_t buckets);
    void addReason(const ports::FactBatch::Rejected &r);
    void addWarning(const std::string &warning);
    void report(bool force);

    const std::string m_source;
    store::LedgerStore &m_cache;
    store::RollupBuilder &m_rollup;
    const SyncPolicy &m_policy;
    base::UtcTime m_now;
    Outcome &m_outcome;
    const ProgressFn &m_progress;
    std::stop_token m_stop;
    Look m_look = Look::First;
    FetchMarks m_marks;
    Recall m_recall;
    std::optional<Recall> m_before; // of the time when the marks stopped
    Recall::Lack m_lack; // of the second look
    std::vector<base::TimeRange> m_doubtful;
    bool m_lackedAtFirst = false;
    base::UtcTime m_doneTo;
    std::uint64_t m_bytes = 0, m_buckets = 0;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point m_lastReport{};
};

} // namespace gpuledger::ingest

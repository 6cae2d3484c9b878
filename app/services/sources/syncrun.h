// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/services/sources/syncreport.h"

#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {
class BillQueue;
}

namespace gpuledger::services {

class Engine;
struct Setup;

// One sync of some of the configured sources: bills, allocations and telemetry at the same time, then the lists of
// machines. A source that fails does not hold up the others. One run per object; the arguments must outlive it.
class SyncRun {
public:
    using ProgressFn = std::function<void(const SyncProgress &)>; // on the calling thread or a worker, one at a time

    // `acceptsGone`: time for which a source no longer reports what it reported before is marked as fetched.
    SyncRun(Engine &engine, const std::vector<const model::SourceSettings *> &sources, const std::stop_token &stop,
            const ProgressFn &progress, bool acceptsGone);
    // One report for each source, in their order. Blocks; failures are in the reports.
    std::vector<SyncReport> run();

private:
    std::vector<std::size_t> numbersOf(const std::function<bool(const model::SourceSettings &)> &isWanted) const;
    void syncAll(const std::vector<std::size_t> &bills, const std::vector<std::size_t> &others);
    void syncLists(const std::vector<std::size_t> &numbers);
    void syncOne(std::size_t number, ingest::BillQueue &queue);
    SyncReport syncTelemetry(const model::SourceSettings &s);
    SyncReport syncAllocations(const model::SourceSettings &s);
    SyncReport syncBills(const model::SourceSettings &s, ingest::BillQueue &queue);
    void tell(const SyncProgress &progress);

    Engine &m_engine;
    const Setup &m_setup;
    const std::vector<const model::SourceSettings *> &m_sources;
    const std::stop_token &m_stop;
    const ProgressFn &m_progress;
    const bool m_acceptsGone;
    std::mutex m_progressMutex;
    std::vector<SyncReport> m_reports;
};

// Days for which a source of allocations has less than what is stored; all past ones. Fails with Storage… codes.
[[nodiscard]] base::Result<std::vector<store::HeldDay>> heldDays(Engine &engine, const std::string &source);

} // namespace gpuledger::services

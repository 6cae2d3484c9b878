// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/billsync.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/ingest/attempt.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

namespace gpuledger::ingest {

using base::Result;
using ports::ImportReport;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kImportProgressInterval{100};

// In the memory of a source, the names that it keeps something under follow its own.
std::string memoryName(const std::string &source, const std::string &key)
{
    return source + '\n' + key;
}

class StoringBillSink final : public ports::BillSink {
public:
    StoringBillSink(std::string source, BillQueue &queue, base::UtcTime now, const std::stop_token &stop,
                    const BillProgressFn &progress)
        : m_source(std::move(source))
        , m_cache(queue.cache())
        , m_queue(queue)
        , m_now(now)
        , m_stop(stop)
        , m_progress(progress)
    {
    }
    // Whether the next delivery may be stored together with those of other sources.
    void store(BillQueue::With with) { m_with = with; }

    Result<bool> knows(const std::vector<std::string> &sha256) override { return m_cache.knowsBills(sha256); }
    Result<void> begin(const std::vector<ports::BillFile> &files) override
    {
        m_failedTogether = false;
        auto begun = m_queue.begin(m_source, files, m_now, m_with, m_stop);
        GPULEDGER_TRY(begun);
        if (!*begun) {
            m_isKnown = true;
            return base::fail(base::ErrorCode::Cancelled, "this delivery was just imported by somebody else");
        }
        m_delivery = std::move(*begun);
        return {};
    }
    Result<void> accept(ports::BillBatch batch) override
    {
        if (!m_delivery)
            return base::fail(base::ErrorCode::Internal, "received lines of a bill before its start");
        return m_delivery->accept(batch);
    }
    Result<void> commit(const ImportReport &) override
    {
        if (!m_delivery)
            return base::fail(base::ErrorCode::Internal, "received the end of a bill before its start");
        auto findings = m_delivery->commit();
        m_failedTogether = m_delivery->failedTogether();
        GPULEDGER_TRY(findings);
        m_findings = std::move(*findings);
        m_delivery.reset();
        return {};
    }
    void discard() override { m_delivery.reset(); }
    void progress(const ports::BillProgress &progress) override
    {
        const auto now = SteadyClock::now();
        if (!m_progress || now - m_lastReport < kImportProgressInterval)
            return;
        m_lastReport = now;
        m_progress(progress);
    }
    Result<std::string> kept(const std::string &key) override { return m_cache.memoryOf(memoryName(m_source, key)); }
    Result<void> keep(const std::string &key, const std::string &value) override
    {
        return m_cache.putMemory(memoryName(m_source, key), value);
    }
    Result<void> spent(const ports::PaidCalls &calls, base::UtcTime at) override
    {
        return addPaid(m_cache, m_source, calls, at);
    }
    // True if begin() failed only because someone else imported the delivery after knows().
    bool takeKnown() { return std::exchange(m_isKnown, false); }
    // True if a delivery failed only together with those of others, as far as is known.
    bool takeFailedTogether() { return std::exchange(m_failedTogether, false); }
    store::BillFindings takeFindings() { return std::exchange(m_findings, {}); }

private:
    std::string m_source;
    store::LedgerStore &m_cache;
    BillQueue &m_queue;
    base::UtcTime m_now;
    const std::stop_token &m_stop;
    const BillProgressFn &m_progress;
    BillQueue::With m_with = BillQueue::With::Others;
    std::unique_ptr<QueuedDelivery> m_delivery;
    store::BillFindings m_findings;
    bool m_isKnown = false, m_failedTogether = false;
    SteadyClock::time_point m_lastReport{};
};

base::UtcTime nextMonth(base::UtcTime t)
{
    constexpr std::chrono::days kLongest{31};
    return monthOf(monthOf(t) + kLongest);
}

void addReport(BillsOutcome &outcome, const ImportReport &report)
{
    outcome.accepted += report.accepted.lines;
    outcome.rejected += report.rejected.lines;
    for (const ports::BillFile &file : report.files)
        outcome.bytes += file.bytes;
    for (const ports::BillPart &part : report.parts) {
        const base::UtcTime start = part.key.periodStart;
        if (outcome.range.empty())
            outcome.range = {start, nextMonth(start)};
        outcome.range.start = std::min(outcome.range.start, start);
        outcome.range.end = std::max(outcome.range.end, nextMonth(start));
    }
}

// The files that these are copies of: the path differs, and both exist.
std::vector<std::string> originalsOf(const ImportReport &report, store::LedgerStore &cache)
{
    std::vector<std::string> hashes, paths;
    for (const ports::BillFile &file : report.files) {
        hashes.push_back(file.sha256);
        paths.push_back(file.path);
    }
    auto originals = cache.billPaths(hashes);
    std::error_code ec;
    const bool isCopy = originals && !originals->empty() && *originals != paths
        && std::all_of(originals->begin(), originals->end(),
                       [&](const std::string &path) { return std::filesystem::exists(path, ec); });
    return isCopy ? std::move(*originals) : std::vector<std::string>();
}

// Leaves out files that were restated under the same names, including with more parts than before. For the others,
// determines which still exist.
void lookForReplaced(std::vector<store::ReplacedBill> &all)
{
    std::erase_if(all, [](store::ReplacedBill &one) {
        std::vector<std::string> others;
        for (const std::string &path : one.before) {
            if (std::find(one.now.begin(), one.now.end(), path) == one.now.end())
                others.push_back(path);
        }
        std::error_code ec;
        std::copy_if(others.begin(), others.end(), std::back_inserter(one.stillThere),
                     [&](const std::string &path) { return std::filesystem::exists(path, ec); });
        return others.empty();
    });
}

// A delivery that fails together with others is imported again by itself: they may have failed because of one of them.
Result<ImportReport> importDelivery(ports::CostSource &source, const ports::BillDelivery &delivery,
                                    StoringBillSink &sink, const std::stop_token &stop)
{
    auto report = source.import(delivery, sink, stop);
    if (report || !sink.takeFailedTogether())
        return report;
    base::log::info("sync", source.name() + ": stored by itself, as it failed with others: " + report.error().text);
    sink.store(BillQueue::With::Nobody);
    report = source.import(delivery, sink, stop);
    sink.store(BillQueue::With::Others);
    return report;
}

void importOne(ports::CostSource &source, const ports::BillDelivery &delivery, StoringBillSink &sink,
               store::LedgerStore &cache, const std::stop_token &stop, BillsOutcome &outcome)
{
    BillOutcome one;
    for (const auto &file : delivery.files)
        one.files.push_back(base::repairedUtf8(file.string()));
    auto report = importDelivery(source, delivery, sink, stop);
    one.findings = sink.takeFindings();
    lookForReplaced(one.findings.replaced);
    if (sink.takeKnown()) {
        ++outcome.known;
        return;
    }
    if (!report) {
        one.error = std::move(report).error();
        if (one.error->source.empty())
            one.error->source = source.name();
        base::log::warning("sync", source.name() + ": " + one.error->text);
        if (!outcome.error)
            outcome.error = one.error;
    } else {
        if (report->outcome == ImportReport::Outcome::Duplicate) {
            ++outcome.known;
            one.copyOf = originalsOf(*report, cache);
            if (one.copyOf.empty())
                return;
        }
        if (report->outcome == ImportReport::Outcome::Imported)
            addReport(outcome, *report);
        one.report = std::move(*report);
    }
    outcome.deliveries.push_back(std::move(one));
}

} // namespace

BillsOutcome syncBills(ports::CostSource &source, BillQueue &queue, const base::Clock &clock,
                       const std::stop_token &stop, const BillProgressFn &progress)
{
    const auto begin = SteadyClock::now();
    const base::UtcTime now = clock.now();
    BillsOutcome outcome;
    auto deliveries = source.deliveries(stop);
    if (!deliveries) {
        outcome.error = std::move(deliveries).error().withSource(source.name());
    } else {
        outcome.waiting = source.waiting();
        StoringBillSink sink(source.name(), queue, now, stop, progress);
        for (const ports::BillDelivery &delivery : *deliveries) {
            if (stop.stop_requested())
                break;
            importOne(source, delivery, sink, queue.cache(), stop, outcome);
        }
    }
    outcome.paid = source.paid();
    outcome.scanned = source.scanned();
    outcome.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
    outcome.error = recorded(queue.cache(), source.name(),
                             {now, outcome.accepted, outcome.rejected, 0, outcome.bytes, std::move(outcome.error)});
    return outcome;
}

} // namespace gpuledger::ingest

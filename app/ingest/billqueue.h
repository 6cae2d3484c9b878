// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/ledgerwriter.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::ingest {

class QueuedDelivery;

// Stores bills that several sources import at the same time in one transaction, because each transaction computes the
// days of its bills again. The first of them begins it; those that wait for their turn follow within it, one by one;
// when nobody waits any more, the first one computes the days and commits. Deliveries wait for sources that are still
// fetching theirs, but only for a short time: a slow source must not hold up the others. Thread-safe.
class BillQueue {
public:
    // For which deliveries wait for others, over all of them together.
    static constexpr std::chrono::milliseconds kPatience{2000};

    // `sources`: how many are imported, of which `atOnce` at the same time; with one, nothing waits. The writer must
    // outlive it.
    BillQueue(ledger::LedgerWriter &writer, std::size_t sources, std::size_t atOnce,
              std::chrono::milliseconds patience = kPatience);

    store::LedgerStore &cache() const { return m_writer.cache(); }
    // A source has no more deliveries, or has failed. Must be called for each of them.
    void oneIsDone();

    enum class With { Others, Nobody };
    // Begins to write a delivery; blocks until nobody else writes. Null: it is already known. Fails like
    // LedgerStore::beginBills(), and with Cancelled. The queue must outlive the delivery.
    [[nodiscard]] base::Result<std::unique_ptr<QueuedDelivery>> begin(const std::string &source,
                                                                      const std::vector<ports::BillFile> &files,
                                                                      base::UtcTime now, With with,
                                                                      const std::stop_token &stop);

private:
    friend class QueuedDelivery;
    // A transaction, and who takes part in it.
    struct Group {
        std::unique_ptr<store::BillTransaction> bills; // created and destroyed by the first one
        With with = With::Others;
        std::chrono::steady_clock::time_point until; // nobody joins later
        bool isBeingWritten = true; // by one of them
        bool hasEnded = false;
        std::size_t finished = 0;
        std::optional<base::Error> error; // of the commit
        std::vector<store::BillFindings> findings; // in the order in which they finished
    };
    struct Waiting {
        std::size_t number = 0;
        With with = With::Others;
    };

    // All require the mutex.
    bool waitForTurn(std::unique_lock<std::mutex> &lock, With with, const std::stop_token &stop);
    void waitForOthers(std::unique_lock<std::mutex> &lock, const std::stop_token &stop);
    bool canJoin(With with) const;
    bool isComplete() const;
    void leave(std::size_t deliveries, bool endsGroup);

    ledger::LedgerWriter &m_writer;
    const std::size_t m_atOnce;
    std::mutex m_mutex; // guards everything below; never held while the cache is used
    std::condition_variable_any m_changed;
    std::size_t m_left; // sources that are not done
    std::size_t m_here = 0; // deliveries that wait, or are being written
    std::chrono::milliseconds m_patience; // that is left
    std::optional<std::chrono::steady_clock::time_point> m_waitsUntil;
    std::size_t m_next = 0;
    std::deque<Waiting> m_waiting; // for their turn
    std::shared_ptr<Group> m_group; // null: nobody writes
};

// A delivery that is being written, from BillQueue::begin(). One thread.
class QueuedDelivery {
public:
    QueuedDelivery(BillQueue &queue, std::shared_ptr<BillQueue::Group> group, bool isFirst);
    // Without commit(), nothing of it is kept.
    ~QueuedDelivery();
    QueuedDelivery(const QueuedDelivery &) = delete;
    QueuedDelivery &operator=(const QueuedDelivery &) = delete;

    [[nodiscard]] base::Result<void> accept(const ports::BillBatch &batch);
    // Blocks until it is stored together with those that follow. Fails like LedgerWriter::commit(); then none of them
    // is stored.
    [[nodiscard]] base::Result<store::BillFindings> commit();
    // After a commit() that failed: others failed with it, and the reason may lie with one of them.
    bool failedTogether() const { return m_failedTogether; }

private:
    void commitGroup(std::unique_lock<std::mutex> &lock, BillQueue::Group &group);
    void discard();

    BillQueue &m_queue;
    std::shared_ptr<BillQueue::Group> m_group; // null after the end
    const bool m_isFirst;
    bool m_failedTogether = false;
};

} // namespace gpuledger::ingest

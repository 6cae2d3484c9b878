// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/billqueue.h"

#include <algorithm>
#include <utility>

namespace gpuledger::ingest {

using base::Result;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds kLongestGroup{10}; // in which others may join; the cache is locked meanwhile

} // namespace

BillQueue::BillQueue(ledger::LedgerWriter &writer, std::size_t sources, std::size_t atOnce,
                     std::chrono::milliseconds patience)
    : m_writer(writer)
    , m_atOnce(atOnce)
    , m_left(sources)
    , m_patience(patience)
{
}

void BillQueue::oneIsDone()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_left > 0)
            --m_left;
    }
    m_changed.notify_all();
}

void BillQueue::waitForOthers(std::unique_lock<std::mutex> &lock, const std::stop_token &stop)
{
    if (!m_waitsUntil)
        m_waitsUntil = SteadyClock::now() + m_patience;
    const SteadyClock::time_point until = *m_waitsUntil; // which others change meanwhile
    m_changed.notify_all();
    m_changed.wait_until(lock, stop, until, [&] { return m_group || m_here >= std::min(m_left, m_atOnce); });
    if (m_waitsUntil) { // the first of those who waited at the same time
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - SteadyClock::now());
        m_patience = std::max(left, std::chrono::milliseconds{0});
        m_waitsUntil.reset();
    }
}

bool BillQueue::canJoin(With with) const
{
    return with == With::Others && m_group->with == With::Others && !m_group->isBeingWritten
        && SteadyClock::now() < m_group->until;
}

// Nobody is writing in the group, or about to.
bool BillQueue::isComplete() const
{
    return !m_group->isBeingWritten && (m_waiting.empty() || !canJoin(m_waiting.front().with));
}

// False: a stop was requested.
bool BillQueue::waitForTurn(std::unique_lock<std::mutex> &lock, With with, const std::stop_token &stop)
{
    const std::size_t number = m_next++;
    m_waiting.push_back({number, with}); // now, so that the group that the others begin waits for it
    if (with == With::Others)
        waitForOthers(lock, stop);
    const bool isTurn =
        m_changed.wait(lock, stop, [&] { return m_waiting.front().number == number && (!m_group || canJoin(with)); });
    std::erase_if(m_waiting, [&](const Waiting &one) { return one.number == number; });
    return isTurn;
}

Result<std::unique_ptr<QueuedDelivery>> BillQueue::begin(const std::string &source,
                                                         const std::vector<ports::BillFile> &files, base::UtcTime now,
                                                         With with, const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    ++m_here;
    if (!waitForTurn(lock, with, stop)) {
        leave(1, false);
        return base::fail(base::ErrorCode::Cancelled, "cancelled");
    }
    const bool isFirst = !m_group;
    if (isFirst) {
        m_group = std::make_shared<Group>();
        m_group->with = with;
        m_group->until = SteadyClock::now() + kLongestGroup;
    }
    const auto group = m_group;
    group->isBeingWritten = true;
    lock.unlock();
    auto delivery = std::make_unique<QueuedDelivery>(*this, group, isFirst);
    if (!isFirst) {
        const auto begun = group->bills->next(source, files);
        GPULEDGER_TRY(begun);
        return *begun ? std::move(delivery) : nullptr;
    }
    auto begun = cache().beginBills(source, files, now);
    GPULEDGER_TRY(begun);
    group->bills = std::move(*begun);
    return group->bills ? std::move(delivery) : nullptr;
}

void BillQueue::leave(std::size_t deliveries, bool endsGroup)
{
    m_here -= deliveries;
    if (endsGroup)
        m_group.reset();
    m_changed.notify_all();
}

QueuedDelivery::QueuedDelivery(BillQueue &queue, std::shared_ptr<BillQueue::Group> group, bool isFirst)
    : m_queue(queue)
    , m_group(std::move(group))
    , m_isFirst(isFirst)
{
}

QueuedDelivery::~QueuedDelivery()
{
    if (m_group)
        discard();
}

void QueuedDelivery::discard()
{
    const auto group = std::exchange(m_group, nullptr);
    if (m_isFirst)
        group->bills.reset(); // nobody else is in it yet
    else
        group->bills->discard();
    const std::lock_guard lock(m_queue.m_mutex);
    group->isBeingWritten = false;
    m_queue.leave(1, m_isFirst);
}

Result<void> QueuedDelivery::accept(const ports::BillBatch &batch)
{
    return m_group->bills->accept(batch);
}

Result<store::BillFindings> QueuedDelivery::commit()
{
    GPULEDGER_TRY(m_group->bills->finish()); // if it fails, the destructor discards it
    const auto group = std::exchange(m_group, nullptr);
    std::unique_lock lock(m_queue.m_mutex);
    group->isBeingWritten = false;
    const std::size_t index = group->finished++;
    m_queue.m_changed.notify_all();
    if (m_isFirst) {
        commitGroup(lock, *group);
        m_queue.leave(group->finished, true); // all at once, so that the next delivery of one waits for the others
    } else {
        m_queue.m_changed.wait(lock, [&] { return group->hasEnded; });
    }
    if (!group->error)
        return group->findings[index];
    m_failedTogether = group->finished > 1;
    return base::fail(*group->error);
}

void QueuedDelivery::commitGroup(std::unique_lock<std::mutex> &lock, BillQueue::Group &group)
{
    while (!m_queue.isComplete()) {
        if (SteadyClock::now() < group.until)
            m_queue.m_changed.wait_until(lock, group.until);
        else
            m_queue.m_changed.wait(lock);
    }
    group.isBeingWritten = true; // so that nobody joins any more
    lock.unlock();
    const auto done = m_queue.m_writer.commit(*group.bills);
    if (done)
        group.findings = group.bills->findings();
    else
        group.error = done.error();
    group.bills.reset();
    lock.lock();
    group.hasEnded = true;
}

} // namespace gpuledger::ingest

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/waitingviewmodel.h"

#include "app/services/actions/queueservice.h"
#include "app/services/engine/configservice.h"
#include "ui/format/local/localtext.h"
#include "ui/format/phrases/waitingphrase.h"

#include <set>

namespace gpuledger::ui {

namespace {

LatestQuery<WaitingSnapshot>::Answer ask(const services::ConfigService &config, services::QueueService &queue,
                                         const insight::Filter &filter, model::CostView cost,
                                         const std::stop_token &stop)
{
    auto snapshot = std::make_shared<WaitingSnapshot>();
    snapshot->zone = config.timeZone();
    snapshot->currency = config.settings().currency;
    auto list = queue.waitingAt(config.clock().now(), filter, stop, cost);
    GPULEDGER_TRY(list);
    snapshot->list = std::move(*list);
    return snapshot;
}

void addServers(const insight::WaitingItem &item, QStringList &ids)
{
    for (const insight::IdlePart &part : item.parts) {
        const QString id = QString::fromStdString(part.idle);
        if (item.isServed && !id.isEmpty() && !ids.contains(id))
            ids.append(id);
    }
}

} // namespace

WaitingViewModel::WaitingViewModel(const services::ConfigService &config, services::QueueService &queue,
                                   TaskRunner &tasks, QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_queue(queue)
    , m_table(WaitingTable::columns(config.settings().currency))
    , m_asker(tasks, this, [this] { take(); })
{
    m_table.setGroupTitle(tr("Blocked by", "what the rows of the table are grouped into"));
    m_table.setGrouped(true);
    m_asker.setActive(false);
    refresh();
}

bool WaitingViewModel::isKnown() const
{
    return snapshot() && snapshot()->list.isKnown;
}

void WaitingViewModel::setScope(const insight::Filter &filter, model::CostView cost)
{
    if (filter == m_filter && cost == m_cost)
        return;
    m_filter = filter;
    m_cost = cost;
    refresh();
}

void WaitingViewModel::refresh()
{
    m_asker.ask([config = &m_config, queue = &m_queue, filter = m_filter, cost = m_cost](const std::stop_token &stop) {
        return ask(*config, *queue, filter, cost, stop);
    });
}

void WaitingViewModel::setActive(bool active)
{
    m_asker.setActive(active);
}

void WaitingViewModel::take()
{
    if (error()) {
        m_state = PageState::Error;
    } else {
        m_rows = std::make_shared<WaitingTable>(snapshot());
        m_table.setSnapshot(m_rows);
        m_state = m_rows->rowCount() == 0 ? PageState::Empty : PageState::Data;
    }
    Q_EMIT changed();
}

const insight::WaitingItem *WaitingViewModel::itemOf(const QString &row) const
{
    for (int i = 0; m_rows && i < m_rows->rowCount(); ++i) {
        if (m_rows->id(i) == row)
            return &m_rows->item(i);
    }
    return nullptr;
}

QStringList WaitingViewModel::serversOf(const QString &row) const
{
    QStringList ids;
    if (const insight::WaitingItem *item = itemOf(row))
        addServers(*item, ids);
    return ids;
}

QStringList WaitingViewModel::servers() const
{
    QStringList ids;
    for (int i = 0; m_rows && i < m_rows->rowCount(); ++i)
        addServers(m_rows->item(i), ids);
    return ids;
}

QString WaitingViewModel::title() const
{
    std::int64_t waiting = 0;
    for (int i = 0; m_rows && i < m_rows->rowCount(); ++i)
        waiting += m_rows->item(i).work.count;
    return waiting == 1 ? tr("1 job waiting for GPUs")
                        : tr("%n jobs waiting for GPUs", nullptr, static_cast<int>(waiting));
}

QString WaitingViewModel::summary() const
{
    if (!snapshot() || !m_rows)
        return {};
    const insight::BlockerSum &held = snapshot()->list.sums[static_cast<std::size_t>(insight::Blocker::HeldByIdle)];
    if (held.jobs == 0)
        return tr("Stopping idle workloads would serve none of them");
    const int workloads = static_cast<int>(servers().size());
    const QString idle = workloads == 1 ? tr("1 idle workload") : tr("%n idle workloads", nullptr, workloads);
    const QString serves = tr("Stopping %1 would serve %n of them", nullptr, static_cast<int>(held.jobs)).arg(idle);
    if (!held.perMonth)
        return serves;
    const auto code = snapshot()->currency.code();
    return tr("%1, while %2 a month sits idle", "a clause, money")
        .arg(serves,
             LocalText::money(static_cast<double>(*held.perMonth) / base::Money::kNanosPerUnit,
                              QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size())), 0));
}

QString WaitingViewModel::reason(const QString &row) const
{
    for (int i = 0; m_rows && i < m_rows->rowCount(); ++i) {
        if (m_rows->id(i) == row)
            return m_rows->sourceLine(i, 0);
    }
    return {};
}

QStringList WaitingViewModel::gaps() const
{
    QStringList all;
    if (!snapshot())
        return all;
    for (const insight::WaitingList::Source &source : snapshot()->list.sources) {
        const QString gap = LocalText::phrase(gapOf(source));
        if (!gap.isEmpty())
            all.append(gap);
    }
    return all;
}

} // namespace gpuledger::ui

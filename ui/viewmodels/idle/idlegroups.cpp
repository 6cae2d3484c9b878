// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of the idle list and their headings.
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletable.h"
#include "ui/viewmodels/idle/idletext.h"

namespace gpuledger::ui {

using insight::IdleItem;

QString IdleTable::unknownGroup()
{
    return QStringLiteral("\x01unknown");
}

QString IdleTable::partlyGroup()
{
    return QStringLiteral("\x01partly");
}

QString IdleTable::snoozedGroup()
{
    return QStringLiteral("\x01snoozed");
}

QString IdleTable::stoppedGroup()
{
    return QStringLiteral("\x01stopped");
}

bool IdleTable::isStopped(int row) const
{
    const IdleItem *item = idle(row);
    return item && m_snapshot->isStopped(item->id);
}

int IdleTable::groupOf(int row) const
{
    return idle(row)  ? m_groupOf[static_cast<std::size_t>(row)]
        : partly(row) ? m_partlyGroup
                      : static_cast<int>(m_groups.size()) - 1;
}

// What is said of a stop says nothing of a part.
TableValue IdleTable::partlyValue(const IdleItem &item, IdleColumn column) const
{
    switch (column) {
    case IdleColumn::Note:
        return tr("partly idle");
    case IdleColumn::Confidence:
    case IdleColumn::Avoidable:
    case IdleColumn::Sunk:
        return {};
    default:
        return idleValue(item, column);
    }
}

QString IdleTable::partlyText(const IdleItem &item, IdleColumn column) const
{
    switch (column) {
    case IdleColumn::Gpus:
        return tr("%1 of %2", "idle GPUs of all, and their model")
            .arg(IdleText::count(item.gpus), IdleText::gpus(item.heldGpus, item.gpuModel));
    case IdleColumn::Note:
        return tr("partly idle");
    case IdleColumn::Confidence:
        return {};
    case IdleColumn::Avoidable:
    case IdleColumn::Sunk:
        return dash();
    default:
        return idleText(item, column);
    }
}

QString IdleTable::partlyDetail(std::span<const int> rows) const
{
    double idle = 0, held = 0;
    for (const int row : rows) {
        idle += partly(row)->gpus;
        held += partly(row)->heldGpus;
    }
    return tr("%1 of %2, not in the sums above: the others work, so it can't be stopped, but a smaller size would do",
              "idle GPUs, all GPUs")
        .arg(IdleText::count(idle), IdleText::gpuCount(held));
}

QString IdleTable::groupDetail(int, std::span<const int> rows) const
{
    if (!rows.empty() && partly(rows.front()))
        return partlyDetail(rows);
    double gpus = 0;
    int workloads = 0;
    std::size_t devices = 0;
    bool isStopped = false;
    IdleSaving saving;
    std::vector<IdleItem> items;
    for (const int row : rows) {
        if (const IdleItem *item = idle(row)) {
            gpus += item->gpus;
            ++workloads;
            isStopped = this->isStopped(row); // the same for all of its rows
            saving.add(*item);
            items.push_back(*item);
        } else {
            devices += unknown(row)->devices.size();
        }
    }
    if (devices > 0)
        return tr("%1: less than %2 of their window was observed, so they can't be judged")
            .arg(IdleText::deviceCount(devices), LocalText::percent(m_snapshot->neededShare, 0));
    if (isStopped) // a machine goes only if everything that holds it was stopped
        saving = IdleSaving::ofStop(items);
    const QString counts =
        tr("%1, %2", "workloads, GPUs")
            .arg(workloads == 1 ? tr("1 workload") : tr("%n workloads", nullptr, workloads), IdleText::gpuCount(gpus));
    const QString money =
        isStopped ? IdleText::saving(saving, m_snapshot->currency) : IdleText::saves(saving, m_snapshot->currency);
    if (money.isEmpty())
        return counts;
    return isStopped
        ? tr("%1, %2", "workloads and GPUs that were stopped, \"saving 1,234 USD a month\"").arg(counts, money)
        : tr("%1; stopping %2", "workloads and GPUs, \"saves 1,234 USD a month\"").arg(counts, money);
}

} // namespace gpuledger::ui

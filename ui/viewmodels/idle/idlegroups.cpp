// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of the idle list and their headings.
#include "app/model/fleet/kindname.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletable.h"
#include "ui/viewmodels/idle/idletext.h"

#include <cstddef>
#include <iterator>

namespace gpuledger::ui {

using insight::IdleItem;
using insight::UnknownItem;

QString IdleTable::unknownGroup()
{
    return QStringLiteral("\x01unknown");
}

QString IdleTable::partlyGroup()
{
    return QStringLiteral("\x01partly");
}

QString IdleTable::blockedGroup()
{
    return QStringLiteral("\x01blocked");
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
    return idle(row)   ? m_groupOf[static_cast<std::size_t>(row)]
        : partly(row)  ? m_partlyGroup
        : blocked(row) ? m_blockedGroup
                       : m_unknownGroup;
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

TableValue IdleTable::unknownValue(const UnknownItem &item, IdleColumn column) const
{
    switch (column) {
    case IdleColumn::What:
        return QString::fromStdString(model::shownName(item.kind, item.name));
    case IdleColumn::Owner:
        return QString::fromStdString(item.owner);
    case IdleColumn::Cluster:
        return QString::fromStdString(item.cluster);
    case IdleColumn::NameSpace:
        return QString::fromStdString(item.nameSpace);
    case IdleColumn::Node:
        return QString::fromStdString(item.node);
    case IdleColumn::Observed:
        return item.observed;
    case IdleColumn::Gpus:
    case IdleColumn::Note:
    case IdleColumn::IdleFor:
    case IdleColumn::Rate:
    case IdleColumn::Wasted:
    case IdleColumn::PerMonth:
    case IdleColumn::Confidence:
    case IdleColumn::Model:
    case IdleColumn::Since:
    case IdleColumn::Avoidable:
    case IdleColumn::Sunk:
        return {};
    }
    return {};
}

QString IdleTable::unknownText(const UnknownItem &item, IdleColumn column) const
{
    if (column == IdleColumn::Observed)
        return LocalText::percent(item.observed);
    if (column == IdleColumn::Gpus)
        return IdleText::deviceCount(item.devices.size());
    if (column == IdleColumn::Note)
        return tr("seen %1", "share of the window that was observed").arg(LocalText::percent(item.observed, 0));
    if (column == IdleColumn::Confidence)
        return {};
    const TableValue value = unknownValue(item, column);
    const auto *text = std::get_if<QString>(&value);
    return text && !text->isEmpty() ? *text : dash();
}

const insight::BlockedItem *IdleTable::blocked(int row) const
{
    const insight::IdleList &list = m_snapshot->list;
    const auto &items = m_snapshot->blocked.items;
    const auto at = static_cast<std::ptrdiff_t>(row)
        - static_cast<std::ptrdiff_t>(list.items.size() + list.partly.size() + list.unknown.size());
    return at >= 0 && at < std::ssize(items) ? &items[static_cast<std::size_t>(at)] : nullptr;
}

TableValue IdleTable::blockedValue(const insight::BlockedItem &item, IdleColumn column)
{
    const auto amount = [](const std::optional<base::Money> &money) {
        return money ? TableValue(money->toDouble()) : TableValue();
    };
    switch (column) {
    case IdleColumn::What:
    case IdleColumn::Node:
        return QString::fromStdString(item.node);
    case IdleColumn::Gpus:
        return item.gpus;
    case IdleColumn::Note:
        return tr("blocked");
    case IdleColumn::Rate:
        return amount(item.ratePerHour);
    case IdleColumn::PerMonth:
        return amount(item.perMonth);
    case IdleColumn::Owner:
        return QString::fromStdString(item.owner);
    case IdleColumn::Cluster:
        return QString::fromStdString(item.cluster);
    case IdleColumn::Model:
        return QString::fromStdString(item.gpuModel);
    default:
        return {};
    }
}

QString IdleTable::blockedText(const insight::BlockedItem &item, IdleColumn column)
{
    if (column == IdleColumn::Gpus)
        return IdleText::gpus(item.gpus, item.gpuModel);
    if (column == IdleColumn::Confidence)
        return {};
    const TableValue value = blockedValue(item, column);
    if (const auto *number = std::get_if<double>(&value))
        return LocalText::number(*number, column == IdleColumn::PerMonth ? 0 : 2);
    if (column == IdleColumn::Rate || column == IdleColumn::PerMonth)
        return tr("no price");
    const auto *text = std::get_if<QString>(&value);
    return text && !text->isEmpty() ? *text : dash();
}

QString IdleTable::blockedDetail(const std::vector<const insight::BlockedItem *> &items) const
{
    double gpus = 0, month = 0;
    bool isPriced = false;
    for (const insight::BlockedItem *item : items) {
        gpus += item->gpus;
        month += item->perMonth ? item->perMonth->toDouble() : 0;
        isPriced = isPriced || item->perMonth;
    }
    const QString code = QString::fromStdString(std::string(m_snapshot->currency.code()));
    const QString counts = isPriced
        ? tr("%1, %2 a month", "GPUs, money").arg(IdleText::gpuCount(gpus), LocalText::money(month, code, 0))
        : IdleText::gpuCount(gpus);
    const QString all =
        tr("%1, not in the sums above: nothing holds them, and pods that waited could not be given them",
           "\"2 GPUs, 1,234 USD a month\"")
            .arg(counts);
    const double unknown = m_snapshot->blocked.undecidedGpus + m_snapshot->blocked.unexplainedGpus;
    return unknown > 0
        ? tr("%1; %2 more may be blocked, which is not known", "\"2 GPUs, not in the sums above\", number")
              .arg(all, IdleText::count(unknown))
        : all;
}

QString IdleTable::groupDetail(int, std::span<const int> rows) const
{
    if (!rows.empty() && partly(rows.front()))
        return partlyDetail(rows);
    if (!rows.empty() && blocked(rows.front())) {
        std::vector<const insight::BlockedItem *> items;
        for (const int row : rows)
            items.push_back(blocked(row));
        return blockedDetail(items);
    }
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

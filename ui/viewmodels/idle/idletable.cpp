// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/idletable.h"

#include "app/insight/proof/blockedproof.h"
#include "ui/format/actions/actionphrase.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/idle/idletext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <QLocale>

namespace gpuledger::ui {

using insight::IdleItem;
using insight::UnknownItem;

namespace {

using tablecolumns::column;

constexpr int kNameWidth = 190; // narrow, so that a long name never truncates the figures beside it

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

QString textOr(const std::string &text, const QString &otherwise)
{
    return text.empty() ? otherwise : QString::fromStdString(text);
}

TableValue amount(const std::optional<base::Money> &money)
{
    return money ? TableValue(money->toDouble()) : TableValue();
}

std::optional<base::Money> moneyOf(const IdleItem &item, IdleColumn column)
{
    return column == IdleColumn::Rate ? item.ratePerHour : column == IdleColumn::Wasted ? item.wasted : item.perMonth;
}

QString amountText(double units, IdleColumn column)
{
    return LocalText::number(units, column == IdleColumn::PerMonth ? 0 : 2);
}

bool isMark(const model::Lease &lease)
{
    return lease.kind == model::Lease::Kind::StopAfter && lease.until;
}

bool isMoney(IdleColumn column)
{
    return column == IdleColumn::Rate || column == IdleColumn::Wasted || column == IdleColumn::PerMonth;
}

} // namespace

std::vector<TableColumn> IdleTable::columns(base::Currency currency)
{
    const QString code = QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
    using Type = TableValueType;
    std::vector<TableColumn> all{
        column("what", tr("Workload"), Type::Text, tr("What holds the GPUs and does nothing with them")),
        column("gpus", tr("GPUs"), Type::Number, tr("Devices and parts of devices that it holds")),
        column("note", tr("Note"), Type::Text, tr("The rule that keeps it from being stopped, or how little was seen")),
        column("idle", tr("Idle for"), Type::Duration, tr("Time since its last activity")),
        column("rate", tr("%1/h", "currency an hour").arg(code), Type::Number, tr("Cost of an hour at its rate")),
        column("wasted", tr("Cost so far"), Type::Number, tr("Cost of its idle time until now, in %1").arg(code)),
        column("month", tr("Per month"), Type::Number, tr("Cost of a month if left idle: 730 hours, in %1").arg(code)),
        column(
            "avoidable", tr("Avoidable"), Type::Number,
            tr("The part of its monthly cost that ends when it is stopped; \"up to\": whether it ends is not known")),
        column("confidence", tr("Stays idle"), Type::Number,
               tr("Chance that it does no work in the next hour, measured from how long workloads stayed idle")),
        column("owner", tr("Owner"), Type::Text, tr("The team that pays for it")),
        column("cluster", tr("Cluster"), Type::Text, {}),
        column("namespace", tr("Namespace"), Type::Text, {}),
        column("node", tr("Node"), Type::Text, {}),
        column("model", tr("GPU model"), Type::Text, {}),
        column("since", tr("Idle since"), Type::Time, tr("Its last activity, or its start when there was none")),
        column("observed", tr("Observed"), Type::Number, tr("Share of its grace window that was observed")),
        column("sunk", tr("Sunk"), Type::Number,
               tr("The part of its monthly cost that continues: the machine is owned, committed to, or stays for "
                  "others"))};
    const auto of = [&](IdleColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(IdleColumn::What).isEmphasized = true;
    of(IdleColumn::What).stretch = 3;
    for (const IdleColumn c : {IdleColumn::Gpus, IdleColumn::Note, IdleColumn::Confidence})
        of(c).stretch = 1;
    of(IdleColumn::What).width = kNameWidth;
    of(IdleColumn::Rate).priority = 1;
    of(IdleColumn::Confidence).priority = 2;
    of(IdleColumn::Note).priority = 3;
    of(IdleColumn::Note).hasNoRoomIfEmpty = true; // so that the names get it
    of(IdleColumn::Wasted).priority = 4;
    of(IdleColumn::Gpus).isFigure = false; // reads as text: "8 × A100 80GB"
    of(IdleColumn::Confidence).isFigure = false; // a badge
    for (const IdleColumn c : {IdleColumn::What, IdleColumn::Owner, IdleColumn::Cluster, IdleColumn::NameSpace,
                               IdleColumn::Node, IdleColumn::Model, IdleColumn::Note})
        of(c).isSearched = true;
    for (std::size_t i = static_cast<std::size_t>(IdleColumn::Owner); i < all.size(); ++i)
        all[i].isVisible = false;
    of(IdleColumn::Rate).isVisible = false; // 1/730 of the column beside it
    return all;
}

IdleTable::IdleTable(std::shared_ptr<const IdleSnapshot> snapshot, IdleGrouping grouping)
    : m_snapshot(std::move(snapshot))
{
    QHash<QString, int> known;
    bool anyStopped = false, anySnoozed = false;
    const QString all = m_snapshot->list.reach.stale ? tr("Idle at the end of the data") : tr("Idle now");
    constexpr int kStopped = -2, kSnoozed = -1; // until the number of groups is known
    for (const IdleItem &item : m_snapshot->list.items) {
        const bool isStopped = m_snapshot->isStopped(item.id);
        if (isStopped || m_snapshot->isSnoozed(item.id)) {
            (isStopped ? anyStopped : anySnoozed) = true;
            m_groupOf.push_back(isStopped ? kStopped : kSnoozed);
            continue;
        }
        const QString owner = grouping == IdleGrouping::Owner ? QString::fromStdString(item.owner) : QString();
        const auto found = known.constFind(owner);
        m_groupOf.push_back(found != known.constEnd() ? *found : static_cast<int>(m_groups.size()));
        if (found != known.constEnd())
            continue;
        known.insert(owner, static_cast<int>(m_groups.size()));
        m_groups.push_back({owner, grouping == IdleGrouping::Flat ? all : owner, false, false});
    }
    std::replace(m_groupOf.begin(), m_groupOf.end(), kStopped, static_cast<int>(m_groups.size()));
    if (anyStopped)
        m_groups.push_back({stoppedGroup(), tr("Stopped"), true, true});
    std::replace(m_groupOf.begin(), m_groupOf.end(), kSnoozed, static_cast<int>(m_groups.size()));
    if (anySnoozed)
        m_groups.push_back({snoozedGroup(), tr("Snoozed"), true, true});
    m_partlyGroup = static_cast<int>(m_groups.size());
    if (!m_snapshot->list.partly.empty())
        m_groups.push_back({partlyGroup(), tr("Partly idle"), true, true});
    m_unknownGroup = static_cast<int>(m_groups.size());
    if (!m_snapshot->list.unknown.empty())
        m_groups.push_back({unknownGroup(), tr("Unknown"), true, true});
    m_blockedGroup = static_cast<int>(m_groups.size());
    if (!m_snapshot->blocked.items.empty())
        m_groups.push_back({blockedGroup(), tr("Blocked", "GPUs that could not be given to what waited"), true, true});
    for (int row = 0; row < rowCount(); ++row)
        m_rowOf.insert(id(row), row);
}

// The action taken on the item, otherwise what prevents it from being stopped; empty: no badge.
QString IdleTable::noteOf(const IdleItem &item) const
{
    if (const auto action = m_snapshot->actions.find(item.id); action != m_snapshot->actions.end())
        return m_snapshot->isStopped(item.id) ? tr("stopped") : tr("stopping");
    if (!item.protection.empty())
        return tr("protected");
    const model::Lease *lease = m_snapshot->leaseOf(item.id);
    if (lease && isMark(*lease))
        return m_snapshot->stopsMarked ? tr("stops %1", "time").arg(IdleText::instant(*lease->until, m_snapshot->zone))
                                       : tr("marked");
    return lease ? LocalText::phrase(textOf(lease->kind)) : QString();
}

QString IdleTable::noteTip(const IdleItem &item) const
{
    if (m_snapshot->actions.contains(item.id))
        return tr("Stopped; its GPUs count as free once telemetry confirms it");
    if (!item.protection.empty())
        return tr("Protected by %1").arg(LocalText::protection(item.protection));
    const model::Lease *lease = m_snapshot->leaseOf(item.id);
    if (!lease)
        return {};
    const QString by = tr("Requested by %1").arg(QString::fromStdString(lease->actor));
    const QString until = isMark(*lease) ? m_snapshot->stopsMarked
            ? tr("stopped after %1 unless someone objects").arg(IdleText::exactInstant(*lease->until, m_snapshot->zone))
            : tr("not stopped: the configuration does not let the watch stop anything")
        : lease->until ? tr("until %1").arg(IdleText::exactInstant(*lease->until, m_snapshot->zone))
                                         : tr("until withdrawn");
    const QString reason = QString::fromStdString(lease->reason);
    QString text = by + QStringLiteral(", ") + until;
    if (!reason.isEmpty())
        text += QStringLiteral(": ") + reason;
    return text;
}

int IdleTable::rowCount() const
{
    const insight::IdleList &list = m_snapshot->list;
    return static_cast<int>(list.items.size() + list.partly.size() + list.unknown.size()
                            + m_snapshot->blocked.items.size());
}

const IdleItem *IdleTable::idle(int row) const
{
    const auto &items = m_snapshot->list.items;
    return row >= 0 && at(row) < items.size() ? &items[at(row)] : nullptr;
}

const IdleItem *IdleTable::partly(int row) const
{
    const auto &partly = m_snapshot->list.partly;
    const std::size_t before = m_snapshot->list.items.size();
    return row >= 0 && at(row) >= before && at(row) - before < partly.size() ? &partly[at(row) - before] : nullptr;
}

const IdleItem *IdleTable::priced(int row) const
{
    const IdleItem *item = idle(row);
    return item ? item : partly(row);
}

const UnknownItem *IdleTable::unknown(int row) const
{
    const auto &unknown = m_snapshot->list.unknown;
    const std::size_t before = m_snapshot->list.items.size() + m_snapshot->list.partly.size();
    return row >= 0 && at(row) >= before && at(row) - before < unknown.size() ? &unknown[at(row) - before] : nullptr;
}

QString IdleTable::id(int row) const
{
    if (const insight::BlockedItem *free = blocked(row))
        return QString::fromStdString(std::string(insight::kBlockedItem) + free->id);
    const IdleItem *item = priced(row);
    return QString::fromStdString(item ? item->id : unknown(row)->id);
}

TableValue IdleTable::idleValue(const IdleItem &item, IdleColumn column) const
{
    switch (column) {
    case IdleColumn::What:
        return IdleText::name(item);
    case IdleColumn::Gpus:
        return item.gpus;
    case IdleColumn::Note:
        return item.protection.empty() ? noteOf(item) : LocalText::protection(item.protection);
    case IdleColumn::IdleFor:
        return static_cast<double>((m_snapshot->list.at - item.since).count());
    case IdleColumn::Rate:
    case IdleColumn::Wasted:
    case IdleColumn::PerMonth:
        return amount(moneyOf(item, column));
    case IdleColumn::Confidence:
        return item.chance.hour;
    case IdleColumn::Owner:
        return QString::fromStdString(item.owner);
    case IdleColumn::Cluster:
        return QString::fromStdString(item.cluster);
    case IdleColumn::NameSpace:
        return QString::fromStdString(item.nameSpace);
    case IdleColumn::Node:
        return QString::fromStdString(item.node);
    case IdleColumn::Model:
        return QString::fromStdString(item.gpuModel);
    case IdleColumn::Since:
        return static_cast<qint64>(base::toUnix(item.since));
    case IdleColumn::Observed:
        return item.observed;
    case IdleColumn::Avoidable:
        return amount(item.avoidablePerMonth);
    case IdleColumn::Sunk:
        return amount(item.sunkPerMonth);
    }
    return {};
}

TableValue IdleTable::value(int row, int column) const
{
    const auto c = static_cast<IdleColumn>(column);
    if (const IdleItem *item = idle(row))
        return idleValue(*item, c);
    if (const insight::BlockedItem *free = blocked(row))
        return blockedValue(*free, c);
    const IdleItem *part = partly(row);
    return part ? partlyValue(*part, c) : unknownValue(*unknown(row), c);
}

QString IdleTable::idleText(const IdleItem &item, IdleColumn column) const
{
    switch (column) {
    case IdleColumn::Gpus:
        return IdleText::gpus(item.gpus, item.gpuModel);
    case IdleColumn::Note:
        return noteOf(item);
    case IdleColumn::IdleFor:
        return IdleText::duration(m_snapshot->list.at - item.since);
    case IdleColumn::Rate:
    case IdleColumn::Wasted:
    case IdleColumn::PerMonth: {
        const auto money = moneyOf(item, column);
        const bool isPart = column == IdleColumn::Wasted && item.ratePerHour; // the rest has no price
        return money ? amountText(money->toDouble(), column) : isPart ? tr("unknown") : tr("no price");
    }
    case IdleColumn::Confidence:
        return IdleText::chance(item.chance.hour);
    case IdleColumn::NameSpace:
        return textOr(item.nameSpace, dash());
    case IdleColumn::Node:
        return textOr(item.node, dash());
    case IdleColumn::Since:
        return IdleText::instant(item.since, m_snapshot->zone);
    case IdleColumn::Observed:
        return LocalText::percent(item.observed);
    case IdleColumn::Avoidable:
        return IdleText::avoidable(item);
    case IdleColumn::Sunk:
        return IdleText::sunk(item);
    case IdleColumn::What:
    case IdleColumn::Owner:
    case IdleColumn::Cluster:
    case IdleColumn::Model:
        break;
    }
    const TableValue value = idleValue(item, column);
    const auto *text = std::get_if<QString>(&value);
    return text && !text->isEmpty() ? *text : dash();
}

QString IdleTable::text(int row, int column) const
{
    const auto c = static_cast<IdleColumn>(column);
    if (const IdleItem *item = idle(row))
        return idleText(*item, c);
    if (const IdleItem *item = partly(row))
        return partlyText(*item, c);
    const insight::BlockedItem *free = blocked(row);
    return free ? blockedText(*free, c) : unknownText(*unknown(row), c);
}

QString IdleTable::sourceLine(int row, int column) const
{
    const QString source = LocalText::sourceLine(m_snapshot->sources, m_snapshot->age());
    const auto say = [&](const QString &what) { return tr("%1. %2", "a sentence, then its source").arg(what, source); };
    if (const insight::BlockedItem *free = blocked(row))
        return say(IdleText::whyBlocked(*free));
    const IdleItem *item = priced(row);
    if (!item)
        return say(tr("Observed %1 of its window, %2 is needed")
                       .arg(LocalText::percent(unknown(row)->observed), LocalText::percent(m_snapshot->neededShare)));
    const auto c = static_cast<IdleColumn>(column);
    if (!idle(row) && (c == IdleColumn::Note || c == IdleColumn::Avoidable || c == IdleColumn::Confidence))
        return say(IdleText::whyPartly(*item));
    if (!idle(row) && c == IdleColumn::Sunk)
        return say(tr("The cost of its idle GPUs ends only with the whole machine, or with a smaller size"));
    switch (c) {
    case IdleColumn::IdleFor:
    case IdleColumn::Since: {
        const QString since = IdleText::exactInstant(item->since, m_snapshot->zone);
        return say(item->sinceIsLowerBound ? tr("Since %1 at the earliest: not all of the time was observed").arg(since)
                                           : tr("Since %1").arg(since));
    }
    case IdleColumn::Note: {
        const QString tip = noteTip(*item);
        return tip.isEmpty() ? source : say(tip);
    }
    case IdleColumn::Confidence:
        return say(IdleText::outlook(*item).join(QStringLiteral(". ")));
    case IdleColumn::PerMonth:
        return say(tr("An hour's cost × 730 hours"));
    case IdleColumn::Avoidable:
    case IdleColumn::Sunk: {
        const QString why = item->perMonth ? LocalText::phrase(recoveryOf(*item)) : QString();
        return why.isEmpty() ? source : say(why);
    }
    default:
        return source;
    }
}

QVariant IdleTable::extra(int row, int column, int role) const
{
    if (role != widgets::kToneRole)
        return {};
    const IdleItem *item = idle(row);
    const auto c = static_cast<IdleColumn>(column);
    if (!item || c == IdleColumn::Note)
        return QVariant::fromValue(widgets::Tone::Muted);
    if (c == IdleColumn::Confidence) {
        const auto sureness = IdleText::sureness(item->chance.hour);
        return QVariant::fromValue(sureness == IdleText::Sureness::High         ? widgets::Tone::Good
                                       : sureness == IdleText::Sureness::Medium ? widgets::Tone::Warning
                                                                                : widgets::Tone::Critical);
    }
    if (isMoney(c) && !moneyOf(*item, c))
        return QVariant::fromValue(widgets::Tone::Muted);
    return {};
}

TableValue IdleTable::groupValue(int, int column, std::span<const int> rows) const
{
    const auto c = static_cast<IdleColumn>(column);
    double sum = 0;
    bool any = false;
    for (const int row : rows) {
        const IdleItem *item = priced(row);
        if (item && c == IdleColumn::Gpus) {
            sum += item->gpus;
            any = true;
        } else if (item && isMoney(c)) {
            if (const auto money = moneyOf(*item, c)) {
                sum += money->toDouble();
                any = true;
            }
        }
    }
    return any ? TableValue(sum) : TableValue();
}

QString IdleTable::groupText(int group, int column, std::span<const int> rows) const
{
    const auto c = static_cast<IdleColumn>(column);
    if (!isMoney(c))
        return {}; // the heading shows the number of GPUs
    const TableValue sum = groupValue(group, column, rows);
    const auto *number = std::get_if<double>(&sum);
    return number ? amountText(*number, c) : QString();
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/idle/waitingtable.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/format/phrases/waitingphrase.h"
#include "ui/viewmodels/idle/idletext.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QLocale>

#include <algorithm>

namespace gpuledger::ui {

using insight::BlockerSum;
using insight::WaitingItem;

namespace {

using tablecolumns::column;

constexpr int kWaitingNameWidth = 200;

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Turns a clause into a sentence.
QString capital(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

const std::optional<base::Money> &moneyOf(const WaitingItem &item, WaitingColumn column)
{
    return column == WaitingColumn::PerMonth ? item.perMonth : item.lost;
}

std::optional<double> moneyOf(const BlockerSum &sum, WaitingColumn column)
{
    const auto &nanos = column == WaitingColumn::PerMonth ? sum.perMonth : sum.lost;
    return nanos ? std::optional(static_cast<double>(*nanos) / base::Money::kNanosPerUnit) : std::nullopt;
}

QString amountText(double units)
{
    return LocalText::number(units, 0);
}

bool isMoney(WaitingColumn column)
{
    return column == WaitingColumn::PerMonth || column == WaitingColumn::Lost;
}

} // namespace

std::vector<TableColumn> WaitingTable::columns(base::Currency currency)
{
    const QString code = qt(currency.code());
    using Type = TableValueType;
    std::vector<TableColumn> all{
        column("what", tr("Waiting"), Type::Text, tr("The job, or the queue that holds workloads back")),
        column("gpus", tr("GPUs"), Type::Number, tr("GPUs it needs, all on one node")),
        column("waits", tr("Waiting for"), Type::Duration, tr("Time since it was created")),
        column("month", tr("Per month"), Type::Number,
               tr("Cost of a month of the idle GPUs it could use: 730 hours, in %1. Headings count each GPU once")
                   .arg(code)),
        column("lost", tr("Lost so far"), Type::Number,
               tr("Cost of these GPUs for the time in which it waited and they were idle, in %1").arg(code)),
        column("owner", tr("Owner"), Type::Text, tr("The team that is waiting")),
        column("node", tr("Node"), Type::Text, tr("The node that would serve it, or comes closest")),
        column("servers", tr("Would be served by"), Type::Text, tr("The idle workloads that hold what it needs")),
        column("kind", tr("Kind of GPU"), Type::Text, {}),
        column("cluster", tr("Cluster"), Type::Text, {}),
        column("namespace", tr("Namespace"), Type::Text, {}),
        column("since", tr("Waiting since"), Type::Time, {})};
    const auto of = [&](WaitingColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(WaitingColumn::What).isEmphasized = true;
    of(WaitingColumn::What).stretch = 3;
    of(WaitingColumn::What).width = kWaitingNameWidth;
    of(WaitingColumn::Servers).stretch = 2;
    of(WaitingColumn::Owner).stretch = of(WaitingColumn::Node).stretch = 1;
    of(WaitingColumn::Lost).priority = 1;
    of(WaitingColumn::Owner).priority = 2;
    for (const WaitingColumn c : {WaitingColumn::What, WaitingColumn::Owner, WaitingColumn::Node,
                                  WaitingColumn::Servers, WaitingColumn::Cluster, WaitingColumn::NameSpace})
        of(c).isSearched = true;
    for (std::size_t i = static_cast<std::size_t>(WaitingColumn::Node); i < all.size(); ++i)
        all[i].isVisible = false;
    return all;
}

WaitingTable::WaitingTable(std::shared_ptr<const WaitingSnapshot> snapshot)
    : m_snapshot(std::move(snapshot))
{
    for (std::size_t i = 0; i < insight::kBlockers; ++i) {
        const auto blocker = static_cast<insight::Blocker>(i);
        if (m_snapshot->list.sums[i].jobs == 0)
            continue;
        m_blockers.push_back(blocker);
        m_groups.push_back({qt(toString(blocker)), capital(LocalText::phrase(nameOf(blocker))), false, false});
    }
}

// A platform may report jobs that are newer than the data.
base::Seconds WaitingTable::waited(const WaitingItem &one) const
{
    return std::max(base::Seconds{0}, base::Seconds{m_snapshot->list.at - *one.work.since});
}

QString WaitingTable::id(int row) const
{
    return QString::fromStdString(item(row).id);
}

TableValue WaitingTable::value(int row, int column) const
{
    const WaitingItem &one = item(row);
    const auto c = static_cast<WaitingColumn>(column);
    const auto &since = one.work.since;
    switch (c) {
    case WaitingColumn::What:
        return qt(workloadOf(one.work));
    case WaitingColumn::Gpus:
        return one.work.gpus ? TableValue(static_cast<qint64>(*one.work.gpus)) : TableValue();
    case WaitingColumn::Waits:
        return since ? TableValue(static_cast<double>(waited(one).count())) : TableValue();
    case WaitingColumn::PerMonth:
    case WaitingColumn::Lost: {
        const auto &money = moneyOf(one, c);
        return money ? TableValue(money->toDouble()) : TableValue();
    }
    case WaitingColumn::Owner:
        return qt(one.work.team);
    case WaitingColumn::Node:
        return qt(one.node);
    case WaitingColumn::Servers:
        return qt(one.isServed ? serversOf(one) : std::string());
    case WaitingColumn::Kind:
        return qt(gpuKindOf(one.work));
    case WaitingColumn::Cluster:
        return qt(one.work.cluster);
    case WaitingColumn::NameSpace:
        return qt(one.work.nameSpace);
    case WaitingColumn::Since:
        return since ? TableValue(static_cast<qint64>(base::toUnix(*since))) : TableValue();
    }
    return {};
}

QString WaitingTable::text(int row, int column) const
{
    const WaitingItem &one = item(row);
    const TableValue cell = value(row, column);
    if (std::holds_alternative<std::monostate>(cell))
        return dash();
    const auto c = static_cast<WaitingColumn>(column);
    if (c == WaitingColumn::Waits)
        return IdleText::duration(waited(one));
    if (c == WaitingColumn::Since)
        return IdleText::instant(*one.work.since, m_snapshot->zone);
    if (const auto *number = std::get_if<double>(&cell))
        return amountText(*number);
    if (const auto *count = std::get_if<qint64>(&cell))
        return QLocale().toString(*count);
    const QString &text = std::get<QString>(cell);
    if (c == WaitingColumn::What && one.work.count > 1)
        return tr("%1 × %2", "number of workloads, their queue").arg(QLocale().toString(one.work.count), text);
    return text.isEmpty() ? dash() : text;
}

QString WaitingTable::sourceLine(int row, int) const
{
    const WaitingItem &one = item(row);
    const QString unchecked = LocalText::phrase(uncheckedOf(one));
    QString reason = LocalText::phrase(reasonOf(one));
    const QString servers = qt(serversOf(one));
    if (servers.isEmpty() || !reason.startsWith(servers)) // names keep their case
        reason = capital(std::move(reason));
    return unchecked.isEmpty() ? reason : tr("%1; %2", "two clauses").arg(reason, unchecked);
}

int WaitingTable::groupOf(int row) const
{
    const auto found = std::find(m_blockers.begin(), m_blockers.end(), item(row).blocker);
    return static_cast<int>(found - m_blockers.begin());
}

QString WaitingTable::groupDetail(int, std::span<const int> rows) const
{
    std::int64_t jobs = 0;
    for (const int row : rows)
        jobs += item(row).work.count;
    return jobs == 1 ? tr("1 waiting") : tr("%n waiting", nullptr, static_cast<int>(jobs));
}

TableValue WaitingTable::groupValue(int group, int column, std::span<const int> rows) const
{
    const auto c = static_cast<WaitingColumn>(column);
    const BlockerSum &sum =
        m_snapshot->list.sums[static_cast<std::size_t>(m_blockers[static_cast<std::size_t>(group)])];
    std::size_t jobs = 0;
    std::int64_t gpus = 0;
    bool areSizesKnown = true;
    for (const int row : rows) {
        jobs += static_cast<std::size_t>(item(row).work.count);
        gpus += item(row).work.gpus.value_or(0);
        areSizesKnown = areSizesKnown && item(row).work.gpus;
    }
    if (c == WaitingColumn::Gpus)
        return areSizesKnown ? TableValue(static_cast<qint64>(gpus)) : TableValue();
    const auto money = isMoney(c) && jobs == sum.jobs ? moneyOf(sum, c) : std::nullopt;
    return money ? TableValue(*money) : TableValue();
}

QString WaitingTable::groupText(int group, int column, std::span<const int> rows) const
{
    const TableValue sum = groupValue(group, column, rows);
    if (const auto *count = std::get_if<qint64>(&sum))
        return QLocale().toString(*count);
    const auto *number = std::get_if<double>(&sum);
    return number ? amountText(*number) : QString();
}

} // namespace gpuledger::ui

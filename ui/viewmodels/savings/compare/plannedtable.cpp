// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/plannedtable.h"

#include "app/base/text/text.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/compare/comparetable.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QDate>
#include <QLocale>

namespace gpuledger::ui {

using services::PlannedPlan;
using services::PlannedRow;
using Column = PlannedColumn;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

constexpr double kMonthHours = 730; // of Infracost
constexpr int kHourDecimals = 4, kMonthDecimals = 2, kResourceWidth = 240;
constexpr std::size_t kLongestPlanName = 120;

QString plannedText(const std::string &text)
{
    return text.empty() ? dash() : QString::fromStdString(text);
}

// Not there after, or before, the change: it costs nothing then.
std::optional<base::Money> costOf(const std::optional<model::PlannedUse> &use)
{
    return use ? use->cost : base::Money();
}

std::optional<double> machinesOf(const PlannedRow &row)
{
    const auto &use = row.machine.planned;
    if (!use)
        return 0.0;
    return use->hours ? std::optional(use->hours->toDouble() / kMonthHours) : std::nullopt;
}

std::optional<base::Money> amountIn(const PlannedRow &row, Column column)
{
    switch (column) {
    case Column::Planned:
        return costOf(row.machine.planned);
    case Column::Before:
        return costOf(row.machine.before);
    case Column::PaidPerHour:
        return row.paidPerHour;
    case Column::AtPaidPrice:
        return row.machine.planned ? row.atPaidPrice : base::Money();
    default:
        return std::nullopt;
    }
}

} // namespace

std::vector<TableColumn> PlannedTable::columns()
{
    std::vector<TableColumn> all{
        words(QStringLiteral("resource"), tr("Resource"), {}, 2), // no-tr: key
        words(QStringLiteral("machine"), tr("Machine"), {}, 1), // no-tr: key
        words(QStringLiteral("gpus"), tr("GPUs"), tr("GPUs of one machine")), // no-tr: key
        words(QStringLiteral("terms"), tr("Terms")), // no-tr: key
        figure(QStringLiteral("machines"), tr("Machines"), // no-tr: key
               tr("Machines that run all the time, in a month of 730 hours")),
        figure(QStringLiteral("planned"), tr("Planned"), // no-tr: key
               tr("Cost of a month by Infracost, from list prices")),
        figure(QStringLiteral("before"), tr("Before"), // no-tr: key
               tr("Cost of a month by Infracost before the change")),
        figure(QStringLiteral("paid-hour"), tr("Paid per hour"), // no-tr: key
               tr("What an hour of such a machine cost by your bills in the last 28 days of the data")),
        figure(QStringLiteral("at-paid"), tr("At paid price"), // no-tr: key
               tr("The planned hours at the price that you pay")),
        figure(QStringLiteral("running"), tr("Running now"), // no-tr: key
               tr("Machines of this type by your bills, on average"))};
    const auto of = [&](Column c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(Column::Resource).isEmphasized = true;
    of(Column::Resource).width = kResourceWidth;
    of(Column::Before).hasNoRoomIfEmpty = true;
    of(Column::Terms).priority = 1;
    of(Column::Running).priority = 2;
    of(Column::PaidPerHour).priority = 3;
    of(Column::Before).priority = 4;
    return all;
}

PlannedTable::PlannedTable(std::shared_ptr<const services::PlannedAnswer> answer)
    : m_answer(std::move(answer))
{
    int number = 0;
    for (const PlannedPlan &plan : m_answer->plans) {
        const QString file = QString::fromStdString(base::printable(plan.file, kLongestPlanName));
        const QString day = plan.made
            ? QLocale().toString(QDate(1970, 1, 1).addDays(base::dayOf(*plan.made).number), QLocale::ShortFormat)
            : tr("date unknown");
        m_groups.push_back(
            {QString::number(number++) + file,
             tr("%1 of %2, in %3 a month", "a file, its date, a currency").arg(file, day, codeOf(plan.currency)), false,
             false});
    }
}

QString PlannedTable::id(int row) const
{
    const model::PlannedMachine &one = rowAt(row).machine;
    QStringList parts{QString::number(rowAt(row).plan)};
    for (const std::string &part :
         {one.project, one.resource, one.cloud, one.machine, one.gpuName, std::string(toString(one.purchase))})
        parts.append(QString::fromStdString(part));
    return parts.join(QChar(0x1f));
}

TableValue PlannedTable::value(int row, int column) const
{
    const PlannedRow &one = rowAt(row);
    const auto number = [](const std::optional<double> &value) { return value ? TableValue(*value) : TableValue(); };
    switch (const auto c = static_cast<Column>(column)) {
    case Column::Machines:
        return number(machinesOf(one));
    case Column::Running:
        return number(one.running);
    case Column::Planned:
    case Column::Before:
    case Column::PaidPerHour:
    case Column::AtPaidPrice: {
        const auto amount = amountIn(one, c);
        return amount && text(row, column) != dash() ? TableValue(amount->toDouble()) : TableValue();
    }
    default:
        break;
    }
    const QString shown = text(row, column);
    return shown == dash() ? TableValue(QString()) : TableValue(shown);
}

QString PlannedTable::text(int row, int column) const
{
    const PlannedRow &one = rowAt(row);
    switch (static_cast<Column>(column)) {
    case Column::Resource:
        return plannedText(one.machine.resource);
    case Column::Machine:
        return plannedText(one.machine.machine);
    case Column::Gpus: {
        const QString count = one.gpus ? LocalText::number(static_cast<double>(*one.gpus), 0) : QStringLiteral("?");
        return one.gpuModel.empty() ? tr("unknown")
                                    : tr("%1× %2", "a number, a GPU model").arg(count, plannedText(one.gpuModel));
    }
    case Column::Terms:
        return CompareTable::termsName(one.machine.purchase);
    case Column::Machines: {
        const auto machines = machinesOf(one);
        return !one.machine.planned ? tr("removed") : machines ? LocalText::number(*machines, 1) : dash();
    }
    case Column::Running:
        return one.running ? LocalText::number(*one.running, 1) : dash();
    case Column::Before:
        if (!m_answer->plans[one.plan].tellsBefore)
            return {};
        [[fallthrough]];
    case Column::Planned:
    case Column::AtPaidPrice:
    case Column::PaidPerHour:
        break;
    }
    const auto c = static_cast<Column>(column);
    const auto amount = amountIn(one, c);
    return amount ? CompareTable::amount(*amount, c == Column::PaidPerHour ? kHourDecimals : kMonthDecimals) : dash();
}

QString PlannedTable::sourceLine(int row, int column) const
{
    const PlannedRow &one = rowAt(row);
    const auto c = static_cast<Column>(column);
    if (c == Column::PaidPerHour || c == Column::AtPaidPrice || c == Column::Running)
        return one.running ? tr("Own bills, the newest two days left out") : tr("No bill tells such machines");
    const PlannedPlan &plan = m_answer->plans[one.plan];
    return tr("%1, project %2", "a file, a project of it")
        .arg(plannedText(plan.file), plannedText(one.machine.project));
}

std::optional<base::Money> PlannedTable::sumOf(int group, int column) const
{
    const PlannedPlan &plan = m_answer->plans[static_cast<std::size_t>(group)];
    switch (static_cast<Column>(column)) {
    case Column::Planned:
        return plan.planned;
    case Column::Before:
        return plan.before;
    case Column::AtPaidPrice:
        return plan.atPaidPrice;
    default:
        return std::nullopt;
    }
}

TableValue PlannedTable::groupValue(int group, int column, std::span<const int> /*rows*/) const
{
    const auto sum = sumOf(group, column);
    return sum ? TableValue(sum->toDouble()) : TableValue();
}

// Of the whole plan, also when the filter hides rows of it.
QString PlannedTable::groupText(int group, int column, std::span<const int> /*rows*/) const
{
    const auto c = static_cast<Column>(column);
    if (const auto sum = sumOf(group, column))
        return CompareTable::amount(*sum, kMonthDecimals);
    return c == Column::Planned || c == Column::AtPaidPrice ? dash() : QString();
}

} // namespace gpuledger::ui

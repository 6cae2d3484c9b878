// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/budgetstable.h"

#include "app/base/text/text.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <QDate>
#include <QLocale>
#include <QStringList>

#include <set>

namespace gpuledger::ui {

using model::CloudBudget;
using model::CloudBudgetPeriod;
using services::BudgetGap;
using services::BudgetRow;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

constexpr int kBudgetDecimals = 2, kBudgetNameWidth = 200; // pixels
constexpr int kBudgetShareWidth = 150, kLeastBudgetShare = 96, kWidestBudgetShare = 260; // pixels
constexpr std::size_t kLongestBudgetText = 120; // bytes

QDate budgetDate(base::Day day)
{
    return QDate(1970, 1, 1).addDays(day.number);
}

QString budgetDay(base::Day day)
{
    return QLocale().toString(budgetDate(day), QLocale::ShortFormat);
}

// For sorting; empty: not told.
QString isoBudgetDay(const std::optional<base::Day> &day)
{
    return day ? budgetDate(*day).toString(Qt::ISODate) : QString();
}

QString budgetWords(const std::string &text)
{
    return QString::fromStdString(base::printable(text, kLongestBudgetText));
}

const std::optional<base::Money> &budgetAmount(const BudgetRow &row, BudgetsColumn column)
{
    static const std::optional<base::Money> none;
    switch (column) {
    case BudgetsColumn::Limit:
        return row.limit;
    case BudgetsColumn::Spent:
        return row.spent;
    case BudgetsColumn::Forecast:
        return row.forecast;
    case BudgetsColumn::Billed:
        return row.billed;
    default:
        return none;
    }
}

bool isAbove(const BudgetRow &row, const std::optional<base::Money> &amount)
{
    return amount && row.limit && amount->currency() == row.limit->currency() && amount->nanos() > row.limit->nanos();
}

// What was spent of the limit; std::nullopt: one of them is unknown, or there is no limit to have a share of.
std::optional<double> shareOfLimit(const BudgetRow &row)
{
    if (!row.limit || !row.spent || row.limit->nanos() <= 0 || row.limit->currency() != row.spent->currency())
        return std::nullopt;
    return static_cast<double>(row.spent->nanos()) / static_cast<double>(row.limit->nanos());
}

// That of all amounts; empty: there are several, or none.
QString onlyCurrency(const std::vector<BudgetRow> &rows)
{
    std::set<std::string> codes;
    for (const BudgetRow &row : rows) {
        for (const auto &amount : {row.limit, row.spent, row.forecast, row.billed}) {
            if (amount)
                codes.insert(std::string(amount->currency().code()));
        }
    }
    return codes.size() == 1 ? textOf(*codes.begin()) : QString();
}

class PeriodWords {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::BudgetsTable)
public:
    static QString name(CloudBudgetPeriod period)
    {
        switch (period) {
        case CloudBudgetPeriod::Day:
            return tr("Day", "the period of a budget");
        case CloudBudgetPeriod::Month:
            return tr("Month", "the period of a budget");
        case CloudBudgetPeriod::Quarter:
            return tr("Quarter", "the period of a budget");
        case CloudBudgetPeriod::Year:
            return tr("Year", "the period of a budget");
        case CloudBudgetPeriod::Other:
            break;
        }
        return {};
    }

    // Its days, or how long it is; empty: neither is told.
    static QString days(const CloudBudget &budget)
    {
        if (budget.first && budget.last)
            return *budget.first == *budget.last
                ? budgetDay(*budget.first)
                : tr("%1 – %2", "the first and the last day").arg(budgetDay(*budget.first), budgetDay(*budget.last));
        if (budget.first)
            return tr("from %1", "the first day").arg(budgetDay(*budget.first));
        if (budget.last)
            return tr("until %1", "the last day").arg(budgetDay(*budget.last));
        return name(budget.period);
    }
};

} // namespace

std::vector<TableColumn> BudgetsTable::columns(const QString &currency)
{
    const auto priced = [&](const QString &title) {
        return currency.isEmpty() ? title : tr("%1, %2", "title of a column, currency").arg(title, currency);
    };
    std::vector<TableColumn> all{
        words(QStringLiteral("budget"), tr("Budget"), tr("Its name at the cloud"), 2), // no-tr: key
        words(QStringLiteral("scope"), tr("Scope"), tr("The costs that the budget covers"), 1), // no-tr: key
        words(QStringLiteral("account"), tr("Account"), // no-tr: key
              tr("The account, subscription or billing account that has the budget")),
        words(QStringLiteral("period"), tr("Period"), tr("Its current days in UTC, both included")), // no-tr: key
        figure(QStringLiteral("limit"), priced(tr("Limit"))), // no-tr: key
        figure(QStringLiteral("spent"), priced(tr("Spent")), // no-tr: key
               tr("What the cloud says was spent in the period so far")),
        figure(QStringLiteral("share"), tr("Of the limit"), // no-tr: key
               tr("What the cloud says was spent, as a share of the limit")),
        figure(QStringLiteral("forecast"), priced(tr("Forecast")), // no-tr: key
               tr("What the cloud expects by the end of the period")),
        figure(QStringLiteral("billed"), priced(tr("Bill so far")), // no-tr: key
               tr("What the bill of the same source has in the period")),
        words(QStringLiteral("billed-through"), tr("Bill through"), // no-tr: key
              tr("The last day that the bill has of the period"))};
    const auto of = [&](BudgetsColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(BudgetsColumn::Name).isEmphasized = true;
    of(BudgetsColumn::Name).width = kBudgetNameWidth;
    TableColumn &share = of(BudgetsColumn::Share);
    share.isFigure = false; // a bar
    share.width = kBudgetShareWidth;
    share.least = kLeastBudgetShare;
    share.widest = kWidestBudgetShare;
    share.stretch = 1;
    of(BudgetsColumn::Period).isWhole = true;
    of(BudgetsColumn::BilledThrough).isSearched = false;
    of(BudgetsColumn::Account).priority = 1;
    of(BudgetsColumn::BilledThrough).priority = 2;
    of(BudgetsColumn::Scope).priority = 3;
    of(BudgetsColumn::Forecast).priority = 4;
    of(BudgetsColumn::Period).priority = 5;
    return all;
}

// Also said of several budgets.
QString BudgetsTable::gapText(BudgetGap gap)
{
    switch (gap) {
    case BudgetGap::OnlyPart:
        return tr("The bill has other costs as well, or counts them in another way.");
    case BudgetGap::NoPeriod:
        return tr("The cloud does not say which days count.");
    case BudgetGap::NotBilled:
        return tr("The bill lacks days of the period.");
    case BudgetGap::NoRate:
        return tr("There is no exchange rate for the currency of the bill.");
    case BudgetGap::NotPaid:
        return tr("List prices are not what was paid.");
    case BudgetGap::None:
        break;
    }
    return {};
}

// The rows come by source and cloud.
BudgetsTable::BudgetsTable(std::shared_ptr<const services::BudgetsAnswer> answer)
    : m_answer(std::move(answer))
    , m_currency(onlyCurrency(m_answer->rows))
{
    const BudgetRow *last = nullptr;
    for (const BudgetRow &row : m_answer->rows) {
        if (!last || row.source != last->source || row.budget.cloud != last->budget.cloud) {
            const QString source = budgetWords(row.source), cloud = budgetWords(row.budget.cloud);
            const QString title =
                cloud.isEmpty() ? source : tr("%1, source %2", "a cloud, a source").arg(cloud, source);
            m_groups.push_back({QString::number(m_groups.size()) + source + QChar(0x1f) + cloud, title, false, false});
        }
        m_groupOf.push_back(static_cast<int>(m_groups.size()) - 1);
        last = &row;
    }
}

QString BudgetsTable::id(int row) const
{
    const BudgetRow &one = rowAt(row);
    QStringList parts{QString::number(row)};
    for (const std::string &part : {one.source, one.budget.cloud, one.budget.account, one.budget.name})
        parts.append(QString::fromStdString(part));
    return parts.join(QChar(0x1f));
}

QString BudgetsTable::amountText(const base::Money &amount) const
{
    return m_currency.isEmpty() ? LocalText::money(amount.toDouble(), codeOf(amount.currency()), kBudgetDecimals)
                                : LocalText::number(amount.toDouble(), kBudgetDecimals);
}

TableValue BudgetsTable::value(int row, int column) const
{
    const BudgetRow &one = rowAt(row);
    const auto c = static_cast<BudgetsColumn>(column);
    if (!unknown(one, c).isEmpty())
        return TableValue();
    switch (c) {
    case BudgetsColumn::Period:
        return TableValue(isoBudgetDay(one.budget.first) + QLatin1Char('/') + isoBudgetDay(one.budget.last)
                          + QLatin1Char('/') + PeriodWords::name(one.budget.period));
    case BudgetsColumn::BilledThrough:
        return TableValue(isoBudgetDay(one.billedThrough));
    case BudgetsColumn::Share: {
        const auto share = shareOfLimit(one);
        return share ? TableValue(*share) : TableValue();
    }
    case BudgetsColumn::Name:
    case BudgetsColumn::Scope:
    case BudgetsColumn::Account:
        return TableValue(text(row, column));
    case BudgetsColumn::Limit:
    case BudgetsColumn::Spent:
    case BudgetsColumn::Forecast:
    case BudgetsColumn::Billed:
        break;
    }
    return TableValue(budgetAmount(one, c)->toDouble());
}

QString BudgetsTable::text(int row, int column) const
{
    const BudgetRow &one = rowAt(row);
    const auto c = static_cast<BudgetsColumn>(column);
    if (!unknown(one, c).isEmpty())
        return dash();
    switch (c) {
    case BudgetsColumn::Name:
        return one.budget.name.empty() ? tr("Budget") : QString::fromStdString(one.budget.name);
    case BudgetsColumn::Scope:
        if (one.budget.isWholeBill)
            return tr("whole bill");
        return one.budget.scope.empty() ? tr("all costs") : QString::fromStdString(one.budget.scope);
    case BudgetsColumn::Account:
        return QString::fromStdString(one.budget.account);
    case BudgetsColumn::Period:
        return PeriodWords::days(one.budget);
    case BudgetsColumn::Share: {
        const auto share = shareOfLimit(one);
        return share ? LocalText::percent(*share, 0) : tr("over the limit");
    }
    case BudgetsColumn::BilledThrough:
        return budgetDay(*one.billedThrough);
    case BudgetsColumn::Limit:
    case BudgetsColumn::Spent:
    case BudgetsColumn::Forecast:
    case BudgetsColumn::Billed:
        break;
    }
    return amountText(*budgetAmount(one, c));
}

// Why there is a dash.
QString BudgetsTable::unknown(const BudgetRow &row, BudgetsColumn column) const
{
    const QString cloud = budgetWords(row.budget.cloud.empty() ? row.source : row.budget.cloud);
    const auto noLimit = [&] { return tr("%1 does not tell this limit as an amount.", "a cloud").arg(cloud); };
    const auto noSpent = [&] { return tr("%1 does not tell what was spent.", "a cloud").arg(cloud); };
    switch (column) {
    case BudgetsColumn::Name:
    case BudgetsColumn::Scope:
        break;
    case BudgetsColumn::Account:
        return row.budget.account.empty() ? tr("%1 does not tell whose budget it is.", "a cloud").arg(cloud)
                                          : QString();
    case BudgetsColumn::Period:
        return PeriodWords::days(row.budget).isEmpty() ? gapText(BudgetGap::NoPeriod) : QString();
    case BudgetsColumn::Limit:
        return row.limit ? QString() : noLimit();
    case BudgetsColumn::Spent:
        return row.spent ? QString() : noSpent();
    case BudgetsColumn::Share:
        if (!row.limit || !row.spent)
            return row.limit ? noSpent() : noLimit();
        return shareOfLimit(row) || isAbove(row, row.spent) ? QString() : tr("The limit is not above zero.");
    case BudgetsColumn::Forecast:
        return row.forecast ? QString() : tr("%1 tells no forecast for this budget.", "a cloud").arg(cloud);
    case BudgetsColumn::Billed:
    case BudgetsColumn::BilledThrough:
        if (column == BudgetsColumn::Billed ? row.billed.has_value() : row.billedThrough.has_value())
            break;
        return row.gap == BudgetGap::None ? gapText(BudgetGap::NotBilled) : gapText(row.gap);
    }
    return {};
}

// Empty: it is within the limit, or one of them is unknown.
QString BudgetsTable::above(const BudgetRow &row, const std::optional<base::Money> &amount) const
{
    if (!isAbove(row, amount))
        return {};
    const auto over = amount->minus(*row.limit);
    return over
        ? tr("Over the limit by %1.").arg(LocalText::money(over->toDouble(), codeOf(over->currency()), kBudgetDecimals))
        : QString();
}

// What is said of a known value, and who says it.
QString BudgetsTable::told(const BudgetRow &row, BudgetsColumn column) const
{
    const QString source = budgetWords(row.source);
    if (column == BudgetsColumn::Billed || column == BudgetsColumn::BilledThrough)
        return row.billedThrough
            ? tr("Bill of %1, through %2", "a source, a day").arg(source, budgetDay(*row.billedThrough))
            : tr("Bill of %1", "a source").arg(source);
    QStringList lines;
    if (column == BudgetsColumn::Share || column == BudgetsColumn::Spent)
        lines << above(row, row.spent);
    if (column == BudgetsColumn::Forecast)
        lines << above(row, row.forecast);
    if (column == BudgetsColumn::Period && row.budget.first && row.budget.last)
        lines << PeriodWords::name(row.budget.period);
    if (column == BudgetsColumn::Scope && row.budget.isWholeBill)
        lines << QString::fromStdString(row.budget.scope);
    lines << tr("As %1 says, read by %2", "a cloud, a source").arg(budgetWords(row.budget.cloud), source);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString BudgetsTable::sourceLine(int row, int column) const
{
    const auto c = static_cast<BudgetsColumn>(column);
    const QString why = unknown(rowAt(row), c);
    return why.isEmpty() ? told(rowAt(row), c) : why;
}

QVariant BudgetsTable::extra(int row, int column, int role) const
{
    const BudgetRow &one = rowAt(row);
    const auto c = static_cast<BudgetsColumn>(column);
    if (c == BudgetsColumn::Forecast && role == widgets::kToneRole && isAbove(one, one.forecast))
        return QVariant::fromValue(widgets::Tone::Warning);
    if (c != BudgetsColumn::Share)
        return {};
    const bool isOver = isAbove(one, one.spent);
    const auto share = shareOfLimit(one);
    if (role == widgets::kToneRole && isOver)
        return QVariant::fromValue(widgets::Tone::Critical);
    if (role == widgets::kBarShareRole && share)
        return *share;
    if (role == widgets::kBarColorRole && share)
        return static_cast<int>(isOver ? widgets::Color::Critical : widgets::Color::Accent);
    return {};
}

} // namespace gpuledger::ui

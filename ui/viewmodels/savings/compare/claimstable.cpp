// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/claimstable.h"

#include "app/base/text/text.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/compare/comparetable.h"
#include "ui/viewmodels/tables/tablecolumns.h"

#include <QDate>
#include <QLocale>

namespace gpuledger::ui {

using services::ClaimGap;
using services::ClaimRow;

namespace {

using tablecolumns::figure;
using tablecolumns::words;

constexpr int kClaimDecimals = 2, kClaimHourDecimals = 1, kWhatWidth = 220;
constexpr std::size_t kLongestTool = 120;

QDate dateOf(base::Day day)
{
    return QDate(1970, 1, 1).addDays(day.number);
}

QString dateText(base::Day day)
{
    return QLocale().toString(dateOf(day), QLocale::ShortFormat);
}

// For sorting and for files.
QString isoDay(base::Day day)
{
    return dateOf(day).toString(Qt::ISODate);
}

QString amountText(const base::Money &amount)
{
    return LocalText::money(amount.toDouble(), codeOf(amount.currency()), kClaimDecimals);
}

QString scopeText(const model::SavingsClaim &claim)
{
    QStringList parts;
    for (const auto &[name, value] : claim.scope)
        parts.append(QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value));
    return parts.join(QStringLiteral("; "));
}

const std::optional<services::ClaimedCost> &costIn(const ClaimRow &row, ClaimsColumn column)
{
    return column == ClaimsColumn::Before || column == ClaimsColumn::HoursBefore ? row.before : row.since;
}

} // namespace

std::vector<TableColumn> ClaimsTable::columns()
{
    std::vector<TableColumn> all{
        words(QStringLiteral("what"), tr("Claim"), tr("As the tool describes it"), 2), // no-tr: key
        words(QStringLiteral("scope"), tr("Scope"), tr("The costs that the claim covers"), 1), // no-tr: key
        words(QStringLiteral("days"), tr("Days"), tr("UTC days, both included")), // no-tr: key
        figure(QStringLiteral("claimed"), tr("Claimed"),
               tr("What the tool says it saved on these days")), // no-tr: key
        figure(QStringLiteral("before"), tr("Bill before"), // no-tr: key
               tr("The same costs over an equal number of days just before this tool's first claim about them")),
        figure(QStringLiteral("since"), tr("Bill since"), tr("The same costs on the days of the claim")), // no-tr: key
        figure(QStringLiteral("fell"), tr("Bill fell by"), // no-tr: key
               tr("Negative if the bill rose. A lower bill may only mean lower use")),
        figure(QStringLiteral("hours-before"), tr("GPU-hours before"),
               tr("GPU-hours on the bill in the time before")), // no-tr: key
        figure(QStringLiteral("hours-since"), tr("GPU-hours since"), // no-tr: key
               tr("GPU-hours on the bill on the days of the claim"))};
    const auto of = [&](ClaimsColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(ClaimsColumn::What).isEmphasized = true;
    of(ClaimsColumn::What).width = kWhatWidth;
    of(ClaimsColumn::HoursBefore).priority = 1;
    of(ClaimsColumn::HoursSince).priority = 2;
    of(ClaimsColumn::Scope).priority = 3;
    return all;
}

QString ClaimsTable::gapText(ClaimGap gap)
{
    switch (gap) {
    case ClaimGap::NotBilled:
        return tr("No bill has these costs, before the claim or since.");
    case ClaimGap::MissingDays:
        return tr("Some of these days are missing from the bill or may still change.");
    case ClaimGap::NoRate:
        return tr("There is no exchange rate for the currency of these costs.");
    case ClaimGap::NotPaid:
        return tr("List prices are not what was paid.");
    case ClaimGap::None:
        break;
    }
    return {};
}

// The rows come by source and tool.
ClaimsTable::ClaimsTable(std::shared_ptr<const services::ClaimsAnswer> answer)
    : m_answer(std::move(answer))
{
    const ClaimRow *last = nullptr;
    for (const ClaimRow &row : m_answer->rows) {
        if (!last || row.source != last->source || row.claim.tool != last->claim.tool) {
            const std::string &tool = row.claim.tool.empty() ? row.source : row.claim.tool;
            const QString name = QString::fromStdString(base::printable(tool, kLongestTool));
            m_groups.push_back({QString::number(m_groups.size()) + name, name, false, false});
        }
        m_groupOf.push_back(static_cast<int>(m_groups.size()) - 1);
        last = &row;
    }
}

QString ClaimsTable::id(int row) const
{
    const ClaimRow &one = rowAt(row);
    return QString::number(row) + QChar(0x1f) + QString::fromStdString(one.source) + QChar(0x1f)
        + QString::fromStdString(one.claim.what);
}

std::optional<base::Money> ClaimsTable::amountIn(const ClaimRow &row, ClaimsColumn column) const
{
    switch (column) {
    case ClaimsColumn::Claimed:
        return row.saved;
    case ClaimsColumn::Fell:
        return row.fell;
    case ClaimsColumn::Before:
    case ClaimsColumn::Since: {
        const auto &cost = costIn(row, column);
        return cost ? std::optional(cost->cost) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

TableValue ClaimsTable::value(int row, int column) const
{
    const ClaimRow &one = rowAt(row);
    const auto c = static_cast<ClaimsColumn>(column);
    switch (c) {
    case ClaimsColumn::Days:
        return TableValue(isoDay(one.claim.first) + QLatin1Char('/') + isoDay(one.claim.last));
    case ClaimsColumn::HoursBefore:
    case ClaimsColumn::HoursSince: {
        const auto &cost = costIn(one, c);
        return cost && cost->gpuHours ? TableValue(*cost->gpuHours) : TableValue();
    }
    case ClaimsColumn::What:
    case ClaimsColumn::Scope:
        return TableValue(text(row, column));
    default:
        break;
    }
    const auto amount = amountIn(one, c);
    return amount ? TableValue(amount->toDouble()) : TableValue();
}

QString ClaimsTable::text(int row, int column) const
{
    const ClaimRow &one = rowAt(row);
    const auto c = static_cast<ClaimsColumn>(column);
    switch (c) {
    case ClaimsColumn::What:
        return one.claim.what.empty() ? tr("Savings") : QString::fromStdString(one.claim.what);
    case ClaimsColumn::Scope: {
        const QString scope = scopeText(one.claim);
        return scope.isEmpty() ? tr("all costs") : scope;
    }
    case ClaimsColumn::Days:
        return one.claim.first == one.claim.last
            ? dateText(one.claim.first)
            : tr("%1 – %2", "the first and the last day").arg(dateText(one.claim.first), dateText(one.claim.last));
    case ClaimsColumn::HoursBefore:
    case ClaimsColumn::HoursSince: {
        const auto &cost = costIn(one, c);
        return cost && cost->gpuHours ? LocalText::number(*cost->gpuHours, kClaimHourDecimals) : dash();
    }
    default:
        break;
    }
    const auto amount = amountIn(one, c);
    return amount ? amountText(*amount) : dash();
}

QString ClaimsTable::sourceLine(int row, int column) const
{
    const ClaimRow &one = rowAt(row);
    const auto c = static_cast<ClaimsColumn>(column);
    if (c == ClaimsColumn::What || c == ClaimsColumn::Scope || c == ClaimsColumn::Days || c == ClaimsColumn::Claimed)
        return tr("Claimed in %1", "a source").arg(QString::fromStdString(base::printable(one.source, kLongestTool)));
    if (one.gap != ClaimGap::None)
        return gapText(one.gap);
    const auto &cost = costIn(one, c);
    const base::Day first = base::dayOf(cost->days.start), last = base::dayOf(cost->days.end - base::Seconds{1});
    return tr("Your bills, %1 – %2", "the first and the last day").arg(dateText(first), dateText(last));
}

// Of the claims of a tool: different ones may be about the same costs, so what the bill has is never added up.
std::optional<base::Money> ClaimsTable::claimedBy(std::span<const int> rows) const
{
    base::Money sum;
    for (const int row : rows) {
        const auto more = sum.plus(rowAt(row).saved);
        if (!more)
            return std::nullopt;
        sum = *more;
    }
    return rows.empty() ? std::nullopt : std::optional(sum);
}

TableValue ClaimsTable::groupValue(int /*group*/, int column, std::span<const int> rows) const
{
    const auto sum = static_cast<ClaimsColumn>(column) == ClaimsColumn::Claimed ? claimedBy(rows) : std::nullopt;
    return sum ? TableValue(sum->toDouble()) : TableValue();
}

QString ClaimsTable::groupText(int /*group*/, int column, std::span<const int> rows) const
{
    const auto sum = static_cast<ClaimsColumn>(column) == ClaimsColumn::Claimed ? claimedBy(rows) : std::nullopt;
    return sum ? amountText(*sum) : QString();
}

} // namespace gpuledger::ui

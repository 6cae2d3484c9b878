// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingstable.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "ui/viewmodels/tables/tablecolumns.h"
#include "widgets/delegates/roles.h"

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using savings::ChoiceState;
using savings::Proposal;

namespace {

constexpr int kSavingsNameWidth = 200, kRangeWidth = 90, kSavingsStateWidth = 150;

QString utf8(const std::string &text)
{
    return QString::fromStdString(text);
}

// What it would save is shown: it counts, or it would if it had not been put aside.
bool hasBand(const Proposal &one)
{
    return one.perMonth && (!one.excludedBy || isPutAside(one));
}

bool isAmount(SavingsColumn column)
{
    return column == SavingsColumn::Now || column == SavingsColumn::Saves || column == SavingsColumn::P10
        || column == SavingsColumn::P90;
}

} // namespace

std::vector<TableColumn> SavingsTable::columns(const QString &currency)
{
    const auto priced = [&](const QString &title) {
        return currency.isEmpty() ? title : tr("%1, %2", "title of a column, currency").arg(title, currency);
    };
    using Type = TableValueType;
    using tablecolumns::column;
    std::vector<TableColumn> all{
        column("what", tr("What"), Type::Text, tr("The workload, pool of nodes or machine type that it is about")),
        column("team", tr("Team"), Type::Text, tr("Whose it is; nothing: several teams, or nobody")),
        column("kind", tr("Kind"), Type::Text, tr("What would be done")),
        column("now", priced(tr("Now, a month")), Type::Number,
               tr("Cost per month of 730 hours that would end if none of it were used; sunk money is not in it")),
        column("saves", priced(tr("Saves")), Type::Number,
               tr("Saved per month: half of the replayed pasts saved more")),
        column("range", tr("p10–p90"), Type::Rank,
               tr("From what nine of ten replayed pasts exceeded to what one of ten did, on one scale; the mark is the "
                  "middle")),
        column("state", tr("State"), Type::Text, tr("What was decided about it, or why it does not count")),
        column("p10", priced(tr("p10", "column of amounts")), Type::Number,
               tr("Nine of ten replayed pasts saved more")),
        column("p90", priced(tr("p90", "column of amounts")), Type::Number, tr("One of ten replayed pasts saved more")),
        column("currency", tr("Currency"), Type::Text, {}),
        column("id", tr("Id"), Type::Text, tr("As the command line names it"))};
    const auto of = [&](SavingsColumn c) -> TableColumn & { return all[static_cast<std::size_t>(c)]; };
    of(SavingsColumn::What).isEmphasized = true;
    of(SavingsColumn::What).stretch = 3;
    of(SavingsColumn::What).width = kSavingsNameWidth;
    of(SavingsColumn::What).least = kSavingsNameWidth;
    of(SavingsColumn::State).stretch = 2;
    of(SavingsColumn::Range).width = kRangeWidth;
    of(SavingsColumn::State).width = kSavingsStateWidth;
    of(SavingsColumn::State).priority = 4;
    of(SavingsColumn::Team).priority = 3;
    of(SavingsColumn::Kind).priority = 2; // a tab has only one, and files keep it
    of(SavingsColumn::Currency).priority = 1;
    for (const SavingsColumn c : {SavingsColumn::What, SavingsColumn::Team, SavingsColumn::Kind, SavingsColumn::Range,
                                  SavingsColumn::State, SavingsColumn::Id})
        of(c).isSearched = true;
    for (const SavingsColumn c : {SavingsColumn::P10, SavingsColumn::P90, SavingsColumn::Id})
        of(c).isVisible = false;
    return all;
}

SavingsTable::SavingsTable(std::shared_ptr<const SavingsSnapshot> snapshot, std::optional<savings::Kind> kind)
    : m_snapshot(std::move(snapshot))
    , m_isMixed(onlyCurrencyOf(m_snapshot->list).isEmpty())
{
    for (const Proposal &one : m_snapshot->list.items) {
        if ((kind && one.kind != *kind) || !m_snapshot->isListed(one))
            continue;
        m_rowOf.insert(utf8(one.id), static_cast<int>(m_rows.size()));
        m_rows.push_back(&one);
        if (!hasBand(one))
            continue;
        Scale &scale = m_scales[one.currency];
        scale.least = std::min(scale.least, one.perMonth->p10.toDouble());
        scale.most = std::max(scale.most, one.perMonth->p90.toDouble());
    }
    const std::array<std::pair<SavingsGroup, TableGroup>, 5> groups{
        {{SavingsGroup::Open, {QStringLiteral("open"), tr("To decide", "proposals"), false, false}},
         {SavingsGroup::Accepted, {QStringLiteral("accepted"), tr("Accepted", "proposals"), false, false}},
         {SavingsGroup::Later, {QStringLiteral("later"), tr("Later", "proposals"), true, true}},
         {SavingsGroup::Dismissed, {QStringLiteral("dismissed"), tr("Dismissed", "proposals"), true, true}},
         {SavingsGroup::NotCounted, {QStringLiteral("excluded"), tr("Not counted", "proposals"), false, true}}}};
    for (const auto &[state, group] : groups) {
        bool any = false;
        for (int row = 0; row < rowCount() && !any; ++row)
            any = this->state(row) == state;
        if (any) {
            m_states.push_back(state);
            m_groups.push_back(group);
        }
    }
}

SavingsGroup SavingsTable::state(int row) const
{
    const Proposal &one = proposal(row);
    const savings::Choice *choice = m_snapshot->choiceOf(one.id); // first: what is put aside is excluded, too
    if (!choice)
        return one.excludedBy ? SavingsGroup::NotCounted : SavingsGroup::Open;
    switch (choice->draft.state) {
    case ChoiceState::Accepted:
        return SavingsGroup::Accepted;
    case ChoiceState::Later:
        return SavingsGroup::Later;
    case ChoiceState::Dismissed:
        return SavingsGroup::Dismissed;
    case ChoiceState::Open:
        break;
    }
    return SavingsGroup::Open;
}

int SavingsTable::groupOf(int row) const
{
    const auto found = std::find(m_states.begin(), m_states.end(), state(row));
    return static_cast<int>(found - m_states.begin());
}

QString SavingsTable::id(int row) const
{
    return utf8(proposal(row).id);
}

std::optional<base::Money> SavingsTable::amount(int row, SavingsColumn column) const
{
    const Proposal &one = proposal(row);
    if (column == SavingsColumn::Now)
        return one.avoidable;
    if (!hasBand(one))
        return std::nullopt;
    return column == SavingsColumn::P10 ? one.perMonth->p10
        : column == SavingsColumn::P90  ? one.perMonth->p90
                                        : one.perMonth->p50;
}

// With its currency where the list has several.
QString SavingsTable::amountText(const base::Money &amount) const
{
    return m_isMixed ? SavingsText::money(amount) : LocalText::number(amount.toDouble(), SavingsText::decimals(amount));
}

QString SavingsTable::stateText(int row) const
{
    const savings::Choice *choice = m_snapshot->choiceOf(proposal(row).id);
    return choice ? SavingsText::shortState(*choice) : SavingsText::inTheSum(proposal(row));
}

TableValue SavingsTable::value(int row, int column) const
{
    const Proposal &one = proposal(row);
    const auto c = static_cast<SavingsColumn>(column);
    if (isAmount(c)) {
        const auto money = amount(row, c);
        return money ? TableValue(money->toDouble()) : TableValue();
    }
    switch (c) {
    case SavingsColumn::What:
        return SavingsText::target(one);
    case SavingsColumn::Team:
        return utf8(one.owner);
    case SavingsColumn::Kind:
        return SavingsText::kindName(one.kind);
    case SavingsColumn::Range: {
        const auto low = amount(row, SavingsColumn::P10);
        return low ? TableValue(low->toDouble()) : TableValue();
    }
    case SavingsColumn::State:
        return one.excludedBy && !isPutAside(one) ? SavingsText::whyNot(one, m_snapshot->frame.zone) : stateText(row);
    case SavingsColumn::Currency:
        return utf8(one.currency);
    case SavingsColumn::Id:
        return utf8(one.id);
    default:
        return {};
    }
}

QString SavingsTable::text(int row, int column) const
{
    const auto c = static_cast<SavingsColumn>(column);
    const Proposal &one = proposal(row);
    if (isAmount(c)) {
        const auto money = amount(row, c);
        return money ? amountText(*money) : dash();
    }
    if (c == SavingsColumn::Range) // what does not count has no bar
        return one.perMonth && (!one.excludedBy || isPutAside(one)) ? SavingsText::range(*one.perMonth) : dash();
    const TableValue cell = value(row, column);
    const auto *text = std::get_if<QString>(&cell);
    if (c == SavingsColumn::State && text && text->isEmpty())
        return {};
    return text && !text->isEmpty() ? *text : dash();
}

QString SavingsTable::sourceLine(int row, int column) const
{
    const Proposal &one = proposal(row);
    if (static_cast<SavingsColumn>(column) == SavingsColumn::Range && hasBand(one))
        return SavingsText::saves(one, m_snapshot->list.range);
    return LocalText::sourceLine(m_snapshot->frame.sources, m_snapshot->age());
}

QVariant SavingsTable::share(int row, int role) const
{
    const Proposal &one = proposal(row);
    if (!hasBand(one))
        return {};
    const Scale scale = m_scales.at(one.currency);
    const double whole = scale.most - scale.least;
    if (role == widgets::kRangeZeroRole)
        return scale.least < 0 && whole > 0 ? QVariant(-scale.least / whole) : QVariant();
    const base::Money &at = role == widgets::kRangeLowRole ? one.perMonth->p10
        : role == widgets::kRangeHighRole                  ? one.perMonth->p90
                                                           : one.perMonth->p50;
    return whole > 0 ? QVariant((at.toDouble() - scale.least) / whole) : QVariant();
}

QVariant SavingsTable::extra(int row, int column, int role) const
{
    const bool isRange = static_cast<SavingsColumn>(column) == SavingsColumn::Range;
    if (isRange
        && (role == widgets::kRangeLowRole || role == widgets::kRangeMiddleRole || role == widgets::kRangeHighRole
            || role == widgets::kRangeZeroRole))
        return share(row, role);
    if (role == widgets::kToneRole && (proposal(row).excludedBy || state(row) == SavingsGroup::Dismissed))
        return QVariant::fromValue(widgets::Tone::Muted);
    return {};
}

QString SavingsTable::groupDetail(int, std::span<const int> rows) const
{
    return tr("%n proposal(s)", nullptr, static_cast<int>(rows.size()));
}

std::optional<base::Money> SavingsTable::groupSum(int column, std::span<const int> rows) const
{
    const auto c = static_cast<SavingsColumn>(column);
    if (c != SavingsColumn::Saves) // the same money may be in several rows of the other columns
        return std::nullopt;
    base::Money sum;
    bool any = false;
    for (const int row : rows) {
        const auto counts = savings::countsWith(proposal(row));
        const auto money = counts ? std::optional(counts->p50) : amount(row, c);
        if (!money)
            continue;
        const auto more = sum.plus(*money);
        if (!more)
            return std::nullopt; // several currencies, or too large
        sum = *more;
        any = true;
    }
    return any ? std::optional(sum) : std::nullopt;
}

TableValue SavingsTable::groupValue(int, int column, std::span<const int> rows) const
{
    const auto sum = groupSum(column, rows);
    return sum ? TableValue(sum->toDouble()) : TableValue();
}

QString SavingsTable::groupText(int, int column, std::span<const int> rows) const
{
    const auto sum = groupSum(column, rows);
    return sum ? amountText(*sum) : QString();
}

} // namespace gpuledger::ui

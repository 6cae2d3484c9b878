// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/billsteps.h"

namespace gpuledger::reports {

using base::Money;
using Kind = BillStep::Kind;

namespace {

constexpr std::int64_t kNanosPerCent = Money::kNanosPerUnit / 100;

Money less(const Money &a, const Money &b)
{
    return {a.nanos() - b.nanos(), a.currency()};
}

Money totalOf(const std::vector<TeamStatement> &teams, Money sum)
{
    for (const TeamStatement &team : teams)
        sum = Money(sum.nanos() + team.total().nanos(), sum.currency());
    return sum;
}

// The lines that lead to a sum, then their rounding difference, then the sum.
class Column {
public:
    explicit Column(base::Currency currency)
        : m_shown(0, currency)
    {
    }
    void show(const Money &cell) { m_shown = less(m_shown, less(Money(0, cell.currency()), hundredths(cell))); }
    void add(Kind kind, const Money &amount)
    {
        const Money cell = hundredths(amount);
        if (cell.isZero())
            return;
        m_steps.push_back({kind, cell});
        show(cell);
    }
    void sum(Kind kind, const Money &exact)
    {
        const Money cell = hundredths(exact);
        add(Kind::Rounding, less(cell, m_shown));
        m_steps.push_back({kind, cell});
    }
    std::vector<BillStep> steps() { return std::move(m_steps); }

private:
    Money m_shown;
    std::vector<BillStep> m_steps;
};

} // namespace

Money hundredths(const Money &amount)
{
    const std::int64_t nanos = amount.nanos();
    const std::int64_t cents = nanos / kNanosPerCent + (nanos % kNanosPerCent * 2 / kNanosPerCent);
    return {cents * kNanosPerCent, amount.currency()};
}

std::string nameOf(Kind kind)
{
    switch (kind) {
    case Kind::OtherTeams:
        return "Other teams";
    case Kind::Rounding:
        return "Rounding of what is shown";
    case Kind::AllTeams:
        return "All teams";
    case Kind::NotBilled:
        return "Not billed (estimated)";
    case Kind::Difference:
        return "Difference to bill";
    case Kind::Bill:
        break;
    }
    return "Bill";
}

std::vector<BillStep> exactStepsToBill(const CurrencyStatement &currency)
{
    if (!currency.hasBill)
        return {};
    const Money zero(0, currency.currency);
    std::vector<BillStep> steps{{Kind::OtherTeams, less(currency.total(), totalOf(currency.teams, zero))},
                                {Kind::NotBilled, less(zero, currency.estimated)},
                                {Kind::Difference, less(zero, currency.difference())}};
    std::erase_if(steps, [](const BillStep &step) { return step.amount.isZero(); });
    return steps;
}

std::vector<BillStep> stepsToBill(const CurrencyStatement &currency)
{
    if (currency.isOnlyAdjusted())
        return {};
    const Money zero(0, currency.currency);
    Column column(currency.currency);
    for (const TeamStatement &team : currency.teams)
        column.show(team.total());
    column.add(Kind::OtherTeams, less(currency.total(), totalOf(currency.teams, zero)));
    column.sum(Kind::AllTeams, currency.total());
    if (!currency.hasBill)
        return column.steps();
    column.add(Kind::NotBilled, less(zero, currency.estimated));
    column.add(Kind::Difference, less(zero, currency.difference()));
    column.sum(Kind::Bill, currency.bill);
    return column.steps();
}

} // namespace gpuledger::reports

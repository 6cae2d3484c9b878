// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingstext.h"

#include "app/savings/capacity/capacityoffer.h"
#include "app/savings/realized/realized.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/format/savings/savingsphrase.h"

#include <QDate>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gpuledger::ui {

using savings::Choice;
using savings::ChoiceState;
using savings::Kind;
using savings::MoneyBand;
using savings::Proposal;
using savings::RealizedState;

namespace {

constexpr double kSmallAmount = 100; // below it, cents count
constexpr base::Seconds kLeastForBand = 21 * base::kDay; // three weeks, of which some can be drawn again

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

// Where all quantiles are equal.
QString whyNoBand(base::TimeRange past)
{
    return past.end - past.start < kLeastForBand ? SavingsText::tr("the past is too short for a band")
                                                 : SavingsText::tr("no spread in the past");
}

// Adds to the amount of its currency; what can't be added (an overflow) is dropped with its currency.
class SumsByCurrency {
public:
    void add(const base::Money &amount)
    {
        auto &sum =
            m_sums.try_emplace(std::string(amount.currency().code()), base::Money(0, amount.currency())).first->second;
        if (!sum)
            return;
        const auto more = sum->plus(amount);
        sum = more ? std::optional(*more) : std::nullopt;
    }
    std::vector<base::Money> known() const
    {
        std::vector<base::Money> out;
        for (const auto &[code, sum] : m_sums) {
            if (sum)
                out.push_back(*sum);
        }
        return out;
    }

private:
    std::map<std::string, std::optional<base::Money>> m_sums;
};

QString joined(const std::vector<base::Money> &sums)
{
    QStringList all;
    for (const base::Money &sum : sums)
        all.append(SavingsText::money(sum));
    return all.join(QStringLiteral(" + "));
}

} // namespace

QString SavingsText::kindName(Kind kind)
{
    switch (kind) {
    case Kind::Capacity:
        return tr("Capacity");
    case Kind::Schedule:
        return tr("Schedule");
    case Kind::RightSize:
        return tr("Right-size");
    case Kind::Spot:
        return tr("Spot");
    case Kind::Commitments:
        return tr("Commitments");
    }
    return {};
}

int SavingsText::decimals(const base::Money &amount)
{
    const double size = std::abs(amount.toDouble());
    return size < kSmallAmount && size > 0 ? 2 : 0;
}

QString SavingsText::money(const base::Money &amount)
{
    return LocalText::money(amount.toDouble(), codeOf(amount.currency()), decimals(amount));
}

QString SavingsText::range(const MoneyBand &band)
{
    if (band.p10 == band.p90)
        return money(band.p50);
    return tr("%1 to %2", "two amounts").arg(money(band.p10), money(band.p90));
}

QString SavingsText::day(base::Day day)
{
    return QLocale().toString(QDate(1970, 1, 1).addDays(day.number), tr("d MMM yyyy", "a day: Qt's date format"));
}

QString SavingsText::clause(const savings::Remark &remark, const base::TimeZone &zone)
{
    return LocalText::phrase(textOf(remark), zone);
}

QString SavingsText::sentence(const savings::Remark &remark, const base::TimeZone &zone)
{
    // A name at the start keeps its case.
    const bool isName = savings::englishOf(remark.text).starts_with('%');
    const QString text = clause(remark, zone);
    return isName ? text : capitalized(text);
}

QString SavingsText::value(const savings::RemarkTerm &term, const base::TimeZone &zone)
{
    return LocalText::phrase(valueOf(term), zone);
}

QString SavingsText::saves(const Proposal &proposal, base::TimeRange past)
{
    if (!proposal.perMonth)
        return tr("What it saves can't be computed");
    const MoneyBand &band = *proposal.perMonth;
    if (band.p10 == band.p90)
        return tr("Saves %1 a month; %2", "amount, why there is no band").arg(money(band.p50), whyNoBand(past));
    return tr("Saves %1 a month; 80 % band from %2 to %3").arg(money(band.p50), money(band.p10), money(band.p90));
}

QString SavingsText::inTheSum(const Proposal &proposal)
{
    return proposal.counted && !proposal.excludedBy
        ? tr("In the sum: %1, the rest overlaps with other proposals", "amount").arg(money(proposal.counted->p50))
        : QString();
}

QString SavingsText::whyNot(const Proposal &proposal, const base::TimeZone &zone)
{
    return proposal.excludedBy ? clause(*proposal.excludedBy, zone) : QString();
}

QString SavingsText::state(const Choice &choice)
{
    const QString until = choice.draft.day ? day(*choice.draft.day) : QString();
    const QString owner = QString::fromStdString(choice.draft.owner);
    switch (choice.draft.state) {
    case ChoiceState::Accepted:
        return until.isEmpty() ? tr("accepted by %1").arg(owner) : tr("accepted by %1 until %2").arg(owner, until);
    case ChoiceState::Dismissed:
        return tr("dismissed: %1", "with the reason").arg(QString::fromStdString(choice.draft.reason));
    case ChoiceState::Later:
        return tr("again on %1").arg(until);
    case ChoiceState::Open:
        break;
    }
    return {};
}

QString SavingsText::shortState(const Choice &choice)
{
    const QString until = choice.draft.day ? day(*choice.draft.day) : QString();
    switch (choice.draft.state) {
    case ChoiceState::Accepted: {
        const QString owner = QString::fromStdString(choice.draft.owner);
        return until.isEmpty() ? owner : tr("%1, by %2", "who does it, until when").arg(owner, until);
    }
    case ChoiceState::Dismissed:
        return QString::fromStdString(choice.draft.reason);
    case ChoiceState::Later:
    case ChoiceState::Open:
        break;
    }
    return state(choice);
}

QString SavingsText::target(const Proposal &proposal)
{
    const QString target = QString::fromStdString(proposal.target);
    return savings::isPacked(proposal) ? tr("%1, packed", "a node pool whose work is moved together").arg(target)
                                       : target;
}

QString SavingsText::what(const Proposal &proposal)
{
    return tr("%1: %2", "kind of saving, and what it is about").arg(kindName(proposal.kind), target(proposal));
}

QString SavingsText::found(const savings::SavingsSum &sum)
{
    return tr("%1 a month", "an amount").arg(money(sum.perMonth.p50));
}

QString SavingsText::foundBand(const savings::SavingsList &list, const savings::SavingsSum &sum)
{
    if (sum.perMonth.p10 == sum.perMonth.p90)
        return whyNoBand(list.range);
    const QString low = money(sum.perMonth.p10), high = money(sum.perMonth.p90);
    const auto counted = std::count_if(list.items.begin(), list.items.end(), [&](const Proposal &one) {
        return one.perMonth && !one.excludedBy && one.currency == sum.currency;
    });
    return counted > 1 ? tr("between %1 and %2 if all rise and fall together").arg(low, high)
                       : tr("80 % band from %1 to %2").arg(low, high);
}

QString SavingsText::foundBandTip()
{
    return tr(
        "Adds the lower and the upper ends of the proposals' 80 % bands. That is too wide rather than too narrow, "
        "because they seldom all save much, or all little, at the same time");
}

QStringList SavingsText::leftOut(const savings::SavingsList &list)
{
    SumsByCurrency sums;
    for (const Proposal &one : list.items) {
        const bool isTaken = one.excludedBy
            && (one.excludedBy->text == savings::RemarkText::CountedAlready
                || one.excludedBy->text == savings::RemarkText::TooLittleRemains);
        if (!one.perMonth || (one.excludedBy && !isTaken) || (!one.excludedBy && !one.counted))
            continue;
        const auto counts = savings::countsWith(one);
        if (const auto left =
                counts ? one.perMonth->p50.minus(counts->p50) : base::Result<base::Money>(one.perMonth->p50))
            sums.add(*left);
    }
    QStringList out;
    for (const base::Money &sum : sums.known())
        out.append(tr("left out as overlapping: %1").arg(money(sum)));
    return out;
}

QStringList SavingsText::realized(const SavingsDone &done)
{
    std::map<std::int64_t, const Choice *> accepted;
    for (const Choice &one : done.choices) {
        if (one.draft.state == ChoiceState::Accepted)
            accepted[one.id] = &one;
    }
    const bool hasStops = std::any_of(done.realized.begin(), done.realized.end(),
                                      [](const savings::Realized &one) { return one.stop.has_value(); });
    if (accepted.empty() && !hasStops)
        return {tr("Nothing accepted yet")};
    SumsByCurrency saved, compared, projected; // compared: that part of what was saved for which there is a projection
    int measured = 0, early = 0, unclear = 0;
    int stopsCounted = 0, stopsUnclaimed = 0;
    for (const savings::Realized &one : done.realized) {
        if (one.stop && (one.state != RealizedState::Measured || !one.perMonth))
            ++stopsUnclaimed;
        const auto choice = accepted.find(one.choice);
        if (choice == accepted.end())
            continue;
        if (one.state != RealizedState::Measured || !one.perMonth)
            ++(one.state == RealizedState::TooEarly ? early : unclear);
    }
    int pairs = 0; // of the measured ones, with a projection
    std::set<std::int64_t> inSum;
    for (const savings::RealizedTotal &total : savings::realizedSum(done.choices, done.realized)) {
        saved.add(total.perMonth.p50);
        measured += total.counted;
        stopsCounted += total.stops;
        inSum.insert(total.choices.begin(), total.choices.end());
    }
    std::vector<savings::Realized> projections; // only of what is in the sum
    for (const savings::Realized &one : done.realized) {
        const auto choice = accepted.find(one.choice);
        if (choice != accepted.end() && choice->second->projected && inSum.contains(one.choice))
            projections.push_back(one);
    }
    for (const savings::RealizedTotal &total : savings::realizedSum(done.choices, projections)) {
        if (!total.projected)
            continue;
        pairs += total.counted;
        compared.add(total.perMonth.p50);
        projected.add(*total.projected);
    }
    QStringList lines;
    if (measured > 0) {
        const auto sum = saved.known(), part = compared.known(), wanted = projected.known();
        const int proposals = measured - stopsCounted;
        QStringList counted;
        if (proposals > 0)
            counted.append(tr("%n proposal(s)", nullptr, proposals));
        if (stopsCounted > 0)
            counted.append(tr("%n stop(s)", nullptr, stopsCounted));
        lines.append(tr("%1 a month, measured for %2", "amount, \"3 proposals\"")
                         .arg(joined(sum), counted.join(QLatin1String(", "))));
        const bool isOne = part.size() == 1 && wanted.size() == 1 && wanted[0].nanos() != 0;
        const QString error =
            isOne ? LocalText::signedPercent(part[0].toDouble() / wanted[0].toDouble() - 1, 0) : QString();
        if (isOne && pairs == measured)
            lines.append(tr("projected %1, error %2", "amount, signed percentage").arg(money(wanted[0]), error));
        else if (isOne)
            lines.append(tr("of this, %1 where %2 was projected, error %3", "two amounts, signed percentage")
                             .arg(money(part[0]), money(wanted[0]), error));
        else if (!wanted.empty() && pairs == measured)
            lines.append(tr("projected %1").arg(joined(wanted)));
        else if (!wanted.empty())
            lines.append(tr("of this, %1 where %2 was projected", "two amounts").arg(joined(part), joined(wanted)));
    }
    if (early > 0)
        lines.append(tr("%n accepted, too early to measure", nullptr, early));
    if (unclear > 0)
        lines.append(tr("%n accepted, can't be measured", nullptr, unclear));
    if (stopsUnclaimed > 0)
        lines.append(tr("%n stop(s), nothing claimed", nullptr, stopsUnclaimed));
    if (lines.isEmpty() && !accepted.empty())
        lines.append(tr("%n accepted, not measured yet", nullptr, static_cast<int>(accepted.size())));
    return lines;
}

QString SavingsText::filterNote(const SavingsSnapshot &snapshot)
{
    if (snapshot.teams.empty() && !snapshot.hasOtherFilter)
        return {};
    if (snapshot.teams.empty())
        return tr("The filter does not apply here: proposals and sums are of the whole fleet.");
    QStringList teams;
    for (const std::string &team : snapshot.teams)
        teams.append(LocalText::teamName(team));
    const QString rows =
        tr("Listed are the proposals of %1 and what is of several teams or nobody's; the sums are of the whole fleet.")
            .arg(teams.join(QStringLiteral(", ")));
    return snapshot.hasOtherFilter
        ? tr("%1 %2", "two sentences").arg(rows, tr("The rest of the filter does not apply here."))
        : rows;
}

QString onlyCurrencyOf(const savings::SavingsList &list)
{
    std::string only;
    for (const Proposal &one : list.items) {
        if (one.currency.empty() || one.currency == only)
            continue;
        if (!only.empty())
            return {};
        only = one.currency;
    }
    return QString::fromStdString(only);
}

std::vector<base::Money> savingsOfKind(const savings::SavingsList &list, std::optional<Kind> kind)
{
    std::vector<base::Money> out;
    for (const savings::SavingsSum &sum : list.sums) {
        if (!kind) {
            out.push_back(sum.perMonth.p50);
            continue;
        }
        for (const auto &[one, band] : sum.byKind) {
            if (one == *kind)
                out.push_back(band.p50);
        }
    }
    return out;
}

} // namespace gpuledger::ui

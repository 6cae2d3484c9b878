// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/savingstext.h"

#include "app/savings/realized.h"
#include "ui/format/celltext.h"
#include "ui/format/localtext.h"
#include "ui/format/savingsphrase.h"

#include <QDate>
#include <QLocale>

#include <array>
#include <cmath>
#include <map>

namespace gpuledger::ui {

using savings::Choice;
using savings::ChoiceState;
using savings::Kind;
using savings::MoneyBand;
using savings::Proposal;
using savings::RealizedState;

namespace {

constexpr double kSmallAmount = 100; // below it, cents count

// The names of assumptions for people: as they are written, and in English, translated where they are shown.
struct AssumptionLabel {
    std::string_view name;
    const char *label;
};
constexpr std::array kAssumptionLabels{
    AssumptionLabel{"scale-down-delay", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Scale-down delay")},
    AssumptionLabel{"headroom-quantile", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Headroom for arrivals")},
    AssumptionLabel{"minimum-nodes", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Nodes kept on")},
    AssumptionLabel{"start-up", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Start-up of a node")},
    AssumptionLabel{"off-hours", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Off-hours")},
    AssumptionLabel{"most-real-work", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Most real work")},
    AssumptionLabel{"most-unobserved", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Most unobserved")},
    AssumptionLabel{"schedule-scale-down-delay", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Machine ends after")},
    AssumptionLabel{"memory-headroom", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Memory headroom")},
    AssumptionLabel{"activity-headroom", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Activity headroom")},
    AssumptionLabel{"most-memory", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Most memory in use")},
    AssumptionLabel{"most-too-small-production",
                    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Too small, production")},
    AssumptionLabel{"most-too-small-other", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Too small, other work")},
    AssumptionLabel{"checkpoint-every", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Checkpoint every")},
    AssumptionLabel{"checkpoint-cost", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Checkpoint takes")},
    AssumptionLabel{"restart", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Restart takes")},
    AssumptionLabel{"spot-deadline-slack", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "May end later by")},
    AssumptionLabel{"demand-change", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Demand changes by")},
    AssumptionLabel{"least-days", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Days of demand needed")},
};

QString asciiText(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

int decimalsOf(double amount)
{
    return std::abs(amount) < kSmallAmount && std::abs(amount) > 0 ? 2 : 0;
}

QString plainAmount(const base::Money &amount)
{
    return LocalText::number(amount.toDouble(), decimalsOf(amount.toDouble()));
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

QString SavingsText::assumptionName(std::string_view name)
{
    for (const AssumptionLabel &one : kAssumptionLabels) {
        if (one.name == name)
            return tr(one.label); // no-tr: from the table above
    }
    return capitalized(asciiText(name).replace(QLatin1Char('-'), QLatin1Char(' ')));
}

QString SavingsText::assumptionValue(const savings::AssumptionSpec &spec, const std::string &value)
{
    savings::Assumptions one; // a default is stored in no choice, but number() knows it
    if (!one.set(spec.name, value))
        return asciiText(value);
    using Type = savings::AssumptionType;
    switch (spec.type) {
    case Type::Duration: {
        const base::Seconds length{one.number(spec.name)};
        return length.count() % 60 == 0 ? LocalText::hours(length) : LocalText::age(length);
    }
    case Type::Percent:
        return LocalText::percent(static_cast<double>(one.number(spec.name)) / 100, 0);
    case Type::Count:
        return LocalText::number(static_cast<double>(one.number(spec.name)), 0);
    case Type::WeekHours:
        if (value == spec.usual)
            return tr("best policy");
        return value == "none" ? tr("none", "no hours of the week") : asciiText(one.text(spec.name));
    }
    return asciiText(value);
}

QString SavingsText::assumption(const savings::Assumption &one)
{
    const savings::AssumptionSpec *spec = savings::assumptionSpec(one.name);
    return tr("%1: %2", "an assumption and its value")
        .arg(assumptionName(one.name), spec ? assumptionValue(*spec, one.value) : asciiText(one.value));
}

QString SavingsText::money(const base::Money &amount)
{
    return LocalText::money(amount.toDouble(), codeOf(amount.currency()), decimalsOf(amount.toDouble()));
}

QString SavingsText::range(const MoneyBand &band)
{
    if (band.p10 == band.p90)
        return money(band.p50);
    return tr("%1–%2", "two amounts, the second with its currency").arg(plainAmount(band.p10), money(band.p90));
}

QString SavingsText::day(base::Day day)
{
    return QLocale().toString(QDate(1970, 1, 1).addDays(day.number), QLocale::LongFormat);
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

QString SavingsText::saves(const Proposal &proposal)
{
    if (!proposal.perMonth)
        return tr("What it saves can't be computed");
    const MoneyBand &band = *proposal.perMonth;
    if (band.p10 == band.p90)
        return tr("Saves %1 a month; the past is too short for a band").arg(money(band.p50));
    return tr("Saves %1 a month; 80 % band %2").arg(money(band.p50), range(band));
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

QString SavingsText::what(const Proposal &proposal)
{
    return tr("%1: %2", "kind of saving, and what it is about")
        .arg(kindName(proposal.kind), QString::fromStdString(proposal.target));
}

QString SavingsText::found(const savings::SavingsSum &sum)
{
    return tr("%1 a month", "an amount").arg(money(sum.perMonth.p50));
}

QString SavingsText::foundBand(const savings::SavingsSum &sum)
{
    if (sum.perMonth.p10 == sum.perMonth.p90)
        return tr("the past is too short for a band");
    return tr("80 % band %1").arg(range(sum.perMonth));
}

QStringList SavingsText::leftOut(const savings::SavingsList &list)
{
    SumsByCurrency sums;
    for (const Proposal &one : list.items) {
        if (one.perMonth && one.excludedBy && one.excludedBy->text == savings::RemarkText::CountedAlready)
            sums.add(one.perMonth->p50);
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
    if (accepted.empty())
        return {tr("Nothing accepted yet")};
    SumsByCurrency saved, projected;
    int measured = 0, early = 0, unclear = 0;
    for (const savings::Realized &one : done.realized) {
        const auto choice = accepted.find(one.choice);
        if (choice == accepted.end())
            continue;
        if (one.state == RealizedState::Measured && one.perMonth) {
            ++measured;
        } else {
            ++(one.state == RealizedState::TooEarly ? early : unclear);
        }
    }
    for (const savings::RealizedTotal &total : savings::realizedSum(done.choices, done.realized)) {
        saved.add(total.perMonth.p50);
        if (total.projected)
            projected.add(*total.projected);
    }
    QStringList lines;
    if (measured > 0) {
        const auto sum = saved.known(), wanted = projected.known();
        lines.append(tr("%1 a month, measured for %2", "amount, \"3 proposals\"")
                         .arg(joined(sum), tr("%n proposal(s)", nullptr, measured)));
        if (sum.size() == 1 && wanted.size() == 1 && sum[0].currency() == wanted[0].currency()
            && wanted[0].nanos() != 0)
            lines.append(
                tr("projected %1, %2 off", "amount, signed percentage")
                    .arg(money(wanted[0]), LocalText::signedPercent(sum[0].toDouble() / wanted[0].toDouble() - 1, 0)));
        else if (!wanted.empty())
            lines.append(tr("projected %1").arg(joined(wanted)));
    }
    if (early > 0)
        lines.append(tr("%n accepted, too early to measure", nullptr, early));
    if (unclear > 0)
        lines.append(tr("%n accepted, can't be measured", nullptr, unclear));
    if (lines.isEmpty())
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
        tr("Listed are the proposals of %1; the sums are of the whole fleet.").arg(teams.join(QStringLiteral(", ")));
    return snapshot.hasOtherFilter
        ? tr("%1 %2", "two sentences").arg(rows, tr("The rest of the filter does not apply here."))
        : rows;
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

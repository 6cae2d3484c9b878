// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/statementsheet.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/billsteptext.h"
#include "ui/viewmodels/showback/statementnotes.h"
#include "ui/viewmodels/showback/statementsavingstext.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using base::Money;
using insight::Month;
using reports::CurrencyStatement;
using reports::History;
using reports::StatementLine;
using reports::TeamStatement;
using Sheet = StatementSheet;
using SheetLine = Sheet::Line; // without a scope in a return type, otherwise lupdate assigns its texts to that scope
using Swatch = Sheet::Swatch;
using Tone = Sheet::Tone;

namespace {

constexpr std::array kStates{"active", "idle", "unallocated", "unobserved"}; // in the order of Swatch
constexpr char kGpu[] = "gpu";
constexpr std::size_t kOther = kStates.size();

QString hoursText(base::GpuTime time)
{
    return LocalText::number(time.hours(), 1);
}

Tone toneOf(std::int64_t change)
{
    return change > 0 ? Tone::Dearer : change < 0 ? Tone::Cheaper : Tone::Plain;
}

// Only a change that is worth a look has a colour.
Tone toneOf(std::int64_t change, std::int64_t before)
{
    constexpr double kNotable = 0.05; // of the month before
    return std::abs(units(change)) < kNotable * std::abs(units(before)) ? Tone::Plain : toneOf(change);
}

// Nobody decides on them: they follow the other lines.
bool followsOtherLines(const std::string &category)
{
    return category == "tax" || category == "support"; // no-tr: categories
}

std::size_t barOf(const History::Line &line)
{
    if (line.first != kGpu)
        return kOther;
    return static_cast<std::size_t>(std::find(kStates.begin(), kStates.end(), line.second) - kStates.begin());
}

class Writer {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementText)
public:
    Writer(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team)
        : m_s(snapshot)
        , m_team(team)
        , m_before(reports::before(snapshot.month))
    {
    }

    Sheet sheet() const
    {
        Sheet out;
        out.title =
            m_team ? tr("GPU cost statement: %1").arg(statementTeamName(*m_team)) : tr("GPU cost statement: all teams");
        out.made = m_s.statement.made;
        out.subtitle =
            tr("%1 · %2", "days · cost view")
                .arg(days(),
                     m_s.statement.view == reports::CostView::Billed ? tr("billed cost") : tr("effective cost"));
        out.amountTitle = shortName(m_s.month);
        out.beforeTitle = shortName(m_before);
        out.standing = standing();
        for (const CurrencyStatement &currency : m_s.statement.currencies) {
            const auto it = std::find_if(currency.teams.begin(), currency.teams.end(),
                                         [&](const TeamStatement &one) { return m_team && one.team == *m_team; });
            if (!m_team)
                out.sections.push_back(section(currency, reports::allTeams(currency)));
            else if (it != currency.teams.end())
                out.sections.push_back(section(currency, *it));
        }
        return out;
    }

private:
    static QString shortName(const Month &month)
    {
        return QLocale().standaloneMonthName(static_cast<int>(month.number));
    }

    QString standing() const
    {
        const reports::MonthStatus status =
            m_team ? reports::ofTeam(m_s.statement.status, *m_team) : m_s.statement.status;
        if (status.state == reports::MonthState::Draft || !status.at)
            return (m_s.statement.isOver ? tr("Draft, as of %1") : tr("Draft, as of %1: the month isn't over yet"))
                .arg(statementDay(m_s.statement.made));
        const bool closed = status.state == reports::MonthState::Closed;
        if (status.by.empty())
            return (closed ? tr("Closed on %1") : tr("Reviewed on %1")).arg(statementDay(*status.at));
        return (closed ? tr("Closed on %1 by %2") : tr("Reviewed on %1 by %2"))
            .arg(statementDay(*status.at), textOf(status.by));
    }

    QString days() const
    {
        const QDate first(m_s.month.year, static_cast<int>(m_s.month.number), 1);
        return tr("1 – %1 %2 (UTC days)", "last day, month").arg(first.daysInMonth()).arg(monthName(m_s.month));
    }

    const History::Lines *linesOf(base::Currency currency, const Month &month) const
    {
        return m_team ? m_s.history.find(currency, *m_team, month) : m_s.history.findAll(currency, month);
    }

    Sheet::Section section(const CurrencyStatement &currency, const TeamStatement &team) const
    {
        Sheet::Section out;
        out.currency = textOf(currency.currency.code());
        out.total = statementAmount(team.total());
        out.hasBefore = team.change.has_value();
        out.hasEstimate = !team.estimated.isZero() && !team.cost.isZero();
        putChange(out, team);
        putLines(out, currency.currency, team);
        if (!m_team)
            putTeams(out, currency);
        putAdjustments(out, currency, team);
        putSharing(out, currency, team);
        putBudgets(out, currency.currency);
        putMonths(out, currency.currency);
        for (const reports::StatementWorkload &one : team.workloads)
            out.workloads.push_back({workloadName(one), one.gpuTime ? hoursText(*one.gpuTime) : QString(),
                                     statementAmount(one.cost), statementAmount(one.idle), one.nameSpace, one.name});
        StatementNotes below = statementNotes(m_s, currency, team, m_team.has_value());
        out.range = below.range;
        out.waste = below.waste;
        out.notes += below.notes;
        return out;
    }

    static QString workloadName(const reports::StatementWorkload &one)
    {
        return one.nameSpace.empty() ? textOf(one.name) : textOf(one.nameSpace) + QLatin1Char('/') + textOf(one.name);
    }

    void putChange(Sheet::Section &out, const TeamStatement &team) const
    {
        if (!team.change)
            return;
        const std::int64_t change = team.total().nanos() - team.change->before.nanos();
        const QString amount = statementChange(change);
        const double before = units(team.change->before.nanos());
        out.change = before > 0
            ? tr("%1 (%2) against %3", "amount, percent, month")
                  .arg(amount, LocalText::signedPercent(units(change) / before), shortName(m_before))
            : tr("%1 against %2", "amount, month").arg(amount, shortName(m_before));
        addPart(out, tr("Price"), team.change->price);
        addPart(out, tr("Work"), team.change->hours);
        addPart(out, tr("Efficiency"), team.change->efficiency);
        addPart(out, tr("Mix"), team.change->mix);
        addPart(out, tr("Other"), team.change->other);
        out.whyTitle = tr("Change against %1", "month").arg(shortName(m_before));
        putRestated(out, *team.change);
        out.tone = toneOf(change, team.change->before.nanos());
    }

    // A part that would be shown as zero explains nothing.
    static void addPart(Sheet::Section &out, const QString &name, const Money &amount)
    {
        constexpr std::int64_t kHalfCent = Money::kNanosPerUnit / 200;
        if (std::abs(amount.nanos()) >= kHalfCent)
            out.why.emplace_back(name, statementChange(amount));
    }

    // The components of a previous closed month.
    void putRestated(Sheet::Section &out, const reports::StatementChange &change) const
    {
        if (change.state != reports::StatementChange::Before::Closed)
            return;
        if (!change.policy || !change.late) {
            addPart(out, tr("Other rules or late data"), change.restated);
            out.notes << tr("%1 is closed, and this program does not know the rules it was closed with: other rules "
                            "can't be told apart from late data.",
                            "month")
                             .arg(monthName(m_before));
            return;
        }
        addPart(out, tr("Other rules"), *change.policy);
        addPart(out, tr("Late data"), *change.late);
        if (!change.policy->isZero() || !change.late->isZero())
            out.notes << tr("%1 is closed: late data is what became known since; other rules is the effect of the "
                            "current settings.",
                            "month")
                             .arg(monthName(m_before));
    }

    // Lines that only the previous month had are shown too, otherwise the columns would not add up.
    void putLines(Sheet::Section &out, base::Currency currency, const TeamStatement &team) const
    {
        const History::Lines *before = out.hasBefore ? linesOf(currency, m_before) : nullptr;
        History::Lines gone = before ? *before : History::Lines();
        std::vector<StatementLine> lines = team.lines;
        for (const StatementLine &line : team.lines)
            gone.erase({line.category, line.state});
        for (const auto &[key, amount] : gone) {
            if (!amount.isZero())
                lines.push_back({key.first, key.second, {}, {}, {}, true, {}});
        }
        std::stable_sort(lines.begin(), lines.end(), reports::comesBefore);
        for (const StatementLine &line : lines) {
            const auto was = before ? before->find({line.category, line.state}) : History::Lines::const_iterator();
            const std::int64_t then = before && was != before->end() ? was->second.nanos() : 0;
            if (then != 0 || !line.cost.isZero() || !line.estimated.isZero() || line.gpuTime)
                out.lines.push_back(lineOf(line, out, then));
        }
        StatementLine total;
        total.cost = team.cost;
        total.estimated = team.estimated;
        total.gpuTime = team.gpuTime;
        Sheet::Line last = lineOf(total, out, team.change ? team.change->before.nanos() : 0);
        last.name = tr("Total");
        last.swatch = Swatch::None;
        out.lines.push_back(std::move(last));
    }

    SheetLine lineOf(const StatementLine &line, const Sheet::Section &section, std::int64_t before) const
    {
        const std::int64_t amount = line.cost.nanos() + line.estimated.nanos();
        Sheet::Line out;
        if (const std::size_t bar = barOf({line.category, line.state}); bar < kOther) // the others are one colour
            out.swatch = static_cast<Swatch>(1 + bar);
        out.name = lineName(line);
        out.category = line.category;
        out.state = line.state;
        if (line.gpuTime)
            out.hours = line.gpuTimeComplete ? hoursText(*line.gpuTime)
                                             : tr("at least %1", "GPU-hours").arg(hoursText(*line.gpuTime));
        out.amount = statementAmount(amount);
        if (section.hasEstimate && !line.estimated.isZero())
            out.estimated = statementAmount(line.estimated);
        if (section.hasBefore) {
            out.before = statementAmount(before);
            out.change = statementChange(amount - before);
            out.tone = followsOtherLines(line.category) ? Tone::Plain : toneOf(amount - before, before);
        }
        return out;
    }

    static QString lineName(const StatementLine &line)
    {
        if (line.category == kGpu) {
            switch (barOf({line.category, line.state})) {
            case 0:
                return tr("Active GPU time");
            case 1:
                return tr("Idle GPU time, held");
            case 2:
                return tr("Unallocated GPU time");
            case 3:
                return tr("GPU time not observed");
            default:
                return tr("GPU time");
            }
        }
        const QString category = statementCategory(line.category);
        return line.state.empty() ? category : tr("%1, %2", "category, state").arg(category, stateName(line.state));
    }

    static QString stateName(const std::string &state)
    {
        switch (barOf({kGpu, state})) {
        case 0:
            return tr("active");
        case 1:
            return tr("idle");
        case 2:
            return tr("unallocated");
        case 3:
            return tr("not observed");
        default:
            return textOf(state);
        }
    }

    void putTeams(Sheet::Section &out, const CurrencyStatement &currency) const
    {
        for (const TeamStatement &team : currency.teams) {
            Sheet::Team one;
            one.name = statementTeamName(team.team);
            one.team = team.team;
            one.hours = team.gpuTime ? hoursText(*team.gpuTime) : QString();
            one.amount = statementAmount(team.total());
            if (team.change) {
                const std::int64_t change = team.total().nanos() - team.change->before.nanos();
                one.before = statementAmount(team.change->before);
                one.change = statementChange(change);
                one.tone = toneOf(change, team.change->before.nanos());
            }
            out.teams.push_back(std::move(one));
        }
        for (const reports::BillStep &step : reports::stepsToBill(currency))
            out.toBill.push_back({{}, billStepName(step.kind), statementAmount(step.amount), Tone::Plain});
    }

    void putAdjustments(Sheet::Section &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        for (const reports::StatementAdjustment &one : currency.adjustments) {
            if (m_team && one.team != *m_team)
                continue;
            StatementLine line;
            line.category = one.category;
            line.state = one.state;
            const std::int64_t amount = one.cost.nanos() + one.estimated.nanos();
            QString name = lineName(line);
            if (!m_team)
                name = tr("%1: %2", "team, line").arg(statementTeamName(one.team), name);
            out.adjustments.push_back(
                {tr("%1, closed %2", "month, day").arg(monthName(one.of), statementDay(one.closedAt)), name,
                 statementChange(amount), toneOf(amount)});
        }
        if (out.adjustments.empty())
            return;
        const std::int64_t total =
            m_team ? team.totalWithAdjustments().nanos() : currency.total().nanos() + currency.adjusted().nanos();
        out.adjustments.push_back({tr("Total with adjustments"), {}, statementAmount(total), Tone::Plain});
    }

    // Shows who pays for shared and idle cost: for a team the amount moved to or from it, for all teams each of them.
    void putSharing(Sheet::Section &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        if (!currency.sharing)
            return;
        const QString rules =
            tr("shared: %1, idle: %2", "two rules")
                .arg(sharingRuleName(currency.sharing->rules.shared), sharingRuleName(currency.sharing->rules.idle));
        const auto add = [&](const QString &name, const Money &amount) {
            if (!amount.isZero())
                out.shared.push_back({rules, name, statementChange(amount), toneOf(amount.nanos())});
        };
        if (m_team) {
            add(tr("Shared and idle cost by rule"), team.moved);
        } else {
            for (const TeamStatement &one : currency.teams)
                add(statementTeamName(one.team), one.moved);
            add(tr("Idle cost that no team pays"), currency.sharing->ownLine);
        }
        if (!out.shared.empty() && m_team)
            out.shared.push_back({{}, tr("Charged"), statementAmount(team.charged()), Tone::Plain});
    }

    void putBudgets(Sheet::Section &out, base::Currency currency) const
    {
        const auto known = [](const std::optional<Money> &amount) {
            return amount ? statementAmount(*amount) : QString();
        };
        for (const reports::StatementBudget &one : m_s.statement.budgets) {
            if (one.amount.currency() != currency || (m_team && one.team != *m_team))
                continue;
            Sheet::Budget row;
            row.name = statementTeamName(one.team);
            if (one.carried)
                row.name = tr("%1, %2 carried over", "team, amount").arg(row.name, statementChange(*one.carried));
            row.available = statementAmount(one.available);
            row.spent = statementAmount(one.spent);
            row.left = statementAmount(one.left);
            row.leftTone = one.left.nanos() < 0 ? Tone::Dearer : Tone::Plain;
            row.forecast = known(one.expected);
            row.low = known(one.low);
            row.high = known(one.high);
            if (one.expected && one.expected->nanos() > one.available.nanos())
                row.forecastTone = Tone::Dearer;
            out.budgets.push_back(std::move(row));
        }
        if (!out.budgets.empty() && !m_s.statement.isOver)
            out.notes << tr(
                "Budgets: spent is the team's own cost; the forecast of the month's end lies between low and "
                "high with a probability of 80 %.");
    }

    void putMonths(Sheet::Section &out, base::Currency currency) const
    {
        for (const Month &month : m_s.history.months()) {
            Sheet::Month bar;
            bar.label = QLocale().standaloneMonthName(static_cast<int>(month.number), QLocale::ShortFormat);
            bar.isShown = month == m_s.month;
            if (const History::Lines *lines = linesOf(currency, month)) {
                bar.isKnown = true;
                for (const auto &[line, amount] : *lines)
                    bar.values[std::min(barOf(line), kOther)] += units(amount.nanos());
            }
            out.months.push_back(std::move(bar));
        }
    }

    const ShowbackSnapshot &m_s;
    const std::optional<std::string> &m_team;
    Month m_before;
};

} // namespace

StatementSheet statementSheet(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team)
{
    StatementSheet sheet = Writer(snapshot, team).sheet();
    if (const auto &savings = snapshot.statement.savings; savings && savings->team == team.value_or(std::string())) {
        sheet.savings = savingRows(*savings);
        sheet.savingsNote = savingsNote(*savings);
    }
    return sheet;
}

} // namespace gpuledger::ui

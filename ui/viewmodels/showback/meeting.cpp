// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/meeting.h"

#include "app/ledger/rules/ownerrules.h"
#include "app/reports/statement/certainty.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "ui/viewmodels/showback/statementnotes.h"
#include "ui/viewmodels/showback/statementtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

#include <algorithm>

namespace gpuledger::ui {

using base::Money;
using reports::CurrencyStatement;
using reports::DecisionDraft;
using reports::DecisionState;
using reports::Figures;
using reports::Measure;
using reports::TeamStatement;
// Without a scope in a return type, otherwise lupdate assigns its texts to that scope.
using SlideDecision = MeetingSlide::Decision;
using SlideFigure = MeetingSlide::Figure;
using Tone = MeetingSlide::Tone;

namespace {

double unitsOf(const Money &amount)
{
    return static_cast<double>(amount.nanos()) / Money::kNanosPerUnit;
}

QString dayName(base::Day day)
{
    constexpr int kUnixEpoch = 2'440'588; // Julian day of 1970-01-01
    return QLocale().toString(QDate::fromJulianDay(kUnixEpoch + day.number), QLocale::ShortFormat);
}

std::optional<double> share(const Money &part, const Money &whole)
{
    return whole.nanos() > 0 ? std::optional(unitsOf(part) / unitsOf(whole)) : std::nullopt;
}

class SlideWriter {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::Meeting)
public:
    explicit SlideWriter(const ShowbackSnapshot &snapshot)
        : m_s(snapshot)
    {
    }

    std::vector<MeetingSlide> slides() const
    {
        std::vector<MeetingSlide> all;
        for (const CurrencyStatement &currency : m_s.statement.currencies) {
            if (currency.isOnlyAdjusted())
                continue;
            const TeamStatement everybody = reports::allTeams(currency);
            all.push_back(slide(currency, everybody, std::nullopt));
            for (const TeamStatement &team : currency.teams)
                all.push_back(slide(currency, team, team.team));
        }
        return all;
    }

    static QString name(Measure measure) { return measure == Measure::Idle ? tr("Idle cost") : tr("Total cost"); }

private:
    MeetingSlide slide(const CurrencyStatement &currency, const TeamStatement &team,
                       const std::optional<std::string> &of) const
    {
        const StatementSheet sheet = statementSheet(m_s, of);
        const QString code = textOf(currency.currency.code());
        const auto section = std::find_if(sheet.sections.begin(), sheet.sections.end(),
                                          [&](const auto &one) { return one.currency == code; });
        MeetingSlide out;
        out.team = of;
        out.currency = code;
        out.title = of ? statementTeamName(*of) : tr("All teams");
        out.subtitle =
            tr("%1 · %2 · %3", "month, cost view, how far it is signed off")
                .arg(monthName(m_s.month),
                     m_s.statement.view == reports::CostView::Billed ? tr("billed cost") : tr("effective cost"),
                     standingWord(m_s.statement.status));
        putFigures(out, currency, team);
        if (section != sheet.sections.end()) {
            out.months = section->months;
            out.waste = statementWaste(m_s, currency, team, true);
            out.figures.front().range = range(currency, team, of.has_value());
        }
        if (!of)
            putTeams(out, currency);
        putDecisions(out, currency);
        if (section != sheet.sections.end())
            putWorkloads(out, *section, team);
        if (of && !of->empty())
            out.draft = draftOf(*of, team);
        return out;
    }

    // The sheet has the same workloads in the same order, with cents. Decisions take the room of most of them.
    static void putWorkloads(MeetingSlide &out, const StatementSheet::Section &section, const TeamStatement &team)
    {
        const std::size_t most =
            out.before.empty() && out.now.empty() ? MeetingSlide::kMostWorkloads : MeetingSlide::kFewWorkloads;
        const std::size_t count = std::min({section.workloads.size(), team.workloads.size(), most});
        for (std::size_t i = 0; i < count; ++i) {
            out.workloads.push_back(section.workloads[i]);
            out.workloads.back().amount = distantAmount(team.workloads[i].cost);
            out.workloads.back().idle = distantAmount(team.workloads[i].idle);
        }
    }

    // Between what the total lies, and why.
    QString range(const CurrencyStatement &currency, const TeamStatement &team, bool isOneTeam) const
    {
        const reports::Range range = reports::rangeOfTotal(m_s.statement, currency, isOneTeam ? &team : nullptr);
        if (range.low == range.high)
            return {};
        if (isOneTeam && (team.team.empty() || team.team == ledger::kUnowned))
            return tr("Without an owner: parts of it may belong to teams.");
        const auto has = [&](reports::Uncertainty::Kind kind) {
            return std::any_of(range.doubts.begin(), range.doubts.end(),
                               [kind](const reports::Uncertainty &one) { return one.kind == kind; });
        };
        const bool unowned = has(reports::Uncertainty::Kind::Unowned);
        const bool shared = has(reports::Uncertainty::Kind::SharedEqually);
        const QString why = unowned && shared
            ? tr("some cost has no owner, and some was split equally because its use was not measured")
            : shared ? tr("some cost was split equally because its use was not measured")
                     : tr("some cost has no owner and may be this team's");
        return tr("Between %1 and %2: %3.", "amount, amount, reason")
            .arg(distantAmount(range.low), distantAmount(range.high), why);
    }

    DecisionDraft draftOf(const std::string &team, const TeamStatement &figures) const
    {
        DecisionDraft draft;
        draft.month = m_s.month;
        draft.team = team;
        constexpr int kDays = 30; // until the next meeting
        draft.due = base::dayOf(m_s.statement.made);
        draft.due.number += kDays;
        draft.view = m_s.statement.view;
        draft.before = reports::figuresOf(figures);
        return draft;
    }

    void putFigures(MeetingSlide &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        out.figures.push_back(spend(out, team));
        out.figures.push_back(idle(out, team));
        out.figures.push_back(hours(team));
        out.figures.push_back(out.team ? hourPrice(out, team) : bill(out, currency));
        for (const reports::StatementBudget &one : m_s.statement.budgets) {
            if (out.team && one.team == *out.team && one.amount.currency() == currency.currency)
                out.figures.push_back(budget(out, one));
        }
    }

    static SlideFigure budget(const MeetingSlide &slide, const reports::StatementBudget &budget)
    {
        SlideFigure out{tr("Left of the budget, %1", "currency").arg(slide.currency),
                        distantAmount(budget.left),
                        {},
                        {},
                        Tone::Plain};
        out.detail = budget.share ? tr("%1 of %2 spent", "percent, amount")
                                        .arg(LocalText::percent(*budget.share), distantAmount(budget.available))
                                  : tr("nothing is available");
        out.tone = budget.left.nanos() < 0 ? Tone::Dearer : Tone::Plain;
        if (budget.expected && budget.low && budget.high)
            out.range =
                tr("At the month's end %1 spent, with 80 % probability between %2 and %3.", "amounts")
                    .arg(distantAmount(*budget.expected), distantAmount(*budget.low), distantAmount(*budget.high));
        else if (budget.expected)
            out.range = tr("At the month's end %1 spent.", "amount").arg(distantAmount(*budget.expected));
        return out;
    }

    SlideFigure spend(const MeetingSlide &slide, const TeamStatement &team) const
    {
        SlideFigure out{
            tr("Spend, %1", "currency").arg(slide.currency), distantAmount(team.total()), {}, {}, Tone::Plain};
        if (!team.change) {
            out.detail = m_s.statement.isOver ? QString() : tr("the month isn't over yet");
            return out;
        }
        const Money change(team.total().nanos() - team.change->before.nanos(), team.total().currency());
        out.detail = tr("%1 against %2", "amount, month")
                         .arg(distantChange(change),
                              QLocale().standaloneMonthName(static_cast<int>(reports::before(m_s.month).number)));
        out.tone = change.nanos() > 0 ? Tone::Dearer : change.nanos() < 0 ? Tone::Cheaper : Tone::Plain;
        return out;
    }

    static SlideFigure idle(const MeetingSlide &slide, const TeamStatement &team)
    {
        SlideFigure out{tr("Held and idle, %1", "currency").arg(slide.currency), {}, {}, {}, Tone::Plain};
        if (!team.gpuTime)
            return out;
        out.value = distantAmount(team.idle);
        if (const auto part = share(team.idle, team.total()))
            out.detail = tr("%1 of the spend").arg(LocalText::percent(*part));
        return out;
    }

    static SlideFigure hours(const TeamStatement &team)
    {
        SlideFigure out{tr("GPU-hours"), {}, {}, {}, Tone::Plain};
        if (!team.gpuTime)
            return out;
        out.value = LocalText::number(team.gpuTime->hours(), 0);
        const Figures figures = reports::figuresOf(team);
        if (figures.active && team.gpuTime->ticks > 0)
            out.detail =
                tr("%1 of them active").arg(LocalText::percent(figures.active->hours() / team.gpuTime->hours()));
        return out;
    }

    // The cost of a GPU-hour in which work was done, including idle cost: the team's own measure of waste.
    static SlideFigure hourPrice(const MeetingSlide &slide, const TeamStatement &team)
    {
        SlideFigure out{tr("Per active GPU-hour, %1", "currency").arg(slide.currency), {}, {}, {}, Tone::Plain};
        const Figures figures = reports::figuresOf(team);
        std::int64_t gpu = 0;
        for (const reports::StatementLine &line : team.lines)
            gpu += line.category == "gpu" ? line.cost.nanos() + line.estimated.nanos() : 0;
        if (!figures.active || figures.active->ticks <= 0)
            return out;
        out.value = LocalText::number(unitsOf(Money(gpu, team.cost.currency())) / figures.active->hours(), 2);
        out.detail = tr("GPU cost per active hour");
        return out;
    }

    static SlideFigure bill(const MeetingSlide &slide, const CurrencyStatement &currency)
    {
        SlideFigure out{tr("Difference to bill, %1", "currency").arg(slide.currency), {}, {}, {}, Tone::Plain};
        if (!currency.hasBill) {
            out.detail = tr("no bill is stored: all is estimated");
            return out;
        }
        out.value = distantAmount(currency.difference());
        out.detail = tr("unexplained: %1").arg(distantAmount(currency.unexplained));
        if (!currency.estimated.isZero()) // it is included in the spend beside this and in the teams' bars
            out.range = tr("not billed (estimated): %1", "amount").arg(distantAmount(currency.estimated));
        out.tone = currency.difference().isZero() && currency.unexplained.isZero() ? Tone::Cheaper : Tone::Dearer;
        return out;
    }

    static void putTeams(MeetingSlide &out, const CurrencyStatement &currency)
    {
        const double most = currency.teams.empty() ? 0 : unitsOf(currency.teams.front().total());
        const bool isCut = currency.teams.size() > MeetingSlide::kMostTeams;
        Money rest(0, currency.currency);
        int others = 0;
        for (const TeamStatement &team : currency.teams) {
            if (most <= 0)
                break;
            if (isCut && out.teams.size() == MeetingSlide::kMostTeams - 1) {
                rest = Money(rest.nanos() + team.total().nanos(), rest.currency());
                ++others;
                continue;
            }
            const auto part = share(team.idle, team.total());
            out.teams.push_back({statementTeamName(team.team), distantAmount(team.total()),
                                 part && team.gpuTime ? tr("%1 idle").arg(LocalText::percent(*part)) : QString(),
                                 std::max(0.0, unitsOf(team.total()) / most),
                                 std::max(0.0, unitsOf(team.idle) / most)});
        }
        if (others > 0)
            out.teams.push_back({tr("%n more team(s)", nullptr, others), distantAmount(rest), {}, 0, 0});
    }

    void putDecisions(MeetingSlide &out, const CurrencyStatement &currency) const
    {
        std::vector<SlideDecision> before;
        for (auto it = m_s.decisions.rbegin(); it != m_s.decisions.rend(); ++it) {
            const DecisionDraft &draft = it->draft;
            if ((out.team && draft.team != *out.team) || draft.before.total.currency() != currency.currency
                || it->state == DecisionState::Dropped)
                continue;
            if (draft.month == m_s.month)
                out.now.push_back(wish(*it, !out.team));
            else if (draft.month < m_s.month && isOfInterest(*it))
                before.push_back(result(*it, currency, !out.team));
        }
        std::reverse(out.now.begin(), out.now.end());
        putSavings(before, out.team, currency);
        out.moreBefore =
            static_cast<int>(before.size()) - static_cast<int>(std::min(before.size(), MeetingSlide::kMostBefore));
        before.resize(before.size() - static_cast<std::size_t>(out.moreBefore));
        out.before = std::move(before);
    }

    void putSavings(std::vector<SlideDecision> &to, const std::optional<std::string> &team,
                    const CurrencyStatement &currency) const
    {
        for (const services::AcceptedSaving &one : m_s.savings) {
            const savings::Choice &choice = one.choice;
            const bool isOfTeam = !team || (!choice.team.empty() && choice.team == *team);
            if (isOfTeam && one.month <= m_s.month && isIn(choice.currency, currency))
                to.push_back(saving(choice, !team));
        }
        std::stable_sort(to.begin(), to.end(),
                         [](const SlideDecision &a, const SlideDecision &b) { return a.id > b.id; });
    }

    // A saving in a currency that has no slides, or of an unknown amount, is on those of the first one.
    bool isIn(const std::string &code, const CurrencyStatement &currency) const
    {
        const auto has = [&](const CurrencyStatement &one) { return one.currency.code() == code; };
        if (has(currency))
            return true;
        const auto isShown = [](const CurrencyStatement &one) { return !one.isOnlyAdjusted(); };
        const auto &all = m_s.statement.currencies;
        const auto first = std::find_if(all.begin(), all.end(), isShown);
        return std::none_of(all.begin(), all.end(), [&](const auto &one) { return has(one) && isShown(one); })
            && first != all.end() && first->currency == currency.currency;
    }

    SlideDecision saving(const savings::Choice &choice, bool withTeam) const
    {
        savings::Proposal about;
        about.kind = choice.kind;
        about.target = choice.target;
        SlideDecision out;
        out.id = choice.id;
        out.isSaving = true;
        out.what = SavingsText::what(about);
        if (withTeam && !choice.team.empty())
            out.what = tr("%1: %2", "team, decision").arg(statementTeamName(choice.team), out.what);
        const base::Day due = choice.draft.day.value_or(base::dayOf(choice.at));
        out.who = tr("%1, by %2", "person, day").arg(textOf(choice.draft.owner), dayName(due));
        out.result = choice.projected ? tr("Accepted saving, open: %1 %2 a month projected", "amount, currency")
                                            .arg(distantAmount(choice.projected->p50), textOf(choice.currency))
                                      : tr("Accepted saving, open: its amount is unknown");
        if (due < base::dayOf(m_s.statement.made))
            out.result += QLatin1String("; ") + tr("what it really saved is on the Savings page");
        return out;
    }

    // Decisions of the previous meeting, and open ones of earlier meetings.
    bool isOfInterest(const reports::Decision &decision) const
    {
        return decision.state == DecisionState::Open || decision.draft.month == reports::before(m_s.month);
    }

    SlideDecision common(const reports::Decision &decision, bool withTeam) const
    {
        const DecisionDraft &draft = decision.draft;
        SlideDecision out;
        out.id = decision.id;
        out.what = withTeam ? tr("%1: %2", "team, decision").arg(statementTeamName(draft.team), textOf(draft.what))
                            : textOf(draft.what);
        out.isOpen = decision.state == DecisionState::Open;
        out.isLate = out.isOpen && draft.due < base::dayOf(m_s.statement.made);
        const QString due = dayName(draft.due);
        out.who = !out.isOpen ? tr("%1, done", "person").arg(textOf(draft.owner))
            : out.isLate      ? tr("%1, was due on %2", "person, day").arg(textOf(draft.owner), due)
                              : tr("%1, by %2", "person, day").arg(textOf(draft.owner), due);
        return out;
    }

    SlideDecision wish(const reports::Decision &decision, bool withTeam) const
    {
        const DecisionDraft &draft = decision.draft;
        SlideDecision out = common(decision, withTeam);
        const QString now = distantAmount(draft.before.of(draft.measure));
        const QString currency = textOf(draft.before.total.currency().code());
        out.result = draft.target
            ? tr("%1: from %2 to at most %3 %4 a month", "measure, amount, amount, currency")
                  .arg(name(draft.measure), now, distantAmount(*draft.target), currency)
            : tr("%1: less than %2 %3 a month", "measure, amount, currency").arg(name(draft.measure), now, currency);
        return out;
    }

    SlideDecision result(const reports::Decision &decision, const CurrencyStatement &currency, bool withTeam) const
    {
        SlideDecision out = common(decision, withTeam);
        const DecisionDraft &draft = decision.draft;
        const auto team = std::find_if(currency.teams.begin(), currency.teams.end(),
                                       [&](const TeamStatement &one) { return one.team == draft.team; });
        const auto outcome = team == currency.teams.end()
            ? std::nullopt
            : reports::outcomeOf(decision, m_s.month, reports::figuresOf(*team));
        if (!outcome || !m_s.statement.isOver || draft.view != m_s.statement.view) {
            out.result = !m_s.statement.isOver ? tr("Its result is known when the month is over.")
                : !outcome                     ? tr("The team has no figures this month.")
                : draft.view == reports::CostView::Billed
                ? tr("Made for billed cost: switch to it to see the result.")
                : tr("Made for effective cost: switch to it to see the result.");
            return out;
        }
        const QString code = textOf(currency.currency.code());
        out.result = tr("%1: %2 → %3 %4", "measure, amount, amount, currency")
                         .arg(name(draft.measure), distantAmount(draft.before.of(draft.measure)),
                              distantAmount(outcome->after.of(draft.measure)), code);
        out.result += QLatin1String("; ") + broughtText(*outcome, code);
        if (draft.target)
            out.result += QLatin1String("; ")
                + (outcome->meetsTarget ? tr("target %1 met") : tr("target %1 missed"))
                      .arg(distantAmount(*draft.target));
        if (outcome->brought)
            out.tone = outcome->brought->nanos() > 0 ? Tone::Cheaper
                : outcome->brought->nanos() < 0      ? Tone::Dearer
                                                     : Tone::Plain;
        return out;
    }

    static QString broughtText(const reports::Outcome &outcome, const QString &currency)
    {
        if (!outcome.brought)
            return tr("its result can't be measured: active hours are missing");
        if (outcome.brought->nanos() >= 0)
            return tr("saved %1 %2 at this month's amount of work", "amount, currency")
                .arg(distantAmount(*outcome.brought), currency);
        return tr("cost %1 %2 more at this month's amount of work", "amount, currency")
            .arg(distantAmount(Money(-outcome.brought->nanos(), outcome.brought->currency())), currency);
    }

    const ShowbackSnapshot &m_s;
};

} // namespace

std::vector<MeetingSlide> meetingSlides(const ShowbackSnapshot &snapshot)
{
    return SlideWriter(snapshot).slides();
}

QString measureName(Measure measure)
{
    return SlideWriter::name(measure);
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/statementsheet.h"

#include "app/ledger/ownerrules.h"
#include "app/reports/certainty.h"
#include "ui/format/celltext.h"
#include "ui/format/localtext.h"
#include "ui/viewmodels/showback/billsteptext.h"

#include <QCoreApplication>
#include <QDate>
#include <QDateTime>
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

// With two decimals and the locale's separators; exact, because only the displayed text is rounded.
QString amountText(std::int64_t nanos)
{
    return QLocale().toString(units(nanos), 'f', 2);
}

QString signedText(std::int64_t nanos)
{
    const QString amount = amountText(nanos);
    return nanos > 0 ? QLatin1Char('+') + amount : amount;
}

QString hoursText(base::GpuTime time)
{
    return QLocale().toString(time.hours(), 'f', 1);
}

Tone toneOf(std::int64_t change)
{
    return change > 0 ? Tone::Dearer : change < 0 ? Tone::Cheaper : Tone::Plain;
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
        out.title = m_team ? tr("GPU cost statement: %1").arg(teamName(*m_team)) : tr("GPU cost statement: all teams");
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

    static QString word(const reports::MonthStatus &status)
    {
        switch (status.state) {
        case reports::MonthState::Reviewed:
            return tr("Reviewed");
        case reports::MonthState::Closed:
            return tr("Closed");
        case reports::MonthState::Draft:
            break;
        }
        return tr("Draft");
    }

    static QString longName(const Month &month)
    {
        return tr("%1 %2", "month year")
            .arg(QLocale().standaloneMonthName(static_cast<int>(month.number)))
            .arg(month.year);
    }

    static QString categoryName(const std::string &category)
    {
        const std::array<std::pair<const char *, QString>, 15> names{{
            {"compute", tr("Machines without GPUs")},
            {"storage", tr("Storage")},
            {"network", tr("Network")},
            {"database", tr("Databases")},
            {"ai", tr("AI services")},
            {"other", tr("Other services")},
            {"unused-commitment", tr("Unused commitments")},
            {"purchase", tr("Fees of commitments")},
            {"support", tr("Support")},
            {"tax", tr("Taxes")},
            {"credit", tr("Credits")},
            {"refund", tr("Refunds")},
            {"adjustment", tr("Adjustments by the provider")},
            {"not-billed", tr("GPU time not on the bill")},
            {"unexplained", tr("Unexplained")},
        }};
        const auto it =
            std::find_if(names.begin(), names.end(), [&](const auto &one) { return category == one.first; });
        return it == names.end() ? textOf(category) : it->second;
    }

    static QString sharingName(reports::SharingRule rule)
    {
        switch (rule) {
        case reports::SharingRule::Holder:
            return tr("to the holder");
        case reports::SharingRule::OwnLine:
            return tr("a line of its own");
        case reports::SharingRule::Proportional:
            return tr("by cost");
        case reports::SharingRule::GpuHours:
            return tr("by GPU-hours");
        case reports::SharingRule::Even:
            return tr("in equal parts");
        case reports::SharingRule::Fixed:
            break;
        }
        return tr("by fixed weights");
    }

    static QString teamName(const std::string &team) { return team.empty() ? tr("No team") : textOf(team); }

private:
    static QString shortName(const Month &month)
    {
        return QLocale().standaloneMonthName(static_cast<int>(month.number));
    }

    static QString day(base::UtcTime t)
    {
        return QLocale().toString(QDateTime::fromSecsSinceEpoch(base::toUnix(t), Qt::UTC).date(), QLocale::ShortFormat);
    }

    static QString dayOf(const std::string &date) // YYYY-MM-DD
    {
        return QLocale().toString(QDate::fromString(textOf(date), Qt::ISODate), QLocale::ShortFormat);
    }

    QString standing() const
    {
        const reports::MonthStatus status =
            m_team ? reports::ofTeam(m_s.statement.status, *m_team) : m_s.statement.status;
        if (status.state == reports::MonthState::Draft || !status.at)
            return (m_s.statement.isOver ? tr("Draft, as of %1") : tr("Draft, as of %1: the month isn't over yet"))
                .arg(day(m_s.statement.made));
        const bool closed = status.state == reports::MonthState::Closed;
        if (status.by.empty())
            return (closed ? tr("Closed on %1") : tr("Reviewed on %1")).arg(day(*status.at));
        return (closed ? tr("Closed on %1 by %2") : tr("Reviewed on %1 by %2")).arg(day(*status.at), textOf(status.by));
    }

    QString days() const
    {
        const QDate first(m_s.month.year, static_cast<int>(m_s.month.number), 1);
        return tr("1 – %1 %2 (UTC days)", "last day, month").arg(first.daysInMonth()).arg(longName(m_s.month));
    }

    const History::Lines *linesOf(base::Currency currency, const Month &month) const
    {
        return m_team ? m_s.history.find(currency, *m_team, month) : m_s.history.findAll(currency, month);
    }

    Sheet::Section section(const CurrencyStatement &currency, const TeamStatement &team) const
    {
        Sheet::Section out;
        out.currency = textOf(currency.currency.code());
        out.total = amountText(team.total().nanos());
        out.hasBefore = team.change.has_value();
        out.hasEstimate = !team.estimated.isZero() && !team.cost.isZero();
        putChange(out, team);
        putLines(out, currency.currency, team);
        if (!m_team)
            putTeams(out, currency);
        putAdjustments(out, currency, team);
        putSharing(out, currency, team);
        putMonths(out, currency.currency);
        for (const reports::StatementWorkload &one : team.workloads)
            out.workloads.push_back({workloadName(one), one.gpuTime ? hoursText(*one.gpuTime) : QString(),
                                     amountText(one.cost.nanos()), amountText(one.idle.nanos()), one.nameSpace,
                                     one.name});
        putNotes(out, currency, team);
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
        const QString amount = signedText(change);
        const double before = units(team.change->before.nanos());
        out.change = before > 0 ? tr("%1 (%2) against %3", "amount, percent, month")
                                      .arg(amount, signedPercent(units(change) / before), shortName(m_before))
                                : tr("%1 against %2", "amount, month").arg(amount, shortName(m_before));
        out.why = tr("price %1, work %2, efficiency %3, mix %4, other %5")
                      .arg(signedText(team.change->price.nanos()), signedText(team.change->hours.nanos()),
                           signedText(team.change->efficiency.nanos()), signedText(team.change->mix.nanos()),
                           signedText(team.change->other.nanos()));
        putRestated(out, *team.change);
        out.tone = toneOf(change);
    }

    // The components of a previous closed month.
    void putRestated(Sheet::Section &out, const reports::StatementChange &change) const
    {
        if (change.state != reports::StatementChange::Before::Closed)
            return;
        if (!change.policy || !change.late) {
            out.why = tr("%1, other rules or late data %2", "other parts of the change, amount")
                          .arg(out.why, signedText(change.restated.nanos()));
            out.notes << tr("%1 is closed, and this program does not know the rules it was closed with: other rules "
                            "can't be told apart from late data.",
                            "month")
                             .arg(longName(m_before));
            return;
        }
        out.why = tr("%1, other rules %2, late data %3", "other parts of the change, amount, amount")
                      .arg(out.why, signedText(change.policy->nanos()), signedText(change.late->nanos()));
        if (!change.policy->isZero() || !change.late->isZero())
            out.notes << tr("%1 is closed: late data is what became known since; other rules is the effect of the "
                            "current settings.",
                            "month")
                             .arg(longName(m_before));
    }

    static QString signedPercent(double share)
    {
        return (share > 0 ? QStringLiteral("+") : QString()) + LocalText::percent(share);
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
        out.swatch = static_cast<Swatch>(1 + barOf({line.category, line.state}));
        out.name = lineName(line);
        out.category = line.category;
        out.state = line.state;
        if (line.gpuTime)
            out.hours = line.gpuTimeComplete ? hoursText(*line.gpuTime)
                                             : tr("at least %1", "GPU-hours").arg(hoursText(*line.gpuTime));
        out.amount = amountText(amount);
        if (section.hasEstimate && !line.estimated.isZero())
            out.estimated = amountText(line.estimated.nanos());
        if (section.hasBefore) {
            out.before = amountText(before);
            out.change = signedText(amount - before);
            out.tone = toneOf(amount - before);
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
        const QString category = categoryName(line.category);
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
            one.name = teamName(team.team);
            one.team = team.team;
            one.hours = team.gpuTime ? hoursText(*team.gpuTime) : QString();
            one.amount = amountText(team.total().nanos());
            if (team.change) {
                const std::int64_t change = team.total().nanos() - team.change->before.nanos();
                one.before = amountText(team.change->before.nanos());
                one.change = signedText(change);
                one.tone = toneOf(change);
            }
            out.teams.push_back(std::move(one));
        }
        for (const reports::BillStep &step : reports::stepsToBill(currency))
            out.toBill.push_back({{}, billStepName(step.kind), amountText(step.amount.nanos()), Tone::Plain});
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
                name = tr("%1: %2", "team, line").arg(teamName(one.team), name);
            out.adjustments.push_back({tr("%1, closed %2", "month, day").arg(longName(one.of), day(one.closedAt)), name,
                                       signedText(amount), toneOf(amount)});
        }
        if (out.adjustments.empty())
            return;
        const std::int64_t total =
            m_team ? team.totalWithAdjustments().nanos() : currency.total().nanos() + currency.adjusted().nanos();
        out.adjustments.push_back({tr("Total with adjustments"), {}, amountText(total), Tone::Plain});
    }

    // Shows who pays for shared and idle cost: for a team the amount moved to or from it, for all teams each of them.
    void putSharing(Sheet::Section &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        if (!currency.sharing)
            return;
        const QString rules =
            tr("shared: %1, idle: %2", "two rules")
                .arg(sharingName(currency.sharing->rules.shared), sharingName(currency.sharing->rules.idle));
        const auto add = [&](const QString &name, const Money &amount) {
            if (!amount.isZero())
                out.shared.push_back({rules, name, signedText(amount.nanos()), toneOf(amount.nanos())});
        };
        if (m_team) {
            add(tr("Shared and idle cost by rule"), team.moved);
        } else {
            for (const TeamStatement &one : currency.teams)
                add(teamName(one.team), one.moved);
            add(tr("Idle cost that no team pays"), currency.sharing->ownLine);
        }
        if (!out.shared.empty() && m_team)
            out.shared.push_back({{}, tr("Charged"), amountText(team.charged().nanos()), Tone::Plain});
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

    void putNotes(Sheet::Section &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        putRange(out, currency, team);
        out.waste = idleText(out, team);
        if (!out.waste.isEmpty())
            out.notes << out.waste;
        putBillNote(out, currency);
        putEstimateNote(out, team);
        if (!m_s.history.isWhole())
            out.notes << tr("Costs before %1 were not kept with this month and are not in the chart.", "month")
                             .arg(longName(m_before));
        base::GpuTime unpriced;
        for (const StatementLine &line : team.lines)
            unpriced += line.unpriced;
        if (unpriced.ticks > 0)
            out.notes << tr("%1 have no price and are not in any sum.").arg(LocalText::gpuHours(unpriced.hours()));
        if (m_s.statement.isCut())
            out.notes << tr("GPU time was fetched only from %1 to %2: what was used before and after is missing.")
                             .arg(day(m_s.statement.observed.start), day(m_s.statement.observed.end));
        out.notes << tr("GPU time pays the whole price of its machine, in equal shares (split policy gpu-first); held "
                        "time is charged to its holder, even while idle; unallocated time to the node's owner.");
    }

    void putEstimateNote(Sheet::Section &out, const TeamStatement &team) const
    {
        if (team.estimated.isZero())
            return;
        const QString money = amountText(team.estimated.nanos()) + QLatin1Char(' ') + out.currency;
        const QString note = team.cost.isZero()
            ? tr("Everything is estimated from the price book: no bill covers this time", "start of a sentence")
            : tr("%1 of it are estimated from the price book, for time that no bill covers",
                 "start of a sentence; money")
                  .arg(money);
        const QString age = team.oldPriced.isZero()
            ? QString()
            : tr("; %1 of that at list prices of %2 and later, which are outdated", "end of a sentence; money, date")
                  .arg(amountText(team.oldPriced.nanos()) + QLatin1Char(' ') + out.currency, dayOf(team.oldestPrice));
        out.notes << note + age + QLatin1Char('.');
    }

    // The range of the total, if known, and why it is uncertain.
    void putRange(Sheet::Section &out, const CurrencyStatement &currency, const TeamStatement &team) const
    {
        const reports::Range range = reports::rangeOfTotal(m_s.statement, currency, m_team ? &team : nullptr);
        if (range.low == range.high)
            return;
        out.range = tr("from %1 to %2 %3", "amount, amount, currency")
                        .arg(amountText(range.low.nanos()), amountText(range.high.nanos()), out.currency);
        if (team.team.empty() || team.team == ledger::kUnowned)
            out.notes << tr("It has no owner: any part of it may belong to a team (%1).", "range").arg(out.range);
        else
            out.notes << tr("The total may lie anywhere %1: %2.", "range (from A to B), reasons")
                             .arg(out.range, doubts(range, out.currency).join(QStringLiteral("; ")));
    }

    // The reasons why the total may differ by a known amount.
    QStringList doubts(const reports::Range &range, const QString &currency) const
    {
        QStringList out;
        for (const reports::Uncertainty &doubt : range.doubts) {
            const QString money = amountText(doubt.amount.nanos()) + QLatin1Char(' ') + currency;
            if (doubt.kind == reports::Uncertainty::Kind::Unowned)
                out << tr("%1 have no owner, and may be this team's", "money").arg(money);
            if (doubt.kind == reports::Uncertainty::Kind::SharedEqually)
                out << tr("%1 are for GPUs that several held at once, split equally because nothing measured who used "
                          "how much",
                          "money")
                           .arg(money);
        }
        return out;
    }

    QString idleText(const Sheet::Section &out, const TeamStatement &team) const
    {
        if (team.idle.nanos() <= 0 || !team.idleTime)
            return {};
        const QString cost = amountText(team.idle.nanos()) + QLatin1Char(' ') + out.currency;
        const auto &rate = m_s.commonest;
        if (!rate || rate->perHour.currency() != team.idle.currency() || rate->perHour.nanos() <= 0) {
            return tr("%1 were held and idle: %2.", "GPU-hours, money")
                .arg(LocalText::gpuHours(team.idleTime->hours()), cost);
        }
        const double hours = units(team.idle.nanos()) / units(rate->perHour.nanos());
        return tr("%1 were held and idle: %2, which would have paid for %3 of %4 at this month's price.",
                  "GPU-hours, money, GPU-hours, GPU model")
            .arg(LocalText::gpuHours(team.idleTime->hours()), cost, LocalText::gpuHours(hours), textOf(rate->model));
    }

    void putBillNote(Sheet::Section &out, const CurrencyStatement &currency) const
    {
        if (!currency.hasBill) {
            out.notes << tr("No bill is stored for this month: everything is estimated from the price book.");
            return;
        }
        out.notes << tr("All teams together minus the bill: %1 %2; unexplained: %3 %2.", "amount, currency, amount")
                         .arg(amountText(currency.difference().nanos()), out.currency,
                              amountText(currency.unexplained.nanos()));
    }

    const ShowbackSnapshot &m_s;
    const std::optional<std::string> &m_team;
    Month m_before;
};

} // namespace

StatementSheet statementSheet(const ShowbackSnapshot &snapshot, const std::optional<std::string> &team)
{
    return Writer(snapshot, team).sheet();
}

QString standingWord(const reports::MonthStatus &status)
{
    return Writer::word(status);
}

QString monthName(const Month &month)
{
    return Writer::longName(month);
}

QString statementTeamName(const std::string &team)
{
    return Writer::teamName(team);
}

QString sharingRuleName(reports::SharingRule rule)
{
    return Writer::sharingName(rule);
}

QString statementCategory(const std::string &category)
{
    return Writer::categoryName(category);
}

QString statementAmount(const Money &amount)
{
    return amountText(amount.nanos());
}

QString statementChange(const Money &amount)
{
    return signedText(amount.nanos());
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewadapter.h"

#include "app/insight/heatmap/heatmap.h"
#include "app/reports/statement/certainty.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/overview/overviewcomparison.h"
#include "ui/pages/overview/overviewwaste.h"
#include "ui/viewmodels/idle/idletext.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpuledger::ui {

using insight::Overview;
using insight::OverviewDay;
using widgets::KeyFigure;
using widgets::Waterfall;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kHoursPerDay = 24;
constexpr std::int64_t kSameFleet = 1000; // changed by less than a thousandth

// A day that was only partly fetched has no cost comparable to that of other days.
double costIfWhole(const OverviewDay &day, std::int64_t nanos)
{
    return day.sums.notSynced.ticks == 0 && day.sums.hasKnownCost() ? units(nanos) : kUnknown;
}

class OverviewText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewText)
public:
    explicit OverviewText(const OverviewSnapshot &snapshot)
        : m_s(snapshot)
        , m_o(snapshot.overview)
    {
    }

    KeyFigure spend() const
    {
        KeyFigure f =
            figure(m_s.spend || m_s.cost != model::CostView::Effective ? tr("Cost of GPU time") : tr("Spend"));
        if (m_o.total.hasKnownCost())
            f.value = amount(m_o.total.cost.total());
        change(f, &insight::CostByState::total);
        const base::GpuTime unpriced = m_o.total.cost.unpriced;
        f.detail = spendDetail(unpriced);
        for (const OverviewDay &day : m_o.days) {
            if (day.whole) // an incomplete day is not a decrease
                f.trend.values.append(costIfWhole(day, day.sums.cost.total()));
        }
        f.trend.minimum = 0;
        f.trend.color = widgets::Color::Accent;
        return f;
    }

    QString spendDetail(base::GpuTime unpriced) const
    {
        const QString without = LocalText::gpuHours(unpriced.hours());
        const QString paid = LocalText::gpuHours(m_o.total.time.paid().hours());
        const QString missing = LocalText::gpuHours(m_o.total.notSynced.hours());
        if (m_s.cost == model::CostView::Billed && unpriced.ticks > 0)
            return tr("%1 are on no bill yet and not included", "GPU-hours").arg(without);
        if (!m_s.spend && m_o.total.notSynced.ticks > 0)
            return unpriced.ticks > 0
                ? tr("%1 have no price, %2 were not fetched yet", "GPU-hours").arg(without, missing)
                : tr("%1 paid for, %2 not fetched yet", "GPU-hours").arg(paid, missing);
        if (!m_s.spend)
            return unpriced.ticks > 0 ? tr("%1 have no price and are not included").arg(without)
                                      : tr("%1 paid for").arg(paid);
        const QString bills = amount(m_s.spend->billed.nanos());
        return unpriced.ticks > 0 ? tr("bills: %1; %2 unpriced", "money, GPU-hours").arg(bills, without)
                                  : tr("bills of these days: %1", "money").arg(bills);
    }

    // By the ledger: billed (effective cost), and estimated where there is no bill.
    KeyFigure billedSpend() const
    {
        const insight::Spend &spend = *m_s.spend;
        KeyFigure f = figure(spend.estimated.nanos() != 0 ? tr("Spend (billed + estimated)") : tr("Billed spend"));
        f.shortTitle = tr("Spend");
        f.value = amount(spend.total().nanos());
        if (!isComparable(m_o.comparison)) {
            f.change = whyNotCompared(m_o.comparison);
        } else if (m_s.spendBefore) {
            changeFrom(f, m_s.spendBefore->total().nanos(), spend.total().nanos());
        }
        f.detail = spendDoubts(spend);
        for (const insight::SpendDay &day : spend.days) {
            std::int64_t sum = 0;
            for (const std::int64_t part : day.parts)
                sum += part;
            if (day.isFinal)
                f.trend.values.append(units(sum));
        }
        f.trend.minimum = 0;
        f.trend.color = widgets::Color::Accent;
        return f;
    }

    // What the spend consists of, and what may still change about it.
    QString spendDoubts(const insight::Spend &spend) const
    {
        std::int64_t notFinal = 0;
        for (const insight::SpendDay &day : spend.days) {
            for (const std::int64_t part : day.parts)
                notFinal += day.isFinal ? 0 : part;
        }
        const QString made = spend.estimated.nanos() != 0 ? tr("%1 billed · %2 estimated", "money")
                                                                .arg(withoutCode(spend.billed.nanos(), m_o.currency),
                                                                     withoutCode(spend.estimated.nanos(), m_o.currency))
                                                          : tr("fully billed");
        const QString open = withoutCode(notFinal, m_o.currency);
        return notFinal == 0 ? made : tr("%1; %2 not final yet", "the spend, money").arg(made, open);
    }

    // Held time that was not observed may have been idle.
    QString idleRange() const
    {
        const insight::CostByState &cost = m_o.total.cost;
        reports::SumUncertainty doubts;
        doubts.unobserved = base::Money(cost.unobservedHeld, m_o.currency);
        const reports::Range range = reports::rangeOfSum(base::Money(cost.idle, m_o.currency), doubts);
        return range.high == range.low ? QString() : tr("at most %1", "money").arg(amount(range.high.nanos()));
    }

    KeyFigure utilization() const
    {
        KeyFigure f = figure(tr("Utilization"));
        if (m_o.total.utilization)
            f.value = LocalText::percent(*m_o.total.utilization);
        if (!isComparable(m_o.comparison)) {
            f.change = whyNotCompared(m_o.comparison);
        } else if (m_o.before && m_o.before->utilization && m_o.total.utilization) {
            const double points = (*m_o.total.utilization - *m_o.before->utilization) * 100;
            f.change = tr("%1 pt", "percentage points").arg(QLocale().toString(std::abs(points), 'f', 1));
            direct(f, points, 0.05, KeyFigure::Meaning::Good);
        }
        const QString allocation = m_o.total.allocation ? LocalText::percent(*m_o.total.allocation, 0) : unknown();
        f.detail = m_o.total.coverage && *m_o.total.coverage < insight::kCoverageShownBelow
            ? tr("allocation %1, observed %2").arg(allocation, LocalText::percent(*m_o.total.coverage, 0))
            : tr("allocation %1").arg(allocation);
        for (const OverviewDay &day : m_o.days)
            f.trend.values.append(day.sums.utilization.value_or(kUnknown));
        f.trend.color = widgets::Color::Active;
        return f;
    }

    KeyFigure waste() const
    {
        KeyFigure f = figure(tr("Waste"));
        const auto sum = [](const insight::CostByState &cost) { return OverviewWaste::of(cost).sum(); };
        if (m_o.total.hasKnownCost())
            f.value = amount(sum(m_o.total.cost));
        change(f, sum);
        f.detail = overviewWasteText(m_s, OverviewWaste::of(m_o.total.cost));
        if (const QString most = idleRange(); !most.isEmpty())
            f.detail = tr("%1; %2", "parts of the waste, range").arg(f.detail, most);
        for (const OverviewDay &day : m_o.days) {
            if (day.whole) // an incomplete day is not a decrease
                f.trend.values.append(costIfWhole(day, sum(day.sums.cost)));
        }
        dressWaste(f);
        return f;
    }

    // On the same basis as the spend by the ledger.
    KeyFigure billedWaste() const
    {
        KeyFigure f = figure(tr("Waste"));
        const OverviewWaste now = OverviewWaste::of(*m_s.spend);
        f.value = amount(now.sum());
        if (!isComparable(m_o.comparison))
            f.change = whyNotCompared(m_o.comparison);
        else if (m_s.spendBefore)
            changeFrom(f, OverviewWaste::of(*m_s.spendBefore).sum(), now.sum());
        f.detail = overviewWasteText(m_s, now);
        for (const insight::SpendDay &day : m_s.spend->days) {
            if (day.isFinal)
                f.trend.values.append(units(OverviewWaste::of(day).sum()));
        }
        dressWaste(f);
        return f;
    }

    KeyFigure idleNow() const
    {
        KeyFigure f = figure(tr("Idle now"));
        if (!m_s.idle)
            return f;
        double gpus = 0;
        std::int64_t perMonth = 0;
        bool priced = false;
        for (const insight::IdleItem &item : m_s.idle->items) {
            gpus += item.gpus;
            if (item.perMonth) {
                perMonth += item.perMonth->nanos();
                priced = true;
            }
        }
        f.value = tr("%1 GPUs", "number of idle devices")
                      .arg(QLocale().toString(gpus, 'f', gpus == std::floor(gpus) ? 0 : 1));
        if (m_s.idle->reach.stale) {
            f.title = tr("Idle on %1", "time at which the data end").arg(IdleText::instant(m_s.idle->at, m_s.zone));
            f.shortTitle = tr("Idle then", "when the data end");
            f.detail = tr("what is idle now is not known");
            return f;
        }
        for (const OverviewDay &day : m_o.days) { // the mean number of idle GPUs of each day
            if (day.whole)
                f.trend.values.append(day.sums.notSynced.ticks == 0 ? day.sums.time.idle.hours() / kHoursPerDay
                                                                    : kUnknown);
        }
        f.trend.minimum = 0;
        f.trend.color = widgets::Color::Idle;
        f.detail = m_s.idle->items.empty() ? tr("nothing is known to be idle")
            : priced                       ? tr("%1 a month if left idle").arg(amount(perMonth))
                     : tr("%n workload(s), no price known", nullptr, static_cast<int>(m_s.idle->items.size()));
        if (const QString saved = overviewSavingText(m_s); priced && !saved.isEmpty())
            f.detail = tr("%1; %2", "cost of what is idle, what stopping saves").arg(f.detail, saved);
        return f;
    }

    Waterfall billedChange() const
    {
        using Kind = Waterfall::Step::Kind;
        Waterfall w = emptyChange();
        if (!isComparable(m_o.comparison) || !m_s.spendBefore) {
            w.note = isComparable(m_o.comparison) ? tr("no data for the previous period") : comparisonNote(m_s);
            return w;
        }
        const insight::Spend &before = *m_s.spendBefore, &now = *m_s.spend;
        const auto change = insight::changeOf(before, now);
        if (!change) {
            w.note = LocalText::sentence(change.error());
            return w;
        }
        w.note = tr("against %1").arg(periodBefore(m_s));
        w.steps.push_back(
            {tr("before"), units(before.total().nanos()), Kind::Start, tr("Spend, %1").arg(periodBefore(m_s))});
        addFactors(w, change->gpu);
        w.steps.push_back({tr("other"), units(change->other), Kind::Change, tr("Everything except GPU time")});
        w.steps.push_back({tr("now"), units(now.total().nanos()), Kind::End, tr("Spend in this range")});
        return w;
    }

    Waterfall change() const
    {
        Waterfall w = emptyChange();
        if (!isComparable(m_o.comparison) || !m_o.change) {
            w.note = isComparable(m_o.comparison) ? tr("no data for the previous period") : comparisonNote(m_s);
            return w;
        }
        using Kind = Waterfall::Step::Kind;
        const insight::CostChange &c = *m_o.change;
        w.note = tr("against %1").arg(periodBefore(m_s));
        w.steps.push_back({tr("before"), units(c.before), Kind::Start, tr("Spend, %1").arg(periodBefore(m_s))});
        // A fleet that costs the same may still work more or less: the states then show what changed.
        if (isByState(c))
            addStates(w);
        else
            addFactors(w, c);
        w.steps.push_back({tr("now"), units(c.after), Kind::End, tr("Spend in this range")});
        return w;
    }

    static bool isByState(const insight::CostChange &c)
    {
        return std::abs(c.price) + std::abs(c.hours) + std::abs(c.mix) + std::abs(c.efficiency) < c.before / kSameFleet;
    }

    QString movers() const
    {
        QStringList list;
        for (const std::size_t i : m_o.movers) {
            const insight::OverviewTeam &team = m_o.teams[i];
            const std::int64_t delta = team.now.cost.total() - (team.before ? team.before->cost.total() : 0);
            const QString moved = tr("%1 %2", "team and its change")
                                      .arg(QString::fromStdString(team.now.key),
                                           (delta < 0 ? QStringLiteral("−") : QStringLiteral("+"))
                                               + LocalText::shortMoney(std::abs(units(delta))));
            const QString why = reason(team.change, delta);
            list.append(why.isEmpty() ? moved : tr("%1 (%2)", "team and its change (why)").arg(moved, why));
        }
        return list.isEmpty() ? QString() : tr("Most: %1").arg(list.mid(0, 3).join(QStringLiteral(", ")));
    }

    static QString unknown() { return QStringLiteral("–"); }
    static QString whole(double value) { return LocalText::number(value, 0); }

    static void dressWaste(KeyFigure &f)
    {
        f.trend.minimum = 0;
        f.trend.color = widgets::Color::Idle;
    }

    QString sourceText() const
    {
        QStringList names;
        for (const std::string &name : m_s.sources)
            names.append(QString::fromStdString(name));
        return names.join(QStringLiteral(", "));
    }

    QString ageText() const
    {
        return tr("data until %1, %2 ago")
            .arg(IdleText::instant(m_s.covered.end, m_s.zone), LocalText::age(std::max(base::Seconds{0}, m_s.age())));
    }

private:
    Waterfall emptyChange() const
    {
        Waterfall w;
        w.title = tr("What changed");
        w.name = tr("What changed in the spend");
        w.source = LocalText::sourceLine(m_s.sources, m_s.age());
        w.unit = codeOf(m_o.currency);
        w.valueText = [code = w.unit](double value) { return LocalText::money(value, code); };
        return w;
    }

    // The factor that contributed most to a team's change in cost, in the direction of the change.
    static QString reason(const std::optional<insight::CostChange> &change, std::int64_t delta)
    {
        if (!change || delta == 0)
            return {};
        const auto pull = [up = delta > 0](std::int64_t part) { return up ? part : -part; };
        const std::int64_t most =
            std::max({pull(change->price), pull(change->hours), pull(change->mix), pull(change->efficiency)});
        if (most == pull(change->hours))
            return delta > 0 ? tr("more work") : tr("less work");
        if (most == pull(change->efficiency))
            return delta > 0 ? tr("less efficient") : tr("more efficient");
        if (most == pull(change->price))
            return delta > 0 ? tr("higher prices") : tr("lower prices");
        return delta > 0 ? tr("pricier GPUs") : tr("cheaper GPUs");
    }

    static void addFactors(Waterfall &w, const insight::CostChange &c)
    {
        using Kind = Waterfall::Step::Kind;
        w.steps.push_back({tr("price"), units(c.price), Kind::Change, tr("The same GPUs at other rates")});
        w.steps.push_back({tr("work"), units(c.hours), Kind::Change, tr("More or fewer active GPU-hours")});
        w.steps.push_back(
            {tr("efficiency"), units(c.efficiency), Kind::Change, tr("More or fewer paid GPU-hours per active one")});
        w.steps.push_back({tr("mix"), units(c.mix), Kind::Change, tr("Pricier or cheaper GPU models")});
    }

    void addStates(Waterfall &w) const
    {
        using Kind = Waterfall::Step::Kind;
        const insight::CostByState &a = m_o.before->cost, &b = m_o.total.cost;
        w.steps.push_back({tr("active"), units(b.active - a.active), Kind::Change, tr("Cost of active time")});
        w.steps.push_back({tr("idle"), units(b.idle - a.idle), Kind::Change, tr("Cost of idle time")});
        w.steps.push_back(
            {tr("unallocated"), units(b.unallocated - a.unallocated), Kind::Change, tr("Cost of unallocated time")});
        w.steps.push_back({tr("unobserved"),
                           units(b.unobservedHeld + b.unobservedFree - a.unobservedHeld - a.unobservedFree),
                           Kind::Change, tr("Cost of unobserved time")});
    }

    QString amount(std::int64_t nanos) const
    {
        return LocalText::money(std::round(units(nanos)), codeOf(m_o.currency), 0);
    }

    KeyFigure figure(const QString &title) const
    {
        KeyFigure f;
        f.title = title;
        f.source = sourceText();
        f.age = ageText();
        return f;
    }

    static void direct(KeyFigure &f, double delta, double least, KeyFigure::Meaning ofRise)
    {
        using Direction = KeyFigure::Direction;
        f.direction = std::abs(delta) < least ? Direction::Same : delta > 0 ? Direction::Up : Direction::Down;
        if (f.direction == Direction::Same)
            return;
        const bool good = (ofRise == KeyFigure::Meaning::Good) == (delta > 0);
        f.meaning = good ? KeyFigure::Meaning::Good : KeyFigure::Meaning::Bad;
    }

    template <typename Cost> void change(KeyFigure &f, Cost cost) const
    {
        if (!isComparable(m_o.comparison))
            f.change = whyNotCompared(m_o.comparison);
        if (!m_o.before || !m_o.before->hasKnownCost())
            return;
        changeFrom(f, std::invoke(cost, m_o.before->cost), std::invoke(cost, m_o.total.cost));
    }

    static void changeFrom(KeyFigure &f, std::int64_t before, std::int64_t now)
    {
        if (before <= 0)
            return;
        const double change = static_cast<double>(now) / static_cast<double>(before) - 1;
        f.change = LocalText::percent(std::abs(change));
        direct(f, change, 0.0005, KeyFigure::Meaning::Bad);
    }

    const OverviewSnapshot &m_s;
    const Overview &m_o;
};

} // namespace

std::array<KeyFigure, kOverviewFigures> overviewFigures(const OverviewSnapshot &snapshot, OverviewMoney money)
{
    const OverviewText text(snapshot);
    const bool bills = money == OverviewMoney::Bills && snapshot.spend;
    return {bills ? text.billedSpend() : text.spend(), text.utilization(), bills ? text.billedWaste() : text.waste(),
            text.idleNow()};
}

Waterfall overviewChange(const OverviewSnapshot &snapshot, OverviewMoney money)
{
    const OverviewText text(snapshot);
    return money == OverviewMoney::Bills && snapshot.spend ? text.billedChange() : text.change();
}

bool overviewChangeIsByState(const OverviewSnapshot &snapshot)
{
    return snapshot.overview.change && OverviewText::isByState(*snapshot.overview.change);
}

QString overviewMovers(const OverviewSnapshot &snapshot)
{
    return OverviewText(snapshot).movers();
}

} // namespace gpuledger::ui

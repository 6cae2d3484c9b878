// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of the overview, day by day.
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/overview/overviewadapter.h"

#include <QCoreApplication>
#include <QDate>

#include <limits>

namespace gpuledger::ui {

using insight::OverviewDay;
using widgets::StackedBars;

namespace {

constexpr double kNoCost = std::numeric_limits<double>::quiet_NaN();

class OverviewBars {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewText)
public:
    explicit OverviewBars(const OverviewSnapshot &snapshot)
        : m_s(snapshot)
        , m_o(snapshot.overview)
    {
    }

    StackedBars days() const
    {
        StackedBars bars;
        bars.title = tr("Spend per day");
        bars.source = LocalText::sourceLine(m_s.sources, m_s.age());
        bars.name = tr("Spend per day by state");
        bars.unit = codeOf(m_o.currency);
        bars.totalText = tr("Total");
        bars.series = {{tr("active"), widgets::Color::Active, false},
                       {tr("idle"), widgets::Color::Idle, false},
                       {tr("unallocated"), widgets::Color::Unallocated, false},
                       {tr("unobserved"), widgets::Color::Unobserved, true}};
        bars.valueText = [code = bars.unit](double value) { return LocalText::money(value, code); };
        const QLocale locale;
        for (const OverviewDay &day : m_o.days) {
            const QDate date = QDate(1970, 1, 1).addDays(day.localDay);
            const auto &cost = day.sums.cost;
            const bool isKnown = day.sums.hasKnownCost();
            StackedBars::Bar bar;
            bar.label = locale.toString(date, tr("d MMM", "day below the axis"));
            bar.title = locale.toString(date, QLocale::LongFormat);
            if (day.sums.notSynced.ticks > 0)
                bar.title = day.isKnown() ? tr("%1, not fetched to its end").arg(bar.title)
                                          : tr("%1, not fetched yet").arg(bar.title);
            else if (!day.whole)
                bar.title = tr("%1, part of the day").arg(bar.title);
            bar.key = QString::fromStdString(day.sums.key);
            for (const std::int64_t nanos :
                 {cost.active, cost.idle, cost.unallocated, cost.unobservedHeld + cost.unobservedFree})
                bar.values.push_back(isKnown ? units(nanos) : kNoCost);
            bars.bars.push_back(std::move(bar));
        }
        return bars;
    }

    // By the ledger: UTC days, including costs other than GPU time; days whose bill may still change are pale.
    StackedBars billedDays() const
    {
        const insight::Spend &spend = *m_s.spend;
        StackedBars bars;
        bars.title = tr("Spend per day");
        bars.source = LocalText::sourceLine(m_s.sources, m_s.age());
        bars.name = tr("Billed spend per day");
        bars.unit = codeOf(spend.currency);
        bars.totalText = tr("Total");
        bars.series = {{tr("active"), widgets::Color::Active, false},
                       {tr("idle"), widgets::Color::Idle, false},
                       {tr("unallocated"), widgets::Color::Unallocated, false},
                       {tr("unobserved"), widgets::Color::Unobserved, true},
                       {tr("other costs"), widgets::Color::Accent, false}};
        bars.provisionalText = tr("pale: not final yet", "days of the chart");
        bars.valueText = [code = bars.unit](double value) { return LocalText::money(value, code); };
        const QLocale locale;
        for (const insight::SpendDay &day : spend.days) {
            const QDate date = QDate(1970, 1, 1).addDays(day.day.number);
            StackedBars::Bar bar;
            bar.label = locale.toString(date, tr("d MMM", "day below the axis"));
            bar.title = tr("%1 (UTC)", "day").arg(locale.toString(date, QLocale::LongFormat));
            bar.key = QString::number(day.day.number);
            std::int64_t sum = 0;
            for (const std::int64_t part : day.parts) {
                bar.values.push_back(units(part));
                sum += part;
            }
            bar.provisional = !day.isFinal;
            // Neither a bill nor telemetry covers it yet: unknown rather than zero.
            if (sum == 0 && m_o.total.notSynced.ticks > 0 && m_o.reach.to && day.day.end() > *m_o.reach.to) {
                bar.title = tr("%1, not fetched yet").arg(bar.title);
                bar.values.assign(bar.values.size(), kNoCost);
                bar.provisional = false;
            }
            if (bar.provisional)
                bar.title = tr("%1, not final yet", "day").arg(bar.title);
            bars.bars.push_back(std::move(bar));
        }
        return bars;
    }

private:
    const OverviewSnapshot &m_s;
    const insight::Overview &m_o;
};

} // namespace

StackedBars overviewDays(const OverviewSnapshot &snapshot)
{
    return OverviewBars(snapshot).days();
}

StackedBars overviewBilledDays(const OverviewSnapshot &snapshot)
{
    return OverviewBars(snapshot).billedDays();
}

} // namespace gpuledger::ui

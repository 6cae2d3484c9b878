// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewwaste.h"

#include "app/insight/idle/idlecause.h"
#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"

#include <QCoreApplication>

#include <cmath>

namespace gpuledger::ui {

namespace {

class WasteText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewWaste)
public:
    explicit WasteText(const OverviewSnapshot &snapshot)
        : m_s(snapshot)
    {
    }

    QString parts(const OverviewWaste &waste) const
    {
        return tr("idle %1, unallocated %2", "money").arg(number(waste.idle), number(waste.unallocated));
    }

    // What ends if everything that is idle now is stopped; empty: nothing, or unknown.
    QString saving() const
    {
        if (!m_s.idle || m_s.idle->reach.stale)
            return {};
        const insight::IdleSum sum = insight::totalsOf(m_s.idle->items).all;
        if (!sum.avoidable || !sum.undecided)
            return {};
        const std::int64_t least = *sum.avoidable, most = least + *sum.undecided;
        if (most <= 0)
            return {};
        if (least == most)
            return tr("stopping saves %1 a month", "money").arg(number(most));
        return least == 0 ? tr("stopping saves up to %1 a month", "money").arg(number(most))
                          : tr("stopping saves %1 to %2 a month", "money").arg(number(least), number(most));
    }

private:
    QString number(std::int64_t nanos) const { return withoutCode(nanos, m_s.overview.currency); }

    const OverviewSnapshot &m_s;
};

} // namespace

OverviewWaste OverviewWaste::of(const insight::SpendDay &day)
{
    return {day.parts[insight::SpendIdle], day.parts[insight::SpendUnallocated]};
}

OverviewWaste OverviewWaste::of(const insight::Spend &spend)
{
    OverviewWaste all;
    for (const insight::SpendDay &day : spend.days) {
        all.idle += day.parts[insight::SpendIdle];
        all.unallocated += day.parts[insight::SpendUnallocated];
    }
    return all;
}

QString overviewWasteText(const OverviewSnapshot &snapshot, const OverviewWaste &waste)
{
    return WasteText(snapshot).parts(waste);
}

QString overviewSavingText(const OverviewSnapshot &snapshot)
{
    return WasteText(snapshot).saving();
}

QString withoutCode(std::int64_t nanos, base::Currency currency)
{
    const double whole = std::round(units(nanos));
    const QString text = LocalText::money(whole, codeOf(currency), 0);
    return text.endsWith(codeOf(currency)) ? LocalText::number(whole, 0) : text;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/overviewcomparison.h"

#include "ui/format/local/localtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>

namespace gpuledger::ui {

using State = insight::Comparison::State;

namespace {

class ComparisonText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OverviewText)
public:
    static QString onCard(const insight::Comparison &comparison)
    {
        const QString share = LocalText::percent(comparison.fetched, 0);
        switch (comparison.state) {
        case State::NothingBefore:
            return tr("before: not fetched", "the period before");
        case State::PartBefore:
            return tr("before: %1 fetched", "share of the period before").arg(share);
        case State::PartNow:
            return tr("only %1 fetched", "share of the range").arg(share);
        case State::NotAsked:
        case State::Made:
            break;
        }
        return {};
    }

    static QString note(const OverviewSnapshot &snapshot)
    {
        const QString share = LocalText::percent(snapshot.overview.comparison.fetched, 0);
        switch (snapshot.overview.comparison.state) {
        case State::NothingBefore:
            return tr("%1 was not fetched", "the period before").arg(period(snapshot));
        case State::PartBefore:
            return tr("of %1 only %2 was fetched", "the period before, share").arg(period(snapshot), share);
        case State::PartNow:
            return tr("only %1 of this range was fetched", "share").arg(share);
        case State::NotAsked:
        case State::Made:
            break;
        }
        return {};
    }

    static QString period(const OverviewSnapshot &snapshot)
    {
        const base::TimeRange before = snapshot.overview.previous;
        const auto day = [&](base::UtcTime t) -> QString {
            return QLocale().toString(QDate(1970, 1, 1).addDays(snapshot.zone.localDay(t)),
                                      tr("d MMM", "day below the axis"));
        };
        return tr("%1 – %2", "first and last day").arg(day(before.start), day(before.end - base::Seconds{1}));
    }
};

} // namespace

bool isComparable(const insight::Comparison &comparison)
{
    return comparison.state == State::NotAsked || comparison.state == State::Made;
}

QString whyNotCompared(const insight::Comparison &comparison)
{
    return ComparisonText::onCard(comparison);
}

QString comparisonNote(const OverviewSnapshot &snapshot)
{
    return ComparisonText::note(snapshot);
}

QString periodBefore(const OverviewSnapshot &snapshot)
{
    return ComparisonText::period(snapshot);
}

} // namespace gpuledger::ui

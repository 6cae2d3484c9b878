// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/sourceloss.h"

#include "app/base/money/widemoney.h"
#include "ui/format/local/localtext.h"

#include <QCoreApplication>
#include <QDate>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <utility>

namespace gpuledger::ui {

namespace {

using store::HeldDay;

constexpr std::size_t kMostDays = 8; // listed one by one
constexpr double kSecondsPerHour = 3600;

struct LossText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::SourceLoss)
};

QString moneyOf(const base::Money &amount)
{
    const std::string_view code = amount.currency().code();
    return LocalText::money(amount.toDouble(), QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size())));
}

QString dayOf(base::Day day)
{
    return QLocale().toString(QDate(1970, 1, 1).addDays(day.number), QLocale::ShortFormat);
}

QString hoursOf(std::int64_t seconds)
{
    return QLocale().toString(static_cast<double>(seconds) / kSecondsPerHour, 'f', 1);
}

// The cost of all days as stored, and as the server reports it now; std::nullopt if that is not known for every day, or
// if the currencies differ.
std::optional<std::pair<base::Money, base::Money>> totalOf(const std::vector<HeldDay> &held)
{
    base::WideMoney before, now;
    const base::Currency currency = held.front().before.cost.currency();
    for (const HeldDay &day : held) {
        const bool isKnown = day.now && day.now->pricedNodes > 0 && day.now->cost.currency() == currency
            && day.before.cost.currency() == currency;
        if (!isKnown)
            return std::nullopt;
        before.add(day.before.cost.nanos());
        now.add(day.now->cost.nanos());
    }
    const auto was = before.total(), is = now.total();
    if (!was || !is)
        return std::nullopt;
    return std::pair(base::Money(*was, currency), base::Money(*is, currency));
}

QString lineOf(const HeldDay &held)
{
    const QString day = dayOf(held.day);
    if (!held.now)
        return LossText::tr("%1: %2 becomes less; the next sync finds out how much", "a day; an amount")
            .arg(day, moneyOf(held.before.cost));
    if (held.now->pricedNodes == 0)
        return LossText::tr("%1: the server gives no price now, so %2 stays", "a day; an amount")
            .arg(day, moneyOf(held.before.cost));
    QString line = LossText::tr("%1: %2 becomes %3", "a day; two amounts")
                       .arg(day, moneyOf(held.before.cost), moneyOf(held.now->cost));
    if (held.before.pricedNodes != held.now->pricedNodes)
        line += LossText::tr(", %1 nodes become %2")
                    .arg(QLocale().toString(static_cast<qulonglong>(held.before.pricedNodes)),
                         QLocale().toString(static_cast<qulonglong>(held.now->pricedNodes)));
    if (held.before.seconds != held.now->seconds)
        line += LossText::tr(", %1 node-hours become %2").arg(hoursOf(held.before.seconds), hoursOf(held.now->seconds));
    if (held.before.gpuSeconds != held.now->gpuSeconds)
        line += LossText::tr(", %1 GPU-hours become %2")
                    .arg(hoursOf(held.before.gpuSeconds), hoursOf(held.now->gpuSeconds));
    return line;
}

SourceLoss lossOf(const std::vector<HeldDay> &held)
{
    SourceLoss loss;
    const int days = static_cast<int>(held.size());
    const auto total = totalOf(held);
    loss.summary = total
        ? LossText::tr("The server has less data for %n days than before: %1 instead of %2. The fuller figures are "
                       "kept until you decide.",
                       nullptr, days)
              .arg(moneyOf(total->second), moneyOf(total->first))
        : LossText::tr(
            "The server has less data for %n days than before. The fuller figures are kept until you decide.", nullptr,
            days);
    QStringList lines{LossText::tr("What the server says now replaces what is stored:")};
    const std::size_t shown = held.size() > kMostDays + 1 ? kMostDays : held.size();
    std::transform(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(shown), std::back_inserter(lines), lineOf);
    if (shown < held.size())
        lines << LossText::tr("and %n more days", nullptr, static_cast<int>(held.size() - shown));
    if (total && days > 1)
        lines << LossText::tr("In all, %1 becomes %2.").arg(moneyOf(total->first), moneyOf(total->second));
    lines << QString()
          << LossText::tr("Every day is fetched again; where the server has less for other days too, that is accepted "
                          "as well. The fuller figures can't be brought back unless the server has them again.");
    loss.consequence = lines.join(QLatin1Char('\n'));
    return loss;
}

SourceLoss lossOf(const ingest::Gone &gone, const base::TimeZone &zone)
{
    SourceLoss loss;
    const int series = static_cast<int>(gone.series), devices = static_cast<int>(gone.devices);
    loss.summary = LossText::tr(
        "The last sync lacked %n series that were there before. That time is fetched again until you decide.", nullptr,
        series);
    const QString of = devices > 0 ? LossText::tr("%n devices", nullptr, devices) : LossText::tr("no device");
    loss.consequence = LossText::tr("From %1 to %2 the source lacks %n series (%3, %4 device-hours).",
                                    "two times; devices; hours", series)
                           .arg(LocalText::dateTime(gone.range.start, zone), LocalText::dateTime(gone.range.end, zone),
                                of, hoursOf(gone.time.count()))
        + QLatin1String("\n\n")
        + LossText::tr("No stored figure changes. But this time then counts as read: what the source may have for it "
                       "later is no longer fetched, and what is missing stays unobserved, with no cost of its own.");
    return loss;
}

} // namespace

SourceLoss lossOf(const services::SourceStatus &status, const services::SyncReport *report, const base::TimeZone &zone)
{
    if (!status.held.empty())
        return lossOf(status.held);
    if (report && !report->gone.empty() && !report->goneAccepted)
        return lossOf(report->gone, zone);
    return {};
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingscurve.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/savingstext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using savings::CurveAxis;
using savings::CurveUnit;
using savings::ProposalCurve;
using widgets::BandLines;
using widgets::Color;
using widgets::SeriesColor;

namespace {

constexpr double kDaySeconds = 86400;
constexpr double kCentsBelow = 100; // of an amount

class CurveText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::CurveText)
public:
    explicit CurveText(const base::TimeZone &zone)
        : m_zone(zone)
        , m_qtZone(QByteArray::fromStdString(std::string(zone.name())))
    {
        if (!m_qtZone.isValid())
            m_qtZone = QTimeZone::utc();
    }

    QString value(const CurveAxis &axis, double value) const
    {
        const auto whole = [&] { return value == std::round(value) ? 0 : 2; };
        const auto seconds = static_cast<std::int64_t>(std::llround(value));
        switch (axis.unit) {
        case CurveUnit::Machines:
        case CurveUnit::Nodes:
        case CurveUnit::Gpus:
            return LocalText::number(value, whole());
        case CurveUnit::Share:
            return LocalText::percent(value, 1);
        case CurveUnit::Amount:
            return LocalText::money(value, QString::fromStdString(axis.currency),
                                    std::abs(value) < kCentsBelow && value != 0 ? 2 : 0);
        case CurveUnit::Duration:
            return SavingsText::value(savings::durationTerm(base::Seconds{seconds}), m_zone);
        case CurveUnit::Gibibytes:
            return SavingsText::value(savings::gibibytesTerm(value), m_zone);
        case CurveUnit::Time:
            return LocalText::dateTime(base::fromUnix(seconds), m_zone);
        case CurveUnit::WeekHour:
            return tr("%1 %2:00", "weekday, hour")
                .arg(weekday(seconds / 24))
                .arg(seconds % 24, 2, 10, QLatin1Char('0'));
        }
        return {};
    }

    // With the unit of a value axis, whose ticks have none.
    QString axisUnit(const CurveAxis &axis) const
    {
        switch (axis.unit) {
        case CurveUnit::Share:
            return QStringLiteral("%"); // no-tr: sign
        case CurveUnit::Amount:
            return QString::fromStdString(axis.currency);
        case CurveUnit::Gibibytes:
            return QStringLiteral("GiB"); // no-tr: unit
        default:
            return {};
        }
    }

    QString axisName(const CurveAxis &axis) const
    {
        const QString name = SavingsText::sentence(axis.name, m_zone);
        const QString unit = axisUnit(axis);
        return unit.isEmpty() ? name : tr("%1, %2", "name of an axis, its unit").arg(name, unit);
    }

    // Empty: round numbers.
    std::vector<BandLines::Tick> ticks(const ProposalCurve &curve) const
    {
        switch (curve.xAxis.unit) {
        case CurveUnit::Duration:
            return durations(curve.xAxis);
        case CurveUnit::WeekHour:
            return days();
        case CurveUnit::Time:
            return times(curve);
        default:
            return {};
        }
    }

    QString clause(const savings::Remark &remark) const { return SavingsText::clause(remark, m_zone); }
    QString sentence(const savings::Remark &remark) const { return SavingsText::sentence(remark, m_zone); }

private:
    static QString weekday(std::int64_t day)
    {
        return QLocale().dayName(static_cast<int>(day) + 1, QLocale::ShortFormat);
    }

    std::vector<BandLines::Tick> durations(const CurveAxis &axis) const
    {
        std::vector<BandLines::Tick> out;
        for (const int minutes : {1, 2, 5, 15, 30, 60, 120, 240, 720, 1440})
            out.push_back({60.0 * minutes, value(axis, 60.0 * minutes)});
        return out;
    }

    static std::vector<BandLines::Tick> days()
    {
        constexpr int kNoon = 12;
        std::vector<BandLines::Tick> out;
        for (int day = 0; day < 7; ++day)
            out.push_back({24.0 * day + kNoon, weekday(day)});
        return out;
    }

    std::vector<BandLines::Tick> times(const ProposalCurve &curve) const
    {
        constexpr int kMost = 12;
        constexpr double kMs = 1000;
        const widgets::TimeTicks round = widgets::niceTimes(static_cast<qint64>(curve.x.front() * kMs),
                                                            static_cast<qint64>(curve.x.back() * kMs), kMost, m_qtZone);
        std::vector<BandLines::Tick> out;
        for (const qint64 time : round.times) {
            const QDateTime local = QDateTime::fromMSecsSinceEpoch(time, m_qtZone);
            const bool isDay = round.days || local.time() == QTime(0, 0);
            out.push_back({static_cast<double>(time) / kMs,
                           isDay ? QLocale().toString(local.date(),
                                                      tr("d MMM", "day and month below an axis, in the notation of Qt"))
                                 : QLocale().toString(local.time(), QLocale::ShortFormat)});
        }
        return out;
    }

    const base::TimeZone &m_zone;
    QTimeZone m_qtZone;
};

// Percent, so that the ticks read "40" and not "0.4".
double shownScale(const CurveAxis &axis)
{
    return axis.unit == CurveUnit::Share ? 100 : 1;
}

std::vector<double> scaledValues(std::vector<double> values, double scale)
{
    for (double &value : values)
        value *= scale;
    return values;
}

// What was and what would be, as far as a curve has two lines.
SeriesColor lineColor(ProposalCurve::Shape shape, std::size_t line)
{
    if (shape == ProposalCurve::Shape::Week && line < 2)
        return line == 1 ? Color::Active : Color::Text; // as bright as each other, they would look alike
    return SeriesColor::series(static_cast<int>(line));
}

} // namespace

BandLines bandLinesOf(const ProposalCurve &curve, const QString &target, const base::TimeZone &zone)
{
    const CurveText text(zone);
    const double scale = shownScale(curve.yAxis);
    BandLines out;
    out.title = text.sentence(curve.title);
    out.note = text.axisUnit(curve.yAxis);
    out.name = target.isEmpty() ? out.title : target + QStringLiteral(": ") + text.clause(curve.title);
    out.xName = text.axisName(curve.xAxis);
    out.yUnit = out.note;
    out.xs = curve.x;
    out.logarithmic = curve.xAxis.logarithmic;
    if (!curve.x.empty())
        out.ticks = text.ticks(curve);
    for (std::size_t i = 0; i < curve.lines.size(); ++i)
        out.series.push_back(
            {text.sentence(curve.lines[i].name), scaledValues(curve.lines[i].y, scale), lineColor(curve.shape, i)});
    out.low = scaledValues(curve.p10, scale);
    out.high = scaledValues(curve.p90, scale);
    out.bandName = QStringLiteral("p10–p90"); // no-tr: names of quantiles
    for (std::size_t i = 0; i < curve.marks.size(); ++i)
        out.marks.push_back({curve.marks[i].x, text.clause(curve.marks[i].name), i == 0 ? Color::Good : Color::Muted});
    if (curve.reference) {
        out.reference = curve.reference->y * scale;
        out.referenceText = text.clause(curve.reference->name);
    }
    if (!curve.shaded.empty()) {
        out.shaded = curve.shaded;
        out.shadedName = text.clause(curve.shadedName);
    }
    const bool startsAtZero =
        curve.shape != ProposalCurve::Shape::Levels && curve.shape != ProposalCurve::Shape::Intervals;
    if (startsAtZero)
        out.minimum = 0;
    // The texts outlive this call: they have their own copies.
    out.xText = [axis = curve.xAxis, zone](double value) { return CurveText(zone).value(axis, value); };
    out.valueText = [axis = curve.yAxis, zone, scale](double value) {
        return CurveText(zone).value(axis, value / scale);
    };
    return out;
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/axis.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr double kLargest = 1e300;
constexpr qint64 kMinute = 60'000;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;
constexpr std::array<qint64, 17> kTimeSteps{
    kMinute,   2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute, kHour,     2 * kHour, 3 * kHour,
    6 * kHour, 12 * kHour,  kDay,        2 * kDay,     7 * kDay,     14 * kDay,    28 * kDay, 91 * kDay};

double niceStep(double atLeast)
{
    const double power = std::pow(10.0, std::floor(std::log10(atLeast)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        if (factor * power >= atLeast * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

} // namespace

double ValueAxis::share(double value) const
{
    // Halved, because the difference of two huge values may exceed a double.
    return std::clamp((value / 2 - minimum / 2) / (maximum / 2 - minimum / 2), 0.0, 1.0);
}

ValueAxis niceAxis(double minimum, double maximum, int most)
{
    most = std::max(2, most);
    minimum = std::isfinite(minimum) ? std::clamp(minimum, -kLargest, kLargest) : 0;
    maximum = std::isfinite(maximum) ? std::clamp(maximum, -kLargest, kLargest) : 0;
    if (minimum > maximum)
        std::swap(minimum, maximum);
    if (maximum - minimum <= std::abs(maximum) * 1e-12) {
        const double around = minimum == 0 ? 1 : std::abs(minimum) * 0.5;
        maximum = minimum >= 0 ? maximum + around : maximum;
        minimum = minimum >= 0 && minimum <= around ? minimum : minimum - around;
    }
    ValueAxis axis;
    axis.step = niceStep((maximum - minimum) / (most - 1));
    double first = 0;
    double last = 0;
    // Rounding the ends may require one tick more than there is room for.
    for (;;) {
        first = std::floor(minimum / axis.step + 1e-9);
        last = std::ceil(maximum / axis.step - 1e-9);
        // Around zero there are always three ticks.
        if (last - first + 1 <= most || last - first <= 1 || (first == -1 && last == 1))
            break;
        axis.step = niceStep(axis.step * 1.01);
    }
    for (double i = first; i <= last; ++i)
        axis.ticks.push_back(i * axis.step);
    axis.minimum = axis.ticks.front();
    axis.maximum = axis.ticks.back();
    return axis;
}

namespace {

struct AxisText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::widgets::AxisText)
};

struct AxisUnit {
    double size;
    QString text;
};

// From the largest to the smallest.
std::array<AxisUnit, 5> axisUnits()
{
    return {{{1e12, AxisText::tr("%1T", "10^12, at an axis")},
             {1e9, AxisText::tr("%1G", "10^9, at an axis")},
             {1e6, AxisText::tr("%1M", "10^6, at an axis")},
             {1e3, AxisText::tr("%1k", "thousands, at an axis")},
             {1, QStringLiteral("%1")}}};
}

} // namespace

QString axisText(double value, double step)
{
    const QLocale locale;
    const double size = std::max(std::abs(value), std::abs(step));
    if (value == 0)
        return locale.toString(0);
    if (size >= 1e15)
        return locale.toString(value, 'g', 3);
    AxisUnit unit{1, QStringLiteral("%1")};
    for (const AxisUnit &candidate : axisUnits()) {
        // Based on the tick itself, so that 500 stays 500 below 1k.
        if (std::abs(value) >= candidate.size) {
            unit = candidate;
            break;
        }
    }
    int decimals = 0;
    for (double rest = step / unit.size; decimals < 6 && std::abs(rest - std::round(rest)) > 1e-6; rest *= 10)
        ++decimals;
    return unit.text.arg(locale.toString(value / unit.size, 'f', decimals));
}

QString FigureScale::text(double value) const
{
    const QLocale locale;
    value = std::abs(value);
    if (value == 0)
        return locale.toString(0);
    if (value >= 1e15)
        return locale.toString(value, 'g', 3);
    if (value / size < 0.5 * std::pow(10.0, -decimals))
        return QLatin1Char('~') + locale.toString(0);
    for (const AxisUnit &unit : axisUnits()) {
        if (unit.size == size)
            return unit.text.arg(locale.toString(value / size, 'f', decimals));
    }
    return locale.toString(value, 'f', decimals);
}

FigureScale figureScale(double level, double change)
{
    constexpr double kLongest = 1e5;
    constexpr int kMostDecimals = 3;
    level = std::max(std::abs(level), std::abs(change));
    change = change == 0 ? level : std::abs(change);
    FigureScale scale;
    const std::array<AxisUnit, 5> units = axisUnits();
    for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
        if (unit->size > change && level / scale.size < kLongest)
            break;
        scale.size = unit->size;
    }
    if (change > 0)
        scale.decimals =
            std::clamp(1 - static_cast<int>(std::floor(std::log10(change / scale.size))), 0, kMostDecimals);
    return scale;
}

TimeTicks niceTimes(qint64 from, qint64 to, int most, const QTimeZone &zone)
{
    TimeTicks result;
    most = std::max(1, most);
    if (to <= from)
        return result;
    const auto fits = [&](qint64 step) { return (to - from) / step < most; };
    const auto found = std::find_if(kTimeSteps.begin(), kTimeSteps.end(), fits);
    const qint64 step = found != kTimeSteps.end() ? *found : ((to - from) / most / kDay + 1) * kDay;
    result.days = step >= kDay;
    // Advances day by day in local time, so that ticks stay round across a daylight saving change.
    const QDateTime start = QDateTime::fromMSecsSinceEpoch(from, zone);
    const int dayStep = static_cast<int>(std::max<qint64>(1, step / kDay));
    QDate day = start.date();
    while (result.times.size() <= static_cast<std::size_t>(most)) {
        const qint64 begin = day.startOfDay(zone).toMSecsSinceEpoch();
        if (begin > to)
            break;
        for (qint64 offset = 0; offset < kDay; offset += std::min(step, kDay)) {
            const qint64 time = offset == 0
                ? begin
                : QDateTime(day, QTime::fromMSecsSinceStartOfDay(static_cast<int>(offset)), zone).toMSecsSinceEpoch();
            if (time >= from && time <= to)
                result.times.push_back(time);
        }
        day = day.addDays(dayStep);
    }
    return result;
}

namespace {

constexpr double kLabelRoom = 4; // between two texts

// Broken at the space that makes the wider line shortest; empty if no break makes both lines fit.
QString broken(const QString &text, double room, const std::function<double(const QString &)> &width)
{
    QString best;
    double least = room;
    for (qsizetype at = text.indexOf(QLatin1Char(' ')); at >= 0; at = text.indexOf(QLatin1Char(' '), at + 1)) {
        const QString first = text.left(at), second = text.mid(at + 1);
        if (const double wider = std::max(width(first), width(second)); wider <= least) {
            best = first + QLatin1Char('\n') + second;
            least = wider;
        }
    }
    return best;
}

struct CutLabels {
    LabelRows rows;
    int cuts = 0;
};

// The last one ends with the chart, and the first one begins with it.
CutLabels labelsByTurns(const QStringList &texts, double pitch, const std::function<double(const QString &)> &width,
                        const std::function<QString(const QString &, double)> &cut, double before)
{
    CutLabels out;
    out.rows.rows = 2;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const double least = pitch + (i == 0 ? 2 * before : 0);
        const bool isAtEnd = i == 0 || i + 1 == texts.size();
        const double room = (isAtEnd ? std::min(least, 2 * pitch) : 2 * pitch) - kLabelRoom;
        const bool fits = width(texts[i]) <= room;
        out.rows.labels.push_back({fits ? texts[i] : cut(texts[i], room), static_cast<int>(i % 2)});
        out.cuts += fits ? 0 : 1;
    }
    return out;
}

} // namespace

LabelRows labelRows(const QStringList &texts, double pitch, const std::function<double(const QString &)> &width,
                    const std::function<QString(const QString &, double)> &cut, double before)
{
    const double room = pitch - kLabelRoom;
    int cuts = 0;
    LabelRows out;
    out.labels.resize(static_cast<std::size_t>(texts.size()));
    std::vector<std::size_t> wide;
    for (std::size_t i = 0; i < out.labels.size(); ++i) {
        const QString &text = texts[static_cast<qsizetype>(i)];
        out.labels[i].text = width(text) <= room ? text : broken(text, room, width);
        if (out.labels[i].text.isEmpty() && !text.isEmpty())
            wide.push_back(i);
    }
    const auto isTwoLines = [&](std::size_t i) { return out.labels[i].text.contains(QLatin1Char('\n')); };
    for (const std::size_t i : wide) {
        LabelRows::Label &label = out.labels[i];
        label.text = texts[static_cast<qsizetype>(i)];
        const double half = width(label.text) / 2;
        // Of the row below: to the middle of the gap to another text there, at most over a whole neighbour.
        const auto reaches = [&](std::size_t at, std::size_t next) {
            return at < out.labels.size() && !isTwoLines(at) && out.labels[at].row == 0
                && std::find(wide.begin(), wide.end(), at) == wide.end()
                && half + kLabelRoom / 2 <= (next < out.labels.size() ? pitch : 1.5 * pitch);
        };
        const bool hasRoomBefore = i > 0 ? reaches(i - 1, i - 2) : half <= pitch / 2 + before;
        if (hasRoomBefore && reaches(i + 1, i + 2))
            label.row = 1;
        else {
            label.text = cut(label.text, room);
            ++cuts;
        }
    }
    if (cuts > 0) {
        if (auto byTurns = labelsByTurns(texts, pitch, width, cut, before); byTurns.cuts < cuts)
            return std::move(byTurns.rows);
    }
    for (std::size_t i = 0; i < out.labels.size(); ++i)
        out.rows = isTwoLines(i) || out.labels[i].row > 0 ? 2 : out.rows;
    return out;
}

int labelStride(int count, double pitch, double width)
{
    if (count <= 1 || pitch <= 0)
        return std::max(1, count);
    constexpr std::array<int, 10> kStrides{1, 2, 3, 5, 7, 10, 14, 20, 28, 50};
    for (const int stride : kStrides) {
        if (stride * pitch >= width)
            return stride;
    }
    return std::max(1, static_cast<int>(std::ceil(width / pitch)));
}

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QTimeZone>

#include <functional>
#include <vector>

// Round numbers and round times along an axis. Values and functions only; any thread.
namespace gpuledger::widgets {

// The range of an axis and its ticks.
struct ValueAxis {
    double minimum = 0;
    double maximum = 1; // always above minimum
    double step = 1; // between ticks
    std::vector<double> ticks; // ascending, including both ends

    // Position of the value between minimum and maximum, clamped to 0 to 1. `value` must be finite.
    double share(double value) const;
};

// An axis whose ends and ticks are 1, 2, 2.5 or 5 times a power of ten and which includes both values; at most `most`
// ticks (at least 2). Equal or non-finite values get an axis around them. Values are clamped to ±1e300.
ValueAxis niceAxis(double minimum, double maximum, int most);

// "15k", "1.5M", "-200", "0": as few digits as a tick with this step needs, in the user's locale.
QString axisText(double value, double step);

// One unit and one number of decimals for all figures of a chart, so that they can be compared.
struct FigureScale {
    double size = 1; // of the unit
    int decimals = 0;

    // "1,024.8k", "0"; "~0" if another value is rounded to zero. Without the sign.
    QString text(double value) const;
};
// For levels up to `level` and changes up to `change`: changes have two digits if levels then have no more than five
// before the decimal point. Both must be finite.
FigureScale figureScale(double level, double change);

// Round times (minutes, hours, days, in the zone) within [from, to], at most `most` of them; ms since the epoch.
struct TimeTicks {
    std::vector<qint64> times;
    bool days = false; // every tick starts a day
};
TimeTicks niceTimes(qint64 from, qint64 to, int most, const QTimeZone &zone);

// With `count` labels at this pitch, only every nth has room; returns n for labels up to `width` wide.
int labelStride(int count, double pitch, double width);

// A text below each item of a chart, in one or two rows.
struct LabelRows {
    struct Label {
        QString text; // one line, or two with a line break
        int row = 0; // 1: below the texts of its neighbours, and perhaps wider than its item
    };
    std::vector<Label> labels;
    int rows = 1;
};
// At this pitch. The first that applies, text by text: one line; two lines, broken at a space; one line a row lower,
// where it may be as wide as its neighbours leave free; cut. If one would be cut, all texts are one line, by turns in
// the two rows, unless more would be cut then. `width` measures a line; `before` is the room beside the first item.
LabelRows labelRows(const QStringList &texts, double pitch, const std::function<double(const QString &)> &width,
                    const std::function<QString(const QString &, double)> &cut, double before = 0);

} // namespace gpuledger::widgets

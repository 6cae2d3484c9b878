// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimeZone>

#include <vector>

// Round numbers and round times along an axis. Values and functions only; any thread.
namespace gpuledger::widgets {

struct ValueAxis {
    double minimum = 0;
    double maximum = 1; // always above minimum
    double step = 1; // between ticks
    std::vector<double> ticks; // ascending, both ends among them

    // Share of the way from minimum to maximum, bounded to 0 to 1. `value` is finite.
    double share(double value) const;
};

// An axis whose ends and ticks are 1, 2, 2.5 or 5 times a power of ten and hold both values; at most `most` ticks (at
// least 2). Equal or not finite values get an axis around them. Values are bounded to ±1e300.
ValueAxis niceAxis(double minimum, double maximum, int most);

// "15k", "1.5M", "-200", "0": as few digits as a tick at this step needs, in the person's notation.
QString axisText(double value, double step);

// Round times (minutes, hours, days, in the zone) within [from, to], at most `most` of them; ms since the epoch.
struct TimeTicks {
    std::vector<qint64> times;
    bool days = false; // every one begins a day
};
TimeTicks niceTimes(qint64 from, qint64 to, int most, const QTimeZone &zone);

// Of `count` labels with this pitch only every nth has room; n for labels up to `width` wide.
int labelStride(int count, double pitch, double width);

} // namespace gpuledger::widgets

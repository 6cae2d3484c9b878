// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/linechart.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"

#include <QImage>

#include <cmath>
#include <limits>
#include <set>

// Small data with known figures, and helpers that find a colour in an image.
namespace gpuledger::tests {

using namespace widgets;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline const QString kHostile = QStringLiteral("<img src=file:x>\n\t=1+1");

inline StackedBars bars()
{
    StackedBars data;
    data.title = QStringLiteral("Spend per day");
    data.unit = QStringLiteral("USD");
    data.series = {{QStringLiteral("active"), Color::Active, false},
                   {QStringLiteral("idle"), Color::Idle, false},
                   {QStringLiteral("unobserved"), Color::Unobserved, true}};
    data.bars = {{QStringLiteral("1 Nov"), {}, {8000, 3000, 1000}, {}},
                 {QStringLiteral("2 Nov"), {}, {6000, 4000, 0}, {}},
                 {QStringLiteral("3 Nov"), {}, {kNan, kNan, kNan}, {}},
                 {QStringLiteral("4 Nov"), {}, {5000, kNan, 2000}, {}}};
    data.budget = 15000;
    data.budgetText = QStringLiteral("budget per day 15k");
    return data;
}

inline Waterfall steps()
{
    using Kind = Waterfall::Step::Kind;
    Waterfall data;
    data.title = QStringLiteral("What changed");
    data.steps = {{QStringLiteral("Oct"), 352000, Kind::Start, {}},
                  {QStringLiteral("price"), 9000, Kind::Change, {}},
                  {QStringLiteral("mix"), -17000, Kind::Change, {}},
                  {QStringLiteral("Nov"), 344000, Kind::End, {}}};
    return data;
}

inline TimeLines lines(int points = 96)
{
    TimeLines data;
    data.title = QStringLiteral("Activity");
    data.zone = QTimeZone::utc();
    data.series = {{QStringLiteral("compute"), {}, Color::Active, true},
                   {QStringLiteral("memory"), {}, Color::Accent, false}};
    for (int i = 0; i < points; ++i) {
        data.times.push_back(1'793'000'000'000 + i * 900'000LL);
        data.series[0].values.push_back(i % 7 * 10);
        data.series[1].values.push_back(50);
    }
    data.maximum = 100;
    return data;
}

inline int colored(const QImage &image, const QRectF &area, const QColor &color)
{
    int count = 0;
    const QRect pixels = area.toAlignedRect() & image.rect();
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            count += image.pixelColor(x, y) == color;
    }
    return count;
}

// Pixels that are closer to this colour than to the background: thin lines have soft edges and perhaps no full pixel.
inline int inked(const QImage &image, const QRectF &area, const QColor &color, const QColor &ground)
{
    const auto distance = [](const QColor &a, const QColor &b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    };
    int count = 0;
    const QRect pixels = area.toAlignedRect() & image.rect();
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        for (int x = pixels.left(); x <= pixels.right(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += 2 * distance(pixel, color) < distance(pixel, ground);
        }
    }
    return count;
}

inline std::set<QRgb> colorsIn(const QImage &image, const QRectF &area)
{
    std::set<QRgb> colors;
    const QRect pixels = area.toAlignedRect() & image.rect();
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            colors.insert(image.pixel(x, y));
    }
    return colors;
}

} // namespace gpuledger::tests

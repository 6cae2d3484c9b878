// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/seriescolor.h"

#include <QList>
#include <QWidget>

#include <functional>
#include <limits>

namespace gpuledger::widgets {

// A small line without axes. NaN and infinite values mean "not observed": the line is interrupted there, a single value
// becomes a dot, and the gap is hatched if the height allows it.
struct SparklineData {
    QList<double> values; // oldest first, at equal distances
    double threshold = std::numeric_limits<double>::quiet_NaN(); // NaN: no line
    double minimum = std::numeric_limits<double>::quiet_NaN(); // of the scale; NaN: the smallest value
    double maximum = std::numeric_limits<double>::quiet_NaN();
    SeriesColor color;
    bool filled = true; // lightly, below the line

    bool operator==(const SparklineData &) const = default;
};

// Paints inside the rectangle only; the newest value is always at the right. For delegates and cards.
void paintSparkline(QPainter &painter, const QRectF &rect, const Theme &theme, const SparklineData &data);

// A description for screen readers: "30 values, lowest 1.2, highest 9.8, last 4.4, 3 not observed". `valueText` formats
// a value with its unit; if unset, a number with at most one decimal.
QString sparklineText(const QList<double> &values, const std::function<QString(double)> &valueText = {});

// A sparkline as a widget, for evidence panels. Takes no focus; its name and sparklineText() are its accessible name
// and description. Owned by its parent; GUI thread.
class Sparkline : public QWidget {
    Q_OBJECT
public:
    explicit Sparkline(const Theme &theme, QWidget *parent = nullptr);

    void setData(SparklineData data, const std::function<QString(double)> &valueText = {});
    const SparklineData &data() const { return m_data; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    SparklineData m_data;
};

} // namespace gpuledger::widgets

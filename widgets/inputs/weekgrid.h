// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <bitset>

namespace gpuledger::widgets {

// The hours of a week to paint: a row per day, Monday first, a column per hour. The mouse paints what it is dragged
// over; arrows, Home and End move, Space toggles an hour, Return its whole day. Screen readers hear the current hour
// and its state as the widget's description. Owned by its parent; GUI thread.
class WeekGrid : public QWidget {
    Q_OBJECT
public:
    static constexpr int kDays = 7, kHours = 24;
    using Hours = std::bitset<kDays * kHours>; // bit 0: Monday 00:00-01:00

    // `onName` and `offName` say what a painted and an empty hour are, e.g. "off" and "on".
    WeekGrid(const Theme &theme, const QString &name, const QString &onName, const QString &offName,
             QWidget *parent = nullptr);

    const Hours &hours() const { return m_hours; }
    void setHours(const Hours &hours); // emits nothing

    int currentHour() const { return m_current; } // of the week
    QString hourText(int hour) const; // "Monday 08:00–09:00: off"
    QRect cellRect(int hour) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    // By the user; while the mouse paints, once when its button is released.
    void painted(const gpuledger::widgets::WeekGrid::Hours &hours);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    int hourAt(const QPoint &position) const; // -1: none
    int headWidth() const;
    int headHeight() const;
    void moveTo(int hour);
    void describe();

    const Theme &m_theme;
    const QString m_onName, m_offName;
    Hours m_hours;
    int m_current = 0;
    bool m_isPainting = false, m_paintsOn = false;
};

} // namespace gpuledger::widgets

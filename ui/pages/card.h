// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QPainter>
#include <QWidget>

namespace gpuledger::ui {

// A framed surface that holds a part of a page. Owned by its parent; GUI thread.
class Card : public QWidget {
public:
    explicit Card(const widgets::Theme &theme, QWidget *parent = nullptr)
        : QWidget(parent)
        , m_theme(theme)
    {
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(m_theme.color(widgets::Color::Border));
        painter.setBrush(m_theme.color(widgets::Color::Surface));
        const qreal radius = m_theme.radius(widgets::Radius::Card);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    }

private:
    const widgets::Theme &m_theme;
};

} // namespace gpuledger::ui

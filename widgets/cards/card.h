// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

namespace gpuledger::widgets {

// A framed surface that holds a part of a page. Owned by its parent; GUI thread.
class Card : public QWidget {
    Q_OBJECT
public:
    explicit Card(const Theme &theme, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
};

// Paints the same frame for widgets that are cards themselves. `line` is the colour of the frame.
void paintCard(QPainter &painter, const QRect &rect, const Theme &theme, Color line = Color::Border);

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QIconEngine>
#include <QPointer>

namespace gpuledger::widgets {

class Theme;

// Draws an SVG in the current colour of a token, sharp at any scale. Owned by its QIcon; GUI thread.
class IconEngine : public QIconEngine {
public:
    IconEngine(const Theme &theme, QByteArray svg, Color color, Color checked);

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override;
    QIconEngine *clone() const override;

private:
    QPointer<const Theme> m_theme;
    QByteArray m_svg;
    Color m_color;
    Color m_checked;
};

} // namespace gpuledger::widgets

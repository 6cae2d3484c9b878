// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QProxyStyle>

class QPainter;
class QRect;

namespace gpuledger::widgets {

class Theme;

// Fusion without bevels and gradients: flat buttons, fields, slim scroll bars and focus rings, painted with theme
// tokens. Owned by the application; GUI thread. Falls back to plain Fusion after the theme is destroyed.
class Style : public QProxyStyle {
    Q_OBJECT
public:
    explicit Style(const Theme &theme);

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget = nullptr) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget = nullptr) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part,
                         const QWidget *widget = nullptr) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option = nullptr,
                    const QWidget *widget = nullptr) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget = nullptr) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option,
                         const QWidget *widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption *option = nullptr, const QWidget *widget = nullptr,
                  QStyleHintReturn *data = nullptr) const override;

private:
    void drawCheckBox(const QStyleOption *option, QPainter *painter) const;
    void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawToolButton(const QStyleOption *option, QPainter *painter) const;
    void drawField(const QStyleOption *option, QPainter *painter) const;
    void drawOutline(const QStyleOption *option, QPainter *painter) const;
    void drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
    void drawFocus(const QStyleOption *option, QPainter *painter) const;

    QPointer<const Theme> m_theme;
};

// Draws a box of 14 pixels a side, with a tick if it is checked.
void drawTickBox(QPainter &painter, const Theme &theme, const QRect &place, bool checked);

} // namespace gpuledger::widgets

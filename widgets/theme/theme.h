// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QBrush>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>

namespace gpuledger::widgets {

// The look of the whole program: tokens of the theme in use, palette, fonts and icons. Made once after QApplication,
// passed by reference to every widget, outlives them; GUI thread only.
class Theme : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };

    // Looks at the system's palette, so it must be made before anybody changes the application's palette.
    // Nothing is applied yet: tests may read a theme without changing the application.
    explicit Theme(QObject *parent = nullptr);

    // The same look in another size, as it is now. It can't be applied; made anew where `like` changes.
    Theme(const Theme &like, double scale, QObject *parent = nullptr);

    // Sets style, palette and font of the application, now and at every later change. Once, from main().
    void apply();
    void setMode(Mode mode);
    void setHeatScale(HeatScale scale);

    Mode mode() const { return m_mode; }
    bool isDark() const;
    HeatScale heatScale() const { return m_heatScale; }
    const Tokens &tokens() const { return isDark() ? m_dark : m_light; }
    QPalette palette() const;

    QColor color(Color color) const { return tokens().color(color); }
    QColor heatColor(int step) const { return tokens().heat(m_heatScale)[static_cast<std::size_t>(step)]; }
    int space(Space space) const { return tokens().space(space); }
    int radius(Radius radius) const { return tokens().radius(radius); }
    QFont font(TextSize size = TextSize::Body, QFont::Weight weight = QFont::Normal) const;

    // Diagonal lines for what was not observed; draw it on the painter of the device with that ratio.
    QBrush hatch(qreal devicePixelRatio) const;

    // A line icon of resources/icons by name without ".svg", in a token's colour. It follows the theme by itself.
    // An unknown name gives an icon that is null.
    QIcon icon(const QString &name, Color color = Color::Muted) const;
    QIcon icon(const QString &name, Color color, Color checked) const;

Q_SIGNALS:
    // Tokens, fonts or heat scale are others now. Widgets that paint by token repaint.
    void changed();

private:
    void publish();

    Tokens m_light;
    Tokens m_dark;
    QString m_family;
    Mode m_mode = Mode::System;
    HeatScale m_heatScale = HeatScale::Cividis;
    bool m_systemDark = false;
    bool m_applied = false;
};

// Marks the one button of a page or dialog that carries the accent colour. Never a destructive button's neighbour.
void setPrimary(QWidget *button, bool primary = true);

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QBrush>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPalette>

#include <optional>

namespace gpuledger::widgets {

// The look of the whole program: tokens of the current theme, palette, fonts and icons. Created once after
// QApplication, passed by reference to every widget and outlives them; GUI thread only.
class Theme : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };

    // Reads the system palette, so it must be created before the application's palette is changed. Nothing is applied
    // yet: tests may read a theme without changing the application.
    explicit Theme(QObject *parent = nullptr);

    // A copy of the current look in another size. It cannot be applied; create a new one when `like` changes.
    Theme(const Theme &like, double scale, QObject *parent = nullptr);

    // Sets the application's style, palette and font, now and at every later change. Call once, from main().
    void apply();
    void setMode(Mode mode);
    void setHeatScale(HeatScale scale);

    Mode mode() const { return m_mode; }
    bool isDark() const;
    HeatScale heatScale() const { return m_heatScale; }
    const Tokens &tokens() const { return isDark() ? m_dark : m_light; }
    QPalette palette() const;

    QColor color(Color color) const { return tokens().color(color); }
    // Without a scale, that of the user.
    QColor heatColor(int step, std::optional<HeatScale> scale = {}) const
    {
        return tokens().heat(scale.value_or(m_heatScale))[static_cast<std::size_t>(step)];
    }
    int space(Space space) const { return tokens().space(space); }
    int radius(Radius radius) const { return tokens().radius(radius); }
    QFont font(TextSize size = TextSize::Body, QFont::Weight weight = QFont::Normal) const;

    // Diagonal lines for what was not observed; paint it on a device with that pixel ratio.
    QBrush hatch(qreal devicePixelRatio) const;

    // A line icon from resources/icons, named without ".svg", in a token's colour. It follows the theme automatically.
    // An unknown name yields a null icon.
    QIcon icon(const QString &name, Color color = Color::Muted) const;
    QIcon icon(const QString &name, Color color, Color checked) const;

Q_SIGNALS:
    // Tokens, fonts or heat scale have changed. Widgets that paint with tokens must repaint.
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

// Marks the one button of a page or dialog that has the accent colour. Never next to a destructive button.
void setPrimary(QWidget *button, bool primary = true);

} // namespace gpuledger::widgets

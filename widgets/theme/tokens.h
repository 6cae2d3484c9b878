// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QList>
#include <QString>

#include <array>
#include <optional>

namespace gpuledger::widgets {

// Colours by meaning. Text, Muted, Accent, Info, Warning, Critical and Good are readable as text colours; Active, Idle,
// Unallocated, Unobserved and Outline are for shapes; Border is decoration only.
enum class Color {
    Background,
    Surface,
    Raised,
    Border,
    Outline,
    Text,
    Muted,
    Accent,
    AccentText,
    Select,
    Active,
    Idle,
    Unallocated,
    Unobserved,
    Info,
    Warning,
    Critical,
    Good
};
inline constexpr int kColorCount = static_cast<int>(Color::Good) + 1;

enum class Space { Tiny, Small, Medium, Large, Wide, Huge };
enum class Radius { Card, Control };
enum class TextSize { Caption, Body, Section, Title, Figure };
// Cividis and Viridis are the user's choice for shares and readings; Cost is for money: from little, close to the
// surface, to much.
enum class HeatScale { Cividis, Viridis, Cost };
inline constexpr int kHeatSteps = 10;

QString nameOf(Color color); // as in the theme file, e.g. "accentText"
std::optional<Color> colorFromName(QStringView name);

// One theme file as values; cheap to copy, any thread. Distances and text sizes are in logical pixels.
class Tokens {
public:
    // std::nullopt, with the reason in `error`, if the bytes are not a complete theme.
    [[nodiscard]] static std::optional<Tokens> fromJson(const QByteArray &json, QString *error = nullptr);

    // A copy with distances and text sizes multiplied by the factor.
    Tokens scaled(double factor) const;
    QString name() const { return m_name; }
    QColor color(Color color) const { return m_colors[static_cast<std::size_t>(color)]; }
    int space(Space space) const { return m_spaces[static_cast<std::size_t>(space)]; }
    int radius(Radius radius) const { return m_radii[static_cast<std::size_t>(radius)]; }
    int textSize(TextSize size) const { return m_textSizes[static_cast<std::size_t>(size)]; }
    // Colours for unnamed series, to be used in this order.
    const QList<QColor> &series() const { return m_series; }
    const std::array<QColor, kHeatSteps> &heat(HeatScale scale) const
    {
        return m_heat[static_cast<std::size_t>(scale)];
    }

private:
    QString m_name;
    std::array<QColor, kColorCount> m_colors;
    std::array<int, 6> m_spaces{};
    std::array<int, 2> m_radii{};
    std::array<int, 5> m_textSizes{};
    QList<QColor> m_series;
    std::array<std::array<QColor, kHeatSteps>, 3> m_heat; // in the order of HeatScale
};

// The step (0 to 9) of a value; values outside the range get the first or the last. `value` must not be NaN.
int heatStep(double value, double minimum, double maximum);

// WCAG 2.1 contrast of two opaque colours, 1 to 21.
double contrastRatio(const QColor &a, const QColor &b);

} // namespace gpuledger::widgets

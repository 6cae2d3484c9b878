// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/statementdocument.h"

namespace gpuledger::ui {

using widgets::Color;

namespace {

constexpr double kPointsPerPixel = 0.75;
constexpr int kBodyPixels = 13;

DocumentLook lookOf(const widgets::Theme &theme)
{
    DocumentLook look;
    look.font = theme.font(widgets::TextSize::Body);
    look.text = theme.color(Color::Text);
    look.muted = theme.color(Color::Muted);
    look.line = theme.color(Color::Border);
    look.fill = theme.color(Color::Background);
    look.paper = theme.color(Color::Surface);
    look.dearer = theme.color(Color::Critical);
    look.cheaper = theme.color(Color::Good);
    look.swatches = {QColor(),
                     theme.color(Color::Active),
                     theme.color(Color::Idle),
                     theme.color(Color::Unallocated),
                     theme.color(Color::Unobserved),
                     theme.color(Color::Accent)};
    return look;
}

} // namespace

DocumentLook DocumentLook::onScreen(const widgets::Theme &theme)
{
    return lookOf(theme);
}

DocumentLook DocumentLook::onPaper(int dotsPerInch)
{
    constexpr double kPixelsPerInch = 96;
    widgets::Theme light;
    light.setMode(widgets::Theme::Mode::Light);
    DocumentLook look = lookOf(light);
    constexpr double kSmaller = 0.92; // paper is read from a shorter distance than a screen
    look.font.setPointSizeF(kBodyPixels * kPointsPerPixel * kSmaller);
    // Otherwise a font may draw signs beside figures as glyphs without a character code, and a program that reads the
    // file would not find the minus of an amount.
    look.font.setStyleStrategy(QFont::PreferNoShaping);
    look.unit = dotsPerInch / kPixelsPerInch;
    look.hasPlainMinus = true;
    return look;
}

} // namespace gpuledger::ui

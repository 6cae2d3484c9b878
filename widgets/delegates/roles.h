// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/tokens.h"

#include <QMetaType>
#include <Qt>

// Roles that the delegates of this folder read from a model, besides Qt's own. All texts are plain text.
//  DisplayRole      the text or figure, formatted for the user; elided if it does not fit
//  ToolTipRole      source and age of the value, or more; plain text, shown below the full text if that was truncated
//  FontRole         only its weight is used
//  AccessibleTextRole  required if DisplayRole is empty: use sparklineText()
namespace gpuledger::widgets {

// The meaning of a value; each has a colour, and the text beside it expresses the same in words or by its sign.
enum class Tone { Neutral, Muted, Good, Warning, Critical, Info };

enum DelegateRole : int {
    // Tone of the text (CellDelegate, FigureDelegate, BarDelegate) or of the badge (BadgeDelegate).
    kToneRole = Qt::UserRole + 0x400,
    // double, the filled part of a bar: 0 to 1. Above 1 the bar is full and carries a mark. Invalid or NaN: no bar,
    // only the text in the muted colour, e.g. "no budget".
    kBarShareRole,
    // widgets::Color of the bar, as int; invalid: Color::Active.
    kBarColorRole,
    // QList<double>, oldest first; NaN means "not observed".
    kSparklineRole,
    // double, a dashed line in the sparkline; invalid or NaN: none.
    kSparklineThresholdRole,
    // widgets::Color as int; invalid: Color::Accent.
    kSparklineColorRole,
    // double, ends and middle of a range as shares of one scale: 0 to 1, ascending. If one is invalid or NaN: no bar,
    // only the text in the muted colour.
    kRangeLowRole,
    kRangeMiddleRole,
    kRangeHighRole,
    // double, where zero lies on that scale; invalid or NaN: at its start, not drawn.
    kRangeZeroRole
};

inline Color colorOf(Tone tone)
{
    switch (tone) {
    case Tone::Neutral:
        return Color::Text;
    case Tone::Muted:
        return Color::Muted;
    case Tone::Good:
        return Color::Good;
    case Tone::Warning:
        return Color::Warning;
    case Tone::Critical:
        return Color::Critical;
    case Tone::Info:
        return Color::Info;
    }
    return Color::Text;
}

} // namespace gpuledger::widgets

Q_DECLARE_METATYPE(gpuledger::widgets::Tone)

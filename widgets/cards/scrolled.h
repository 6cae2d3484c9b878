// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace gpuledger::widgets {

// Shows `content` whole where there is room, and scrolls it from top to bottom otherwise; what lies below shows
// through. Takes `content`, and belongs to `parent`. GUI thread.
QScrollArea *scrolled(QWidget *content, QWidget *parent = nullptr);
// The same, but never lower than `content` wants to be, up to `most` pixels: what it is in grows with it before it
// scrolls, with `gap` pixels between it and the scroll bar.
QScrollArea *scrolledAbove(int most, int gap, QWidget *content, QWidget *parent = nullptr);

} // namespace gpuledger::widgets

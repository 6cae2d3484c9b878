// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QScrollArea;
class QWidget;

namespace gpuledger::widgets {

// Shows `content` whole where there is room, and scrolls it from top to bottom otherwise; what lies below shows
// through. Takes `content`, and belongs to `parent`. GUI thread.
QScrollArea *scrolled(QWidget *content, QWidget *parent = nullptr);

} // namespace gpuledger::widgets

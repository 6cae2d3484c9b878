// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/figure.h"
#include "ui/pages/page.h"

#include <QString>

#include <functional>
#include <vector>

class QMenu;

namespace gpuledger::ui {

// A figure that can be explained, and how people call it.
struct Explained {
    QString name; // "Idle cost of vision"
    insight::Figure figure;
};

// Puts a submenu "Explain" with the figures into the menu; each opens its proof. Nothing for none. `page` outlives the
// menu. GUI thread.
void addExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, std::vector<Explained> figures);

// The same as the context menu of a widget (by pointer and by the menu key), with what `figures` tells when it opens.
void offerExplainMenu(QWidget *widget, const PageContext &context, QWidget *page,
                      std::function<std::vector<Explained>()> figures);

} // namespace gpuledger::ui

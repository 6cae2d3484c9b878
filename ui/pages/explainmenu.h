// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/figure.h"
#include "ui/pages/page.h"

#include <QKeyCombination>
#include <QString>

#include <functional>
#include <vector>

class QMenu;
class QPoint;

namespace gpuledger::widgets {
class Chart;
class DataTable;
class Heatmap;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class DocumentView;

// A figure that can be explained, and how people call it.
struct Explained {
    QString name; // "Idle cost of vision"
    insight::Figure figure;
};

// On every widget with figures: asks for the proof of what is current there.
inline constexpr QKeyCombination kExplainKeys = Qt::CTRL | Qt::Key_I;

// Each of these adds to a widget what explains its figures: an entry of its context menu, and kExplainKeys. One figure
// opens its proof at once, several are offered as a menu, none is no entry. `page` outlives the widget, and what is
// asked for figures lives as long as that; it is asked when a menu opens. GUI thread.
using FiguresOfWidget = std::function<std::vector<Explained>()>;
using FiguresOfRow = std::function<std::vector<Explained>(const QString &rowId)>;
using FiguresOfItem = std::function<std::vector<Explained>(int index)>;
using FiguresOfCell = std::function<std::vector<Explained>(int row, int column)>;
void offerExplain(QWidget *widget, const PageContext &context, QWidget *page, const FiguresOfWidget &figures);
void offerExplain(widgets::DataTable *table, const PageContext &context, QWidget *page, const FiguresOfRow &figures);
void offerExplain(widgets::Chart *chart, const PageContext &context, QWidget *page, const FiguresOfItem &figures);
void offerExplain(widgets::Heatmap *heatmap, const PageContext &context, QWidget *page, const FiguresOfCell &figures);
// Of the row that the text cursor is in.
void offerExplain(DocumentView *document, const PageContext &context, QWidget *page, const FiguresOfWidget &figures);

// The parts of these, for a widget that makes its menu itself.
void addExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, std::vector<Explained> figures);
// A menu that stays: filled anew whenever it opens.
void fillExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, const FiguresOfWidget &figures);
// `place` is where the menu opens, on the screen.
void addExplainKeys(QWidget *widget, const PageContext &context, QWidget *page, FiguresOfWidget figures,
                    std::function<QPoint()> place);

} // namespace gpuledger::ui

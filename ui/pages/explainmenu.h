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

// A figure that can be explained, and its display name.
struct Explained {
    QString name; // "Idle cost of vision"
    insight::Figure figure;
};

// On every widget with figures: opens the proof of the current one.
inline constexpr QKeyCombination kExplainKeys = Qt::CTRL | Qt::Key_I;

// Each of these functions adds the explanation of figures to a widget: a context menu entry and kExplainKeys. A single
// figure opens its proof at once, several are offered as a menu, and without figures there is no entry. Cost of GPU
// time is explained in the effective view alone. `page` must outlive the widget, and so must everything that `figures`
// uses; it is called when a menu opens. GUI thread.
using FiguresOfWidget = std::function<std::vector<Explained>()>;
using FiguresOfRow = std::function<std::vector<Explained>(const QString &rowId)>;
using FiguresOfItem = std::function<std::vector<Explained>(int index)>;
using FiguresOfCell = std::function<std::vector<Explained>(int row, int column)>;
void offerExplain(QWidget *widget, const PageContext &context, QWidget *page, const FiguresOfWidget &figures);
void offerExplain(widgets::DataTable *table, const PageContext &context, QWidget *page, const FiguresOfRow &figures);
void offerExplain(widgets::Chart *chart, const PageContext &context, QWidget *page, const FiguresOfItem &figures);
void offerExplain(widgets::Heatmap *heatmap, const PageContext &context, QWidget *page, const FiguresOfCell &figures);
// For the row that contains the text cursor.
void offerExplain(DocumentView *document, const PageContext &context, QWidget *page, const FiguresOfWidget &figures);

// The building blocks, for a widget that creates its menu itself.
void addExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, std::vector<Explained> figures);
// A permanent menu, filled again whenever it opens.
void fillExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, const FiguresOfWidget &figures);
// `place` is the screen position where the menu opens.
void addExplainKeys(QWidget *widget, const PageContext &context, QWidget *page, FiguresOfWidget figures,
                    std::function<QPoint()> place);

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/explainmenu.h"

#include "ui/dialogs/proofdialog.h"
#include "ui/pages/documentview.h"
#include "widgets/charts/chart.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QTreeView>

namespace gpuledger::ui {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ExplainMenu)
public:
    static QString explain() { return tr("Explain"); }
    static QString explainOne(const QString &figure) { return tr("Explain: %1", "a figure").arg(figure); }
};

// A single & would be taken for a mnemonic.
QString literal(const QString &text)
{
    return widgets::plainLine(text).replace(QLatin1Char('&'), QLatin1String("&&"));
}

void open(const PageContext &context, QWidget *page, const Explained &one)
{
    (new ProofDialog(context.theme, context.workspace.config(), context.workspace.proof(), context.tasks, one.figure,
                     one.name, page))
        ->open();
}

void addFigures(QMenu *menu, const PageContext &context, QWidget *page, std::vector<Explained> figures)
{
    for (Explained &one : figures) {
        const QString name = literal(one.name);
        menu->addAction(name, page, [context, page, one = std::move(one)] { open(context, page, one); });
    }
}

// Amounts in the view of cost that the pages show; a ledger's and a statement's have their own.
bool followsCostView(const insight::Figure &figure)
{
    using insight::FigureKind;
    switch (figure.kind) {
    case FigureKind::Summary:
        return figure.measure.starts_with("cost.");
    case FigureKind::Heatmap:
        return figure.measure == toString(insight::Metric::Cost)
            || figure.measure == toString(insight::Metric::IdleCost);
    case FigureKind::Idle:
        return figure.measure != "idle-hours";
    case FigureKind::Change:
        return true;
    case FigureKind::Ledger:
    case FigureKind::Showback:
    case FigureKind::Reconcile:
    case FigureKind::SpendChange:
    case FigureKind::Replay:
    case FigureKind::Action:
    case FigureKind::Savings:
        break;
    }
    return false;
}

// Only the effective cost is stored.
std::vector<Explained> explainable(const PageContext &context, std::vector<Explained> figures)
{
    if (context.navigator.scope().cost != model::CostView::Effective)
        std::erase_if(figures, [](const Explained &one) { return followsCostView(one.figure); });
    return figures;
}

QPoint middleOf(const QWidget *widget)
{
    return widget->mapToGlobal(widget->rect().center());
}

} // namespace

void addExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, std::vector<Explained> figures)
{
    figures = explainable(context, std::move(figures));
    if (figures.empty())
        return;
    if (figures.size() == 1) {
        QAction *only = menu->addAction(Words::explainOne(literal(figures.front().name)), page,
                                        [context, page, one = figures.front()] { open(context, page, one); });
        only->setShortcut(kExplainKeys);
        only->setShortcutContext(Qt::WidgetShortcut); // displayed here, handled by the widget
        return;
    }
    addFigures(menu->addMenu(Words::explain()), context, page, std::move(figures));
}

void fillExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, const FiguresOfWidget &figures)
{
    QObject::connect(menu, &QMenu::aboutToShow, page, [menu, context, page, figures] {
        menu->clear();
        addFigures(menu, context, page, explainable(context, figures()));
    });
}

void addExplainKeys(QWidget *widget, const PageContext &context, QWidget *page, FiguresOfWidget figures,
                    std::function<QPoint()> place)
{
    auto *action = new QAction(Words::explain(), widget);
    action->setShortcut(kExplainKeys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    widget->addAction(action);
    QObject::connect(action, &QAction::triggered, page,
                     [widget, context, page, figures = std::move(figures), place = std::move(place)] {
                         std::vector<Explained> all = explainable(context, figures());
                         if (all.empty())
                             return;
                         if (all.size() == 1)
                             return open(context, page, all.front());
                         auto *menu = new QMenu(widget);
                         menu->setAttribute(Qt::WA_DeleteOnClose);
                         menu->setAccessibleName(Words::explain());
                         addFigures(menu, context, page, std::move(all));
                         menu->setActiveAction(menu->actions().constFirst());
                         menu->popup(place());
                     });
}

void offerExplain(QWidget *widget, const PageContext &context, QWidget *page, const FiguresOfWidget &figures)
{
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(widget, &QWidget::customContextMenuRequested, page,
                     [widget, context, page, figures](const QPoint &place) {
                         auto *menu = new QMenu(widget);
                         menu->setAttribute(Qt::WA_DeleteOnClose);
                         addExplainMenu(menu, context, page, figures());
                         if (menu->isEmpty())
                             delete menu;
                         else
                             menu->popup(widget->mapToGlobal(place));
                     });
    addExplainKeys(widget, context, page, figures, [widget] { return middleOf(widget); });
}

void offerExplain(widgets::DataTable *table, const PageContext &context, QWidget *page, const FiguresOfRow &figures)
{
    QObject::connect(table, &widgets::DataTable::menuOpening, page,
                     [context, page, figures](QMenu *menu, const QString &rowId) {
                         if (!rowId.isEmpty())
                             addExplainMenu(menu, context, page, figures(rowId));
                     });
    const auto current = [table, figures]() -> std::vector<Explained> {
        const QString rowId = table->currentRowId();
        return rowId.isEmpty() ? std::vector<Explained>() : figures(rowId);
    };
    addExplainKeys(table, context, page, current, [table] {
        const QTreeView *view = table->view();
        const QRect row = view->visualRect(view->currentIndex().siblingAtColumn(0));
        return view->viewport()->mapToGlobal(row.center());
    });
}

void offerExplain(DocumentView *document, const PageContext &context, QWidget *page, const FiguresOfWidget &figures)
{
    QObject::connect(document, &DocumentView::menuOpening, page,
                     [context, page, figures](QMenu *menu) { addExplainMenu(menu, context, page, figures()); });
    addExplainKeys(document, context, page, figures, [document] { return document->currentPlace(); });
}

void offerExplain(widgets::Chart *chart, const PageContext &context, QWidget *page, const FiguresOfItem &figures)
{
    QObject::connect(chart, &widgets::Chart::menuOpening, page, [context, page, figures](QMenu *menu, int index) {
        if (index >= 0)
            addExplainMenu(menu, context, page, figures(index));
    });
    const auto current = [chart, figures] {
        return chart->currentIndex() < 0 ? std::vector<Explained>() : figures(chart->currentIndex());
    };
    addExplainKeys(chart, context, page, current,
                   [chart] { return chart->mapToGlobal(chart->itemRect(chart->currentIndex()).center().toPoint()); });
}

void offerExplain(widgets::Heatmap *heatmap, const PageContext &context, QWidget *page, const FiguresOfCell &figures)
{
    QObject::connect(heatmap, &widgets::Heatmap::menuOpening, page,
                     [context, page, figures](QMenu *menu, int row, int column) {
                         addExplainMenu(menu, context, page, figures(row, column));
                     });
    const auto current = [heatmap, figures]() -> std::vector<Explained> {
        if (heatmap->currentRow() < 0 || heatmap->currentColumn() < 0)
            return {};
        return figures(heatmap->currentRow(), heatmap->currentColumn());
    };
    addExplainKeys(heatmap, context, page, current, [heatmap] {
        const QRectF cell = heatmap->cellRect(heatmap->currentRow(), heatmap->currentColumn());
        return heatmap->viewport()->mapToGlobal(cell.center().toPoint());
    });
}

} // namespace gpuledger::ui

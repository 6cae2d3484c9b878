// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/explainmenu.h"

#include "ui/dialogs/proofdialog.h"
#include "widgets/state/plaintext.h"

#include <QCoreApplication>
#include <QMenu>

namespace gpuledger::ui {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::ExplainMenu)
public:
    static QString explain() { return tr("Explain"); }
};

// A single & would be taken for the mark of a shortcut key.
QString literal(const QString &text)
{
    return widgets::plainLine(text).replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

void addExplainMenu(QMenu *menu, const PageContext &context, QWidget *page, std::vector<Explained> figures)
{
    if (figures.empty())
        return;
    QMenu *explain = menu->addMenu(Words::explain());
    for (Explained &one : figures) {
        const QString name = literal(one.name);
        explain->addAction(name, page, [context, page, one = std::move(one)] {
            (new ProofDialog(context.theme, context.workspace, context.tasks, one.figure, one.name, page))->open();
        });
    }
}

void offerExplainMenu(QWidget *widget, const PageContext &context, QWidget *page,
                      std::function<std::vector<Explained>()> figures)
{
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(widget, &QWidget::customContextMenuRequested, page,
                     [widget, context, page, figures = std::move(figures)](const QPoint &place) {
                         auto *menu = new QMenu(widget);
                         menu->setAttribute(Qt::WA_DeleteOnClose);
                         addExplainMenu(menu, context, page, figures());
                         if (menu->isEmpty())
                             delete menu;
                         else
                             menu->popup(widget->mapToGlobal(place));
                     });
}

} // namespace gpuledger::ui

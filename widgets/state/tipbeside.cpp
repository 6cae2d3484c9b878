// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/tipbeside.h"

#include <QEvent>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <QWidget>

namespace gpuledger::widgets {

namespace {

constexpr int kCursor = 16; // a tool tip is shown at least this far below the place asked for
constexpr int kTipGap = 4;

class TipPlacer : public QObject {
public:
    TipPlacer(QWidget &widget, Qt::Orientation direction)
        : QObject(&widget)
        , m_widget(widget)
        , m_direction(direction)
    {
        widget.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched != &m_widget || event->type() != QEvent::ToolTip)
            return false;
        showTipBeside(m_widget, m_widget.toolTip(), m_direction);
        return true;
    }

private:
    QWidget &m_widget;
    const Qt::Orientation m_direction;
};

} // namespace

void showTipBeside(QWidget &widget, const QString &text, Qt::Orientation direction)
{
    const bool mirrored = widget.isRightToLeft();
    QPoint place(0, widget.height() - kCursor + kTipGap);
    if (direction == Qt::Horizontal) {
        place = QPoint(widget.width() + kTipGap, -kCursor);
        if (mirrored) { // its width is not known before it is shown
            const QString words = QTextDocumentFragment::fromHtml(text).toPlainText();
            place.setX(-QFontMetrics(QToolTip::font()).horizontalAdvance(words) - 5 * kTipGap);
        }
    }
    QToolTip::showText(widget.mapToGlobal(place), text, &widget, widget.rect());
}

void placeTipBeside(QWidget &widget, Qt::Orientation direction)
{
    new TipPlacer(widget, direction); // owned by the widget
}

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/scrolled.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

class GrowingArea final : public QScrollArea {
public:
    GrowingArea(int most, int gap, QWidget *parent)
        : QScrollArea(parent)
        , m_most(most)
        , m_gap(gap)
    {
        // The margins change sides with the scroll bar in mirrored layouts.
        connect(verticalScrollBar(), &QScrollBar::rangeChanged, this,
                [this](int low, int high) { setViewportMargins(0, 0, low < high ? m_gap : 0, 0); });
    }
    QSize minimumSizeHint() const override
    {
        const QWidget *content = widget();
        if (!content)
            return QScrollArea::minimumSizeHint();
        const int width = std::max(content->minimumSizeHint().width(), viewport()->width());
        const QLayout *layout = content->layout();
        const int height = layout && layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(width)
                                                                 : content->minimumSizeHint().height();
        return {content->minimumSizeHint().width() + m_gap + verticalScrollBar()->sizeHint().width(),
                std::min(height, m_most)};
    }
    QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
    void resizeEvent(QResizeEvent *event) override
    {
        QScrollArea::resizeEvent(event);
        if (event->oldSize().width() != event->size().width())
            updateGeometry();
    }

private:
    int m_most, m_gap;
};

QScrollArea *setUp(QScrollArea *area, QWidget *content)
{
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false); // setWidget() sets it
    return area;
}

} // namespace

QScrollArea *scrolled(QWidget *content, QWidget *parent)
{
    return setUp(new QScrollArea(parent), content);
}

QScrollArea *scrolledAbove(int most, int gap, QWidget *content, QWidget *parent)
{
    return setUp(new GrowingArea(most, gap, parent), content);
}

} // namespace gpuledger::widgets

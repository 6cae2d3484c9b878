// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/scrolled.h"

#include <QScrollArea>

namespace gpuledger::widgets {

QScrollArea *scrolled(QWidget *content, QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false); // setWidget() sets it
    return area;
}

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/comparebar.h"

#include <QBoxLayout>
#include <QEvent>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Space;

CompareBar::CompareBar(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(theme.space(Space::Medium));
    m_layout->setSizeConstraint(QLayout::SetNoConstraint); // the least width is that of two lines
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void CompareBar::setParts(QWidget *choice, QWidget *filters)
{
    m_choice = choice;
    m_filters = filters;
    m_layout->addWidget(m_choice, 0, Qt::AlignLeft);
    m_layout->addWidget(m_filters, 1);
}

QSize CompareBar::minimumSizeHint() const
{
    int width = 0;
    for (const QWidget *part : {m_choice, m_filters}) {
        if (part && !part->isHidden())
            width = std::max(width, part->minimumSizeHint().width());
    }
    return {width, m_layout->minimumSize().height()};
}

bool CompareBar::event(QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        arrange();
    return QWidget::event(event);
}

void CompareBar::arrange()
{
    if (!m_choice)
        return;
    const bool areBoth = !m_choice->isHidden() && !m_filters->isHidden();
    const int wanted = m_choice->sizeHint().width() + m_layout->spacing() + m_filters->minimumSizeHint().width();
    const auto direction = areBoth && wanted > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (direction == m_layout->direction())
        return;
    m_layout->setDirection(direction);
    updateGeometry();
}

} // namespace gpuledger::ui

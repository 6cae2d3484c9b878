// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/inputrow.h"

#include <QBoxLayout>
#include <QEvent>

#include <algorithm>

namespace gpuledger::widgets {

InputRow::InputRow(const Theme &theme, QWidget *first, QWidget *second, QWidget *parent)
    : QWidget(parent)
    , m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
    , m_first(first)
    , m_second(second)
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(theme.space(Space::Medium));
    m_layout->setSizeConstraint(QLayout::SetNoConstraint); // the least width is that of two lines
    m_layout->addWidget(m_first, 0, Qt::AlignLeft);
    m_layout->addWidget(m_second, 1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize InputRow::minimumSizeHint() const
{
    int width = 0;
    for (const QWidget *part : {m_first, m_second}) {
        if (!part->isHidden())
            width = std::max(width, part->minimumSizeHint().width());
    }
    return {width, m_layout->minimumSize().height()};
}

bool InputRow::event(QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        arrange();
    return QWidget::event(event);
}

void InputRow::arrange()
{
    const bool areBoth = !m_first->isHidden() && !m_second->isHidden();
    const int wanted = m_first->sizeHint().width() + m_layout->spacing() + m_second->minimumSizeHint().width();
    const auto direction = areBoth && wanted > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (direction == m_layout->direction())
        return;
    m_layout->setDirection(direction);
    updateGeometry();
}

} // namespace gpuledger::widgets

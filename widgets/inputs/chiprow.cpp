// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inputs/chiprow.h"

#include "widgets/inputs/chip.h"
#include "widgets/state/plaintext.h"

#include <QMenu>
#include <QPushButton>
#include <QStyle>

#include <algorithm>

namespace gpuledger::widgets {

namespace {

constexpr int kMorePadding = 44; // of the "+3" button, including its arrow

} // namespace

ChipRow::ChipRow(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_more(new QPushButton(this))
{
    setAccessibleName(tr("Filters"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_more->setAutoDefault(false);
    m_more->setMenu(new QMenu(m_more));
    m_more->hide();
    hide();
    connect(m_more->menu(), &QMenu::aboutToShow, this, &ChipRow::fillMenu);
}

void ChipRow::setItems(const std::vector<Item> &items)
{
    if (m_items == items)
        return;
    std::size_t focused = m_chips.size();
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        if (m_chips[i]->hasFocus())
            focused = i;
    }
    const bool hadFocus = focused < m_chips.size();
    m_items = items;
    const std::vector<Chip *> old = std::exchange(m_chips, {});
    QWidget *last = m_more; // the widget after which the tab order continues
    for (const Item &item : items) {
        auto *chip = new Chip(m_theme, item.text, this);
        connect(chip, &Chip::clicked, this, [this, key = item.key] { Q_EMIT removed(key); });
        setTabOrder(last, chip);
        last = chip;
        m_chips.push_back(chip);
    }
    if (last != m_more)
        setTabOrder(last, m_more);
    setVisible(!items.empty()); // an empty row would still take up space
    arrange();
    updateGeometry();
    if (hadFocus && !m_chips.empty())
        m_chips[std::min(focused, m_chips.size() - 1)]->setFocus(Qt::TabFocusReason);
    for (Chip *chip : old) {
        chip->hide();
        chip->deleteLater(); // one of them may be handling its click
    }
    if (hadFocus && m_chips.empty())
        Q_EMIT focusLost();
}

QSize ChipRow::sizeHint() const
{
    int width = 0, height = m_more->sizeHint().height();
    for (const Chip *chip : m_chips) {
        width += chip->sizeHint().width() + (width > 0 ? m_theme.space(Space::Small) : 0);
        height = std::max(height, chip->sizeHint().height());
    }
    return {width, height};
}

QSize ChipRow::minimumSizeHint() const
{
    return {m_chips.empty() ? 0 : moreWidth(), sizeHint().height()};
}

int ChipRow::moreWidth() const
{
    return m_more->fontMetrics().horizontalAdvance(QStringLiteral("+%1").arg(m_chips.size())) + kMorePadding;
}

void ChipRow::arrange()
{
    const int gap = m_theme.space(Space::Small);
    const auto fit = [&](int room) {
        std::size_t count = 0;
        for (int x = 0; count < m_chips.size(); ++count) {
            x += m_chips[count]->sizeHint().width();
            if (x > room)
                break;
            x += gap;
        }
        return count;
    };
    std::size_t shown = fit(width());
    if (shown < m_chips.size())
        shown = fit(width() - moreWidth() - gap);
    m_hidden = static_cast<int>(m_chips.size() - shown);
    int x = 0;
    const auto place = [&](QWidget *widget) {
        const QSize size = widget == m_more ? QSize(moreWidth(), m_more->sizeHint().height()) : widget->sizeHint();
        const QRect at(x, (height() - size.height()) / 2, size.width(), size.height());
        widget->setGeometry(QStyle::visualRect(layoutDirection(), rect(), at));
        x += size.width() + gap;
    };
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        if (i < shown)
            place(m_chips[i]);
        m_chips[i]->setVisible(i < shown);
    }
    m_more->setText(QStringLiteral("+%1").arg(m_hidden));
    m_more->setAccessibleName(tr("%n more filters", nullptr, m_hidden));
    m_more->setToolTip(plainToolTip(m_more->accessibleName()));
    if (m_hidden > 0)
        place(m_more);
    m_more->setVisible(m_hidden > 0);
}

void ChipRow::fillMenu()
{
    m_more->menu()->clear();
    for (std::size_t i = m_items.size() - static_cast<std::size_t>(m_hidden); i < m_items.size(); ++i) {
        const QString text = plainLine(m_items[i].text, 80).replace(QLatin1Char('&'), QLatin1String("&&"));
        connect(m_more->menu()->addAction(tr("Remove %1", "a filter").arg(text)), &QAction::triggered, this,
                [this, key = m_items[i].key] { Q_EMIT removed(key); });
    }
    m_more->menu()->addSeparator();
    connect(m_more->menu()->addAction(tr("Remove all filters")), &QAction::triggered, this, &ChipRow::allRemoved);
}

void ChipRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace gpuledger::widgets

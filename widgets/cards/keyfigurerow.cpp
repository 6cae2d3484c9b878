// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cards/keyfigurerow.h"

#include <QHBoxLayout>

#include <algorithm>
#include <array>

namespace gpuledger::widgets {

KeyFigureRow::KeyFigureRow(const Theme &theme, int cards, QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    for (int i = 0; i < cards; ++i) {
        m_cards.push_back(new KeyFigureCard(theme, this));
        layout->addWidget(m_cards.back(), 1);
    }
    connect(&theme, &Theme::changed, this, &KeyFigureRow::align);
}

void KeyFigureRow::setFigure(std::size_t card, KeyFigure figure)
{
    m_cards[card]->setFigure(std::move(figure));
    align();
}

void KeyFigureRow::align()
{
    using Look = KeyFigureCard::Look;
    const auto fits = [this](Look look) {
        return std::all_of(m_cards.begin(), m_cards.end(), [look](const auto *card) { return card->fits(look); });
    };
    constexpr std::array kLooks{Look::Large, Look::Small, Look::NoTrend, Look::SmallNoTrend};
    const auto *first = std::find_if(kLooks.begin(), kLooks.end(), fits);
    const Look look = first == kLooks.end() ? Look::SmallestNoTrend : *first;
    for (KeyFigureCard *card : m_cards)
        card->setLook(look);
}

void KeyFigureRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layout()->activate(); // the cards have their new widths
    align();
}

} // namespace gpuledger::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/cards/keyfigurecard.h"

#include <vector>

namespace gpuledger::widgets {

// Cards of equal width beside each other that look alike: if one of them has no room for its sparkline, the figures of
// all become smaller; if that is not enough, none has a sparkline, and all figures are as large as the longest can be.
// Owns its cards; owned by its parent; GUI thread.
class KeyFigureRow : public QWidget {
    Q_OBJECT
public:
    KeyFigureRow(const Theme &theme, int cards, QWidget *parent = nullptr);

    const std::vector<KeyFigureCard *> &cards() const { return m_cards; }
    void setFigure(std::size_t card, KeyFigure figure);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void align();

    std::vector<KeyFigureCard *> m_cards;
};

} // namespace gpuledger::widgets

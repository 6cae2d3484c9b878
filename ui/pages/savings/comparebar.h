// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

class QBoxLayout;

namespace gpuledger::ui {

// The switch of the Compare tab and the filters of the offers: in one line, or in two where there is too little room.
// Owned by its parent; GUI thread.
class CompareBar : public QWidget {
    Q_OBJECT
public:
    CompareBar(const widgets::Theme &theme, QWidget *parent);

    void setParts(QWidget *choice, QWidget *filters); // becomes the owner; once
    QSize minimumSizeHint() const override; // as wide as the wider one of its parts

protected:
    bool event(QEvent *event) override;

private:
    void arrange();

    QBoxLayout *m_layout;
    QWidget *m_choice = nullptr, *m_filters = nullptr;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

class QBoxLayout;

namespace gpuledger::widgets {

// Two groups of inputs in one line, or in two lines where there is too little room. Either may be hidden. Owned by its
// parent; GUI thread.
class InputRow : public QWidget {
    Q_OBJECT
public:
    // Becomes the parent of both. The second gets the rest of the line.
    InputRow(const Theme &theme, QWidget *first, QWidget *second, QWidget *parent = nullptr);

    QSize minimumSizeHint() const override; // as wide as the wider of the two

protected:
    bool event(QEvent *event) override;

private:
    void arrange();

    QBoxLayout *m_layout;
    QWidget *m_first, *m_second;
};

} // namespace gpuledger::widgets

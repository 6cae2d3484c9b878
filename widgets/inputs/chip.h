// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QAbstractButton>

namespace gpuledger::widgets {

// An active filter: its text and a cross. A click, Space, Enter, Delete or Backspace removes it. Owned by its row; GUI
// thread.
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    Chip(const Theme &theme, const QString &text, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    QString m_text;
};

} // namespace gpuledger::widgets

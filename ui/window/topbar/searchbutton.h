// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QPushButton>

namespace gpuledger::ui {

// Opens the palette and looks like its search field: text and shortcut, or only an icon if there is little room. Owned
// by the top bar; GUI thread.
class SearchButton : public QPushButton {
    Q_OBJECT
public:
    explicit SearchButton(const widgets::Theme &theme, QWidget *parent = nullptr);
    void setCompact(bool compact);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString keys() const;

    const widgets::Theme &m_theme;
    QIcon m_icon;
    bool m_compact = false;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QWidget>

#include <vector>

namespace gpuledger::ui {

// The pages at the window's left edge: an icon each, with its name as tool tip. GUI thread; owned by the window.
class NavigationRail : public QWidget {
    Q_OBJECT
public:
    NavigationRail(const widgets::Theme &theme, const std::vector<PageEntry> &pages, QWidget *parent = nullptr);
    void setCurrent(int index);

Q_SIGNALS:
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const widgets::Theme &m_theme;
    QButtonGroup m_buttons;
};

} // namespace gpuledger::ui

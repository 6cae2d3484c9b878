// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "widgets/theme/theme.h"

#include <QButtonGroup>
#include <QWidget>

#include <vector>

class QToolButton;

namespace gpuledger::ui {

class RailButton;

// The pages at the window's left edge: an icon for each, with its name as a tooltip, or beside it if expanded. GUI
// thread; owned by the window.
class NavigationRail : public QWidget {
    Q_OBJECT
public:
    NavigationRail(const widgets::Theme &theme, const std::vector<PageEntry> &pages, QWidget *parent = nullptr);
    void setCurrent(int index);
    void setExpanded(bool expanded);
    bool isExpanded() const { return m_expanded; }
    // A number on a page that needs attention; 0: none. `meaning` is added to its name and its tip: "3 firing".
    void setBadge(int index, int number, const QString &meaning);

    static constexpr int kWidth = 56;
    static constexpr int kExpandedWidth = 200;

Q_SIGNALS:
    void chosen(int index);
    void expandedChanged(bool expanded); // by the user

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void bind(QAbstractButton *button, const QString &icon, const QString &name, const QKeySequence &keys);
    void dress();

    const widgets::Theme &m_theme;
    QButtonGroup m_buttons;
    std::vector<RailButton *> m_pages;
    std::vector<QString> m_names, m_hints; // of the pages, without a badge
    QToolButton *m_toggle;
    bool m_expanded = false;
};

} // namespace gpuledger::ui

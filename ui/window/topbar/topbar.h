// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace gpuledger::ui {

class CostChoiceButton;
class DimensionValues;
class FilterBar;
class SearchButton;
class SyncIndicator;
class TimeChoiceButton;

// The window's upper edge: back and forward, the page's name, the time range, view of cost and filter of all pages, the
// sync, and help.
// Shows the navigator's place and changes it. GUI thread; owned by the window.
class TopBar : public QWidget {
    Q_OBJECT
public:
    TopBar(const WindowContext &context, Navigator &navigator, DimensionValues &values, QWidget *parent = nullptr);
    // Offers what the page uses of the scope.
    void setPage(const QString &title, const Page &page);
    void askForRange();
    void openFilterMenu();

Q_SIGNALS:
    void searchWanted();
    void helpWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QToolButton *step(const QString &icon, const QString &name, const QKeySequence &keys);
    void show();

    const widgets::Theme &m_theme;
    Navigator &m_navigator;
    QToolButton *m_back;
    QToolButton *m_forward;
    QLabel *m_title;
    TimeChoiceButton *m_span;
    CostChoiceButton *m_cost;
    FilterBar *m_filter;
    SearchButton *m_search;
    SyncIndicator *m_sync;
    QToolButton *m_help;
};

} // namespace gpuledger::ui

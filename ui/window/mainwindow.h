// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QMainWindow>

#include <vector>

class QLabel;
class QStackedWidget;

namespace gpuledger::ui {

class NavigationRail;

// The frame: rail, top bar, pages, status. Owns its pages; GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(const PageContext &context, std::vector<PageEntry> pages, QWidget *parent = nullptr);
    // Shows a page by its id; false when there is none of that name.
    bool showPage(const QString &id);
    Page *currentPage() const;

private:
    QWidget *topBar();
    void setCurrent(int index);

    PageContext m_context;
    std::vector<PageEntry> m_pages;
    NavigationRail *m_rail;
    QLabel *m_title;
    QStackedWidget *m_stack;
};

} // namespace gpuledger::ui

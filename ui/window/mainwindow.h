// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/dimensionvalues.h"

#include <QMainWindow>

#include <vector>

class QStackedWidget;

namespace gpuledger::ui {

class NavigationRail;
class TopBar;

// The frame: rail, top bar, pages, status. Owns its pages; GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(const WindowContext &context, std::vector<PageEntry> pages, QWidget *parent = nullptr);
    // Shows a page by its id; false when there is none of that name.
    bool showPage(const QString &id);
    Page *currentPage() const;
    // Opens a link's place; false when there is no page of that name.
    bool open(const Place &place);

private:
    void addPages();
    void addShortcuts();
    int indexOf(const QString &id) const; // -1: none
    Page *pageAt(int index) const;
    // Shows where the navigator is.
    void arrive();

    Navigator m_navigator;
    PageContext m_context;
    std::vector<PageEntry> m_pages;
    DimensionValues m_values;
    NavigationRail *m_rail;
    TopBar *m_topBar;
    QStackedWidget *m_stack;
};

} // namespace gpuledger::ui

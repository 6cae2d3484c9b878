// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/shell/dimensionvalues.h"
#include "ui/viewmodels/shell/windowlayout.h"
#include "ui/window/commands.h"
#include "widgets/theme/theme.h"

#include <QDate>
#include <QJsonObject>
#include <QMainWindow>

#include <vector>

class QStackedWidget;

namespace gpuledger::ui {

class CommandPalette;
class DesktopNotice;
class HelpWindow;
class NavigationRail;
class NoticeBar;
class TopBar;

// The frame: rail, top bar, pages, notices, status. Owns its pages; GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // `start` is one of the pages; without one: the first.
    MainWindow(const WindowContext &context, std::vector<PageEntry> pages, const Place &start = {},
               QWidget *parent = nullptr);
    // Shows a page by its id; false when there is none of that name.
    bool showPage(const QString &id);
    Page *currentPage() const;
    // Opens a link's place; false when there is no page of that name.
    bool open(const Place &place);

    WindowState saveState() const;
    // What can't be used is passed over: a place without its page, a geometry off every screen.
    void restoreState(const WindowState &state);
    void setRailExpanded(bool expanded);
    // How the tables of its pages are arranged, by page.
    QJsonObject tables() const;
    void restoreTables(const QJsonObject &tables);
    NoticeBar &notices() const { return *m_notices; }
    void openPalette();
    // Opens the handbook at the chapter of the page that is shown.
    void showHelp();

Q_SIGNALS:
    // Wishes that reach beyond this window.
    void newWindowWanted();
    void themeWanted(widgets::Theme::Mode mode);
    void heatScaleWanted(widgets::HeatScale scale);
    void railExpandedChanged(bool expanded);
    void stateChanged(); // saveState() is another
    void tablesChanged(); // tables() is another
    void closing();

protected:
    void closeEvent(QCloseEvent *event) override;
    void moveEvent(QMoveEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    // Made when it is first needed: most starts show one.
    Page &pageAt(int index);
    Page *makePage(const PageEntry &entry);
    QDate today() const; // in the zone of the figures
    QWidget *reportBar(); // what is shown, where that is a report
    void addShortcuts();
    void addCommands();
    void bindPalette();
    int indexOf(const QString &id) const; // -1: none
    // Shows where the navigator is.
    void arrive();
    // Puts the focus into the page once that has something to put it on; whoever moved it meanwhile keeps it.
    void focusPage();
    void copyLink();
    void tellOfSync();
    void showSyncDetails(const QString &text);

    Navigator m_navigator;
    PageContext m_context;
    std::vector<PageEntry> m_pages;
    std::vector<Page *> m_made; // in the same order; null: not yet
    QJsonObject m_tables; // as restored, for the pages that are not yet made
    DimensionValues m_values;
    Commands m_commands;
    NavigationRail *m_rail;
    TopBar *m_topBar;
    QStackedWidget *m_stack;
    NoticeBar *m_notices;
    DesktopNotice *m_desktop = nullptr; // made when it is first needed
    HelpWindow *m_help = nullptr; // the same
    CommandPalette *m_palette;
};

} // namespace gpuledger::ui

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

// A main window: rail, top bar, pages, notices and status line. Owns its pages; GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // Starts at `start`, or at the first page if it is empty.
    MainWindow(const WindowContext &context, std::vector<PageEntry> pages, const Place &start = {},
               QWidget *parent = nullptr);
    // Shows a page by its id; returns false if there is no such page.
    bool showPage(const QString &id);
    Page *currentPage() const;
    // Opens a link's place; returns false if there is no such page.
    bool open(const Place &place);

    WindowState saveState() const;
    // Ignores what can't be used: a place without its page, a geometry off every screen.
    void restoreState(const WindowState &state);
    void setRailExpanded(bool expanded);
    // The column layout of the tables of its pages, by page.
    QJsonObject tables() const;
    void restoreTables(const QJsonObject &tables);
    NoticeBar &notices() const { return *m_notices; }
    void openPalette();
    // Opens the handbook at the chapter for the current page.
    void showHelp();

Q_SIGNALS:
    // Requests that concern more than this window.
    void newWindowWanted();
    void themeWanted(widgets::Theme::Mode mode);
    void heatScaleWanted(widgets::HeatScale scale);
    void railExpandedChanged(bool expanded);
    void stateChanged(); // saveState() has a new value
    void tablesChanged(); // tables() has a new value
    void closing();

protected:
    void closeEvent(QCloseEvent *event) override;
    void moveEvent(QMoveEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    // Pages are created on first use, because most starts show only one.
    Page &pageAt(int index);
    Page *makePage(const PageEntry &entry);
    QDate today() const; // in the zone of the figures
    QWidget *reportBar(); // names the report that is shown, if any
    void addShortcuts();
    void addCommands();
    void addPageCommands();
    void bindPalette();
    // Shows a page and lets it do that as soon as it is settled.
    void perform(const QString &page, PageAction action);
    int indexOf(const QString &id) const; // -1: none
    // Shows the navigator's current place.
    void arrive();
    // Moves the focus into the page once the page has a widget for it, unless the user has moved the focus meanwhile.
    void focusPage();
    void copyLink();
    void tellOfSync();
    void showSyncDetails(const QString &text);

    Navigator m_navigator;
    PageContext m_context;
    std::vector<PageEntry> m_pages;
    std::vector<Page *> m_made; // in the same order; null: not created yet
    QJsonObject m_tables; // as restored, for pages that are not created yet
    DimensionValues m_values;
    Commands m_commands;
    NavigationRail *m_rail;
    TopBar *m_topBar;
    QStackedWidget *m_stack;
    NoticeBar *m_notices;
    DesktopNotice *m_desktop = nullptr; // created on first use
    HelpWindow *m_help = nullptr; // created on first use
    CommandPalette *m_palette;
};

} // namespace gpuledger::ui

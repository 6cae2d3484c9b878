// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/device/extraserieslist.h"
#include "ui/viewmodels/shell/navigator.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "ui/viewmodels/sources/loginports.h"
#include "widgets/theme/theme.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <functional>
#include <vector>

namespace gpuledger::widgets {
class DataTable;
}

namespace gpuledger::ui {

// The dependencies of a window; all of them outlive every window.
struct WindowContext {
    services::Workspace &workspace;
    TaskRunner &tasks;
    SyncController &sync;
    const widgets::Theme &theme;
    std::filesystem::path configFile = {}; // may not exist yet; empty: the configuration is not a file (the demo fleet)
    // Starts another instance of this program with these arguments; returns false on failure. May be empty.
    std::function<bool(const QStringList &arguments)> startAnother = {};
    // Opens an address from the configuration outside this program. If empty, nothing that needs it is offered.
    std::function<bool(const QUrl &address)> openAddress = {};
    ExtraSeriesList *extraSeries = nullptr; // null: a page keeps its own
    // For a read-only report file that is shown: its name for the title, and a sentence describing it. Empty: none.
    QString reportName = {}, reportText = {};
    LoginPorts logins = {}; // empty: no source runs a program
};

// The dependencies of a page: the window's context, and its navigator. All of them outlive the page.
struct PageContext : WindowContext {
    Navigator &navigator;
};

// A message from a page, shown below it until dismissed. Plain text, translated.
struct PageNotice {
    QString key; // a newer notice replaces the older one with the same key
    bool isWarning = false;
    QString text; // empty: the older notice only goes
    QString action; // label of a button; empty: none
    std::function<void()> run; // the action of the button
    QString desktop{}; // text of a desktop notification while no window is active; empty: none
};

// What the palette can ask a page to do.
enum class PageAction {
    Present, // the statements, in full screen
    IdleRule, // opens the rule by which a workload is idle
    WorstIdle, // selects the most expensive idle workload
    OwnerRules // moves to the owner rules
};

// A page of the window. Owned by its stack; GUI thread.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    // Sets the time range, filter and view of cost of all pages. A hidden page stores them and queries when it is
    // shown.
    virtual void setScope(const Scope &scope) = 0;
    // False: the page does not use the scope, and it is not offered there.
    virtual bool usesScope() const { return true; }
    // False: the page shows no cost, or only one view of it.
    virtual bool usesCostView() const { return usesScope(); }
    // The place inside the page (drill-down, choices, selection) and the way back to it. Unknown keys are ignored; the
    // keys belong to the page.
    virtual QUrlQuery place() const { return {}; }
    virtual void restore(const QUrlQuery &) { }
    // Goes one step out of a drill-down (Escape). Returns false if there is none.
    virtual bool goBack() { return false; }
    // Called once the page is settled. Returns false if it can't do that now.
    virtual bool perform(PageAction) { return false; }
    // Asks for a file for the table that has the focus, or else the first one; returns false if there is none.
    bool exportTable();
    // True once the page shows its answer: the keyboard and commands wait for it.
    virtual bool settled() const = 0;
    // True once nothing is loading, also what a settled page adds later: screenshots wait for it.
    virtual bool complete() const { return settled(); }
    // Queries its data again after a sync.
    virtual void refresh() = 0;
    // An inactive page sends no queries. Follows from showing and hiding; the window activates the page that it is
    // about to show, so that the query is running while the rest is set up.
    virtual void setActive(bool active) = 0;

    // Gets the focus when the page is opened; may be null. Not a focus proxy: Tab would skip everything before it.
    QWidget *mainControl() const { return m_mainControl; }
    // The layout of its tables: columns, widths, order. Preserved across restarts; unreadable parts are ignored.
    QJsonObject tables() const;
    void restoreTables(const QJsonObject &tables);

Q_SIGNALS:
    void settledChanged();
    void noticeWanted(const PageNotice &notice);
    void placeChanged(); // the user changed place(): a step that can be undone
    void tablesChanged(); // tables() has changed

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void setMainControl(QWidget *control) { m_mainControl = control; }
    // The key belongs to the page and must be stable.
    void rememberTable(const QString &key, widgets::DataTable *table);

private:
    struct Remembered {
        QString key;
        widgets::DataTable *table;
    };
    QWidget *m_mainControl = nullptr;
    std::vector<Remembered> m_tables;
    bool m_restoringTables = false;
};

// The registration of a page: its name, icon and factory.
struct PageEntry {
    QString id; // in links and on the command line: "heatmap"
    QString title; // for people
    QString icon; // of resources/icons
    QString chapter; // of the handbook, below docs: "pages/heatmap.md"
    std::function<Page *(const PageContext &, QWidget *parent)> create;
    bool isOnRail = true; // false: reached from other pages only; such pages come last
};

} // namespace gpuledger::ui

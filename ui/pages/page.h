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

// What a window is built from; all of it outlives every window.
struct WindowContext {
    services::Workspace &workspace;
    TaskRunner &tasks;
    SyncController &sync;
    const widgets::Theme &theme;
    std::filesystem::path configFile = {}; // may not exist yet; empty: the configuration is no file (the demo fleet)
    // Starts this program once more with these arguments; false: it could not. May be empty.
    std::function<bool(const QStringList &arguments)> startAnother = {};
    // Opens an address of the configuration outside of this program. Empty: nothing that needs it is offered.
    std::function<bool(const QUrl &address)> openAddress = {};
    ExtraSeriesList *extraSeries = nullptr; // null: a page keeps its own
    // Of a report file that is shown, read-only: its name for the title, and the sentence that says what it is. Empty:
    // none.
    QString reportName = {}, reportText = {};
    LoginPorts logins = {}; // empty: no source runs a program
};

// What a page is built from: the same, and the way through its window. All of it outlives the page.
struct PageContext : WindowContext {
    Navigator &navigator;
};

// Something that a page tells below it, until it is dismissed. Plain text, translated.
struct PageNotice {
    QString key; // a newer notice takes the place of the older one with the same key
    bool isWarning = false;
    QString text;
    QString action; // of a button; empty: none
    std::function<void()> run; // what the button does
    QString desktop{}; // what the desktop tells while no window is looked at; empty: nothing
};

// A page of the window. Owned by its stack; GUI thread.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    // The time range and filter of all pages. A hidden page remembers them and asks when it is shown.
    virtual void setScope(const Scope &scope) = 0;
    // False: the page looks at none of it, and it is not offered there.
    virtual bool usesScope() const { return true; }
    // Where one is inside of the page (drill-down, choices, selection) and the way back to there. Unknown keys are
    // ignored; the keys belong to the page.
    virtual QUrlQuery place() const { return {}; }
    virtual void restore(const QUrlQuery &) { }
    // One step out of a drill-down (Escape). False: there is none.
    virtual bool goBack() { return false; }
    // True once nothing is being loaded: pictures wait for it.
    virtual bool settled() const = 0;
    // Asks for its data again after a sync.
    virtual void refresh() = 0;
    // A page that is not looked at asks nothing. Follows from showing and hiding; the window wakes the page that it is
    // about to show, so that the answer is on its way while the rest is made.
    virtual void setActive(bool active) = 0;

    // What takes the focus when the page is opened; may be null. No focus proxy: Tab would jump over all before it.
    QWidget *mainControl() const { return m_mainControl; }
    // How its tables are arranged: columns, widths, order. Kept over restarts; unreadable parts change nothing.
    QJsonObject tables() const;
    void restoreTables(const QJsonObject &tables);

Q_SIGNALS:
    void settledChanged();
    void noticeWanted(const PageNotice &notice);
    void placeChanged(); // place() is another one by the user's doing: a step that can be taken back
    void tablesChanged(); // tables() is another one

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void setMainControl(QWidget *control) { m_mainControl = control; }
    // The key belongs to the page and lasts.
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

struct PageEntry {
    QString id; // in links and on the command line: "heatmap"
    QString title; // for people
    QString icon; // of resources/icons
    QString chapter; // of the handbook, below docs: "pages/heatmap.md"
    std::function<Page *(const PageContext &, QWidget *parent)> create;
    bool isOnRail = true; // false: reached from what other pages show; such pages come last
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace.h"
#include "ui/viewmodels/synccontroller.h"
#include "ui/viewmodels/taskrunner.h"
#include "widgets/theme/theme.h"

#include <QString>
#include <QWidget>

#include <functional>

namespace gpuledger::ui {

// What a page is built from; all of it outlives every page.
struct PageContext {
    services::Workspace &workspace;
    TaskRunner &tasks;
    SyncController &sync;
    const widgets::Theme &theme;
};

// A page of the window. Owned by its stack; GUI thread.
class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    // Steps inside of the page (drill-downs) come before steps between pages. False: there is none.
    virtual bool goBack() { return false; }
    // True once nothing is being loaded: pictures wait for it.
    virtual bool settled() const = 0;
    // Asks for its data again after a sync.
    virtual void refresh() = 0;

Q_SIGNALS:
    void settledChanged();
};

struct PageEntry {
    QString id; // in links and on the command line: "heatmap"
    QString title; // for people
    QString icon; // of resources/icons
    std::function<Page *(const PageContext &, QWidget *parent)> create;
};

} // namespace gpuledger::ui

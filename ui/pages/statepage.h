// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/shell/latestquery.h"

namespace gpuledger::widgets {
class StatePanel;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

// A page whose content has the five states of its view model: first run, loading, data, empty, error. GUI thread.
class StatePage : public Page {
    Q_OBJECT
protected:
    StatePage(const PageContext &context, QWidget *parent);

    // The panel around the content, with the buttons of its messages connected. Call one of the two once, in the
    // constructor: setContent() lets the panel fill the page, within its margins.
    void makePanel(QWidget *content);
    void setContent(QWidget *content);
    // Shows the state on the panel; to be called whenever it changed.
    void showState();

    virtual PageState state() const = 0;
    virtual void showData() = 0;
    virtual void showEmpty() = 0;
    virtual void showError() = 0;
    virtual void stateShown() { } // for what follows the state outside the panel
    // The main button of the message: of an error, and of an empty page.
    virtual void tryAgain() { refresh(); }
    virtual void resolveEmpty() { tryAgain(); }

private:
    void showFirstSync();

protected:
    const PageContext m_context;
    widgets::StatePanel *m_panel = nullptr;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/viewmodels/savings/scenariosviewmodel.h"

#include <QPointer>
#include <QPushButton>

class QMenu;

namespace gpuledger::ui {

class ScenarioDialog;

// Names the saved assumptions in use; its menu chooses others, saves those of the page, or deletes some. In a report it
// only chooses. Owned by its parent; theme and view model must outlive it; GUI thread.
class ScenarioButton : public QPushButton {
    Q_OBJECT
public:
    ScenarioButton(const widgets::Theme &theme, ScenariosViewModel &model, QWidget *parent = nullptr);

    void showCurrent();
    QPointer<ScenarioDialog> dialog() const { return m_dialog; }

Q_SIGNALS:
    void noticeWanted(const PageNotice &notice);

private:
    void fill();
    void choose(const QString &name);
    void askForName();
    void askToDelete(const QString &name);
    void tell(const QString &text, bool isWarning);

    const widgets::Theme &m_theme;
    ScenariosViewModel &m_model;
    QPointer<ScenarioDialog> m_dialog;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/savings/scenariosviewmodel.h"
#include "widgets/theme/theme.h"

#include <QPointer>
#include <QWidget>

#include <vector>

class QPushButton;

namespace gpuledger::ui {

class AssumptionPopup;
class ScenarioButton;

// What the shown proposals rest on, as buttons that open an editor each, with a button that resets them; before them
// the one for saved scenarios. They wrap into lines. Owned by its parent; theme and view models must outlive it; GUI
// thread.
class SavingsAssumptions : public QWidget {
    Q_OBJECT
public:
    SavingsAssumptions(const widgets::Theme &theme, SavingsViewModel &model, ScenariosViewModel &scenarios,
                       QWidget *parent = nullptr);

    void showValues();
    const std::vector<QPushButton *> &buttons() const { return m_buttons; }
    ScenarioButton *scenarios() const { return m_scenarios; }
    QPushButton *resetButton() const { return m_reset; }
    QPointer<AssumptionPopup> popup() const { return m_popup; }
    bool isEditing() const { return m_isEditing; }

Q_SIGNALS:
    void editingEnded();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void open(const savings::AssumptionSpec &spec, const QPushButton &button);
    void arrange();

    const widgets::Theme &m_theme;
    SavingsViewModel &m_model;
    ScenariosViewModel &m_saved;
    std::vector<const savings::AssumptionSpec *> m_shown;
    std::vector<QPushButton *> m_buttons; // as m_shown
    ScenarioButton *m_scenarios;
    QPushButton *m_reset;
    QPointer<AssumptionPopup> m_popup;
    bool m_isEditing = false; // the popup is open
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/statepage.h"
#include "ui/viewmodels/alerts/alertsviewmodel.h"

class QStackedWidget;

namespace gpuledger::widgets {
class SegmentedSwitch;
}

namespace gpuledger::ui {

class AlertEditor;
class AlertList;
class DeliveryPanel;
class FiringList;

// The alert rules with their states, what fires and what to do about it, the editor of a rule with its replay, and what
// was delivered. Layout and bindings only: the state is in the view model.
class AlertsPage : public StatePage {
    Q_OBJECT
public:
    AlertsPage(const PageContext &context, QWidget *parent = nullptr);
    // With other answers than the workspace's, for tests.
    AlertsPage(const PageContext &context, AlertsDesk desk, QWidget *parent = nullptr);

    void setScope(const Scope &) override { } // rules have scopes of their own
    bool usesScope() const override { return false; }
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool settled() const override;
    bool complete() const override;
    void refresh() override { m_model.refresh(); }
    void setActive(bool active) override { m_model.setActive(active); }

    AlertsViewModel &model() { return m_model; }
    AlertList *rules() const { return m_rules; }
    FiringList *firing() const { return m_firing; }
    AlertEditor *editor() const { return m_editor; }
    DeliveryPanel *delivery() const { return m_delivery; }

private:
    QWidget *tabs();
    QWidget *rulesView();
    void bind();
    void showTab(bool delivery);
    void showCurrent();
    void showWanted();
    void tellSaved();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    void resolveEmpty() override;

    AlertsViewModel m_model;
    widgets::SegmentedSwitch *m_tabs = nullptr;
    QStackedWidget *m_stack = nullptr; // the rules, or delivery
    AlertList *m_rules = nullptr;
    FiringList *m_firing = nullptr;
    AlertEditor *m_editor = nullptr;
    DeliveryPanel *m_delivery = nullptr;
    bool m_restoring = false;
};

} // namespace gpuledger::ui

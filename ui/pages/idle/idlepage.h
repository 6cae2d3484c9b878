// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/statepage.h"
#include "ui/viewmodels/idle/idleviewmodel.h"
#include "ui/viewmodels/idle/waitingviewmodel.h"

class QLabel;
class QMenu;
class QStackedWidget;

namespace gpuledger::widgets {
class DataTable;
class SegmentedSwitch;
} // namespace gpuledger::widgets

namespace gpuledger::ui {

class IdleEvidencePanel;
class IdleSelectionBar;
class IdleStop;
class IdleWaiting;
class WaitingPanel;

// The idle workloads that cost money, their owners, how certain that is, and the jobs waiting for their GPUs. Layout
// and bindings only: the state is in the view model.
class IdlePage : public StatePage {
    Q_OBJECT
public:
    IdlePage(const PageContext &context, QWidget *parent = nullptr);

    void setScope(const Scope &scope) override;
    QUrlQuery place() const override;
    void restore(const QUrlQuery &place) override;
    bool perform(PageAction action) override;
    bool settled() const override;
    void refresh() override;
    void setActive(bool active) override;

private:
    QWidget *listCard();
    QWidget *header();
    QWidget *idleView();
    void bind();
    void bindWaiting();
    void bindRowButtons();
    void showWaiting(bool waiting);
    void showTitle();
    QString oldReason() const;
    void showIdle(const QString &idle);
    void tellHidden(int workloads);
    void tick(const QStringList &idle);
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override;
    void showError() override;
    void tryAgain() override { m_model.refresh(); }
    void resolveEmpty() override { m_model.showUnknown(); }
    void showRow();
    void showTotals();
    void openHeatmap();
    void askToStop();
    void openRule();
    void addRowActions(QMenu *menu, const QString &row);

    IdleViewModel m_model;
    WaitingViewModel m_waits;
    widgets::DataTable *m_table = nullptr;
    widgets::SegmentedSwitch *m_grouping = nullptr, *m_view = nullptr;
    QStackedWidget *m_views = nullptr, *m_panels = nullptr; // the lists, and what is beside each
    IdleWaiting *m_waiting = nullptr;
    IdleEvidencePanel *m_evidence = nullptr;
    WaitingPanel *m_waitingPanel = nullptr;
    QLabel *m_title = nullptr, *m_subtitle = nullptr;
    IdleSelectionBar *m_selection = nullptr;
    IdleStop *m_stopping = nullptr;
    bool m_restoring = false, m_isActive = false;
    bool m_isRuleWanted = false; // before the list was read
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Idle page that changes between its two lists: what is idle, and what waits for it.
#include "ui/pages/idle/idleevidencepanel.h"
#include "ui/pages/idle/idlepage.h"
#include "ui/pages/idle/idlewaiting.h"
#include "ui/pages/idle/waitingpanel.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QStackedWidget>

namespace gpuledger::ui {

namespace {

constexpr QLatin1String kIdleList("idle"), kWaitingList("waiting"); // keys of the switch
constexpr QLatin1String kTickNotice("idle-tick"); // key of a notice

} // namespace

void IdlePage::bindWaiting()
{
    connect(&m_waits, &WaitingViewModel::changed, this, [this] {
        m_waitingPanel->showRow(m_waiting->table()->currentRowId());
        showTitle();
        Q_EMIT settledChanged();
    });
    connect(m_view, &widgets::SegmentedSwitch::chosen, this, [this](const QString &key) {
        showWaiting(key == kWaitingList);
        if (!m_restoring)
            Q_EMIT placeChanged();
    });
    connect(m_waiting, &IdleWaiting::tickRequested, this, &IdlePage::tick);
    connect(m_waiting, &IdleWaiting::rowChanged, m_waitingPanel, &WaitingPanel::showRow);
    connect(m_waitingPanel, &WaitingPanel::idleRequested, this, &IdlePage::showIdle);
    connect(m_panel, &widgets::StatePanel::secondActionTriggered, this, [this](widgets::StatePanel::State state) {
        if (state == widgets::StatePanel::State::Empty)
            m_view->setCurrentKey(kWaitingList);
    });
}

// The queues are not queried until the user wants to see them.
void IdlePage::showWaiting(bool waiting)
{
    m_views->setCurrentIndex(waiting ? 1 : 0);
    m_panels->setCurrentIndex(waiting ? 1 : 0);
    m_grouping->setVisible(!waiting);
    setMainControl(waiting ? m_waiting->table() : m_table);
    m_waits.setActive(m_isActive && waiting);
    showState();
    showTitle();
}

void IdlePage::showIdle(const QString &idle)
{
    m_view->setCurrentKey(kIdleList);
    m_model.setCurrent(idle);
    m_table->setFocus();
    if (!m_model.idleOf(idle))
        tellHidden(1);
}

// Other idle workloads would serve a waiting job than those of this list.
void IdlePage::tellHidden(int workloads)
{
    Q_EMIT noticeWanted(
        {kTickNotice,
         true,
         tr("%n idle workload(s) that would serve it are not in this list: remove the filter.", nullptr, workloads),
         {},
         {}});
}

void IdlePage::tick(const QStringList &idle)
{
    m_model.table().clearChecked();
    m_model.table().setChecked(idle, true);
    m_view->setCurrentKey(kIdleList);
    m_table->setFocus();
    const QStringList ticked = m_model.table().checkedIds();
    if (!ticked.isEmpty())
        m_model.setCurrent(ticked.front());
    if (const auto others = idle.size() - ticked.size(); others > 0)
        tellHidden(static_cast<int>(others));
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/statepage.h"

#include "ui/pages/firstrun.h"
#include "widgets/state/statepanel.h"

#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::StatePanel;

StatePage::StatePage(const PageContext &context, QWidget *parent)
    : Page(parent)
    , m_context(context)
{
}

void StatePage::makePanel(QWidget *content)
{
    m_panel = new StatePanel(m_context.theme, content);
    bindFirstRun(*m_panel, m_context);
    connect(m_panel, &StatePanel::actionTriggered, this, [this](StatePanel::State state) {
        if (state == StatePanel::State::Empty)
            resolveEmpty();
        else if (state != StatePanel::State::FirstRun)
            tryAgain();
    });
    connect(&m_context.sync, &SyncController::runningChanged, this, &StatePage::showFirstSync);
    connect(&m_context.sync, &SyncController::progressChanged, this, &StatePage::showFirstSync);
}

void StatePage::setContent(QWidget *content)
{
    makePanel(content);
    const int side = m_context.theme.space(widgets::Space::Large);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(side, side, side, side);
    outer->addWidget(m_panel);
}

// When the sync has ended, its progress stays until the page has queried what it brought.
void StatePage::showFirstSync()
{
    if (state() == PageState::FirstRun && m_context.sync.running())
        showFirstRun(*m_panel, m_context);
}

void StatePage::showState()
{
    switch (state()) {
    case PageState::FirstRun:
        showFirstRun(*m_panel, m_context);
        break;
    case PageState::Loading:
        m_panel->showLoading();
        break;
    case PageState::Data:
        showData();
        break;
    case PageState::Empty:
        showEmpty();
        break;
    case PageState::Error:
        showError();
        break;
    }
    stateShown();
    Q_EMIT settledChanged();
}

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/synccontroller.h"
#include "widgets/theme/theme.h"

#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

class QLabel;

namespace gpuledger::ui {

// The sync at the right of the top bar: a button that starts it (F5); while one is running, its progress and a cancel
// button. GUI thread; owned by its parent.
class SyncIndicator : public QWidget {
    Q_OBJECT
public:
    SyncIndicator(const widgets::Theme &theme, SyncController &sync, QWidget *parent = nullptr);

    // Without text, which is then in the tooltip.
    void setCompact(bool compact);

private:
    void update();

    SyncController &m_sync;
    QLabel *m_text;
    QProgressBar *m_bar;
    QToolButton *m_cancel;
    QToolButton *m_start;
    bool m_compact = false;
};

} // namespace gpuledger::ui

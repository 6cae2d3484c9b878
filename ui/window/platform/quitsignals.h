// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace gpuledger::ui {

// Turns the first TERM, INT or HUP (end of the session, Ctrl-C, closed terminal) into asked(), so that the window's
// state is saved and the cache is closed. The next start of a cache that was not closed first checks it, which takes up
// to 1.5 s. A second signal ends the process at once. Signals that were ignored at the start (nohup) stay ignored. At
// most one object exists at a time. GUI thread.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject *parent = nullptr);
    ~QuitSignals() override; // restores the default actions

Q_SIGNALS:
    void asked();

private:
    void read();

    int m_event = -1; // written by the handler; -1: none was available, and the default actions stay
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/mainwindow.h"

#include <QObject>
#include <QSize>
#include <QTimer>

namespace gpuledger::ui {

// Renders one page of the real window to a PNG file once it has its data, then ends the program with 0, or with 1 and a
// message on stderr. Owned by its caller; GUI thread.
class PictureTaker : public QObject {
    Q_OBJECT
public:
    PictureTaker(MainWindow &window, QString file, QSize size, QObject *parent = nullptr);
    void start();

private:
    void tryTaking();
    void give(int status);

    MainWindow &m_window;
    QString m_file;
    QSize m_size;
    QTimer m_quiet; // the page must stay settled for a moment, until skeletons and layouts are stable
    QTimer m_limit;
    bool m_wasComplete = false;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

namespace gpuledger::widgets {

// "Reading …" above what is still shown while a newer answer is on its way; only where that takes a while, so that
// quick answers do not flash. Lets the mouse through. Owned by the parent, which it lies on; GUI thread.
class BusySign : public QWidget {
    Q_OBJECT
public:
    BusySign(const Theme &theme, QWidget *parent);

    void setBusy(bool busy);

    static constexpr int kDelay = 300; // ms

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override; // the parent's size

private:
    void appear();
    void place();

    const Theme &m_theme;
    const QString m_text;
    QTimer m_soon;
};

} // namespace gpuledger::widgets

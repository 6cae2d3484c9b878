// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QTimer>
#include <QWidget>

namespace gpuledger::widgets {

// Shows "Reading…" on top of the current content while a newer answer is loading, after a delay, so that quick answers
// do not flash. Transparent to the mouse. Owned by the parent that it covers; GUI thread.
class BusySign : public QWidget {
    Q_OBJECT
public:
    BusySign(const Theme &theme, QWidget *parent);

    void setBusy(bool busy);

    static constexpr int kDelay = 300; // ms

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override; // follows the parent's size

private:
    void appear();
    void place();

    const Theme &m_theme;
    const QString m_text;
    QTimer m_soon;
};

} // namespace gpuledger::widgets

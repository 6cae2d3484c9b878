// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace gpuledger::ui {

// Says above every page that a damaged cache was set aside and what of it is missing, until somebody confirms it; can't
// be dismissed. Owned by the window; GUI thread.
class DamageBar : public QWidget {
    Q_OBJECT
public:
    DamageBar(const WindowContext &context, QWidget *parent = nullptr);

private:
    void refresh();
    void confirm();

    const WindowContext m_context;
    QLabel *m_text;
    QPushButton *m_seen;
};

} // namespace gpuledger::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "ui/window/bars/alertbar.h"

namespace gpuledger::ui {

// Reports above every page that a damaged cache was set aside and what is missing from it, until the user confirms it
// in any window; it cannot be dismissed. Owned by the window; GUI thread.
class DamageBar : public AlertBar {
    Q_OBJECT
public:
    DamageBar(const WindowContext &context, QWidget *parent = nullptr);

private:
    void refresh();
    void confirm();

    const WindowContext m_context;
    QString m_problem; // why it could not be confirmed
    bool m_isAsking = false;
};

} // namespace gpuledger::ui

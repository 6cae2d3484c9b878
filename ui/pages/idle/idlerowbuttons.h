// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/idle/idleviewmodel.h"
#include "widgets/theme/theme.h"

#include <QWidget>

class QPushButton;

namespace gpuledger::ui {

// What can be done about the current idle workload short of stopping it: snooze it, protect it, or tell its owner.
// Owned by its parent; theme and view model must outlive it; GUI thread.
class IdleRowButtons : public QWidget {
    Q_OBJECT
public:
    IdleRowButtons(const widgets::Theme &theme, const IdleViewModel &model, QWidget *parent = nullptr);

    void showCurrent(); // hidden without an idle workload

Q_SIGNALS:
    void leaveAloneRequested(model::Lease::Kind kind);
    void endOfLeaseRequested(std::int64_t lease);
    void ownerMessageRequested();

private:
    void press(model::Lease::Kind kind);
    const model::Lease *leaseOf(model::Lease::Kind kind) const; // of the current workload; null: none

    const IdleViewModel &m_model;
    QPushButton *m_snooze, *m_protect, *m_tell;
};

} // namespace gpuledger::ui

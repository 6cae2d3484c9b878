// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/alerts/alertlist.h"
#include "ui/pages/page.h"
#include "ui/viewmodels/alerts/alertsviewmodel.h"

class QMenu;

namespace gpuledger::ui {

class IdleStop;

// What fires, with what can be done about it: show the page that settles it, open the Stop dialog for what costs most
// in that scope, silence, acknowledge. Owned by its page; the view model must outlive it; GUI thread.
class FiringList : public AlertList {
    Q_OBJECT
public:
    FiringList(const PageContext &context, AlertsViewModel &model, QWidget *page);

    IdleStop *stopping() const { return m_stopping; }

Q_SIGNALS:
    void noticeWanted(const PageNotice &notice);

private:
    void bind();
    void showButtons();
    void addActions(QMenu *menu, const QString &row);
    bool canStop(const QString &row) const;
    void show(const QString &row);
    void silence(const QString &row);
    void stop(const insight::IdleList &list);
    void tell(const QString &sentence, bool isWarning);

    const PageContext m_context;
    AlertsViewModel &m_model;
    IdleStop *m_stopping;
    QPushButton *m_show, *m_stop, *m_silence, *m_acknowledge;
};

} // namespace gpuledger::ui

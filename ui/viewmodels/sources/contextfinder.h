// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/loginports.h"

#include <QObject>
#include <QStringList>

#include <optional>

namespace gpuledger::ui {

// The contexts of the kubeconfig that is typed right now; read on a worker, late answers are dropped. Owned by a
// view-model; GUI thread.
class ContextFinder : public QObject {
    Q_OBJECT
public:
    // `contexts` null: there are none, ever. Both must outlive it.
    ContextFinder(TaskRunner &tasks, const ports::KubeContexts *contexts, QObject *parent = nullptr);

    // Looks into another file; empty: the usual ones.
    void look(const QString &kubeconfig);
    // Of the last file; empty while it is read.
    const QStringList &names() const { return m_names; }
    const QString &current() const { return m_current; }
    // Why it can't be read, as a sentence; empty: it can, or nobody knows yet.
    const QString &problem() const { return m_problem; }

Q_SIGNALS:
    void changed();

private:
    void take();

    const ports::KubeContexts *m_contexts;
    std::optional<QString> m_file;
    QStringList m_names;
    QString m_current, m_problem;
    LatestQuery<ports::KubeContextNames> m_asker;
};

} // namespace gpuledger::ui

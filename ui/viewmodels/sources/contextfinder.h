// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/latestquery.h"
#include "ui/viewmodels/sources/loginports.h"

#include <QObject>
#include <QStringList>

#include <optional>

namespace gpuledger::ui {

// Lists the contexts of the kubeconfig that is being typed; reads it on a worker and drops late answers. Owned by a
// view-model; GUI thread.
class ContextFinder : public QObject {
    Q_OBJECT
public:
    // Null `contexts`: no contexts are ever found. Both must outlive this object.
    ContextFinder(TaskRunner &tasks, const ports::KubeContexts *contexts, QObject *parent = nullptr);

    // Reads another file; empty: kubectl's default files.
    void look(const QString &kubeconfig);
    // The contexts of the last file; empty while it is being read.
    const QStringList &names() const { return m_names; }
    const QString &current() const { return m_current; }
    // Why the file can't be read, as a sentence; empty if it can, or while it is being read.
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

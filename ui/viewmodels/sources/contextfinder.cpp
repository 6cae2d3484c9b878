// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/sources/contextfinder.h"

#include "ui/format/local/localtext.h"

namespace gpuledger::ui {

namespace {

QString sentenceOf(const base::Error &error, bool isUsual)
{
    using Code = base::ErrorCode;
    if (error.code == Code::NotFound)
        return isUsual ? ContextFinder::tr("There is no kubeconfig in the usual place")
                       : ContextFinder::tr("There is no such file");
    return error.code == Code::InvalidConfig ? ContextFinder::tr("That isn't a readable kubeconfig")
                                             : LocalText::sentence(error);
}

} // namespace

ContextFinder::ContextFinder(TaskRunner &tasks, const ports::KubeContexts *contexts, QObject *parent)
    : QObject(parent)
    , m_contexts(contexts)
    , m_asker(tasks, this, [this] { take(); })
{
}

void ContextFinder::look(const QString &kubeconfig)
{
    const QString file = kubeconfig.trimmed();
    if (!m_contexts || m_file == file)
        return;
    m_file = file;
    m_names.clear();
    m_current.clear();
    m_problem.clear();
    m_asker.ask([contexts = m_contexts,
                 path = file.toStdString()](const std::stop_token &) -> LatestQuery<ports::KubeContextNames>::Answer {
        auto names = contexts->of(path);
        GPULEDGER_TRY(names);
        return std::make_shared<const ports::KubeContextNames>(std::move(*names));
    });
    Q_EMIT changed();
}

void ContextFinder::take()
{
    m_names.clear();
    m_current.clear();
    m_problem.clear();
    if (m_asker.error()) {
        m_problem = sentenceOf(*m_asker.error(), m_file->isEmpty());
    } else {
        for (const std::string &name : m_asker.snapshot()->all)
            m_names << QString::fromStdString(name);
        m_current = QString::fromStdString(m_asker.snapshot()->current);
    }
    Q_EMIT changed();
}

} // namespace gpuledger::ui

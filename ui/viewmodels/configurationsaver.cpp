// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/configurationsaver.h"

#include "app/services/config.h"
#include "ui/format/localtext.h"

#include <utility>

namespace gpuledger::ui {

using base::Result;

namespace {

Result<void> change(services::Workspace &workspace, const std::filesystem::path &file,
                    const ConfigurationSaver::Change &change)
{
    GPULEDGER_TRY(change(file));
    auto settings = services::readConfigFile(file);
    GPULEDGER_TRY(settings);
    return workspace.apply(std::move(*settings));
}

} // namespace

ConfigurationSaver::ConfigurationSaver(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                                       std::filesystem::path file, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_tasks(tasks)
    , m_sync(sync)
    , m_file(std::move(file))
{
}

void ConfigurationSaver::save(Change wanted)
{
    if (m_saving)
        return;
    m_saving = true;
    Q_EMIT changed();
    m_sync.cancel(); // the workspace waits for it
    m_tasks.run<Result<void>>(
        this,
        [workspace = &m_workspace, file = m_file, wanted = std::move(wanted)](std::stop_token) {
            return change(*workspace, file, wanted);
        },
        [this](const Result<void> &answer) { finish(answer); });
}

void ConfigurationSaver::finish(const Result<void> &answer)
{
    m_saving = false;
    Q_EMIT changed();
    if (!answer) {
        m_sync.start();
        Q_EMIT failed(LocalText::sentence(answer.error()));
        return;
    }
    m_sync.takeConfiguration();
    Q_EMIT saved();
}

} // namespace gpuledger::ui

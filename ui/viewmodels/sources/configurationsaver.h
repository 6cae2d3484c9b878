// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <filesystem>
#include <functional>

namespace gpuledger::services {
class ConfigService;
class SourceService;
} // namespace gpuledger::services

namespace gpuledger::ui {

// Changes the configuration file and applies it, off the GUI thread. A running sync is cancelled and
// started again afterwards. Owned by a view-model; GUI thread.
class ConfigurationSaver : public QObject {
    Q_OBJECT
public:
    using Change =
        std::function<base::Result<services::FileChange>(const std::filesystem::path &file)>; // runs on a worker

    // All but the path must outlive this object.
    ConfigurationSaver(services::ConfigService &config, services::SourceService &sources, TaskRunner &tasks,
                       SyncController &sync, std::filesystem::path file, QObject *parent = nullptr);

    const std::filesystem::path &file() const { return m_file; }
    bool isSaving() const { return m_saving; }
    // Ignored while another change is being saved.
    void save(Change change);
    void save(services::TextChange change);
    // Restores the file's contents from before a change.
    void undo(const services::FileChange &change);
    // Applies the file in its current state.
    void reload();
    // The effect of the last save on the file.
    const services::FileChange &lastChange() const { return m_lastChange; }

Q_SIGNALS:
    void changed(); // isSaving()
    void saved(); // and in use
    // The file is unchanged. `isOtherNow`: it was changed elsewhere since it was read.
    void failed(const QString &sentence, bool isOtherNow);

private:
    void finish(base::Result<services::FileChange> answer);

    services::ConfigService &m_config;
    services::SourceService &m_sources;
    TaskRunner &m_tasks;
    SyncController &m_sync;
    const std::filesystem::path m_file;
    services::FileChange m_lastChange;
    bool m_saving = false;
};

} // namespace gpuledger::ui

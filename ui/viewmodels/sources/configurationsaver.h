// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"
#include "app/services/workspace/workspace.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QObject>

#include <filesystem>
#include <functional>

namespace gpuledger::ui {

// Changes the configuration file and lets the workspace take it, all off the GUI thread; a sync that runs is stopped
// for it and begins again. Owned by a view-model; GUI thread.
class ConfigurationSaver : public QObject {
    Q_OBJECT
public:
    using Change =
        std::function<base::Result<services::FileChange>(const std::filesystem::path &file)>; // runs on a worker

    // All but the path must outlive it.
    ConfigurationSaver(services::Workspace &workspace, TaskRunner &tasks, SyncController &sync,
                       std::filesystem::path file, QObject *parent = nullptr);

    const std::filesystem::path &file() const { return m_file; }
    bool isSaving() const { return m_saving; }
    // One at a time: nothing happens while another is being saved.
    void save(Change change);
    // Changes the file's text.
    void save(services::TextChange change);
    // Puts the bytes back that were there before a change.
    void undo(const services::FileChange &change);
    // Takes the file as it is now.
    void reload();
    // What the last save did.
    const services::FileChange &lastChange() const { return m_lastChange; }

Q_SIGNALS:
    void changed(); // isSaving()
    void saved(); // and in use
    // The file is as it was. `isOtherNow`: somebody else changed it since it was read.
    void failed(const QString &sentence, bool isOtherNow);

private:
    void finish(base::Result<services::FileChange> answer);

    services::Workspace &m_workspace;
    TaskRunner &m_tasks;
    SyncController &m_sync;
    const std::filesystem::path m_file;
    services::FileChange m_lastChange;
    bool m_saving = false;
};

} // namespace gpuledger::ui
